#ifndef OS_LOCK_H
#define OS_LOCK_H

#include "err.h"

/* Told once when a wait takes longer than two seconds; pid is the holder's, 0 when unknown. */
typedef void lock_notice(void *ctx, const char *path, long pid);

/* An exclusive lock on a file. Empty value: LOCK_NONE. */
struct lock {
	int fd;
	char *path;
	char *owner; /* file that says who holds it; the lock file itself is never written */
	bool by_name; /* no locking on this file system: an O_EXCL file with host, pid, start time
		       */
	bool remove; /* the file goes when the lock is released */
	lock_notice *notice; /* set by the caller before a wait, or NULL */
	void *notice_ctx;
};

#define LOCK_NONE ((struct lock){ .fd = -1 })

/*
 * l is LOCK_NONE before. Take the lock now or fail with ERR_BUSY, naming the holder's pid and host
 * as written in PATH.owner while it is held (PATH itself never changes). A stale lock (its process
 * is gone, or the machine was rebooted) is taken over. Forked children share the lock: it lasts
 * until the last of them is gone, so that a new run waits (some seconds) for the workers of one
 * that was killed. Where the file system has no locks (ENOLCK, EOPNOTSUPP) PATH.owner, made with
 * O_EXCL, is the lock.
 */
bool lock_take(struct lock *l, const char *path, struct err *e);
/*
 * Portage's "lockfile": an fcntl lock on dirname/.basename.portage_lockfile of `path`, mode 0660,
 * waited for (interruptibly), removed when released (portage-formats §3.6). Where the file system
 * has no locks it is had without waiting: the run lock keeps our own runs apart.
 */
bool lock_wait_portage(struct lock *l, const char *path, struct err *e);
/* Accepts LOCK_NONE; leaves LOCK_NONE. */
void lock_release(struct lock *l);

#endif
