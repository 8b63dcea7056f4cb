/* Whole directory trees: make, list, walk, remove. */
#include "fs.h"

#include "mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool fs_mkdirs(int at, const char *path, mode_t mode, struct err *e)
{
	if (mkdirat(at, path, mode) == 0)
		return true;
	int saved = errno;
	if (fs_is_dir(at, path))
		return true;
	char *parent = path_dir(path);
	bool missing = saved == ENOENT && strcmp(parent, path) != 0 && strcmp(parent, ".") != 0;
	bool made = missing && fs_mkdirs(at, parent, mode, e);
	free(parent);
	if (missing && !made)
		return false;
	if (made && mkdirat(at, path, mode) == 0)
		return true;
	errno = made ? errno : saved;
	/* Another process may have made it in between; "a//b/" comes here a second time, too. */
	return (errno == EEXIST && fs_is_dir(at, path)) || fs_fail(e, "mkdir", at, path);
}

/* Names in the directory behind fd, which is consumed; false with errno set. */
static bool list_fd(int fd, struct strv *names)
{
	DIR *dir = fdopendir(fd);
	if (dir == NULL) {
		close(fd);
		return false;
	}
	errno = 0;
	for (struct dirent *d; (d = readdir(dir)) != NULL; errno = 0) {
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
			strv_push(names, d->d_name);
	}
	int failed = errno;
	closedir(dir);
	strv_sort(names);
	errno = failed;
	return failed == 0;
}

bool fs_list(int at, const char *path, struct strv *names, struct err *e)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return (fd >= 0 && list_fd(fd, names)) || fs_fail(e, "list", at, path);
}

struct walk {
	int at;
	fs_visit *visit;
	void *ctx;
};

static bool walk_below(const struct walk *w, const char *path, struct err *e);

static bool walk_entry(const struct walk *w, const char *path, struct err *e)
{
	struct fs_entry entry = { .at = w->at, .path = path };
	if (fstatat(w->at, path, &entry.st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT || fs_fail(e, "stat", w->at, path);
	if (!w->visit(w->ctx, &entry, e))
		return false;
	/* The visitor may have removed it. */
	return !S_ISDIR(entry.st.st_mode) || !fs_exists(w->at, path) || walk_below(w, path, e);
}

static bool walk_below(const struct walk *w, const char *path, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = fs_list(w->at, path[0] != '\0' ? path : ".", &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		char *child = path_join(path, names.v[i]);
		ok = walk_entry(w, child, e);
		free(child);
	}
	strv_fini(&names);
	return ok;
}

bool fs_walk(int at, const char *path, fs_visit *visit, void *ctx, struct err *e)
{
	struct walk w = { .visit = visit, .ctx = ctx };
	if (!fs_open_dir(at, path, &w.at, e))
		return false;
	bool ok = walk_below(&w, "", e);
	close(w.at);
	return ok;
}

/*
 * A removal holds one descriptor per level. Deeper than this, a directory is first moved up beside
 * the start of the removal (configure tests for long paths leave hundreds of levels when killed).
 */
#define REMOVE_DEPTH 60

struct removal {
	int top; /* directory whose entries go */
	unsigned moved; /* directories moved up so far */
};

static bool remove_entry(struct removal *r, int at, const char *name, int depth, struct err *e);

/* Remove all entries of the directory behind fd, once. */
static bool remove_entries(struct removal *r, int fd, int depth, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = fs_list(fd, ".", &names, e);
	for (size_t i = 0; ok && i < names.n; i++)
		ok = remove_entry(r, fd, names.v[i], depth, e);
	strv_fini(&names);
	return ok;
}

/* Move the directory `name` up into the top of the removal, under a free name. */
static bool move_up(struct removal *r, int at, const char *name, struct err *e)
{
	char up[40];
	do {
		snprintf(up, sizeof up, ".eprefix-rm.%u", r->moved++);
	} while (fs_exists(r->top, up));
	return renameat(at, name, r->top, up) == 0 || fs_fail(e, "remove", at, name);
}

static int open_for_removal(int at, const char *name, mode_t mode)
{
	/* Where that fails, opening says why. */
	bool opened_up = (mode & 0700) == 0700 || fchmodat(at, name, (mode & 07777) | 0700, 0) == 0;
	(void)opened_up;
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static bool remove_entry(struct removal *r, int at, const char *name, int depth, struct err *e)
{
	struct stat st;
	if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
		return true;
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode))
		return fs_fail(e, "remove", at, name);
	int fd = open_for_removal(at, name, st.st_mode);
	if (fd < 0)
		return fs_fail(e, "remove", at, name);
	bool ok = depth < REMOVE_DEPTH ? remove_entries(r, fd, depth + 1, e)
				       : move_up(r, at, name, e);
	close(fd);
	if (!ok || depth >= REMOVE_DEPTH)
		return ok;
	return unlinkat(at, name, AT_REMOVEDIR) == 0 || fs_fail(e, "remove", at, name);
}

/* Again while directories were moved up: they are entries of the top now. */
static bool empty_top(int fd, struct err *e)
{
	struct removal r = { .top = fd };
	unsigned before;
	do {
		before = r.moved;
		if (!remove_entries(&r, fd, 0, e))
			return false;
	} while (r.moved != before);
	return true;
}

bool fs_remove_tree(int at, const char *path, struct err *e)
{
	struct stat st;
	if (fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT || fs_fail(e, "remove", at, path);
	if (!S_ISDIR(st.st_mode))
		return fs_unlink(at, path, e);
	int fd = open_for_removal(at, path, st.st_mode);
	if (fd < 0)
		return fs_fail(e, "remove", at, path);
	bool ok = empty_top(fd, e);
	close(fd);
	return ok && (unlinkat(at, path, AT_REMOVEDIR) == 0 || fs_fail(e, "remove", at, path));
}
