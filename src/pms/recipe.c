#include "repo_int.h"

#include "digest.h"
#include "fs.h"
#include "linefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* The value of a line KEY=value, empty when there is none. */
static struct str cached_value(struct str text, const char *key)
{
	struct str line, name;
	while (str_split(&text, '\n', &line)) {
		struct str value = line;
		if (str_split(&value, '=', &name) && str_is(name, key) && value.p != NULL)
			return value;
	}
	return STR("");
}

/* Do the libraries that a recipe used still have the content they had? _eclasses_: name, md5, … */
static bool libraries_current(struct repo_set *s, const struct pkg *p, struct str eclasses)
{
	struct str name, md5;
	char hex[33];
	while (str_split(&eclasses, '\t', &name)) {
		if (!str_split(&eclasses, '\t', &md5) || s->recipes.library == NULL ||
			!s->recipes.library(s->recipes.ctx, p->repo, name, hex) ||
			!str_is(md5, hex))
			return false;
	}
	return true;
}

/* EPREFIX/var/cache/edb/dep/<path of the repository>/<cat>/<pf>, the caller's. */
static char *cache_path(const struct repo_set *s, const struct pkg *p)
{
	return xasprintf("%s/var/cache/edb/dep%s/%.*s/%.*s", s->eprefix, p->repo->path,
		STR_ARG(p->cat), STR_ARG(p->pf));
}

static void save(const struct repo_set *s, const char *path, const struct buf *text)
{
	struct err ignored = ERR_INIT; /* the cache is a convenience */
	const char *slash = strrchr(path, '/');
	if (s->read_only || slash == NULL)
		return;
	char *dir = xstrndup(path, (size_t)(slash - path));
	if (fs_mkdirs(AT_FDCWD, dir, 0755, &ignored))
		fs_write(AT_FDCWD, path, text->p, text->n, 0644, &ignored);
	free(dir);
}

/* Run the recipe; one that does not load is a broken package, not a failure of ours. */
static bool evaluate(struct repo_set *s, struct pkg *p, const char *path, struct buf *out)
{
	struct err e = ERR_INIT;
	if (s->recipes.evaluate == NULL)
		pkg_broken(&s->arena, p, "recipes cannot be read here: %s", path);
	else if (!s->recipes.evaluate(s->recipes.ctx, p, path, out, &e))
		pkg_broken(&s->arena, p, "%s", e.message);
	return !p->broken;
}

bool recipe_metadata(struct repo_set *s, struct pkg *p, struct str *text, struct err *e)
{
	char hex[DIGEST_HEX_MAX];
	struct err absent = ERR_INIT;
	char *path = xasprintf("%s/%.*s/%.*s.lua", p->repo->path, STR_ARG(p->cp), STR_ARG(p->pf));
	char *cached = cache_path(s, p);
	struct buf fresh = BUF_INIT;
	bool ok = digest_file(AT_FDCWD, path, DIGEST_MD5, hex, e);
	bool current = ok && file_text(&s->arena, cached, text, &absent) &&
		       str_is(cached_value(*text, "_md5_"), hex) &&
		       libraries_current(s, p, cached_value(*text, "_eclasses_"));
	if (ok && !current) {
		*text = STR("");
		if (evaluate(s, p, path, &fresh)) {
			buf_printf(&fresh, "_md5_=%s\n", hex);
			save(s, cached, &fresh);
			char *copy = arena_strndup(&s->arena, fresh.p, fresh.n);
			*text = (struct str){ copy, strlen(copy) };
		}
	}
	buf_fini(&fresh);
	free(cached);
	free(path);
	return ok;
}
