#include "fs.h"

#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The path behind a descriptor, or NULL. */
static char *fd_path(int fd)
{
#ifdef __APPLE__
	char path[PATH_MAX];
	return fcntl(fd, F_GETPATH, path) == 0 ? xstrdup(path) : NULL;
#else
	char link[40];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	struct err ignored = ERR_INIT;
	return fs_readlink(AT_FDCWD, link, &ignored);
#endif
}

char *fs_shown(int at, const char *path)
{
	if (at == AT_FDCWD || path[0] == '/')
		return xstrdup(path);
	char *dir = fd_path(at);
	char *whole = dir != NULL ? path_join(dir, path) : xstrdup(path);
	free(dir);
	return whole;
}

/* Which file system is full, and of what: the first thing to know. */
static void say_full(struct err *e, int at, const char *path)
{
	char *dir = path_dir(path);
	int fd = openat(at, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statvfs v;
	size_t n = strlen(e->message);
	if (fd >= 0 && fstatvfs(fd, &v) == 0)
		snprintf(e->message + n, sizeof e->message - n,
			" (its file system has %llu MB and %llu inodes left; make room, then run "
			"the same "
			"command again)",
			(unsigned long long)v.f_bavail * v.f_frsize / 1000000,
			(unsigned long long)v.f_favail);
	if (fd >= 0)
		close(fd);
	free(dir);
}

bool fs_fail(struct err *e, const char *verb, int at, const char *path)
{
	int saved = errno;
	char what[sizeof e->what];
	snprintf(what, sizeof what, "fs.%s", verb);
	char *shown = fs_shown(at, path);
	errno = saved;
	bool first = e->code == ERR_NONE;
	err_sys(e, what, "cannot %s %s", verb, shown);
	if (first && (saved == ENOSPC || saved == EDQUOT))
		say_full(e, at, path);
	free(shown);
	return false;
}

bool fs_open_dir(int at, const char *path, int *fd, struct err *e)
{
	*fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *fd >= 0 || fs_fail(e, "open", at, path);
}

/* Append all of fd to *out; false with errno set. */
static bool read_all(int fd, struct buf *out)
{
	struct stat st;
	size_t chunk = fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size + 1 : 4096;
	char *room = xmalloc(chunk);
	ssize_t n;
	while ((n = read(fd, room, chunk)) != 0) {
		if (n > 0)
			buf_add(out, room, (size_t)n);
		else if (errno != EINTR)
			break;
	}
	free(room);
	return n == 0;
}

int fs_open_read(int at, const char *path, int flags)
{
	struct stat st;
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC | flags);
	if (fd >= 0 || errno != EACCES)
		return fd;
	if (fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode) ||
		(st.st_mode & S_IRUSR) != 0 ||
		fchmodat(at, path, (st.st_mode & 07777) | S_IRUSR, 0) != 0) {
		errno = EACCES;
		return -1;
	}
	fd = openat(at, path, O_RDONLY | O_CLOEXEC | flags);
	int saved = errno;
	if (fchmodat(at, path, st.st_mode & 07777, 0) != 0 && fd >= 0) {
		saved = errno;
		close(fd);
		fd = -1;
	}
	errno = saved;
	return fd;
}

bool fs_read(int at, const char *path, struct buf *out, struct err *e)
{
	int fd = fs_open_read(at, path, 0);
	if (fd < 0)
		return fs_fail(e, "open", at, path);
	bool ok = read_all(fd, out) || fs_fail(e, "read", at, path);
	close(fd);
	return ok;
}

bool fs_unlink(int at, const char *path, struct err *e)
{
	return unlinkat(at, path, 0) == 0 || errno == ENOENT || fs_fail(e, "remove", at, path);
}

bool fs_exists(int at, const char *path)
{
	struct stat st;
	return fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool fs_is_dir(int at, const char *path)
{
	struct stat st;
	return fstatat(at, path, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

bool fs_rename(int at, const char *from, const char *to, struct err *e)
{
	if (renameat(at, from, at, to) == 0)
		return true;
	int saved = errno;
	char *shown = fs_shown(at, from);
	errno = saved;
	err_sys(e, "fs.rename", "cannot rename %s to %s", shown, to);
	free(shown);
	return false;
}

char *fs_readlink(int at, const char *path, struct err *e)
{
	size_t cap = 256;
	for (;;) {
		char *target = xmalloc(cap);
		ssize_t n = readlinkat(at, path, target, cap);
		if (n >= 0 && (size_t)n < cap) {
			target[n] = '\0';
			return target;
		}
		free(target);
		if (n < 0) {
			err_sys(e, "fs.readlink", "cannot read the symlink %s", path);
			return NULL;
		}
		cap *= 2;
	}
}

char *fs_real(const char *path, struct err *e)
{
	char *real = realpath(path, NULL);
	if (real == NULL)
		fs_fail(e, "resolve", AT_FDCWD, path);
	return real;
}

void fs_sync_dir(int at, const char *path)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

int fs_fifo(int at, const char *path, mode_t mode)
{
#ifdef __APPLE__
	/* mkfifoat() came with macOS 13. */
	if (at == AT_FDCWD || path[0] == '/')
		return mkfifo(path, mode);
	char *dir = fd_path(at);
	if (dir == NULL)
		return -1;
	char *whole = path_join(dir, path);
	int r = mkfifo(whole, mode), saved = errno;
	free(whole);
	free(dir);
	errno = saved;
	return r;
#else
	return mkfifoat(at, path, mode);
#endif
}
