#include "place.h"

#include "fs.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/ioctl.h>
#define CLONE_FILE _IOW(0x94, 9, int) /* FICLONE of linux/fs.h */
#endif

#define COPY_CHUNK ((size_t)256 * 1024)

struct timespec place_mtime(const struct stat *st)
{
#ifdef __APPLE__
	return st->st_mtimespec;
#else
	return st->st_mtim;
#endif
}

/* Remove a leftover that stands in the way after a call failed with EEXIST; true: try again. */
static bool cleared(int at, const char *to)
{
	return errno == EEXIST && unlinkat(at, to, 0) == 0;
}

/* Let the kernel move the bytes; false: not (wholly) done, the read position says how far. */
static bool copy_in_kernel(int from, int to)
{
#ifdef __linux__
	if (ioctl(to, CLONE_FILE, from) == 0)
		return true;
	ssize_t n;
	do {
		n = copy_file_range(from, NULL, to, NULL, (size_t)1 << 30, 0);
	} while (n > 0);
	/* Some file systems of the kernel's own claim to be empty: read those. */
	return n == 0 && lseek(from, 0, SEEK_CUR) > 0;
#else
	(void)from;
	(void)to;
	return false;
#endif
}

static bool write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);
		if (done < 0 && errno != EINTR)
			return false;
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return true;
}

static bool copy_by_hand(int from, int to)
{
	char *chunk = xmalloc(COPY_CHUNK);
	bool ok = true;
	for (ssize_t n = 1; ok && n != 0;) {
		n = read(from, chunk, COPY_CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		ok = n >= 0 && write_all(to, chunk, (size_t)n);
	}
	free(chunk);
	return ok;
}

static int create(int at, const char *to)
{
	int fd;
	do {
		fd = openat(at, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	} while (fd < 0 && cleared(at, to));
	return fd;
}

/* Content, mode, times. The mode comes last: writing takes set-uid bits away. */
static bool fill(int from, int to)
{
	struct stat st;
	if (fstat(from, &st) != 0 || (!copy_in_kernel(from, to) && !copy_by_hand(from, to)))
		return false;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, place_mtime(&st) };
	return fchmod(to, st.st_mode & 07777) == 0 && futimens(to, times) == 0;
}

bool place_copy(const struct place *p, struct err *e)
{
	int from = fs_open_read(p->from_at, p->from, O_NOFOLLOW);
	if (from < 0)
		return fs_fail(e, "read", p->from_at, p->from);
	int to = create(p->to_at, p->to);
	bool ok = to >= 0 && fill(from, to);
	if (!ok)
		fs_fail(e, "write", p->to_at, p->to);
	if (to >= 0 && close(to) != 0 && ok)
		ok = fs_fail(e, "write", p->to_at, p->to);
	close(from);
	return ok;
}

bool place_file(const struct place *p, struct err *e)
{
	int r;
	do {
		r = linkat(p->from_at, p->from, p->to_at, p->to, 0);
	} while (r != 0 && cleared(p->to_at, p->to));
	if (r == 0)
		return true;
	/* Another file system, one without hard links, too many of them, or links forbidden. */
	if (errno == EXDEV || errno == EPERM || errno == EMLINK || errno == ENOTSUP ||
		errno == ENOSYS || errno == EOPNOTSUPP || errno == EACCES)
		return place_copy(p, e);
	return fs_fail(e, "write", p->to_at, p->to);
}

bool place_symlink(
	const char *target, int at, const char *to, const struct timespec *mtime, struct err *e)
{
	int r;
	do {
		r = symlinkat(target, at, to);
	} while (r != 0 && cleared(at, to));
	if (r != 0)
		return fs_fail(e, "symlink", at, to);
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, *mtime };
	return utimensat(at, to, times, AT_SYMLINK_NOFOLLOW) == 0 || errno == ENOSYS ||
	       errno == ENOTSUP || fs_fail(e, "touch", at, to);
}

bool place_fifo(int at, const char *to, const struct stat *like, struct err *e)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, place_mtime(like) };
	int r;
	do {
		r = fs_fifo(at, to, 0600);
	} while (r != 0 && cleared(at, to));
	return (r == 0 && fchmodat(at, to, like->st_mode & 07777, 0) == 0 &&
		       utimensat(at, to, times, AT_SYMLINK_NOFOLLOW) == 0) ||
	       fs_fail(e, "create", at, to);
}

bool place_sync(int at, struct err *e)
{
#ifdef __linux__
	return syncfs(at) == 0 || fs_fail(e, "sync", at, ".");
#else
	(void)at;
	(void)e;
	sync();
	return true;
#endif
}
