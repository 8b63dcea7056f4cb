#include "merge.h"

#include "attr.h"
#include "envd.h"
#include "fs.h"
#include "image.h"
#include "lock.h"
#include "mem.h"
#include "plibs.h"
#include "protect.h"
#include "state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Everything that lives while one step is merged. */
struct merging {
	const struct merge_job *job;
	int root;
	struct vdb *vdb;
	struct strv replaces; /* pf of what the same slot holds */
	VEC(const char *) replaces_list; /* the same, NULL-terminated */
	struct protect protect;
	struct image_owners owners;
	struct plibs plibs; /* libraries of the replaced that others still need */
	struct image_report report;
	struct lock lock; /* one merge into a root at a time: what is installed must not change */
};

static char *pf_of(const struct step *s)
{
	return xasprintf("%s-%s", s->pn, s->pvr);
}

/* Instances of the package in the slot that the step fills. */
static void find_replaced(struct merging *m)
{
	const struct step *s = m->job->step;
	size_t n, slot_len = strcspn(s->slot, "/");
	const struct vdb_pkg *p = vdb_of_name(m->vdb, s->category, s->pn, &n);
	char *pf = pf_of(s);
	for (size_t i = 0; p != NULL && i < n; i++) {
		const char *slot = vdb_slot(&p[i]);
		bool same_slot = strlen(slot) == slot_len && memcmp(slot, s->slot, slot_len) == 0;
		if (same_slot || strcmp(p[i].pf, pf) == 0)
			strv_push(&m->replaces, p[i].pf);
	}
	free(pf);
	for (size_t i = 0; i < m->replaces.n; i++)
		vec_push(&m->replaces_list, m->replaces.v[i]);
	vec_push(&m->replaces_list, NULL);
}

static void bind_field_slots(const struct vdb *v, struct vdb_fields *fields, const char *name)
{
	const char *deps = vdb_fields_get(fields, name);
	if (deps == NULL || strstr(deps, ":") == NULL)
		return;
	struct buf bound = BUF_INIT;
	merge_bind_slots(v, deps, &bound);
	vdb_set(fields, name, buf_str(&bound));
	buf_fini(&bound);
}

/* What only the merge knows. */
static bool complete_fields(
	struct merging *m, const char *image, struct vdb_fields *f, struct err *e)
{
	static const char *const deps[] = { "BDEPEND", "DEPEND", "IDEPEND", "PDEPEND", "RDEPEND" };
	static const char *const no_env[] = { NULL };
	uint64_t size = 0;
	if (!image_size(image, &size, e))
		return false;
	for (size_t i = 0; i < sizeof(deps) / sizeof(*deps); i++)
		bind_field_slots(m->vdb, f, deps[i]);
	vdb_setf(f, "SIZE", "%llu", (unsigned long long)size);
	vdb_setf(f, "BUILD_TIME", "%lld", (long long)time(NULL));
	return vdb_set_environment(f, no_env, e);
}

static bool write_state(void *ctx, uint64_t counter, struct err *e)
{
	const struct merge_job *job = ctx;
	return state_write(job->eprefix, job->step, counter, e);
}

static bool find_preserved(struct merging *m, const struct vdb_fields *f, struct err *e)
{
	const struct step *s = m->job->step;
	char *pf = pf_of(s), *slot = xstrndup(s->slot, strcspn(s->slot, "/"));
	struct plibs_merge merge = {
		.vdb = m->vdb,
		.root = m->root,
		.category = s->category,
		.pn = s->pn,
		.pf = pf,
		.slot = slot,
		.replaces = m->replaces_list.v,
		.needed = str_of(vdb_fields_get(f, "NEEDED.ELF.2")),
	};
	bool ok = plibs_plan(&merge, &m->plibs, e);
	free(pf);
	free(slot);
	return ok;
}

static bool run_merge(
	struct merging *m, const char *image, const struct vdb_fields *f, struct err *e)
{
	char *pf = pf_of(m->job->step);
	struct image_merge merge = {
		.image = image,
		.root = m->root,
		.offset = m->job->step->root,
		.category = m->job->step->category,
		.pf = pf,
		.replaces = m->replaces_list.v,
		.keep = m->plibs.keep.v,
		.extras = &m->plibs.extra,
		.n_extras = m->plibs.registry != NULL,
		.fields = f->list.v,
		.n_fields = f->list.n,
		.owners = m->owners,
		.protect = &m->protect,
		.before_commit = write_state,
		.ctx = (void *)m->job,
	};
	bool ok = image_merge(&merge, &m->report, e);
	free(pf);
	return ok;
}

/* Notes of the merge go to the step's log. */
static bool log_notes(const struct merging *m, struct err *e)
{
	for (size_t i = 0; i < m->report.notes.n && m->job->log_fd >= 0; i++) {
		const char *note = m->report.notes.v[i];
		if (!attr_write_line(m->job->log_fd, note, strlen(note), e))
			return false;
	}
	return true;
}

static bool open_root(struct merging *m, struct err *e)
{
	const struct step *s = m->job->step;
	if (!fs_mkdirs(AT_FDCWD, s->root, 0755, e) ||
		!fs_open_dir(AT_FDCWD, s->root, &m->root, e) ||
		!fs_mkdirs(m->root, "var/lib/eprefix", 0755, e))
		return false;
	char *guard = path_join(s->root, "var/lib/eprefix/merge");
	/* What a killed worker left comes first: it may change what is installed. */
	bool ok = lock_wait_portage(&m->lock, guard, e) && image_recover(m->root, NULL, e);
	free(guard);
	return ok && vdb_open(&m->vdb, m->root, s->root, e);
}

bool merge_step(const struct merge_job *job, struct vdb_fields *fields, struct err *e)
{
	struct merging m = { .job = job, .root = -1, .lock = LOCK_NONE };
	const struct step *s = job->step;
	char *image = path_join(s->workdir, "image");
	bool ok = false;
	if (!open_root(&m, e))
		goto out;
	find_replaced(&m);
	ok = complete_fields(&m, image, fields, e) &&
	     protect_load(&m.protect, m.root, s->root, e) &&
	     vdb_owners_begin(m.vdb, s->category, m.replaces_list.v, &m.owners, e) &&
	     find_preserved(&m, fields, e) && run_merge(&m, image, fields, e) && log_notes(&m, e) &&
	     envd_settle(m.root, s->root, e);
out:
	vdb_owners_end(&m.owners);
	image_report_fini(&m.report);
	plibs_fini(&m.plibs);
	protect_fini(&m.protect);
	vec_fini(&m.replaces_list);
	strv_fini(&m.replaces);
	vdb_free(m.vdb);
	lock_release(&m.lock);
	if (m.root >= 0)
		close(m.root);
	free(image);
	return ok;
}
