#include "repo_int.h"

#include "fs.h"
#include "version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * From so many packages of a category on, its metadata cache is listed instead of one directory a
 * package: that costs about as much as eight of them.
 */
#define LIST_CATEGORY_FROM 8

/* The packages of one name, being collected. */
struct scan {
	struct repo_set *set;
	struct str cp, cat, pn; /* the set's */
	VEC(struct pkg *) found;
};

/* Add "pn-ver"; what does not have this form is no package. */
static struct pkg *add_pf(struct scan *s, const struct repo *r, struct str pf)
{
	if (pf.n <= s->pn.n + 1 || pf.p[s->pn.n] != '-' || memcmp(pf.p, s->pn.p, s->pn.n) != 0)
		return NULL;
	struct str version = { pf.p + s->pn.n + 1, pf.n - s->pn.n - 1 };
	if (!version_valid(version))
		return NULL;
	struct pkg *p = arena_calloc(&s->set->arena, 1, sizeof *p);
	p->cp = s->cp;
	p->cat = s->cat;
	p->pn = s->pn;
	p->pf = (struct str){ arena_strndup(&s->set->arena, pf.p, pf.n), pf.n };
	p->version = (struct str){ p->pf.p + s->pn.n + 1, version.n };
	p->repo = r;
	p->repo_name = str_of(r->name);
	vec_push(&s->found, p);
	return p;
}

/* Add a file of the package's directory: an ebuild, or a recipe where the repository has them. */
static void add_file(struct scan *s, const struct repo *r, struct str name)
{
	const char *ending = r->cache_fd >= 0 || str_ends(name, ".ebuild") ? ".ebuild" : ".lua";
	if (!str_ends(name, ending))
		return;
	struct pkg *p = add_pf(s, r, (struct str){ name.p, name.n - strlen(ending) });
	if (p != NULL)
		p->kind = strcmp(ending, ".lua") == 0 ? PKG_RECIPE : PKG_EBUILD;
}

static void scan_directory(struct scan *s, const struct repo *r)
{
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	/* A package that is not in this repository is no news: look before asking for an error. */
	if (!fs_is_dir(r->fd, s->cp.p))
		return;
	fs_list(r->fd, s->cp.p, &names, &ignored);
	for (size_t i = 0; i < names.n; i++)
		add_file(s, r, str_of(names.v[i]));
	strv_fini(&names);
}

/* Index of the first name that is not below "pn-". */
static size_t first_of(const struct strv *names, const char *pn, size_t n)
{
	size_t low = 0, high = names->n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int c = strncmp(names->v[mid], pn, n);
		if (c < 0 || (c == 0 && names->v[mid][n] < '-'))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void scan_listing(struct scan *s, const struct repo *r, const struct strv *names)
{
	size_t i = first_of(names, s->pn.p, s->pn.n);
	for (; i < names->n && strncmp(names->v[i], s->pn.p, s->pn.n) == 0; i++) {
		if (names->v[i][s->pn.n] != '-')
			break;
		struct pkg *p = add_pf(s, r, str_of(names->v[i]));
		if (p != NULL)
			p->from_cache = true;
	}
}

static void list_cache(const struct scan *s, const struct repo *r, struct category *c)
{
	struct err ignored = ERR_INIT;
	char *cat = xstrndup(s->cat.p, s->cat.n);
	c->read = true;
	if (fs_is_dir(r->cache_fd, cat))
		fs_list(r->cache_fd, cat, &c->cached, &ignored);
	free(cat);
}

static void scan_repo(struct scan *s, const struct repo *r)
{
	struct category *c = map_get(&r->categories, s->cat);
	if (c == NULL && r->categories.n > 0)
		return;
	if (c != NULL && r->cache_fd >= 0 && !c->read && ++c->asked > LIST_CATEGORY_FROM)
		list_cache(s, r, c);
	if (c != NULL && c->read)
		scan_listing(s, r, &c->cached);
	else
		scan_directory(s, r);
}

/* Highest version first, the winning repository first. */
static int by_preference(const void *a, const void *b)
{
	const struct pkg *x = *(struct pkg *const *)a, *y = *(struct pkg *const *)b;
	int c = version_cmp(y->version, x->version);
	if (c != 0)
		return c;
	return x->repo->index > y->repo->index ? -1 : x->repo->index < y->repo->index;
}

static struct package *scan_package(struct repo_set *set, struct str cp)
{
	struct scan s = { .set = set };
	const char *slash = memchr(cp.p, '/', cp.n);
	if (slash == NULL || memchr(cp.p, '\0', cp.n) != NULL)
		return NULL;
	s.cp = (struct str){ arena_strndup(&set->arena, cp.p, cp.n), cp.n };
	s.cat = (struct str){ s.cp.p, (size_t)(slash - cp.p) };
	s.pn = (struct str){ s.cp.p + s.cat.n + 1, cp.n - s.cat.n - 1 };
	if (name_category(s.cat) && name_package(s.pn)) {
		for (size_t i = 0; i < set->list.n; i++)
			scan_repo(&s, set->list.v[i]);
	}
	struct package *p = arena_calloc(&set->arena, 1, sizeof *p);
	p->cp = s.cp;
	p->n = s.found.n;
	p->v = arena_alloc(&set->arena, p->n * sizeof(struct pkg *));
	if (p->n > 0)
		memcpy(p->v, s.found.v, p->n * sizeof(struct pkg *));
	if (p->n > 1)
		qsort(p->v, p->n, sizeof(struct pkg *), by_preference);
	vec_fini(&s.found);
	map_set(&set->packages, p->cp, p);
	return p;
}

const struct package *repo_package(struct repo_set *s, struct str cp)
{
	struct package *p = map_get(&s->packages, cp);
	if (p == NULL)
		p = scan_package(s, cp);
	return p != NULL && p->n > 0 ? p : NULL;
}

/* Add "cat/NAME" for the directories of a category; only the one called pn where that is given. */
static bool list_category(
	const struct repo *r, struct str cat, struct str pn, struct strv *out, struct err *e)
{
	char *dir = xstrndup(cat.p, cat.n);
	struct strv names = STRV_INIT;
	bool ok = !fs_is_dir(r->fd, dir) || fs_list(r->fd, dir, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		struct str name = str_of(names.v[i]);
		if (name_package(name) && (pn.n == 0 || str_eq(pn, name)))
			strv_own(out, path_join(dir, names.v[i]));
	}
	strv_fini(&names);
	free(dir);
	return ok;
}

/* Names of packages in all repositories, sorted, each once. */
static bool list_names(struct repo_set *s, struct str pn, struct strv *out, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = true;
	for (size_t i = 0; ok && i < s->list.n; i++) {
		const struct repo *r = s->list.v[i];
		for (size_t j = 0; ok && j < r->categories.cap; j++) {
			const struct map_slot *slot = &r->categories.slots[j];
			ok = slot->value == NULL || list_category(r, slot->key, pn, &names, e);
		}
	}
	strv_sort(&names);
	for (size_t i = 0; ok && i < names.n; i++) {
		if (i == 0 || strcmp(names.v[i], names.v[i - 1]) != 0)
			strv_push(out, names.v[i]);
	}
	strv_fini(&names);
	return ok;
}

bool repo_short_name(struct repo_set *s, struct str pn, struct strv *out, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = pn.n == 0 || list_names(s, pn, &names, e);
	for (size_t i = 0; i < names.n; i++) {
		if (repo_package(s, str_of(names.v[i])) != NULL)
			strv_push(out, names.v[i]);
	}
	strv_fini(&names);
	return ok;
}

bool repo_all(struct repo_set *s, struct package_list *out, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = list_names(s, STR(""), &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		const struct package *p = repo_package(s, str_of(names.v[i]));
		if (p != NULL)
			vec_push(&out->list, p);
	}
	strv_fini(&names);
	return ok;
}
