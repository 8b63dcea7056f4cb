/* Who owns a path: an index over all CONTENTS, by physical names. */
#include "fs.h"
#include "vdb_int.h"

void vdb_index_fini(struct vdb *v)
{
	if (!v->indexed)
		return;
	for (size_t i = 0; i < v->texts.n; i++) {
		buf_fini(v->texts.v[i]);
		free(v->texts.v[i]);
	}
	vec_fini(&v->texts);
	map_fini(&v->owners);
	rootmap_fini(&v->where);
	v->indexed = false;
}

/* False when the package is there already. */
static bool add_owner(struct vdb *v, struct str path, const struct vdb_pkg *p)
{
	const struct vdb_owner *first = map_get(&v->owners, path);
	if (first != NULL && first->pkg == p)
		return false;
	struct vdb_owner *o = arena_alloc(&v->arena, sizeof *o);
	*o = (struct vdb_owner){ p, first, first != NULL ? first->path : path };
	map_set(&v->owners, o->path, o);
	return true;
}

/* The path and, as the reader of CONTENTS has to, the directories that lead to it. */
static void add_path(struct vdb *v, struct str path, const struct vdb_pkg *p)
{
	while (path.n > 0 && add_owner(v, path, p)) {
		while (path.n > 0 && path.p[path.n - 1] != '/')
			path.n--;
		path.n -= path.n > 0;
	}
}

static bool index_package(struct vdb *v, const struct vdb_pkg *p, struct err *e)
{
	struct contents c = CONTENTS_INIT;
	struct buf *text = xcalloc(1, sizeof *text);
	vec_push(&v->texts, text);
	bool ok = vdb_contents(p, &c, text, e);
	size_t n = strlen(v->offset);
	for (size_t i = 0; i < c.list.n; i++) {
		struct str path = c.list.v[i].path;
		if (!str_starts(path, v->offset) || path.n < n + 2 || path.p[n] != '/')
			continue;
		path = (struct str){ path.p + n + 1, path.n - n - 1 };
		add_path(v, rootmap_real(&v->where, path), p);
	}
	contents_fini(&c);
	return ok;
}

static bool build_index(struct vdb *v, struct err *e)
{
	if (v->indexed)
		return true;
	rootmap_init(&v->where, v->root, v->offset);
	v->indexed = true;
	for (size_t i = 0; i < vdb_count(v); i++) {
		if (!index_package(v, vdb_at(v, i), e)) {
			vdb_index_fini(v);
			return false;
		}
	}
	return true;
}

static const struct vdb_owner *owners_of(struct vdb *v, const char *path)
{
	const char *rel = rootmap_relative(v->offset, path);
	return rel != NULL ? map_get(&v->owners, rootmap_real(&v->where, str_of(rel))) : NULL;
}

bool vdb_owners(struct vdb *v, const char *path, struct vdb_list *out, struct err *e)
{
	if (!build_index(v, e))
		return false;
	for (const struct vdb_owner *o = owners_of(v, path); o != NULL; o = o->next)
		vec_push(&out->list, o->pkg);
	return true;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct vdb_file *)a)->path, ((const struct vdb_file *)b)->path);
}

bool vdb_owners_by_name(struct vdb *v, const char *name, struct vdb_files *out, struct err *e)
{
	if (!build_index(v, e))
		return false;
	for (size_t i = 0; i < v->owners.cap; i++) {
		const struct vdb_owner *o = v->owners.slots[i].value;
		if (o == NULL || !str_ends(o->path, name))
			continue;
		size_t at = o->path.n - strlen(name);
		if (at > 0 && o->path.p[at - 1] != '/')
			continue;
		for (; o != NULL; o = o->next)
			vec_push(&out->list,
				(struct vdb_file){ o->pkg,
					xasprintf("%s/%.*s", v->offset, STR_ARG(o->path)) });
	}
	if (out->list.n > 0)
		qsort(out->list.v, out->list.n, sizeof *out->list.v, by_path);
	return true;
}

void vdb_files_fini(struct vdb_files *files)
{
	for (size_t i = 0; i < files->list.n; i++)
		free(files->list.v[i].path);
	vec_fini(&files->list);
}

/* The question of image_merge: somebody else's? */
struct question {
	struct vdb *vdb;
	const char *category;
	const char *const *except;
	char *answer;
};

static bool excepted(const struct question *q, const struct vdb_pkg *p)
{
	if (strcmp(p->category, q->category) != 0)
		return false;
	for (const char *const *pf = q->except; pf != NULL && *pf != NULL; pf++) {
		if (strcmp(*pf, p->pf) == 0)
			return true;
	}
	return false;
}

static const char *answer(void *ctx, struct str path)
{
	struct question *q = ctx;
	char *copy = xstrndup(path.p, path.n);
	const struct vdb_owner *o = owners_of(q->vdb, copy);
	free(copy);
	while (o != NULL && excepted(q, o->pkg))
		o = o->next;
	free(q->answer);
	q->answer = o != NULL ? xasprintf("%s/%s", o->pkg->category, o->pkg->pf) : NULL;
	return q->answer;
}

bool vdb_owners_begin(struct vdb *v, const char *category, const char *const *except,
	struct image_owners *out, struct err *e)
{
	if (!build_index(v, e))
		return false;
	struct question *q = xcalloc(1, sizeof *q);
	*q = (struct question){ v, category, except, NULL };
	*out = (struct image_owners){ answer, q };
	return true;
}

void vdb_owners_end(struct image_owners *o)
{
	struct question *q = o->ctx;
	if (q != NULL)
		free(q->answer);
	free(q);
	*o = (struct image_owners){ 0 };
}
