/* Undoing and finishing what a journal says. Every step may be done any number of times. */
#include "journal.h"

#include "fs.h"
#include "protect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define JOURNAL_FILE "var/lib/eprefix/journal"

static mode_t octal(const char *s)
{
	return (mode_t)strtoul(s, NULL, 8) & 07777;
}

static bool gone(void)
{
	return errno == ENOENT || errno == ENOTDIR;
}

bool journal_open_up(const struct journal *j, int root, struct err *e)
{
	/* Parents come last in the journal, and have to be opened first. */
	for (size_t i = j->ops.n; i-- > 0;) {
		const struct journal_op *op = &j->ops.v[i];
		struct stat st;
		if (op->verb != JOURNAL_MODE || fstatat(root, op->path, &st, 0) != 0)
			continue;
		if ((st.st_mode & 0700) != 0700 &&
			fchmodat(root, op->path, (st.st_mode & 07777) | 0700, 0) != 0)
			return fs_fail(e, "write to", root, op->path);
	}
	return true;
}

static bool set_modes(const struct journal *j, int root, struct err *e)
{
	for (size_t i = 0; i < j->ops.n; i++) {
		const struct journal_op *op = &j->ops.v[i];
		if (op->verb == JOURNAL_MODE &&
			fchmodat(root, op->path, octal(op->other), 0) != 0 && !gone())
			return fs_fail(e, "chmod", root, op->path);
	}
	return true;
}

static bool rmdir_if_empty(int root, const char *path, struct err *e)
{
	if (unlinkat(root, path, AT_REMOVEDIR) == 0 || gone() || errno == ENOTEMPTY ||
		errno == EEXIST || errno == EBUSY)
		return true;
	return fs_fail(e, "remove", root, path);
}

static bool undo_op(const struct journal_op *op, int root, struct err *e)
{
	switch (op->verb) {
	case JOURNAL_PLACE:
		return unlinkat(root, op->other, 0) == 0 || gone() ||
		       fs_fail(e, "remove", root, op->other);
	case JOURNAL_RECORD:
		return fs_remove_tree(root, op->other, e);
	case JOURNAL_MKDIR:
		return rmdir_if_empty(root, op->path, e);
	case JOURNAL_ASIDE:
		return renameat(root, op->other, root, op->path) == 0 || gone() ||
		       fs_fail(e, "restore", root, op->path);
	default:
		return true;
	}
}

bool journal_undo(const struct journal *j, int root, struct err *e)
{
	for (size_t i = j->ops.n; i-- > 0;) {
		if (!undo_op(&j->ops.v[i], root, e))
			return false;
	}
	return set_modes(j, root, e) && fs_unlink(root, JOURNAL_FILE, e);
}

/*
 * A file that was merged before from the same image is another name of the one that lies ready:
 * rename() then leaves both.
 */
static bool place(const struct journal_op *op, int root, struct err *e)
{
	if (renameat(root, op->other, root, op->path) != 0)
		return gone() || fs_fail(e, "replace", root, op->path);
	return unlinkat(root, op->other, 0) == 0 || gone() || fs_fail(e, "remove", root, op->other);
}

/* What has become a directory since it was looked at is no longer what was meant. */
static bool remove_file(int root, const char *path, struct err *e)
{
	if (unlinkat(root, path, 0) == 0 || gone() || errno == EISDIR)
		return true;
	int saved = errno;
	struct stat st;
	bool dir = fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
	errno = saved;
	return dir || fs_fail(e, "remove", root, path);
}

/* Rename a directory onto a name where only a leftover may stand. */
static bool move_dir(int root, const char *from, const char *to, struct err *e)
{
	if (renameat(root, from, root, to) == 0 || gone())
		return true;
	return fs_remove_tree(root, to, e) && fs_rename(root, from, to, e);
}

static bool touch(int root, const char *path, struct err *e)
{
	return utimensat(root, path, NULL, 0) == 0 || gone() || fs_fail(e, "touch", root, path);
}

static bool finish_op(const struct journal_op *op, int root, struct err *e)
{
	switch (op->verb) {
	case JOURNAL_PLACE:
		return place(op, root, e);
	case JOURNAL_REMOVE:
		return remove_file(root, op->path, e);
	case JOURNAL_ASIDE:
		return remove_file(root, op->other, e);
	case JOURNAL_RMDIR:
		return rmdir_if_empty(root, op->path, e);
	case JOURNAL_WRITE:
		return journal_put(root, op->path, str_of(op->other), false, e);
	case JOURNAL_RETIRE:
		return move_dir(root, op->path, op->other, e);
	case JOURNAL_RECORD:
		return move_dir(root, op->other, op->path, e);
	case JOURNAL_TOUCH:
		return touch(root, op->path, e);
	default:
		return true;
	}
}

static bool update_memory(const struct journal *j, int root, struct err *e)
{
	struct confmem memory = CONFMEM_INIT;
	bool any = false, ok = true;
	for (size_t i = 0; ok && i < j->ops.n; i++) {
		const struct journal_op *op = &j->ops.v[i];
		if (op->verb != JOURNAL_MEMORY)
			continue;
		ok = any || confmem_read(&memory, root, e);
		any = true;
		confmem_set(&memory, op->path, op->other[0] != '\0' ? op->other : NULL);
	}
	ok = ok && (!any || confmem_write(&memory, root, e));
	confmem_fini(&memory);
	return ok;
}

/* Is the new record already in its place? Then the old ones are out of theirs. */
static bool published(const struct journal *j, int root)
{
	for (size_t i = 0; i < j->ops.n; i++) {
		if (j->ops.v[i].verb == JOURNAL_RECORD)
			return !fs_exists(root, j->ops.v[i].other);
	}
	return false;
}

static bool drop_retired(const struct journal *j, int root, struct err *e)
{
	for (size_t i = 0; i < j->ops.n; i++) {
		if (j->ops.v[i].verb == JOURNAL_RETIRE &&
			!fs_remove_tree(root, j->ops.v[i].other, e))
			return false;
	}
	return true;
}

bool journal_finish(const struct journal *j, int root, struct err *e)
{
	bool done = published(j, root);
	if (!journal_open_up(j, root, e) || !update_memory(j, root, e))
		return false;
	for (size_t i = 0; i < j->ops.n; i++) {
		const struct journal_op *op = &j->ops.v[i];
		if (!(op->verb == JOURNAL_RETIRE && done) && !finish_op(op, root, e))
			return false;
	}
	return drop_retired(j, root, e) && set_modes(j, root, e) &&
	       fs_unlink(root, JOURNAL_FILE, e);
}
