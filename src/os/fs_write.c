/* Files that appear whole or not at all: written under a derived name beside the final one. */
#include "fs.h"

#include "map.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#define NAME_SHOWN 100 /* of the final name, so that the derived one fits in NAME_MAX */
#define COPY_CHUNK ((size_t)256 * 1024)

/* A file being written. Empty value: ASIDE_NONE. */
struct aside {
	int at, fd;
	char *dir, *tmp;
	const char *path; /* borrowed */
};

#define ASIDE_NONE ((struct aside){ .fd = -1 })

/* ".eprefix-tmp.<name>.<hash>" beside path; derived, so that the next writer finds a leftover. */
static char *derived_name(const char *path, char **dir)
{
	*dir = path_dir(path);
	char *name = xasprintf(".eprefix-tmp.%.*s.%016llx", NAME_SHOWN, path_base(path),
		(unsigned long long)map_hash(str_of(path_base(path))));
	char *tmp = strchr(path, '/') != NULL ? path_join(*dir, name) : xstrdup(name);
	free(name);
	return tmp;
}

/* Is the open file still what the name stands for? */
static bool still_named(const struct aside *a)
{
	struct stat by_fd, by_name;
	return fstat(a->fd, &by_fd) == 0 &&
	       fstatat(a->at, a->tmp, &by_name, AT_SYMLINK_NOFOLLOW) == 0 &&
	       by_fd.st_dev == by_name.st_dev && by_fd.st_ino == by_name.st_ino;
}

/*
 * Two processes that write the same path share the derived name: the lock makes the second wait
 * until the first has renamed. Where locks do not work (some NFS) there is just no such protection.
 */
static bool aside_open(struct aside *a, int at, const char *path, struct err *e)
{
	a->at = at;
	a->path = path;
	a->tmp = derived_name(path, &a->dir);
	for (;;) {
		a->fd = openat(at, a->tmp, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (a->fd < 0 && errno == EACCES && unlinkat(at, a->tmp, 0) == 0)
			continue;
		if (a->fd < 0)
			return fs_fail(e, "create", at, path);
		while (flock(a->fd, LOCK_EX) != 0 && errno == EINTR)
			;
		if (still_named(a))
			break;
		close(a->fd);
	}
	return ftruncate(a->fd, 0) == 0 || fs_fail(e, "write", at, path);
}

static bool aside_add(struct aside *a, const void *data, size_t n, struct err *e)
{
	for (const char *p = data; n > 0;) {
		ssize_t done = write(a->fd, p, n);
		if (done < 0 && errno != EINTR)
			return fs_fail(e, "write", a->at, a->path);
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return true;
}

/* File systems without modes (some network mounts) refuse chmod: the content matters more. */
static bool aside_chmod(struct aside *a, mode_t mode, struct err *e)
{
	return fchmod(a->fd, mode) == 0 || errno == EPERM || errno == ENOTSUP || errno == ENOSYS ||
	       fs_fail(e, "chmod", a->at, a->path);
}

static bool aside_commit(struct aside *a, struct err *e)
{
	if (fsync(a->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
		return fs_fail(e, "write", a->at, a->path);
	if (renameat(a->at, a->tmp, a->at, a->path) != 0)
		return fs_fail(e, "replace", a->at, a->path);
	fs_sync_dir(a->at, a->dir);
	return true;
}

/* Remove what was not committed; the lock goes with the descriptor. */
static void aside_close(struct aside *a)
{
	if (a->fd >= 0) {
		if (still_named(a))
			unlinkat(a->at, a->tmp, 0);
		close(a->fd);
	}
	free(a->dir);
	free(a->tmp);
}

/* The sixth parameter is the mode: a file is not written without saying it. */
/* NOLINTNEXTLINE(readability-function-size) */
bool fs_write(int at, const char *path, const void *data, size_t n, mode_t mode, struct err *e)
{
	struct aside a = ASIDE_NONE;
	bool ok = aside_open(&a, at, path, e) && aside_add(&a, data, n, e) &&
		  aside_chmod(&a, mode, e) && aside_commit(&a, e);
	aside_close(&a);
	return ok;
}

/* NOLINTNEXTLINE(readability-function-size) */
bool fs_write_if_changed(
	int at, const char *path, const void *data, size_t n, mode_t mode, struct err *e)
{
	struct buf old = BUF_INIT;
	struct err ignored = ERR_INIT;
	struct stat st;
	bool same = fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
		    (size_t)st.st_size == n && fs_read(at, path, &old, &ignored) && old.n == n &&
		    (n == 0 || memcmp(old.p, data, n) == 0);
	buf_fini(&old);
	return same || fs_write(at, path, data, n, mode, e);
}

/* Copy what is left of fd; the caller names the file in the error. */
static bool pour(struct aside *a, int from, const char *name, struct err *e)
{
	char *chunk = xmalloc(COPY_CHUNK);
	bool ok = true;
	for (ssize_t n = 1; ok && n != 0;) {
		n = read(from, chunk, COPY_CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		ok = n >= 0 ? aside_add(a, chunk, (size_t)n, e)
			    : fs_fail(e, "read", AT_FDCWD, name);
	}
	free(chunk);
	return ok;
}

static void keep_time(int fd, const struct stat *st)
{
#ifdef __APPLE__
	struct timespec times[2] = { st->st_atimespec, st->st_mtimespec };
#else
	struct timespec times[2] = { st->st_atim, st->st_mtim };
#endif
	futimens(fd, times);
}

bool fs_copy(int from_at, const char *from, int to_at, const char *to, struct err *e)
{
	struct aside a = ASIDE_NONE;
	struct stat st;
	bool ok = false;
	int fd = openat(from_at, from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return fs_fail(e, "open", from_at, from);
	if (fstat(fd, &st) != 0) {
		fs_fail(e, "read", from_at, from);
		goto out;
	}
	if (!S_ISREG(st.st_mode)) {
		err_set(e, ERR_FAILED, "fs.copy", "cannot copy %s: not a regular file", from);
		goto out;
	}
	if (!aside_open(&a, to_at, to, e) || !pour(&a, fd, from, e) ||
		!aside_chmod(&a, st.st_mode & 0777, e))
		goto out;
	keep_time(a.fd, &st);
	ok = aside_commit(&a, e);
out:
	aside_close(&a);
	close(fd);
	return ok;
}

bool fs_symlink(const char *target, int at, const char *path, struct err *e)
{
	char *dir = NULL, *tmp = derived_name(path, &dir);
	bool ok = false;
	while (symlinkat(target, at, tmp) != 0) {
		if (errno != EEXIST || unlinkat(at, tmp, 0) != 0) {
			fs_fail(e, "symlink", at, path);
			goto out;
		}
	}
	ok = renameat(at, tmp, at, path) == 0;
	if (!ok) {
		fs_fail(e, "replace", at, path);
		unlinkat(at, tmp, 0);
	}
out:
	free(tmp);
	free(dir);
	return ok;
}
