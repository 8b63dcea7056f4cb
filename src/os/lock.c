#include "lock.h"

#include "fs.h"
#include "lock_owner.h"
#include "mem.h"
#include "proc_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define DYING_S 5.0 /* workers of a killed run end within this */
#define UNNAMED_S 0.5 /* the holder writes its name right after locking */
#define UNNAMED_BY_NAME_S 10 /* an O_EXCL file that is still empty then was left by a crash */
#define NOTICE_S 2.0

static bool no_locks_here(int error)
{
	return error == ENOLCK || error == EOPNOTSUPP || error == ENOTSUP || error == ENOSYS ||
	       error == EINVAL;
}

static struct lock_owner read_owner(const char *path)
{
	struct err ignored = ERR_INIT;
	struct buf b = BUF_INIT;
	struct lock_owner o = { 0 };
	if (fs_read(AT_FDCWD, path, &b, &ignored))
		o = lock_owner_parse(str_of(buf_str(&b)));
	buf_fini(&b);
	return o;
}

static bool write_owner(int fd, const char *path, struct err *e)
{
	struct lock_owner self = lock_owner_self();
	struct buf b = BUF_INIT;
	lock_owner_print(&self, &b);
	bool ok = ftruncate(fd, 0) == 0 && pwrite(fd, b.p, b.n, 0) == (ssize_t)b.n;
	if (!ok)
		fs_fail(e, "write", AT_FDCWD, path);
	buf_fini(&b);
	return ok;
}

static bool busy(const char *path, const struct lock_owner *o, bool by_name, struct err *e)
{
	if (o->pid <= 0)
		return err_set(e, ERR_BUSY, "lock.busy",
			"the prefix is in use by another run (%s does not say which); try again "
			"when it "
			"has ended",
			path);
	if (by_name)
		return err_set(e, ERR_BUSY, "lock.busy",
			"the prefix is in use by process %ld on host %s; wait until it has ended "
			"(this "
			"file system has no locks: if that process is gone, remove %s)",
			o->pid, o->host, path);
	return err_set(e, ERR_BUSY, "lock.busy",
		"the prefix is in use by process %ld on host %s; wait until it has ended, or stop "
		"it "
		"there with: kill %ld",
		o->pid, o->host, o->pid);
}

/* Is it worth to look again: the holder's death or name may come in a moment? */
static bool may_change(const struct lock_owner *o, double waited)
{
	return o->pid <= 0 ? waited < UNNAMED_S : lock_owner_gone(o) && waited < DYING_S;
}

/* flock with a short patience; *none when the file system has no locks. */
static bool lock_fd(int fd, const char *path, const char *owner, bool *none, struct err *e)
{
	double start = proc_now();
	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EINTR)
			continue;
		*none = no_locks_here(errno);
		if (*none)
			return true;
		if (errno != EWOULDBLOCK)
			return fs_fail(e, "lock", AT_FDCWD, path);
		struct lock_owner o = read_owner(owner);
		if (!may_change(&o, proc_now() - start))
			return busy(path, &o, false, e);
		poll(NULL, 0, 20);
	}
	return true;
}

/* An O_EXCL file that nobody stands behind any more. */
static bool stale_by_name(const char *path, const struct lock_owner *o)
{
	struct stat st;
	if (o->pid > 0)
		return lock_owner_gone(o);
	return stat(path, &st) == 0 && st.st_size == 0 &&
	       time(NULL) - st.st_mtime > UNNAMED_BY_NAME_S;
}

/*
 * Move a stale file out of the way. Two may come here at once, and the second would move the new
 * owner's file: then it is put back.
 */
static void set_aside(const char *path, const struct lock_owner *stale)
{
	struct err ignored = ERR_INIT;
	char *aside = xasprintf("%s.stale.%ld", path, (long)getpid());
	if (rename(path, aside) == 0) {
		struct lock_owner moved = read_owner(aside);
		if (moved.pid == stale->pid && moved.start == stale->start)
			fs_unlink(AT_FDCWD, aside, &ignored);
		else
			rename(aside, path);
	}
	free(aside);
}

static bool take_by_name(struct lock *l, struct err *e)
{
	for (int try = 0; try < 20; try++) {
		l->fd = open(l->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (l->fd >= 0)
			return write_owner(l->fd, l->path, e);
		if (errno != EEXIST)
			return fs_fail(e, "create", AT_FDCWD, l->path);
		struct lock_owner o = read_owner(l->path);
		if (stale_by_name(l->path, &o))
			set_aside(l->path, &o);
		else if (o.pid > 0)
			return busy(l->path, &o, true, e);
		poll(NULL, 0, 25);
	}
	struct lock_owner unknown = { 0 };
	return busy(l->path, &unknown, true, e);
}

static bool name_owner(const char *owner, struct err *e)
{
	int fd = open(owner, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return fs_fail(e, "open", AT_FDCWD, owner);
	bool ok = write_owner(fd, owner, e);
	close(fd);
	return ok;
}

bool lock_take(struct lock *l, const char *path, struct err *e)
{
	bool none = false;
	*l = (struct lock){ .path = xstrdup(path), .owner = xasprintf("%s.owner", path) };
	l->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (l->fd < 0) {
		fs_fail(e, "open", AT_FDCWD, path);
		goto fail;
	}
	if (!lock_fd(l->fd, path, l->owner, &none, e))
		goto fail;
	if (none) {
		close(l->fd);
		l->fd = -1;
		free(l->path);
		l->path = l->owner;
		l->owner = NULL;
		if (!take_by_name(l, e))
			goto fail;
		l->by_name = l->remove = true;
	} else if (!name_owner(l->owner, e)) {
		goto fail;
	}
	return true;
fail:
	if (l->fd >= 0)
		close(l->fd);
	free(l->path);
	free(l->owner);
	*l = LOCK_NONE;
	return false;
}

static long holder_of(int fd)
{
	struct flock f = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	return fcntl(fd, F_GETLK, &f) == 0 && f.l_type != F_UNLCK ? (long)f.l_pid : 0;
}

/* Wait for the fcntl lock; *none when the file system has no locks. */
static bool wait_fcntl(struct lock *l, struct wake *wake, struct err *e)
{
	struct flock want = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	double start = proc_now();
	bool told = false;
	while (fcntl(l->fd, F_SETLK, &want) != 0) {
		if (no_locks_here(errno))
			return true;
		if (errno != EACCES && errno != EAGAIN && errno != EINTR)
			return fs_fail(e, "lock", AT_FDCWD, l->path);
		if (!told && proc_now() - start > NOTICE_S && l->notice != NULL) {
			l->notice(l->notice_ctx, l->path, holder_of(l->fd));
			told = true;
		}
		struct pollfd fd = { .fd = wake->fd[0], .events = POLLIN };
		if (poll(&fd, 1, 50) > 0)
			return err_set(e, ERR_INTERRUPTED, "lock.interrupted",
				"stopped while waiting for %s, held by process %ld", l->path,
				holder_of(l->fd));
	}
	return true;
}

/* Portage removes the file while it holds it: what was waited for may be nobody's file by now. */
static bool is_current(const struct lock *l)
{
	struct stat by_fd, by_name;
	return fstat(l->fd, &by_fd) == 0 && stat(l->path, &by_name) == 0 &&
	       by_fd.st_dev == by_name.st_dev && by_fd.st_ino == by_name.st_ino;
}

static bool open_and_wait(struct lock *l, struct wake *wake, struct err *e)
{
	for (;;) {
		l->fd = open(l->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0660);
		if (l->fd < 0)
			return fs_fail(e, "open", AT_FDCWD, l->path);
		fchmod(l->fd, 0660);
		if (!wait_fcntl(l, wake, e))
			return false;
		if (is_current(l))
			return true;
		close(l->fd);
	}
}

bool lock_wait_portage(struct lock *l, const char *path, struct err *e)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	struct wake wake = WAKE_NONE;
	char *dir = path_dir(path);
	*l = (struct lock){
		.fd = -1, .remove = true, .notice = l->notice, .notice_ctx = l->notice_ctx
	};
	l->path = xasprintf("%s/.%s.portage_lockfile", dir, path_base(path));
	free(dir);
	bool ok = wake_open(&wake, stops, 3, false, e) && open_and_wait(l, &wake, e);
	wake_close(&wake);
	if (ok)
		return true;
	if (l->fd >= 0)
		close(l->fd);
	free(l->path);
	*l = LOCK_NONE;
	return false;
}

void lock_release(struct lock *l)
{
	if (l->fd >= 0) {
		if (l->remove)
			unlink(l->path);
		if (l->owner != NULL) {
			unlink(l->owner);
			flock(l->fd, LOCK_UN); /* also for children that still share it */
		}
		close(l->fd);
	}
	free(l->path);
	free(l->owner);
	*l = LOCK_NONE;
}
