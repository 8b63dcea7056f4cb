#include "overlay.h"

#include "commands.h"
#include "engine.h"
#include "fs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* eprefix overlay: the repositories of a prefix, as etc/portage/repos.conf registers them. */

static char *conf_path(const char *eprefix, const char *name)
{
	return xasprintf("%s/etc/portage/repos.conf/%s.conf", eprefix, name);
}

/* A name that can be a section, a file and a directory (PMS 3.1.5). */
static bool good_name(const char *name, struct err *e)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	return (name[0] != '\0' && name[0] != '-' && name[strspn(name, allowed)] == '\0') ||
	       err_set(e, ERR_USAGE, "overlay.name",
		       "\"%s\" cannot be the name of a repository: letters, digits, _ and - make "
		       "one",
		       name);
}

/* The name that a repository gives itself, the caller's own; NULL with *e filled. */
static char *own_name(const char *dir, struct err *e)
{
	struct buf text = BUF_INIT;
	char *path = path_join(dir, "profiles/repo_name"), *name = NULL;
	if (!fs_is_dir(AT_FDCWD, dir))
		err_set(e, ERR_USAGE, "overlay.location",
			"there is no directory %s; get the repository there first", dir);
	else if (!fs_exists(AT_FDCWD, path))
		err_set(e, ERR_USAGE, "overlay.repo_name",
			"%s is no repository: it has no profiles/repo_name that says its name",
			dir);
	else if (fs_read(AT_FDCWD, path, &text, e)) {
		struct str rest = { text.p, text.n }, word = STR("");
		str_word(&rest, &word);
		name = xstrndup(word.p, word.n);
	}
	buf_fini(&text);
	free(path);
	if (name != NULL && !good_name(name, e)) {
		free(name);
		name = NULL;
	}
	return name;
}

static bool is_registered(const struct engine *g, const char *name, const char *dir, struct err *e)
{
	for (size_t i = 0; i < g->repos->list.n; i++) {
		const struct repo *r = g->repos->list.v[i];
		if (strcmp(r->name, name) == 0)
			return err_set(e, ERR_USAGE, "overlay.double",
				"a repository called %s is registered already, at %s; "
				"`eprefix overlay remove %s` lets it go",
				name, r->path, name);
		if (strcmp(r->path, dir) == 0)
			return err_set(e, ERR_USAGE, "overlay.double",
				"%s is registered already, as %s", dir, r->name);
	}
	return true;
}

/* A location below the prefix moves with it. */
static char *location_text(const char *eprefix, const char *dir)
{
	size_t n = strlen(eprefix);
	bool below = strncmp(dir, eprefix, n) == 0 && dir[n] == '/';
	return below ? xasprintf("${EPREFIX}%s", dir + n) : xstrdup(dir);
}

/* A warning about the repository itself, its masters say, is an error when it is added. */
static bool is_sound(const struct engine *g, const char *dir, struct err *e)
{
	for (size_t i = 0; i < g->repos->warnings.n; i++) {
		if (strstr(g->repos->warnings.v[i], dir) != NULL)
			return err_set(e, ERR_CONFLICT, "overlay.add", "%s; it was not registered",
				g->repos->warnings.v[i]);
	}
	return true;
}

/* Registers, opens all again, and takes it back when that fails (an unknown master, say). */
static bool register_repo(
	const char *eprefix, const char *name, const char *dir, const char *uri, struct err *e)
{
	char *conf = conf_path(eprefix, name), *location = location_text(eprefix, dir);
	char *text = xasprintf("[%s]\nlocation = %s\n%s%s%s", name, location,
		uri != NULL ? "sync-type = git\nsync-uri = " : "", uri != NULL ? uri : "",
		uri != NULL ? "\n" : "");
	char *parent = path_dir(conf);
	bool ok = fs_mkdirs(AT_FDCWD, parent, 0755, e) &&
		  fs_write(AT_FDCWD, conf, text, strlen(text), 0644, e);
	struct engine again = ENGINE_INIT;
	if (ok && (!engine_open_repos(&again, eprefix, NULL, e) || !is_sound(&again, dir, e))) {
		unlink(conf);
		ok = false;
	}
	engine_close(&again);
	free(parent);
	free(text);
	free(location);
	free(conf);
	return ok;
}

/* What is added: a directory, or the name of a repository that bootstrap left in var/db/repos. */
static char *directory_of(const char *eprefix, const char *what, struct err *e)
{
	char *beside = xasprintf("%s/var/db/repos/%s", eprefix, what);
	bool named = strchr(what, '/') == NULL && !fs_is_dir(AT_FDCWD, what) &&
		     fs_is_dir(AT_FDCWD, beside);
	bool there = named || fs_is_dir(AT_FDCWD, what);
	char *dir = there ? fs_real(named ? beside : what, e) : NULL;
	if (!there)
		err_set(e, ERR_USAGE, "overlay.location",
			"there is no directory %s, and no %s; get the repository there first "
			"(git clone), then add it",
			what, beside);
	free(beside);
	return dir;
}

/* "scheme://…", or ssh's "host:path". */
static bool is_uri(const char *source)
{
	const char *colon = strchr(source, ':'), *slash = strchr(source, '/');
	return strstr(source, "://") != NULL || (colon != NULL && slash != NULL && colon < slash);
}

/* What is to be added. Empty value: all zero. */
struct addition {
	const char *name; /* as typed, NULL: as the repository says */
	const char *source; /* a directory, a name in var/db/repos, or a URI */
	char *dir; /* where it is */
	bool cloned; /* by this run */
};

/* Make a->dir the directory; a URI is cloned into var/db/repos. */
static bool get(struct addition *a, const char *eprefix, struct err *e)
{
	bool uri = is_uri(a->source);
	struct overlays o = { .eprefix = eprefix };
	if (uri && (a->name == NULL || strpbrk(a->source, "\n\r") != NULL))
		return err_set(e, ERR_USAGE, "overlay.add",
			"say what to call it, too: eprefix overlay add NAME %s", a->source);
	if (uri && !good_name(a->name, e))
		return false;
	if (uri) {
		a->dir = xasprintf("%s/var/db/repos/%s", eprefix, a->name);
		a->cloned = !fs_exists(AT_FDCWD, a->dir);
		return overlay_git(a->source, a->dir, e);
	}
	a->dir = directory_of(eprefix, overlays_expand(&o, str_of(a->source)), e);
	overlays_fini(&o);
	return a->dir != NULL;
}

static bool put(struct cli *c, const struct engine *g, const struct addition *a, struct err *e)
{
	char *name = own_name(a->dir, e);
	bool ok = name != NULL;
	if (ok && a->name != NULL && strcmp(a->name, name) != 0)
		ok = err_set(e, ERR_USAGE, "overlay.name",
			"%s calls itself %s (profiles/repo_name); add it by that name", a->source,
			name);
	ok = ok && is_registered(g, name, a->dir, e) &&
	     register_repo(g->eprefix, name, a->dir, is_uri(a->source) ? a->source : NULL, e);
	if (ok && !c->quiet)
		printf("%s is registered: etc/portage/repos.conf/%s.conf\n", name, name);
	free(name);
	return ok;
}

static bool add(struct cli *c, int argc, char **argv, struct err *e)
{
	if (argc < 1 || argc > 2)
		return err_set(e, ERR_USAGE, "overlay.add",
			"overlay add wants a directory, the name of one in var/db/repos, or NAME "
			"and a directory or the URI of a git repository");
	struct engine g = ENGINE_INIT;
	struct addition a = { .name = argc > 1 ? argv[0] : NULL, .source = argv[argc - 1] };
	bool ok = engine_open(&g, c, e);
	/* Before anything is fetched for it. */
	ok = ok && (a.name == NULL || is_registered(&g, a.name, "", e)) && get(&a, g.eprefix, e) &&
	     put(c, &g, &a, e);
	struct err ignored = ERR_INIT;
	if (!ok && a.cloned)
		fs_remove_tree(AT_FDCWD, a.dir, &ignored);
	free(a.dir);
	engine_close(&g);
	return ok;
}

static bool forget(struct cli *c, int argc, char **argv, struct err *e)
{
	const char *eprefix = cli_prefix(c, e);
	if (eprefix == NULL)
		return false;
	if (argc != 1 || !good_name(argv[0], e))
		return err_set(e, ERR_USAGE, "overlay.remove", "overlay remove wants one name");
	char *conf = conf_path(eprefix, argv[0]);
	bool ok = fs_exists(AT_FDCWD, conf) ||
		  err_set(e, ERR_USAGE, "overlay.remove",
			  "%s is not there; if another file of etc/portage/repos.conf has [%s], "
			  "take it out of that one (`eprefix overlay list`)",
			  conf, argv[0]);
	ok = ok && (unlink(conf) == 0 || err_sys(e, "overlay.remove", "cannot remove %s", conf));
	if (ok && !c->quiet)
		printf("%s is no longer registered; its files were left alone\n", argv[0]);
	free(conf);
	return ok;
}

static void print_repo(const struct cli *c, const struct repo *r, bool first)
{
	struct buf line = BUF_INIT;
	if (!c->json) {
		printf("%-20s %s\n", r->name, r->path);
		return;
	}
	buf_adds(&line, first ? "{\"name\":" : ",{\"name\":");
	buf_json(&line, str_of(r->name));
	buf_adds(&line, ",\"location\":");
	buf_json(&line, str_of(r->path));
	buf_printf(&line, ",\"priority\":%d,\"main\":%s}", r->priority,
		r->set->main == r ? "true" : "false");
	fwrite(line.p, 1, line.n, stdout);
	buf_fini(&line);
}

static bool list(struct cli *c, struct err *e)
{
	struct engine g = ENGINE_INIT;
	bool ok = engine_open(&g, c, e);
	if (ok && c->json)
		putchar('[');
	for (size_t i = 0; ok && i < g.repos->list.n; i++)
		print_repo(c, g.repos->list.v[i], i == 0);
	if (ok && c->json)
		puts("]");
	engine_close(&g);
	return ok;
}

/* The directories given, or those of all repositories of the prefix. */
static bool check(struct cli *c, int argc, char **argv, struct err *e)
{
	struct strv dirs = STRV_INIT;
	struct engine g = ENGINE_INIT;
	bool ok = true;
	for (int i = 0; ok && i < argc; i++) {
		char *dir = fs_real(argv[i], e), *name = dir != NULL ? own_name(dir, e) : NULL;
		ok = name != NULL;
		if (ok)
			strv_push(&dirs, dir);
		free(name);
		free(dir);
	}
	if (argc == 0 && (ok = engine_open(&g, c, e))) {
		for (size_t i = 0; i < g.repos->list.n; i++)
			strv_push(&dirs, g.repos->list.v[i]->path);
	}
	size_t n = 0;
	ok = ok && overlay_check(c, dirs.v, dirs.n, &n, e);
	if (ok && n > 0)
		ok = err_set(e, ERR_FAILED, "overlay.findings", "overlay check: %zu findings", n);
	else if (ok && !c->quiet && !c->json)
		printf("nothing is wrong with %zu %s\n", dirs.n,
			dirs.n == 1 ? "repository" : "repositories");
	engine_close(&g);
	strv_fini(&dirs);
	return ok;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	const char *verb = argc > 0 ? argv[0] : "list";
	int n = argc > 0 ? argc - 1 : 0;
	bool ok;
	if (strcmp(verb, "list") == 0)
		ok = list(c, &e);
	else if (strcmp(verb, "add") == 0)
		ok = add(c, n, argv + 1, &e);
	else if (strcmp(verb, "remove") == 0)
		ok = forget(c, n, argv + 1, &e);
	else if (strcmp(verb, "sync") == 0)
		ok = overlay_sync(c, n, argv + 1, &e);
	else if (strcmp(verb, "check") == 0)
		ok = check(c, n, argv + 1, &e);
	else if (strcmp(verb, "manifest") == 0)
		ok = overlay_manifest(c, n, argv + 1, &e);
	else
		ok = err_set(&e, ERR_USAGE, "overlay.verb",
			"overlay cannot '%s'; it can list, add, remove, sync, check "
			"and write a manifest",
			verb);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 0, "distdir", "DIR", "manifest: where the archives are", NULL },
	{ 0, "force", NULL, "manifest: replace lines that the files contradict", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

static const struct cli_verb verbs[] = {
	{ "list", "", "the registered repositories and where they are" },
	{ "add", "[NAME] DIR|URI",
		"register a directory, a name in var/db/repos, or a git repository" },
	{ "remove", "NAME", "register it no longer; its files stay" },
	{ "sync", "[NAME…]", "update those that come from a git repository" },
	{ "check", "[DIR…]", "look for mistakes in recipes, Manifests and files" },
	{ "manifest", "PACKAGE-DIR…", "write the lines of sources that Manifests lack" },
	{ NULL, NULL, NULL },
};

const struct cli_command cmd_overlay = {
	.name = "overlay",
	.summary = "register repositories of recipes, and check them",
	.usage = "[WHAT [DIR|NAME]…]",
	.details =
		"A repository is a directory with profiles/repo_name. `add` writes "
		"etc/portage/repos.conf/NAME.conf, which Portage reads as well; a location in "
		"the "
		"prefix is written with ${EPREFIX}. From a URI git clones into var/db/repos, and "
		"`sync` fast-forwards it. `check` looks at the repositories given, or "
		"at "
		"all that are registered: recipes that do not load, categories that are not "
		"listed, "
		"dependencies that nothing satisfies, cycles, Manifest lines that are wrong, "
		"missing "
		"or not used, and files that no recipe names.\n\n"
		"`manifest` takes sizes and checksums of new sources from the files in --distdir: "
		"they are "
		"as good as the way those came, so compare them with what upstream publishes.",
	.options = options,
	.verbs = verbs,
	.min_args = 0,
	.max_args = -1,
	.run = run,
};
