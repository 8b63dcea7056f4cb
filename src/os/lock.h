#ifndef OS_LOCK_H
#define OS_LOCK_H

#include "err.h"

/* An exclusive lock on a file. Empty value: LOCK_NONE. */
struct lock {
	int fd;
	char *path;
	bool by_name; /* no locking on this file system: an O_EXCL file with host, pid, start time
		       */
};

#define LOCK_NONE ((struct lock){ .fd = -1 })

/*
 * Take the lock now or fail with ERR_BUSY, naming the holder's pid and host as written in the
 * file. A stale lock (its process is gone, or the machine was rebooted) is taken over.
 * Where the file system has no locks (ENOLCK, EOPNOTSUPP) an O_EXCL file serves.
 */
bool lock_take(struct lock *l, const char *path, struct err *e);
/*
 * Portage's "lockfile": an fcntl lock on dirname/.basename.portage_lockfile of `path`, mode 0660,
 * waited for (interruptibly), removed when released (portage-formats §3.6).
 */
bool lock_wait_portage(struct lock *l, const char *path, struct err *e);
/* Accepts LOCK_NONE; leaves LOCK_NONE. */
void lock_release(struct lock *l);

#endif
