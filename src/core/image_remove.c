/* What of the files of a replaced or removed package goes (portage-formats §3.5). */
#include "digest.h"
#include "image_plan.h"

#include <errno.h>
#include <fcntl.h>

/* Reverse path order: what is in a directory before the directory. */
static int reverse(const void *a, const void *b)
{
	return -str_cmp(
		((const struct contents_entry *)a)->path, ((const struct contents_entry *)b)->path);
}

static bool in_list(const char *const *list, const char *path)
{
	for (; list != NULL && *list != NULL; list++) {
		if (strcmp(*list, path) == 0)
			return true;
	}
	return false;
}

static bool leads_to_dir(const struct plan *p, const char *path)
{
	struct stat st;
	return fstatat(p->root, path, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

static void drop(struct plan *p, const char *path, enum journal_verb verb)
{
	plan_open_dir_of(p, path);
	journal_add(&p->journal, verb, path, "");
	p->report->removed += verb == JOURNAL_REMOVE;
}

static bool same_content(const struct plan *p, const char *path, struct str md5)
{
	char hex[DIGEST_HEX_MAX];
	struct err ignored = ERR_INIT;
	return digest_file(p->root, path, DIGEST_MD5, hex, &ignored) && md5.n == strlen(hex) &&
	       strncasecmp(hex, md5.p, md5.n) == 0;
}

/* A protected file goes only if it is as it was installed. Returns why it stays, or NULL. */
static const char *changed(const struct plan *p, const char *path, const struct contents_entry *e,
	const struct stat *st)
{
	bool link = S_ISLNK(st->st_mode);
	if (e->type == CONTENTS_FIF || e->type == CONTENTS_DEV)
		return "is protected";
	if ((e->type == CONTENTS_SYM) != link || (e->type == CONTENTS_OBJ && !S_ISREG(st->st_mode)))
		return "is protected and no longer what was installed";
	if ((uint64_t)st->st_mtime != e->mtime)
		return "is protected and was changed (its time is another)";
	if (!link && !same_content(p, path, e->md5))
		return "is protected and was changed (its content is another)";
	return NULL;
}

static void remove_file(
	struct plan *p, const char *path, const struct contents_entry *entry, const struct stat *st)
{
	bool guarded = p->protect != NULL && protect_has(p->protect, path);
	const char *why = guarded ? changed(p, path, entry, st) : NULL;
	if (why != NULL)
		plan_note(p, "%s stays: it %s", path, why);
	else
		drop(p, path, JOURNAL_REMOVE);
}

static void remove_entry(struct plan *p, const char *path, const struct contents_entry *entry)
{
	struct stat st;
	if (fstatat(p->root, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	if (S_ISDIR(st.st_mode) && entry->type != CONTENTS_DIR)
		plan_note(p, "%s stays: it is a directory now", path);
	else if (S_ISDIR(st.st_mode))
		drop(p, path, JOURNAL_RMDIR);
	else if (entry->type != CONTENTS_DIR)
		remove_file(p, path, entry, &st);
	else if (!leads_to_dir(p, path))
		plan_note(p, "%s stays: it is no directory any more", path);
	/* A directory that is a symlink now was linked by somebody else, whose it stays. */
}

/* It stays, and becomes the new instance's. */
static void keep(struct plan *p, const char *path, const struct contents_entry *entry)
{
	plan_note(p, "%s stays: it is still needed", path);
	struct contents_entry *copy = arena_alloc(&p->arena, sizeof *copy);
	*copy = *entry;
	if (fs_exists(p->root, path))
		vec_push(&p->kept, copy);
}

static void consider(struct plan *p, const struct contents_entry *entry)
{
	const char *path = rootmap_relative(p->offset, entry->path.p);
	if (path == NULL) {
		plan_note(p, "%s stays: it is outside the prefix", entry->path.p);
		return;
	}
	/* The physical name holds even while symlinks of the way are being replaced. */
	struct str real = rootmap_real(&p->where, str_of(path));
	if (map_get(&p->by_real, real) != NULL)
		return;
	if (in_list(p->keep, entry->path.p)) {
		keep(p, path, entry);
		return;
	}
	if (plan_owner(p, path) != NULL)
		return;
	if (confmem_has(&p->memory, entry->path.p, NULL))
		journal_add(&p->journal, JOURNAL_MEMORY, entry->path.p, "");
	remove_entry(p, plan_path(p, real), entry);
}

void plan_removals(struct plan *p)
{
	for (size_t i = 0; i < p->old.n; i++) {
		const struct contents *c = &p->old.v[i]->contents;
		size_t n = c->list.n;
		if (n == 0)
			continue;
		/* A sorted copy: old_by_real points into the list itself. */
		struct contents_entry *sorted = xmemdup(c->list.v, n * sizeof *sorted);
		qsort(sorted, n, sizeof *sorted, reverse);
		for (size_t k = 0; k < n; k++) {
			if (k == 0 || !str_eq(sorted[k].path, sorted[k - 1].path))
				consider(p, &sorted[k]);
		}
		free(sorted);
	}
}
