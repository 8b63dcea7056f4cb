#include "overlay.h"

#include "engine.h"
#include "fs.h"
#include "manifest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* eprefix overlay check. */

struct checker {
	const struct cli *cli;
	struct engine g; /* without a configuration: nothing is masked here */
	struct arena a;
	const struct repo *repo; /* the one being checked */
	const char *dir; /* of the package being checked */
	struct strv wanted; /* names of its sources */
	struct buf recipes; /* text of all its recipes */
	bool self; /* a source is packed by the bootstrap, which adds its line to the prefix's copy
		    */
	size_t n;
};

static void find(struct checker *k, const char *kind, const char *where, const char *what)
{
	struct buf line = BUF_INIT;
	k->n++;
	if (!k->cli->json) {
		printf("%s: %s: %s\n", where, kind, what);
		return;
	}
	buf_adds(&line, "{\"kind\":");
	buf_json(&line, str_of(kind));
	buf_adds(&line, ",\"where\":");
	buf_json(&line, str_of(where));
	buf_adds(&line, ",\"what\":");
	buf_json(&line, str_of(what));
	puts(buf_str(&(struct buf){ .p = line.p, .n = line.n }));
	buf_fini(&line);
}

static const char *cpv_of(struct checker *k, const struct pkg *p)
{
	return arena_printf(&k->a, "%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
}

static bool is_met(struct checker *k, const struct atom *atom)
{
	const struct package *all = repo_package(k->g.repos, atom->cp);
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		struct err ignored = ERR_INIT;
		if (pkg_load(k->g.repos, all->v[i], &ignored) &&
			atom_match_but_use(atom, all->v[i]))
			return true;
	}
	return false;
}

static bool can_hold(struct checker *k, const struct dep *d);

static bool all_can(struct checker *k, const struct dep *d)
{
	for (; d != NULL; d = d->next) {
		if (!can_hold(k, d))
			return false;
	}
	return true;
}

static bool can_hold(struct checker *k, const struct dep *d)
{
	if (d->kind == DEP_ATOM)
		return d->atom->block != ATOM_NO_BLOCK || is_met(k, d->atom);
	if (d->kind != DEP_ANY)
		return all_can(k, d->child);
	for (const struct dep *one = d->child; one != NULL; one = one->next) {
		if (can_hold(k, one))
			return true;
	}
	return d->child == NULL;
}

/* The atoms that nothing satisfies; of an any-of group all of them, or none. */
static void check_deps(struct checker *k, const char *cpv, const char *key, const struct dep *d)
{
	for (; d != NULL; d = d->next) {
		if (can_hold(k, d))
			continue;
		if (d->kind == DEP_ATOM)
			find(k, "dependency", cpv,
				arena_printf(&k->a, "no repository has %.*s, which its %s asks for",
					STR_ARG(d->atom->text), key));
		else if (d->kind == DEP_ANY)
			find(k, "dependency", cpv,
				arena_printf(&k->a, "nothing of an any-of group of its %s is there",
					key));
		else
			check_deps(k, cpv, key, d->child);
	}
}

/* All flags on, then all off: the sources of both are what a recipe can ask for. */
static bool check_sources(struct checker *k, struct pkg *p, bool on, struct err *e)
{
	struct source_list sources;
	struct err failed = ERR_INIT;
	(void)e;
	for (size_t i = 0; i < p->n_iuse; i++)
		p->iuse[i].on = on;
	bool ok = engine_sources(&k->g, p, &sources, &failed);
	for (size_t i = 0; ok && i < sources.v.n; i++) {
		const struct source *s = &sources.v.v[i];
		for (size_t f = 0; f < s->alternatives.n; f++)
			strv_push(&k->wanted, s->alternatives.v[f].name);
	}
	source_list_fini(&sources);
	if (!ok && on)
		find(k, "source", cpv_of(k, p), failed.message);
	return true;
}

static bool check_version(struct checker *k, struct pkg *p, struct err *e)
{
	const char *cpv = cpv_of(k, p);
	if (!pkg_load(k->g.repos, p, e))
		return false;
	if (p->broken) {
		k->self = strstr(p->problem, "source eprefix-") != NULL;
		if (!k->self)
			find(k, "recipe", cpv, p->problem);
		return true;
	}
	for (enum pkg_key key = 0; key < PKG_DEPS; key++) {
		const struct dep *d = NULL;
		struct err bad = ERR_INIT;
		if (pkg_deps(&k->a, p, key, &d, &bad))
			check_deps(k, cpv, pkg_key_name(key), d);
		else
			find(k, "recipe", cpv, arena_strdup(&k->a, bad.message));
	}
	char *recipe = xasprintf("%s/%.*s.lua", k->dir, STR_ARG(p->pf));
	bool ok = p->kind != PKG_RECIPE ||
		  (check_sources(k, p, true, e) && check_sources(k, p, false, e) &&
			  fs_read(AT_FDCWD, recipe, &k->recipes, e));
	free(recipe);
	return ok;
}

static bool is_hex(const char *text, size_t n)
{
	return strlen(text) == n && text[strspn(text, "0123456789abcdef")] == '\0';
}

static void check_entry(struct checker *k, const char *path, const struct manifest_entry *entry)
{
	static const struct {
		const char *name;
		size_t digits;
	} known[] = { { "BLAKE2B", 128 }, { "SHA512", 128 }, { "SHA256", 64 } };
	size_t good = 0;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const char *hex = manifest_hash(entry, known[i].name);
		if (hex == NULL)
			continue;
		good++;
		if (!is_hex(hex, known[i].digits))
			find(k, "checksum", path,
				arena_printf(&k->a, "%s of %s is not %zu hexadecimal digits",
					known[i].name, entry->name, known[i].digits));
	}
	if (good == 0)
		find(k, "checksum", path,
			arena_printf(&k->a, "%s has no checksum that is known", entry->name));
	if (entry->tag == MANIFEST_DIST && !k->self && !strv_has(&k->wanted, entry->name))
		find(k, "unused", path, arena_printf(&k->a, "no recipe asks for %s", entry->name));
}

static bool check_manifest(struct checker *k, struct err *e)
{
	struct manifest m = { 0 };
	struct buf text = BUF_INIT;
	struct err bad = ERR_INIT;
	char *path = path_join(k->dir, "Manifest");
	bool ok = !fs_exists(AT_FDCWD, path) || fs_read(AT_FDCWD, path, &text, e);
	if (ok && text.n > 0 && !manifest_parse(&m, (struct str){ text.p, text.n }, path, &bad))
		find(k, "checksum", path, bad.message);
	for (size_t i = 0; i < m.v.n; i++)
		check_entry(k, path, &m.v.v[i]);
	manifest_fini(&m);
	buf_fini(&text);
	free(path);
	return ok;
}

/* Files beside the recipes that none of them names. */
static bool check_files(struct checker *k, struct err *e)
{
	struct strv names = STRV_INIT;
	char *dir = path_join(k->dir, "files");
	bool ok = !fs_is_dir(AT_FDCWD, dir) || fs_list(AT_FDCWD, dir, &names, e);
	for (size_t i = 0; i < names.n; i++) {
		if (strstr(buf_str(&k->recipes), names.v[i]) == NULL)
			find(k, "unused", dir,
				arena_printf(&k->a, "no recipe names files/%s", names.v[i]));
	}
	strv_fini(&names);
	free(dir);
	return ok;
}

static bool check_package(struct checker *k, const struct package *all, struct err *e)
{
	bool ok = true, ours = false;
	k->self = false;
	k->dir = arena_printf(&k->a, "%s/%.*s", k->repo->path, STR_ARG(all->cp));
	for (size_t i = 0; ok && i < all->n; i++) {
		if (all->v[i]->repo != k->repo)
			continue;
		ours = true;
		ok = check_version(k, all->v[i], e);
	}
	ok = ok && (!ours || (check_manifest(k, e) && check_files(k, e)));
	strv_fini(&k->wanted);
	buf_fini(&k->recipes);
	return ok;
}

/* What is needed without any flag to build the highest version of a package. */
struct trail {
	struct map state; /* cp -> "open" while it is looked at, then "done" */
	VEC(const struct package *) path;
};

static void follow(struct checker *k, struct trail *t, const struct package *all);

static void follow_deps(struct checker *k, struct trail *t, const struct dep *d)
{
	for (; d != NULL; d = d->next) {
		if (d->kind == DEP_ALL)
			follow_deps(k, t, d->child);
		if (d->kind != DEP_ATOM || d->atom->block != ATOM_NO_BLOCK)
			continue;
		const struct package *all = repo_package(k->g.repos, d->atom->cp);
		if (all != NULL)
			follow(k, t, all);
	}
}

static void report_cycle(struct checker *k, const struct trail *t, const struct package *all)
{
	const char *text = "";
	size_t i = t->path.n;
	while (i > 0 && t->path.v[i - 1] != all)
		i--;
	bool ours = false;
	for (i = i > 0 ? i - 1 : 0; i < t->path.n; i++) {
		text = arena_printf(&k->a, "%s%.*s -> ", text, STR_ARG(t->path.v[i]->cp));
		ours = ours || t->path.v[i]->v[0]->repo == k->repo;
	}
	if (ours)
		find(k, "cycle", k->repo->path,
			arena_printf(&k->a, "each is needed to build the one before: %s%.*s", text,
				STR_ARG(all->cp)));
}

static void follow(struct checker *k, struct trail *t, const struct package *all)
{
	static char open[] = "open", done[] = "done";
	static const enum pkg_key keys[] = { PKG_DEPEND, PKG_BDEPEND };
	const char *state = map_get(&t->state, all->cp);
	if (state == open)
		report_cycle(k, t, all);
	if (state != NULL)
		return;
	struct pkg *p = all->v[0];
	struct err ignored = ERR_INIT;
	map_set(&t->state, all->cp, open);
	vec_push(&t->path, all);
	for (size_t i = 0; pkg_load(k->g.repos, p, &ignored) && !p->broken && i < 2; i++) {
		const struct dep *d = NULL;
		if (pkg_deps(&k->a, p, keys[i], &d, &ignored))
			follow_deps(k, t, d);
	}
	t->path.n--;
	map_set(&t->state, all->cp, done);
}

static void check_cycles(struct checker *k, const struct package_list *all)
{
	struct trail t = { 0 };
	for (size_t i = 0; i < all->list.n; i++)
		follow(k, &t, all->list.v[i]);
	vec_fini(&t.path);
	map_fini(&t.state);
}

/* Directories with recipes that profiles/categories does not list: nobody finds what is in them. */
static bool check_categories(struct checker *k, struct err *e)
{
	static const char *const others[] = { "profiles", "metadata", "lib", "eclass", "licenses",
		"scripts" };
	struct strv names = STRV_INIT;
	bool ok = fs_list(AT_FDCWD, k->repo->path, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		const char *name = names.v[i];
		char *path = path_join(k->repo->path, name);
		bool known = name[0] == '.' || !fs_is_dir(AT_FDCWD, path) ||
			     map_get(&k->repo->categories, str_of(name)) != NULL;
		for (size_t j = 0; j < sizeof others / sizeof *others; j++)
			known = known || strcmp(name, others[j]) == 0;
		if (!known)
			find(k, "category", path, "profiles/categories does not list it");
		free(path);
	}
	strv_fini(&names);
	return ok;
}

static bool check_repo(struct checker *k, const char *dir, struct err *e)
{
	struct package_list all = { 0 };
	k->repo = NULL;
	for (size_t i = 0; i < k->g.repos->list.n; i++) {
		if (strcmp(k->g.repos->list.v[i]->path, dir) == 0)
			k->repo = k->g.repos->list.v[i];
	}
	if (k->repo == NULL)
		return err_set(e, ERR_CONFLICT, "overlay.check", "%s could not be opened", dir);
	bool ok = check_categories(k, e) && repo_all(k->g.repos, &all, e);
	for (size_t i = 0; ok && i < all.list.n; i++)
		ok = check_package(k, all.list.v[i], e);
	if (ok)
		check_cycles(k, &all);
	vec_fini(&all.list);
	return ok;
}

/* A section for each repository: those asked for, and what lies beside them. */
static bool add_section(struct buf *text, struct strv *known, const char *dir, struct err *e)
{
	struct buf name = BUF_INIT;
	char *path = path_join(dir, "profiles/repo_name");
	bool ok = true;
	if (!strv_has(known, dir) && fs_exists(AT_FDCWD, path)) {
		strv_push(known, dir);
		ok = fs_read(AT_FDCWD, path, &name, e);
		struct str rest = { name.p, name.n }, word = STR("");
		str_word(&rest, &word);
		buf_printf(text, "[%.*s]\nlocation = %s\n", STR_ARG(word), dir);
	}
	buf_fini(&name);
	free(path);
	return ok;
}

static bool add_sections(struct buf *text, char **dirs, size_t n, struct err *e)
{
	struct strv known = STRV_INIT;
	bool ok = true;
	for (size_t i = 0; ok && i < n; i++)
		ok = add_section(text, &known, dirs[i], e);
	for (size_t i = 0; ok && i < n; i++) {
		struct strv names = STRV_INIT;
		char *parent = path_dir(dirs[i]);
		ok = fs_list(AT_FDCWD, parent, &names, e);
		for (size_t j = 0; ok && j < names.n; j++) {
			char *beside = path_join(parent, names.v[j]);
			ok = add_section(text, &known, beside, e);
			free(beside);
		}
		strv_fini(&names);
		free(parent);
	}
	strv_fini(&known);
	return ok;
}

bool overlay_check(struct cli *c, char **dirs, size_t n_dirs, size_t *n, struct err *e)
{
	struct checker k = { .cli = c, .g = ENGINE_INIT };
	struct buf text = BUF_INIT;
	bool ok = add_sections(&text, dirs, n_dirs, e) &&
		  engine_open_repos(&k.g, "/nonexistent", buf_str(&text), e);
	if (ok)
		k.g.repos->read_only = true;
	for (size_t i = 0; ok && i < n_dirs; i++)
		ok = check_repo(&k, dirs[i], e);
	*n = k.n;
	engine_close(&k.g);
	buf_fini(&text);
	arena_fini(&k.a);
	return ok;
}
