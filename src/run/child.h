#ifndef RUN_CHILD_H
#define RUN_CHILD_H

#include "err.h"

#include <sys/types.h>

/*
 * A process that we fork without exec, and a pipe by which it tells us things. In the child
 * child_fork returns 0 and *fd is the write end: it leads a session of its own (the terminal's
 * Ctrl-C comes by us), gets SIGTERM when we die, has default signals, /dev/null as stdin, and of
 * all descriptors from 3 on only the pipe and those in keep. In the parent: the pid, and *fd is the
 * read end. -1 with *e filled on failure.
 */
struct child_fds {
	const int *keep;
	size_t n;
};
pid_t child_fork(int *fd, const struct child_fds *keep, struct err *e);

/* Read one whole message of n bytes; false at the end of the pipe. */
bool child_read(int fd, void *message, size_t n);

#endif
