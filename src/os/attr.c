#include "attr.h"

#include "fs.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool attr_stat(int at, const char *path, bool follow, struct stat *st, struct err *e)
{
	if (fstatat(at, path, st, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
		return err_sys(e, "attr.stat", "cannot examine %s", path);
	return true;
}

bool attr_chmod(int at, const char *path, mode_t mode, struct err *e)
{
	if (fchmodat(at, path, mode & 07777, 0) != 0)
		return err_sys(e, "attr.chmod", "cannot set mode %o of %s", (unsigned)mode, path);
	return true;
}

bool attr_utime(int at, const char *path, const struct timespec *mtime, struct err *e)
{
	struct timespec times[2];
	if (mtime != NULL)
		times[0] = times[1] = *mtime;
	if (utimensat(at, path, mtime != NULL ? times : NULL, AT_SYMLINK_NOFOLLOW) != 0)
		return err_sys(e, "attr.utime", "cannot set the time of %s", path);
	return true;
}

bool attr_link(int at, const char *from, const char *to, struct err *e)
{
	if (!fs_unlink(at, to, e))
		return false;
	if (linkat(at, from, at, to, 0) != 0)
		return err_sys(e, "attr.link", "cannot link %s to %s", to, from);
	return true;
}

bool attr_head(int at, const char *path, struct head *head, struct err *e)
{
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return err_sys(e, "attr.head", "cannot read %s", path);
	head->n = 0;
	ssize_t got;
	do {
		got = read(fd, head->bytes + head->n, sizeof head->bytes - head->n);
		head->n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && head->n < sizeof head->bytes);
	bool ok = got >= 0 || err_sys(e, "attr.head", "cannot read %s", path);
	close(fd);
	return ok;
}

const char *attr_type(mode_t mode)
{
	if (S_ISREG(mode))
		return "file";
	if (S_ISDIR(mode))
		return "dir";
	if (S_ISLNK(mode))
		return "link";
	if (S_ISFIFO(mode))
		return "fifo";
	return S_ISSOCK(mode) ? "socket" : "device";
}

bool attr_write_line(int fd, const char *text, size_t n, struct err *e)
{
	struct buf line = BUF_INIT;
	buf_add(&line, text, n);
	buf_addc(&line, '\n');
	bool ok = true;
	for (size_t at = 0; ok && at < line.n;) {
		ssize_t wrote = write(fd, line.p + at, line.n - at);
		if (wrote >= 0)
			at += (size_t)wrote;
		else if (errno != EINTR)
			ok = err_sys(e, "attr.write", "cannot write to the log");
	}
	buf_fini(&line);
	return ok;
}
