#include "plibs.h"

#include "fs.h"
#include "json_in.h"
#include "map.h"

#include <errno.h>

#define REGISTRY "var/lib/portage/preserved_libs_registry"

/* Sonames that the installed packages, but for those replaced, provide and need. */
struct links {
	struct map provided, needed; /* soname → non-NULL */
	VEC(struct buf *) texts; /* own the names */
};

/* One line of NEEDED.ELF.2: ARCH;path;SONAME;RPATH;needed,…;category. */
struct elf_line {
	struct str path, soname, needed;
};

static bool parse_line(struct str line, struct elf_line *out)
{
	struct str part[5];
	size_t n = 0;
	while (n < 5 && str_split(&line, ';', &part[n]))
		n++;
	if (n < 5)
		return false;
	*out = (struct elf_line){ part[1], part[2], part[4] };
	return true;
}

static void add_links(struct links *l, struct str text)
{
	struct str line, name;
	struct elf_line elf;
	while (str_split(&text, '\n', &line)) {
		if (!parse_line(line, &elf))
			continue;
		if (elf.soname.n > 0)
			map_set(&l->provided, elf.soname, l);
		while (str_split(&elf.needed, ',', &name))
			map_set(&l->needed, name, l);
	}
}

static bool read_needed(struct links *l, const struct vdb_pkg *p, struct str *text, struct err *e)
{
	struct buf *b = xcalloc(1, sizeof *b);
	struct err missing = ERR_INIT;
	vec_push(&l->texts, b);
	bool ok = vdb_read(p, "NEEDED.ELF.2", b, &missing) || missing.sys == ENOENT;
	if (!ok)
		*e = missing;
	*text = (struct str){ buf_str(b), b->n };
	return ok;
}

static bool is_replaced(const struct plibs_merge *m, const struct vdb_pkg *p)
{
	for (const char *const *pf = m->replaces; pf != NULL && *pf != NULL; pf++) {
		if (strcmp(p->category, m->category) == 0 && strcmp(p->pf, *pf) == 0)
			return true;
	}
	return false;
}

static bool collect_links(const struct plibs_merge *m, struct links *l, struct err *e)
{
	add_links(l, m->needed);
	for (size_t i = 0; i < vdb_count(m->vdb); i++) {
		const struct vdb_pkg *p = vdb_at(m->vdb, i);
		struct str text;
		if (is_replaced(m, p))
			continue;
		if (!read_needed(l, p, &text, e))
			return false;
		add_links(l, text);
	}
	return true;
}

static bool wanted(const struct links *l, struct str soname)
{
	return map_get(&l->needed, soname) != NULL && map_get(&l->provided, soname) == NULL;
}

static void keep_path(struct plibs *out, struct str path)
{
	char *copy = xstrndup(path.p, path.n);
	if (!strv_has(&out->paths, copy))
		strv_push(&out->paths, copy);
	free(copy);
}

static struct str base_of(struct str path)
{
	size_t dir = path.n;
	while (dir > 0 && path.p[dir - 1] != '/')
		dir--;
	return (struct str){ path.p + dir, path.n - dir };
}

/* What a symlink of the old record leads to in its own directory. */
static void keep_target(
	const struct contents *c, const struct contents_entry *link, struct plibs *out)
{
	size_t dir = link->path.n - base_of(link->path).n;
	for (size_t i = 0; i < c->list.n; i++) {
		struct str path = c->list.v[i].path;
		if (path.n > dir && memcmp(path.p, link->path.p, dir) == 0 &&
			str_eq((struct str){ path.p + dir, path.n - dir }, link->target))
			keep_path(out, path);
	}
}

/*
 * Files that are called like a wanted soname and what those symlinks lead to. That finds the
 * libraries of an earlier upgrade too, which the record lists but not its NEEDED.ELF.2.
 */
static void keep_by_name(const struct links *l, const struct contents *c, struct plibs *out)
{
	for (size_t i = 0; i < c->list.n; i++) {
		const struct contents_entry *entry = &c->list.v[i];
		bool file = entry->type == CONTENTS_OBJ || entry->type == CONTENTS_SYM;
		if (!file || !wanted(l, base_of(entry->path)))
			continue;
		keep_path(out, entry->path);
		if (entry->type == CONTENTS_SYM)
			keep_target(c, entry, out);
	}
}

static bool keep_of(struct links *l, const struct vdb_pkg *p, struct plibs *out, struct err *e)
{
	struct contents c = CONTENTS_INIT;
	struct buf listed = BUF_INIT;
	struct elf_line elf;
	struct str text, line;
	bool ok = vdb_contents(p, &c, &listed, e) && read_needed(l, p, &text, e);
	while (ok && str_split(&text, '\n', &line)) {
		if (parse_line(line, &elf) && elf.soname.n > 0 && wanted(l, elf.soname))
			keep_path(out, elf.path);
	}
	if (ok)
		keep_by_name(l, &c, out);
	contents_fini(&c);
	buf_fini(&listed);
	return ok;
}

static bool keep_all(const struct plibs_merge *m, struct links *l, struct plibs *out, struct err *e)
{
	for (size_t i = 0; i < vdb_count(m->vdb); i++) {
		const struct vdb_pkg *p = vdb_at(m->vdb, i);
		if (is_replaced(m, p) && !keep_of(l, p, out, e))
			return false;
	}
	strv_sort(&out->paths);
	for (size_t i = 0; i < out->paths.n; i++)
		vec_push(&out->keep, out->paths.v[i]);
	vec_push(&out->keep, NULL);
	return true;
}

static void links_fini(struct links *l)
{
	for (size_t i = 0; i < l->texts.n; i++) {
		buf_fini(l->texts.v[i]);
		free(l->texts.v[i]);
	}
	vec_fini(&l->texts);
	map_fini(&l->provided);
	map_fini(&l->needed);
}

/* One member of the registry, as Portage writes it: JSON indented by tabs. */
struct member {
	const char *key, *cpv, *counter;
	const char *const *paths;
	size_t n;
};

static void print_member(struct buf *out, const struct member *m)
{
	buf_adds(out, out->n > 1 ? ",\n\t" : "\n\t");
	buf_json(out, str_of(m->key));
	buf_adds(out, ": [\n\t\t");
	buf_json(out, str_of(m->cpv));
	buf_adds(out, ",\n\t\t");
	buf_json(out, str_of(m->counter));
	buf_adds(out, ",\n\t\t[");
	for (size_t i = 0; i < m->n; i++) {
		buf_adds(out, i > 0 ? ",\n\t\t\t" : "\n\t\t\t");
		buf_json(out, str_of(m->paths[i]));
	}
	buf_adds(out, "\n\t\t]\n\t]");
}

static const char *copied(struct arena *a, struct str s)
{
	return arena_strndup(a, s.p != NULL ? s.p : "", s.n);
}

typedef VEC(struct member) members;

static void read_member(struct arena *a, const struct json *j, members *all)
{
	const struct json *paths = json_at(j, 2);
	size_t n = json_count(paths), i = 0;
	const char **list = arena_calloc(a, n + 1, sizeof *list);
	for (const struct json *at = json_at(paths, 0); at != NULL; at = json_next(at))
		list[i++] = copied(a, json_string(at));
	vec_push(all,
		(struct member){ copied(a, json_name(j)), copied(a, json_string(json_at(j, 0))),
			copied(a, json_string(json_at(j, 1))), list, n });
}

static bool read_registry(struct arena *a, int root, struct buf *old, members *all, struct err *e)
{
	if (fs_exists(root, REGISTRY) && !fs_read(root, REGISTRY, old, e))
		return false;
	struct str text = str_trim((struct str){ buf_str(old), old->n });
	if (text.n == 0)
		return true;
	struct json *doc = json_parse(text, e);
	if (doc == NULL)
		return err_in(e, "%s", REGISTRY);
	for (const struct json *j = json_at(doc, 0); j != NULL; j = json_next(j))
		read_member(a, j, all);
	json_free(doc);
	return true;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct member *)a)->key, ((const struct member *)b)->key);
}

static void print_registry(struct buf *out, members *all)
{
	if (all->n > 0)
		qsort(all->v, all->n, sizeof *all->v, by_key);
	buf_addc(out, '{');
	for (size_t i = 0; i < all->n; i++)
		print_member(out, &all->v[i]);
	buf_adds(out, all->n > 0 ? "\n}" : "}");
}

static bool write_registry(const struct plibs_merge *m, struct plibs *out, struct err *e)
{
	struct arena a = ARENA_INIT;
	struct buf old = BUF_INIT, text = BUF_INIT;
	members all = { 0 };
	uint64_t counter = 0;
	const char *key = arena_printf(&a, "%s/%s:%s", m->category, m->pn, m->slot);
	bool ok = read_registry(&a, m->root, &old, &all, e) &&
		  image_next_counter(m->root, &counter, e);
	for (size_t i = 0; i < all.n;) {
		if (strcmp(all.v[i].key, key) == 0)
			all.v[i] = all.v[--all.n];
		else
			i++;
	}
	if (out->paths.n > 0)
		vec_push(&all, (struct member){ key, arena_printf(&a, "%s/%s", m->category, m->pf),
				       arena_printf(&a, "%llu", (unsigned long long)counter),
				       out->keep.v, out->paths.n });
	print_registry(&text, &all);
	bool same = str_eq((struct str){ old.p, old.n }, (struct str){ text.p, text.n });
	if (ok && !same && (old.n > 0 || all.n > 0)) {
		out->registry = buf_take(&text);
		out->extra = (struct image_extra){ REGISTRY, str_of(out->registry) };
	}
	buf_fini(&old);
	buf_fini(&text);
	vec_fini(&all);
	arena_fini(&a);
	return ok;
}

bool plibs_plan(const struct plibs_merge *m, struct plibs *out, struct err *e)
{
	struct links l = { 0 };
	/* A first install can drop nothing. */
	if (m->replaces == NULL || m->replaces[0] == NULL)
		return true;
	bool ok = collect_links(m, &l, e) && keep_all(m, &l, out, e) && write_registry(m, out, e);
	links_fini(&l);
	return ok;
}

void plibs_fini(struct plibs *p)
{
	strv_fini(&p->paths);
	vec_fini(&p->keep);
	free(p->registry);
	*p = PLIBS_INIT;
}
