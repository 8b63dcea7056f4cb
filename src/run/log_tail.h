#ifndef RUN_LOG_TAIL_H
#define RUN_LOG_TAIL_H

#include "err.h"

#include <stddef.h>
#include <sys/types.h>

/* The last lines of a file (of its last 64 KiB), the caller's own string; NULL with *e filled. */
char *log_tail(const char *path, size_t lines, struct err *e);
/* What stands behind byte `from` (its last 64 KiB), the caller's own string. */
char *log_since(const char *path, off_t from, struct err *e);

#endif
