#include "image.h"

#include "image_plan.h"
#include "lock.h"
#include "place.h"

#include <stdio.h>

bool image_recover(int root, enum image_recovery *did, struct err *e)
{
	struct journal j = JOURNAL_INIT;
	bool found = false;
	bool ok = journal_load(&j, root, &found, e);
	if (ok && found)
		ok = j.committed ? journal_finish(&j, root, e) : journal_undo(&j, root, e);
	if (!ok && found)
		err_in(e, "%s an interrupted merge", j.committed ? "finishing" : "undoing");
	if (did != NULL)
		*did = !found ? IMAGE_CLEAN : j.committed ? IMAGE_FINISHED : IMAGE_UNDONE;
	journal_fini(&j);
	return ok;
}

/* Portage's lock on the database; then what an interrupted run left is dealt with. */
static bool enter(struct lock *l, int root, struct err *e)
{
	if (!fs_mkdirs(root, "var/db", 0755, e))
		return false;
	char *path = fs_shown(root, "var/db/pkg");
	bool ok = lock_wait_portage(l, path, e) && image_recover(root, NULL, e);
	free(path);
	return ok;
}

static bool name_ok(const char *name)
{
	return name != NULL && name[0] != '\0' && name[0] != '.' && name[0] != '-' &&
	       strpbrk(name, "/\n\r") == NULL;
}

static bool start_plan(struct plan *p, const char *category, const char *pf, struct err *e)
{
	if (!name_ok(category) || !name_ok(pf))
		return err_set(e, ERR_USAGE, "image.name", "\"%s/%s\" is no name of a package",
			category != NULL ? category : "", pf != NULL ? pf : "");
	p->category = category;
	p->pf = pf;
	p->name = arena_printf(&p->arena, "%s/%s", category, pf);
	return true;
}

/* All that can be said without touching anything; the journal is filled but for the records. */
static bool think(struct plan *p, const struct image_merge *m, struct err *e)
{
	p->owners = m->owners;
	p->protect = m->protect;
	p->keep = m->keep;
	p->journal.no_sync = m->no_sync;
	if (!start_plan(p, m->category, m->pf, e))
		return false;
	for (const char *const *pf = m->replaces; pf != NULL && *pf != NULL; pf++) {
		if (!plan_read_old(p, *pf, e))
			return false;
	}
	char *image = path_clean(m->image);
	bool ok =
		plan_scan(p, image, e) && plan_check(p, m->ignore_confmem, e) && plan_verdict(p, e);
	free(image);
	if (!ok)
		return false;
	plan_places(p, m->extras, m->n_extras);
	plan_removals(p);
	return true;
}

bool image_check(const struct image_merge *m, struct image_report *report, struct err *e)
{
	struct plan p;
	plan_init(&p, m->root, m->offset);
	p.report = report;
	bool ok = think(&p, m, e);
	image_plan_fini(&p);
	return ok;
}

static void take_back(const struct plan *p, struct err *e)
{
	struct err undone = ERR_INIT;
	if (!journal_undo(&p->journal, p->root, &undone))
		err_in(e, "%s (the next run will try again); first", undone.message);
}

/* Make ready, commit; what fails before the commit is taken back here and now. */
static bool commit_merge(struct plan *p, const struct image_merge *m, struct err *e)
{
	uint64_t counter = p->report->counter;
	if (!journal_save(&p->journal, p->root, e))
		return false;
	if (stage_all(p, m, e) && record_write(p, m, counter, e) &&
		(m->no_sync || place_sync(p->root, e)) &&
		(m->before_commit == NULL || m->before_commit(m->ctx, counter, e)) &&
		journal_commit(&p->journal, p->root, e))
		return true;
	take_back(p, e);
	return false;
}

static bool merge(const struct image_merge *m, struct plan *p, struct err *e)
{
	if (!think(p, m, e) || !image_next_counter(p->root, &p->report->counter, e))
		return false;
	plan_records(p, true, p->report->counter);
	plan_modes_to_journal(p);
	return commit_merge(p, m, e) && journal_finish(&p->journal, p->root, e);
}

bool image_merge(const struct image_merge *m, struct image_report *report, struct err *e)
{
	struct lock l = LOCK_NONE;
	struct plan p;
	plan_init(&p, m->root, m->offset);
	p.report = report;
	bool ok = enter(&l, m->root, e) && merge(m, &p, e);
	lock_release(&l);
	image_plan_fini(&p);
	return ok;
}

static bool commit_extras(struct plan *p, const struct image_unmerge *u, struct err *e)
{
	if (journal_open_up(&p->journal, p->root, e) && stage_dirs(p, e) &&
		stage_extras(p, u->extras, u->n_extras, e) &&
		journal_commit(&p->journal, p->root, e))
		return true;
	take_back(p, e);
	return false;
}

static bool unmerge(const struct image_unmerge *u, struct plan *p, struct err *e)
{
	p->owners = u->owners;
	p->protect = u->protect;
	p->keep = u->keep;
	p->journal.no_sync = u->no_sync;
	if (!start_plan(p, u->category, u->pf, e) || !confmem_read(&p->memory, p->root, e) ||
		!plan_read_old(p, u->pf, e))
		return false;
	if (!fs_is_dir(p->root, p->old.v[0]->dir))
		return err_set(e, ERR_FAILED, "image.absent", "%s is not installed in %s", p->name,
			u->offset);
	plan_places(p, u->extras, u->n_extras);
	plan_removals(p);
	plan_records(p, false, 0);
	plan_modes_to_journal(p);
	/* Without extras nothing has to be made ready: committed when written down. */
	p->journal.committed = u->n_extras == 0;
	if (!journal_save(&p->journal, p->root, e))
		return false;
	return (p->journal.committed || commit_extras(p, u, e)) &&
	       journal_finish(&p->journal, p->root, e);
}

bool image_unmerge(const struct image_unmerge *u, struct image_report *report, struct err *e)
{
	struct lock l = LOCK_NONE;
	struct plan p;
	plan_init(&p, u->root, u->offset);
	p.report = report;
	bool ok = enter(&l, u->root, e) && unmerge(u, &p, e);
	lock_release(&l);
	image_plan_fini(&p);
	return ok;
}

void image_report_fini(struct image_report *report)
{
	strv_fini(&report->updates);
	strv_fini(&report->notes);
	*report = IMAGE_REPORT_INIT;
}
