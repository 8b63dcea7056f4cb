/* What all parts of thinking a merge through need. */
#include "image_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

#define PROBLEMS_SHOWN 12

void plan_init(struct plan *p, int root, const char *offset)
{
	*p = (struct plan){ .root = root, .offset = offset };
	rootmap_init(&p->where, root, offset);
}

void image_plan_fini(struct plan *p)
{
	for (size_t i = 0; i < p->old.n; i++) {
		buf_fini(&p->old.v[i]->text);
		contents_fini(&p->old.v[i]->contents);
	}
	vec_fini(&p->old);
	vec_fini(&p->nodes);
	vec_fini(&p->modes);
	vec_fini(&p->kept);
	map_fini(&p->by_real);
	map_fini(&p->old_by_real);
	map_fini(&p->dirs_seen);
	map_fini(&p->made);
	rootmap_fini(&p->where);
	confmem_fini(&p->memory);
	journal_fini(&p->journal);
	buf_fini(&p->problems);
	arena_fini(&p->arena);
}

const char *plan_path(struct plan *p, struct str path)
{
	return arena_strndup(&p->arena, path.p, path.n);
}

/* Length of the directory part of path, with its slash. */
static int dir_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? (int)(slash - path) + 1 : 0;
}

const char *plan_temp(struct plan *p, const char *path)
{
	struct buf key = BUF_INIT;
	buf_add(&key, p->name, strlen(p->name) + 1);
	buf_adds(&key, path);
	uint64_t hash = map_hash((struct str){ key.p, key.n });
	buf_fini(&key);
	return arena_printf(&p->arena, "%.*s.eprefix-%016llx", dir_length(path), path,
		(unsigned long long)hash);
}

const char *plan_owner(struct plan *p, const char *path)
{
	if (p->owners.owner == NULL)
		return NULL;
	char *whole = xasprintf("%s/%s", p->offset, path);
	const char *owner = p->owners.owner(p->owners.ctx, str_of(whole));
	free(whole);
	return owner;
}

void plan_note(struct plan *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	strv_own(&p->report->notes, xvasprintf(fmt, ap));
	va_end(ap);
}

void plan_problem(struct plan *p, const char *fmt, ...)
{
	if (p->n_problems++ >= PROBLEMS_SHOWN)
		return;
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	buf_printf(&p->problems, "\n  %s", text);
	free(text);
}

bool plan_verdict(const struct plan *p, struct err *e)
{
	if (p->n_problems == 0)
		return true;
	size_t hidden = p->n_problems > PROBLEMS_SHOWN ? p->n_problems - PROBLEMS_SHOWN : 0;
	char more[64] = "";
	if (hidden > 0)
		snprintf(more, sizeof more, "\n  and %zu more of this kind", hidden);
	return err_set(e, ERR_CONFLICT, "image.conflict",
		"%s cannot be merged into %s; nothing was changed:%s%s", p->name,
		p->offset[0] != '\0' ? p->offset : "/", buf_str(&p->problems), more);
}

void plan_mode(struct plan *p, const char *path, mode_t mode)
{
	vec_push(&p->modes, (struct dir_mode){ path, mode & 07777 });
}

void plan_open_dir_of(struct plan *p, const char *path)
{
	int n = dir_length(path);
	struct str dir = { n > 0 ? path : ".", n > 0 ? (size_t)n - 1 : 1 };
	struct stat st;
	if (map_get(&p->dirs_seen, dir) != NULL)
		return;
	const char *kept = plan_path(p, dir);
	map_set(&p->dirs_seen, str_of(kept), p);
	if (fstatat(p->root, kept, &st, 0) == 0 && S_ISDIR(st.st_mode) &&
		(st.st_mode & 0700) != 0700)
		plan_mode(p, kept, st.st_mode);
}

static int deepest_first(const void *a, const void *b)
{
	return strcmp(((const struct dir_mode *)b)->path, ((const struct dir_mode *)a)->path);
}

void plan_modes_to_journal(struct plan *p)
{
	if (p->modes.n > 0)
		qsort(p->modes.v, p->modes.n, sizeof *p->modes.v, deepest_first);
	for (size_t i = 0; i < p->modes.n; i++) {
		const struct dir_mode *d = &p->modes.v[i];
		journal_add(&p->journal, JOURNAL_MODE, d->path,
			arena_printf(&p->arena, "%o", (unsigned)d->mode));
	}
}

bool plan_read_old(struct plan *p, const char *pf, struct err *e)
{
	struct old_record *old = arena_calloc(&p->arena, 1, sizeof *old);
	vec_push(&p->old, old);
	old->dir = arena_printf(&p->arena, "var/db/pkg/%s/%s", p->category, pf);
	const char *path = arena_printf(&p->arena, "%s/CONTENTS", old->dir);
	struct err missing = ERR_INIT;
	if (!fs_read(p->root, path, &old->text, &missing)) {
		if (missing.sys != ENOENT) {
			*e = missing;
			return false;
		}
		plan_note(p, "%s is missing: the files of %s/%s stay", path, p->category, pf);
	}
	contents_parse(&old->contents, (struct str){ old->text.p, old->text.n });
	if (old->contents.bad > 0)
		plan_note(p,
			"%s: %zu lines are no entries (the first is line %zu) and were skipped",
			path, old->contents.bad, old->contents.first_bad);
	for (size_t i = 0; i < old->contents.list.n; i++) {
		struct contents_entry *entry = &old->contents.list.v[i];
		const char *whole = plan_path(p, entry->path);
		const char *rel = rootmap_relative(p->offset, whole);
		entry->path = str_of(whole);
		if (rel != NULL)
			map_set(&p->old_by_real, rootmap_real(&p->where, str_of(rel)), entry);
	}
	return true;
}
