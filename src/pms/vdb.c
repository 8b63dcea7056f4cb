#include "vdb.h"

#include "fs.h"
#include "vdb_int.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define DB "var/db/pkg"

/* What Portage passes over silently in a category. */
static bool ignored_entry(const char *name)
{
	return name[0] == '.' || strncmp(name, "-MERGING-", 9) == 0 || strcmp(name, "CVS") == 0 ||
	       strcmp(name, "lost+found") == 0;
}

static void add_record(struct vdb *v, const char *category, const char *pf)
{
	size_t at;
	char *path = xasprintf("%s/%s", category, pf);
	if (!fs_is_dir(v->db, path)) {
		free(path);
		return;
	}
	if (!pf_version_at(str_of(pf), &at)) {
		strv_own(&v->invalid, path);
		return;
	}
	char *copy = arena_strdup(&v->arena, pf);
	char *pn = arena_strndup(&v->arena, pf, at);
	vec_push(&v->pkgs, (struct vdb_pkg){ .category = category,
				   .pf = copy,
				   .pvr = copy + at + 1,
				   .pn = pn,
				   .vdb = v });
	free(path);
}

static bool add_category(struct vdb *v, const char *name, struct err *e)
{
	struct strv names = STRV_INIT;
	if (!name_category(str_of(name)) || !fs_is_dir(v->db, name))
		return true;
	const char *category = arena_strdup(&v->arena, name);
	bool ok = fs_list(v->db, name, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		if (!ignored_entry(names.v[i]))
			add_record(v, category, names.v[i]);
	}
	strv_fini(&names);
	return ok;
}

static int compare(const struct vdb_pkg *a, const struct vdb_pkg *b)
{
	int order = strcmp(a->category, b->category);
	if (order == 0)
		order = strcmp(a->pn, b->pn);
	return order != 0 ? order : strcmp(a->pf, b->pf);
}

static int by_name(const void *a, const void *b)
{
	return compare(a, b);
}

static bool load(struct vdb *v, struct err *e)
{
	struct strv categories = STRV_INIT;
	if (!fs_exists(v->root, DB))
		return true;
	bool ok = fs_open_dir(v->root, DB, &v->db, e) && fs_list(v->db, ".", &categories, e);
	for (size_t i = 0; ok && i < categories.n; i++)
		ok = add_category(v, categories.v[i], e);
	strv_fini(&categories);
	if (v->pkgs.n > 0)
		qsort(v->pkgs.v, v->pkgs.n, sizeof *v->pkgs.v, by_name);
	for (size_t i = 0; i < v->pkgs.n; i++)
		v->pkgs.v[i].index = i;
	v->records = arena_calloc(&v->arena, v->pkgs.n, sizeof *v->records);
	return ok;
}

bool vdb_open(struct vdb **out, int root, const char *offset, struct err *e)
{
	struct vdb *v = xcalloc(1, sizeof *v);
	v->root = root;
	v->db = -1;
	v->offset = xstrdup(offset);
	*out = v;
	if (load(v, e))
		return true;
	vdb_free(v);
	*out = NULL;
	return false;
}

void vdb_free(struct vdb *v)
{
	if (v == NULL)
		return;
	for (size_t i = 0; v->records != NULL && i < v->pkgs.n; i++)
		vec_fini(&v->records[i].values);
	vdb_index_fini(v);
	vec_fini(&v->pkgs);
	strv_fini(&v->invalid);
	arena_fini(&v->arena);
	if (v->db >= 0)
		close(v->db);
	free(v->offset);
	free(v);
}

size_t vdb_count(const struct vdb *v)
{
	return v->pkgs.n;
}

const struct vdb_pkg *vdb_at(const struct vdb *v, size_t i)
{
	return &v->pkgs.v[i];
}

const struct strv *vdb_invalid(const struct vdb *v)
{
	return &v->invalid;
}

/* The first record that is not before key. */
static size_t lower_bound(const struct vdb *v, const struct vdb_pkg *key)
{
	size_t low = 0, high = v->pkgs.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (compare(vdb_at(v, mid), key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct vdb_pkg *vdb_find(const struct vdb *v, const char *category, const char *pf)
{
	size_t at;
	if (pf == NULL || !pf_version_at(str_of(pf), &at))
		return NULL;
	char *pn = xstrndup(pf, at);
	const struct vdb_pkg key = { .category = category, .pn = pn, .pf = pf };
	size_t i = lower_bound(v, &key);
	bool found = i < vdb_count(v) && compare(vdb_at(v, i), &key) == 0;
	free(pn);
	return found ? vdb_at(v, i) : NULL;
}

const struct vdb_pkg *vdb_of_name(
	const struct vdb *v, const char *category, const char *pn, size_t *n)
{
	const struct vdb_pkg key = { .category = category, .pn = pn, .pf = "" };
	size_t first = lower_bound(v, &key), end = first;
	while (end < vdb_count(v) && strcmp(vdb_at(v, end)->category, category) == 0 &&
		strcmp(vdb_at(v, end)->pn, pn) == 0)
		end++;
	*n = end - first;
	return *n > 0 ? vdb_at(v, first) : NULL;
}
