#include "unmerge.h"

#include "envd.h"
#include "fs.h"
#include "image.h"
#include "lock.h"
#include "plibs.h"
#include "protect.h"
#include "vdb_pkg.h"
#include "world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Everything that lives while one package is removed. */
struct removing {
	const struct emerge *m;
	const struct pkg *p;
	const char *category, *pf;
	const char *itself[2]; /* pf, NULL-terminated */
	struct vdb *vdb; /* as it is now: others may have gone before */
	struct protect protect;
	struct image_owners owners;
	struct plibs plibs; /* libraries that others are still linked with stay */
	struct lock world_lock;
	struct buf world; /* the new text */
	struct image_extra extras[2];
	size_t n_extras;
	struct image_report report;
};

static bool preserve_libraries(struct removing *r, struct err *e)
{
	char *pn = xstrndup(r->p->pn.p, r->p->pn.n), *slot = xstrndup(r->p->slot.p, r->p->slot.n);
	const struct plibs_merge merge = { .vdb = r->vdb,
		.root = r->m->root,
		.category = r->category,
		.pn = pn,
		.pf = r->pf,
		.slot = slot,
		.replaces = r->itself,
		.needed = STR("") };
	bool ok = plibs_plan(&merge, &r->plibs, e);
	if (ok && r->plibs.registry != NULL)
		r->extras[r->n_extras++] = r->plibs.extra;
	free(pn);
	free(slot);
	return ok;
}

/* Is the package the only installed one that the line of the world file means? */
static bool is_last_of(const struct removing *r, const char *line)
{
	struct arena a = ARENA_INIT;
	struct err ignored = ERR_INIT;
	const struct atom *atom =
		atom_parse(&a, str_of(line), STR(""), ATOM_WILDCARDS | ATOM_REPO, &ignored);
	bool last = atom != NULL && str_eq(atom->cp, r->p->cp);
	for (size_t i = 0; last && i < vdb_count(r->vdb); i++) {
		const struct vdb_pkg *other = vdb_at(r->vdb, i);
		bool self =
			strcmp(other->category, r->category) == 0 && strcmp(other->pf, r->pf) == 0;
		last = self || !vdb_matches(other, atom);
	}
	arena_fini(&a);
	return last;
}

/* The world file loses its line in the commit of the removal; until then it is locked. */
static bool forget(struct removing *r, struct err *e)
{
	struct world w = WORLD_INIT;
	bool changed = false;
	char *path = path_join(r->m->engine.eprefix, WORLD_FILE);
	bool ok = fs_mkdirs(r->m->root, "var/lib/portage", 0755, e) &&
		  lock_wait_portage(&r->world_lock, path, e) && world_read(&w, r->m->root, e);
	for (size_t i = 0; ok && i < w.atoms.n; i++) {
		if (is_last_of(r, w.atoms.v[i]))
			changed = true;
		else
			buf_printf(&r->world, "%s\n", w.atoms.v[i]);
	}
	if (ok && changed)
		r->extras[r->n_extras++] = (struct image_extra){ WORLD_FILE,
			(struct str){ buf_str(&r->world), r->world.n } };
	world_fini(&w);
	free(path);
	return ok;
}

static bool unmerge(struct removing *r, struct err *e)
{
	const struct image_unmerge u = { .root = r->m->root,
		.offset = r->m->engine.eprefix,
		.category = r->category,
		.pf = r->pf,
		.keep = r->plibs.keep.v,
		.extras = r->extras,
		.n_extras = r->n_extras,
		.owners = r->owners,
		.protect = &r->protect };
	return image_unmerge(&u, &r->report, e);
}

static void show_notes(const struct removing *r)
{
	for (size_t i = 0; i < r->report.notes.n; i++)
		fprintf(stderr, " * %s\n", r->report.notes.v[i]);
	for (size_t i = 0; i < r->plibs.paths.n; i++)
		fprintf(stderr, " * %s stays: other packages are linked with it\n",
			r->plibs.paths.v[i]);
}

static bool remove_one(
	const struct emerge *m, const struct vdb_pkg *record, const struct pkg *p, struct err *e)
{
	struct removing r = { .m = m,
		.p = p,
		.category = record->category,
		.pf = record->pf,
		.itself = { record->pf, NULL },
		.world_lock = LOCK_NONE };
	bool ok = vdb_open(&r.vdb, m->root, m->engine.eprefix, e) &&
		  protect_load(&r.protect, m->root, m->engine.eprefix, e) &&
		  vdb_owners_begin(r.vdb, r.category, r.itself, &r.owners, e) &&
		  preserve_libraries(&r, e) && forget(&r, e) && unmerge(&r, e);
	if (ok)
		show_notes(&r);
	lock_release(&r.world_lock);
	buf_fini(&r.world);
	image_report_fini(&r.report);
	plibs_fini(&r.plibs);
	vdb_owners_end(&r.owners);
	protect_fini(&r.protect);
	vdb_free(r.vdb);
	return ok || err_in(e, "unmerging %s/%s", record->category, record->pf);
}

bool unmerge_one(const struct emerge *m, size_t at, struct err *e)
{
	const struct vdb_pkg *record = vdb_at(m->vdb, at);
	struct emerge own = *m; /* a worker has none of its parent's descriptors */
	struct lock merge = LOCK_NONE;
	char *path = path_join(m->engine.eprefix, "var/lib/eprefix/merge");
	char *dir = xasprintf("var/db/pkg/%s/%s", record->category, record->pf);
	own.root = -1;
	bool ok = fs_open_dir(AT_FDCWD, m->engine.eprefix, &own.root, e) &&
		  lock_wait_portage(&merge, path, e) && image_recover(own.root, NULL, e);
	if (ok && fs_exists(own.root, dir))
		ok = remove_one(&own, record, &m->installed.v[at], e);
	lock_release(&merge);
	if (own.root >= 0)
		close(own.root);
	free(path);
	free(dir);
	return ok;
}

static bool remove_all(const struct unmerge *u, struct err *e)
{
	const struct emerge *m = u->m;
	for (size_t i = 0; i < u->order.n; i++) {
		const struct vdb_pkg *record = vdb_at(m->vdb, u->order.v[i]);
		if (!m->cli->quiet)
			fprintf(stderr, ">>> Unmerging (%zu of %zu) %s/%s...\n", i + 1, u->order.n,
				record->category, record->pf);
		if (!remove_one(m, record, &m->installed.v[u->order.v[i]], e))
			return false;
	}
	return true;
}

bool unmerge_run(const struct unmerge *u, struct err *e)
{
	struct lock run = LOCK_NONE, merge = LOCK_NONE;
	const struct emerge *m = u->m;
	char *run_path = path_join(m->engine.eprefix, "var/lib/eprefix/lock");
	char *merge_path = path_join(m->engine.eprefix, "var/lib/eprefix/merge");
	bool ok = fs_mkdirs(m->root, "var/lib/eprefix", 0755, e) && lock_take(&run, run_path, e) &&
		  lock_wait_portage(&merge, merge_path, e) && image_recover(m->root, NULL, e);
	ok = ok && remove_all(u, e) && envd_settle(m->root, m->engine.eprefix, e);
	lock_release(&merge);
	lock_release(&run);
	free(run_path);
	free(merge_path);
	return ok;
}
