#include "fs.h"
#include "verify_int.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Owned files below these are checked like others, but for those that may change. */
const struct verify_state verify_states[] = {
	{ "etc", true, "configuration, and what env-update and ldconfig make of it" },
	{ "var", false, "records, recipes, sources, logs, state" },
	{ "startprefix", false, "enters the prefix, written by the bootstrap" },
	{ "lost+found", false, "of the file system, where the prefix is a mount point" },
	{ "usr/share/info/dir", false, "index of manuals that install-info keeps" },
	{ "usr/lib/gconv/gconv-modules.cache", false, "iconvconfig's cache" },
	{ "usr/lib/locale/locale-archive", false, "localedef's archive" },
	{ "*/__pycache__", true, "Python's compiled modules" },
	{ ".*", false, "of users whose home is the prefix" },
	{ NULL, false, NULL },
};

const struct verify_state *verify_state_of(const char *path)
{
	const struct verify_state *found = NULL;
	char *part = xstrdup(path);
	while (found == NULL) {
		for (const struct verify_state *s = verify_states; s->glob != NULL; s++)
			if (found == NULL && fnmatch(s->glob, part, 0) == 0)
				found = s;
		char *slash = strrchr(part, '/');
		if (slash == NULL)
			break;
		*slash = '\0';
	}
	free(part);
	return found;
}

/* A walk below one top-level directory. An unowned directory is told once, with its count. */
struct stray {
	struct verify *v;
	const char *top;
	char *dir; /* the unowned directory the walk is in, NULL: none */
	size_t files; /* in it so far */
};

static void tell_dir(struct stray *s)
{
	if (s->dir != NULL && s->files > 0)
		flaws_add(&s->v->r->found, FLAW_UNOWNED, s->dir, "directory with %zu files",
			s->files);
	free(s->dir);
	s->dir = NULL;
	s->files = 0;
}

static bool is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);
	return strncmp(path, dir, n) == 0 && path[n] == '/';
}

static void look(struct stray *s, const char *path, bool is_dir)
{
	if (s->dir != NULL && !is_below(path, s->dir))
		tell_dir(s);
	if (map_get(&s->v->owned, str_of(path)) != NULL || verify_state_of(path) != NULL)
		return;
	if (s->dir != NULL)
		s->files += !is_dir;
	else if (is_dir)
		s->dir = xstrdup(path);
	else
		flaws_add(&s->v->r->found, FLAW_UNOWNED, path, "%s", "");
}

static bool visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct stray *s = ctx;
	char *path = path_join(s->top, entry->path);
	(void)e;
	look(s, path, S_ISDIR(entry->st.st_mode));
	free(path);
	return true;
}

static bool look_below(struct verify *v, const char *top, struct err *e)
{
	struct stray s = { .v = v, .top = top };
	struct stat st;
	if (fstatat(v->o->root, top, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return true;
	look(&s, top, S_ISDIR(st.st_mode));
	bool ok = !S_ISDIR(st.st_mode) || fs_walk(v->o->root, top, visit, &s, e);
	tell_dir(&s);
	return ok;
}

bool verify_find_unowned(struct verify *v, struct err *e)
{
	struct strv tops = STRV_INIT;
	bool ok = fs_list(v->o->root, ".", &tops, e);
	for (size_t i = 0; ok && i < tops.n; i++)
		if (verify_state_of(tops.v[i]) == NULL)
			ok = look_below(v, tops.v[i], e);
	strv_fini(&tops);
	return ok;
}
