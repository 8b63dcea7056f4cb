#include "boot.h"

#include "atom.h"
#include "fs.h"
#include "plan_graph.h"
#include "user_patches.h"
#include "version.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAIN_REPO "gentoo-prefix"

static bool is_repo(const char *dir)
{
	char *name = path_join(dir, "profiles/repo_name");
	bool there = fs_exists(AT_FDCWD, name);
	free(name);
	return there;
}

bool boot_find_repos(struct boot *b, struct err *e)
{
	const char *base = b->repo_dir;
	struct strv names = STRV_INIT;
	if (fs_is_dir(AT_FDCWD, base) && !fs_list(AT_FDCWD, base, &names, e))
		return false;
	/* Ours first: the stages are made for it. */
	for (int first = 1; first >= 0; first--) {
		for (size_t i = 0; i < names.n; i++) {
			char *dir = path_join(base, names.v[i]);
			if ((strcmp(names.v[i], MAIN_REPO) == 0) == (first == 1) && is_repo(dir))
				strv_push(&b->repos, dir);
			free(dir);
		}
	}
	strv_fini(&names);
	return b->repos.n > 0 ||
	       err_set(e, ERR_USAGE, "boot.repos",
		       "there are no recipes in %s; give --source-dir DIR, the source tree of "
		       "eprefix (bootstrap/run does)",
		       base);
}

/* The versions of one package in one repository that an atom admits, the highest first. */
struct versions {
	VEC(char *) v;
};

static int by_version(const void *a, const void *b)
{
	return version_cmp(str_of(*(char *const *)b), str_of(*(char *const *)a));
}

/* The version in "pn-1.2.lua", the caller's own, NULL when it is no such name. */
static char *version_in(const char *file, const char *pn)
{
	size_t n = strlen(pn), all = strlen(file);
	if (strncmp(file, pn, n) != 0 || file[n] != '-' || !str_ends(str_of(file), ".lua"))
		return NULL;
	char *version = xstrndup(file + n + 1, all - n - 1 - strlen(".lua"));
	if (!version_valid(str_of(version))) {
		free(version);
		return NULL;
	}
	return version;
}

static bool list_versions(const char *dir, const char *pn, const struct atom *atom,
	struct versions *out, struct err *e)
{
	struct strv names = STRV_INIT;
	if (!fs_is_dir(AT_FDCWD, dir))
		return true;
	bool ok = fs_list(AT_FDCWD, dir, &names, e);
	for (size_t i = 0; i < names.n; i++) {
		char *version = version_in(names.v[i], pn);
		if (version != NULL && atom_match_version(atom, str_of(version)))
			vec_push(&out->v, version);
		else
			free(version);
	}
	if (out->v.n > 0)
		qsort(out->v.v, out->v.n, sizeof *out->v.v, by_version);
	strv_fini(&names);
	return ok;
}

static void versions_fini(struct versions *x)
{
	for (size_t i = 0; i < x->v.n; i++)
		free(x->v.v[i]);
	vec_fini(&x->v);
}

/* The value of KEY= in md5-cache lines, the arena's; "" when it is not there. */
static const char *field(struct arena *a, const struct buf *text, const char *key)
{
	struct str rest = { text->p, text->n }, line;
	size_t n = strlen(key);
	while (str_split(&rest, '\n', &line)) {
		if (line.n > n && line.p[n] == '=' && memcmp(line.p, key, n) == 0)
			return arena_strndup(a, line.p + n + 1, line.n - n - 1);
	}
	return "";
}

static bool has_keyword(const char *keywords, const char *mark, const char *arch)
{
	char *wanted = xasprintf("%s%s", mark, arch);
	struct str rest = str_of(keywords), word;
	bool found = false;
	while (str_word(&rest, &word))
		found = found || str_is(word, wanted);
	free(wanted);
	return found;
}

static void fill_meta(struct arena *a, const struct recipe_meta *m, struct pkg_meta *out)
{
	out->slot = field(a, &m->text, "SLOT");
	out->iuse = field(a, &m->text, "IUSE");
	out->depend = field(a, &m->text, "DEPEND");
	out->rdepend = field(a, &m->text, "RDEPEND");
	out->bdepend = field(a, &m->text, "BDEPEND");
	out->pdepend = field(a, &m->text, "PDEPEND");
	out->recipe_digest = arena_strdup(a, m->digest);
	out->mem_mb = m->mem_mb;
}

/* One request of the planner. */
struct search {
	struct boot *b;
	struct arena *a;
	const struct atom *atom;
	const char *category, *pn;
	struct pkg_meta best;
	bool found, stable;
};

/* Look at one version: the first stable one is taken, else the first that is there at all. */
static bool consider(struct search *s, const char *repo, const char *pvr, struct err *e)
{
	struct recipe_ref ref = { repo, s->category, s->pn, pvr, false };
	struct recipe_meta m;
	struct pkg_meta meta = { .category = s->category,
		.pn = s->pn,
		.pvr = arena_strdup(s->a, pvr),
		.repo = arena_strdup(s->a, path_base(repo)),
		.repo_path = repo };
	if (!lua_recipe_meta(s->b->lua, &ref, &m, e))
		return false;
	const char *keywords = field(s->a, &m.text, "KEYWORDS");
	fill_meta(s->a, &m, &meta);
	recipe_meta_fini(&m);
	struct pkg p;
	if (!plan_pkg(s->a, &meta, &p, e))
		return false;
	if (!atom_match_but_use(s->atom, &p))
		return true;
	bool stable = has_keyword(keywords, "", s->b->arch);
	if (!s->found || (stable && !s->stable)) {
		s->best = meta;
		s->found = true;
		s->stable = stable;
	}
	return true;
}

static bool search_repo(struct search *s, const char *repo, struct err *e)
{
	char *dir = xasprintf("%s/%s/%s", repo, s->category, s->pn);
	struct versions versions = { 0 };
	bool ok = list_versions(dir, s->pn, s->atom, &versions, e);
	for (size_t i = 0; ok && i < versions.v.n && !s->stable; i++)
		ok = consider(s, repo, versions.v.v[i], e);
	versions_fini(&versions);
	free(dir);
	return ok;
}

static bool add_sources(struct search *s, struct err *e)
{
	struct pkg_meta *m = &s->best;
	struct recipe_ref ref = { m->repo_path, m->category, m->pn, m->pvr, false };
	struct source_list list;
	if (!lua_recipe_sources(s->b->lua, &ref, m->use, &list, e))
		return false;
	vec_push(&s->b->sources, list);
	m->sources = list.v.v;
	m->n_sources = list.v.n;
	return true;
}

/* The CPU seconds that the repository's list gives for the package, 0 when it does not. */
static double listed_seconds(const struct pkg_meta *m)
{
	char *path = path_join(m->repo_path, "metadata/cpu-seconds");
	char *name = xasprintf("%s/%s", m->category, m->pn);
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	double seconds = 0;
	fs_read(AT_FDCWD, path, &text, &ignored);
	struct str rest = { text.p, text.n }, line, word;
	while (seconds == 0 && str_split(&rest, '\n', &line)) {
		if (str_word(&line, &word) && str_is(word, name) && str_word(&line, &word))
			seconds = (double)strtoul(word.p, NULL, 10);
	}
	buf_fini(&text);
	free(name);
	free(path);
	return seconds;
}

/* USE, what the atom asks of it, and what follows from it. */
static bool complete(struct search *s, const struct stage *stage, struct err *e)
{
	struct pkg_meta *m = &s->best;
	struct pkg p;
	if (!plan_use(stage, m, s->a, &m->use, e) || !plan_pkg(s->a, m, &p, e))
		return false;
	if (!atom_match_use(s->atom, &p))
		return err_set(e, ERR_CONFLICT, "boot.use",
			"stage %s has %s/%s-%s with USE=\"%s\", but %.*s is needed; set the flag "
			"in the stage's `use`",
			stage->name, m->category, m->pn, m->pvr, m->use, STR_ARG(s->atom->text));
	if (!user_patches(s->a, s->b->eprefix, m, e))
		return false;
	m->cpu_s = listed_seconds(m);
	return add_sources(s, e);
}

static bool find(void *ctx, const struct plan_query *query, struct pkg_meta *out, struct err *e)
{
	struct arena *a = query->arena;
	const char *text = query->atom;
	struct search s = { .b = ctx, .a = a };
	s.atom = atom_parse(a, str_of(arena_strdup(a, text)), STR(""), ATOM_REPO, e);
	if (s.atom == NULL)
		return false;
	s.category = arena_strndup(a, s.atom->cat.p, s.atom->cat.n);
	s.pn = arena_strndup(a, s.atom->pn.p, s.atom->pn.n);
	for (size_t i = 0; i < s.b->repos.n && !s.found; i++) {
		if (!search_repo(&s, s.b->repos.v[i], e))
			return false;
	}
	if (!s.found)
		return err_set(e, ERR_CONFLICT, "boot.find", "no recipe matches %s (looked in %s)",
			text, s.b->repos.v[0]);
	if (!complete(&s, query->stage, e))
		return false;
	*out = s.best;
	return true;
}

struct plan_source boot_source(struct boot *b)
{
	return (struct plan_source){ .find = find, .ctx = b };
}
