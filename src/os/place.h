#ifndef OS_PLACE_H
#define OS_PLACE_H

#include "err.h"

#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

/*
 * Putting a file from one tree into another, whole, with mode and times to the nanosecond.
 * Each function replaces a file or symlink that is already called `to`, not atomically: `to` is a
 * name aside, which the caller renames. Owners are never changed.
 */

/* from: a regular file below from_at; to: below to_at. */
struct place {
	int from_at, to_at;
	const char *from, *to;
};

/*
 * Make `to` another name of the same file where the file system can (nothing is copied), else a
 * copy.
 */
bool place_file(const struct place *p, struct err *e);
/* Always a copy of its own: reflinked, copied by the kernel, or read and written. Nothing is
 * synced. */
bool place_copy(const struct place *p, struct err *e);
bool place_symlink(
	const char *target, int at, const char *to, const struct timespec *mtime, struct err *e);
bool place_fifo(int at, const char *to, const struct stat *like, struct err *e);

/* Modification time of a file, to the nanosecond. */
struct timespec place_mtime(const struct stat *st);

/* Bring everything written to the file system of this directory to the disk. */
bool place_sync(int at, struct err *e);

#endif
