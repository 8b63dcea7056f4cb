/* eprefix overlay manifest: the DIST lines of packages, from the files in DISTDIR. */
#include "overlay.h"

#include "dep.h"
#include "fs.h"
#include "lua_api.h"
#include "manifest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One package directory. */
struct listing {
	struct cli *cli;
	struct lua *lua;
	int distdir;
	const char *distdir_name;
	struct arena arena;
	struct strv sources; /* of all versions, whatever the flags */
	struct strv missing; /* neither listed nor in DISTDIR */
	struct strv added;
	struct manifest manifest;
};

static void add_source(struct listing *l, const char *name)
{
	if (!strv_has(&l->sources, name))
		strv_push(&l->sources, name);
}

/* SRC_URI flat: what follows "->", else the last part of the URI. */
static bool add_sources(struct listing *l, struct str src_uri, struct err *e)
{
	const struct dep *tree = NULL;
	struct rlist *list = NULL;
	const struct dep_parse how = { .syntax = DEP_OF_URIS, .eapi = STR("8") };
	const struct reduce all = { .matchall = true, .flat = true };
	if (!dep_parse(&l->arena, src_uri, &how, &tree, e) ||
		!dep_reduce(&l->arena, tree, &all, &list, e))
		return false;
	for (size_t i = 0; list != NULL && i < list->n; i++) {
		struct str name = list->v[i].token;
		if (i + 2 < list->n && str_is(list->v[i + 1].token, "->")) {
			i += 2;
			name = list->v[i].token;
		}
		const char *text = arena_strndup(&l->arena, name.p, name.n);
		add_source(l, path_base(text));
	}
	return true;
}

static bool add_version(struct listing *l, const struct recipe_ref *ref, struct err *e)
{
	struct recipe_meta meta;
	if (!lua_recipe_meta(l->lua, ref, &meta, e))
		return false;
	struct str rest = { meta.text.p, meta.text.n }, line;
	bool ok = true;
	while (ok && str_split(&rest, '\n', &line)) {
		if (str_starts(line, "SRC_URI="))
			ok = add_sources(l, (struct str){ line.p + 8, line.n - 8 }, e);
	}
	recipe_meta_fini(&meta);
	return ok || err_in(e, "%s/%s-%s", ref->category, ref->pn, ref->pvr);
}

/* Every PN-VERSION.lua of the directory. */
static bool add_versions(struct listing *l, const char *dir, struct err *e)
{
	struct strv names = STRV_INIT;
	char *category_dir = path_dir(dir), *repo = path_dir(category_dir);
	struct recipe_ref ref = {
		.repo_path = repo, .category = path_base(category_dir), .unlisted = true
	};
	ref.pn = path_base(dir);
	size_t n = strlen(ref.pn), found = 0;
	char *named = path_join(repo, "profiles/repo_name");
	bool ok = fs_exists(AT_FDCWD, named) ||
		  err_set(e, ERR_USAGE, "overlay.manifest",
			  "%s is no package of a repository: give REPOSITORY/CATEGORY/NAME, with "
			  "profiles/repo_name in REPOSITORY",
			  dir);
	ok = ok && fs_list(AT_FDCWD, dir, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		struct str name = str_of(names.v[i]);
		if (!str_starts(name, ref.pn) || name.n < n + 6 || name.p[n] != '-' ||
			!str_ends(name, ".lua"))
			continue;
		ref.pvr = arena_strndup(&l->arena, name.p + n + 1, name.n - n - 5);
		ok = add_version(l, &ref, e);
		found++;
	}
	if (ok && found == 0)
		ok = err_set(e, ERR_USAGE, "overlay.manifest", "%s holds no recipe %s-VERSION.lua",
			dir, ref.pn);
	strv_fini(&names);
	free(named);
	free(repo);
	free(category_dir);
	return ok;
}

static bool is_wanted(void *ctx, const struct manifest_entry *entry)
{
	const struct listing *l = ctx;
	return entry->tag != MANIFEST_DIST || strv_has(&l->sources, entry->name);
}

/* A line that is there is held against the file; only --force replaces it. */
static bool list_source(struct listing *l, const char *name, struct err *e)
{
	const struct manifest_entry *entry = manifest_find(&l->manifest, MANIFEST_DIST, name);
	char *why = NULL;
	bool there = l->distdir >= 0 && fs_exists(l->distdir, name);
	if (!there && entry == NULL)
		strv_push(&l->missing, name);
	if (!there)
		return true;
	if (entry != NULL && !manifest_verify_file(entry, l->distdir, name, &why, e))
		return false;
	bool differs = why != NULL;
	if (differs && !cli_has(l->cli, "force"))
		err_set(e, ERR_SOURCE, "overlay.manifest",
			"%s/%s is not what the Manifest says (%s); remove the file, or let --force "
			"write what it is",
			l->distdir_name, name, why);
	free(why);
	if (e->code != ERR_NONE || (entry != NULL && !differs))
		return e->code == ERR_NONE;
	strv_push(&l->added, name);
	return manifest_set_file(&l->manifest, MANIFEST_DIST, name, l->distdir, e);
}

static bool read_manifest(struct listing *l, const char *path, struct err *e)
{
	struct buf text = BUF_INIT;
	bool ok = !fs_exists(AT_FDCWD, path) ||
		  (fs_read(AT_FDCWD, path, &text, e) &&
			  manifest_parse(&l->manifest, (struct str){ text.p, text.n }, path, e));
	buf_fini(&text);
	return ok;
}

static bool write_manifest(const struct listing *l, const char *path, struct err *e)
{
	struct buf now = BUF_INIT, before = BUF_INIT;
	struct err none = ERR_INIT;
	manifest_format(&l->manifest, &now);
	bool there = fs_read(AT_FDCWD, path, &before, &none);
	bool same =
		there && now.n == before.n && (now.n == 0 || memcmp(now.p, before.p, now.n) == 0);
	bool ok = same || (now.n == 0 && !there) || fs_write(AT_FDCWD, path, now.p, now.n, 0644, e);
	for (size_t i = 0; ok && i < l->added.n; i++)
		printf("%s: %s\n", path, l->added.v[i]);
	buf_fini(&now);
	buf_fini(&before);
	return ok;
}

static bool report_missing(const struct listing *l, const char *path, struct err *e)
{
	struct buf names = BUF_INIT;
	for (size_t i = 0; i < l->missing.n; i++)
		buf_printf(&names, "\n  %s", l->missing.v[i]);
	bool ok = l->missing.n == 0 || err_set(e, ERR_SOURCE, "overlay.manifest",
					       "%s lacks lines for these, which are not in %s "
					       "either; put them there and give "
					       "the command again:%s",
					       path, l->distdir_name, buf_str(&names));
	buf_fini(&names);
	return ok;
}

static bool one(struct listing *l, const char *operand, struct err *e)
{
	char *dir = fs_real(operand, e), *path = dir != NULL ? path_join(dir, "Manifest") : NULL;
	bool ok = dir != NULL && add_versions(l, dir, e) && read_manifest(l, path, e);
	if (ok)
		manifest_filter(&l->manifest, is_wanted, l);
	for (size_t i = 0; ok && i < l->sources.n; i++)
		ok = list_source(l, l->sources.v[i], e);
	ok = ok && write_manifest(l, path, e) && report_missing(l, path, e);
	strv_fini(&l->sources);
	strv_fini(&l->missing);
	strv_fini(&l->added);
	manifest_fini(&l->manifest);
	l->manifest = (struct manifest){ 0 };
	free(path);
	free(dir);
	return ok;
}

bool overlay_manifest(struct cli *c, int argc, char **argv, struct err *e)
{
	struct listing l = { .cli = c, .distdir = -1 };
	l.distdir_name = cli_value(c, "distdir", NULL);
	if (argc == 0 || l.distdir_name == NULL)
		return err_set(e, ERR_USAGE, "overlay.manifest",
			"overlay manifest needs --distdir DIR, where the archives are, and "
			"directories of "
			"packages");
	bool ok = fs_open_dir(AT_FDCWD, l.distdir_name, &l.distdir, e) &&
		  lua_new(&l.lua, getenv("EPREFIX_LUA"), e);
	for (int i = 0; ok && i < argc; i++)
		ok = one(&l, argv[i], e);
	if (l.lua != NULL)
		lua_free(l.lua);
	if (l.distdir >= 0)
		close(l.distdir);
	arena_fini(&l.arena);
	return ok;
}
