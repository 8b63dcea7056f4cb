#ifndef RUN_JOBSERVER_H
#define RUN_JOBSERVER_H

#include "err.h"

/*
 * A jobserver as GNU make speaks it (its manual, "POSIX Jobserver"): a fifo that holds one byte for
 * each job that may still start. The fifo serves make 4.4 by name and older ones by descriptor.
 */
struct jobserver {
	unsigned tokens; /* how many there are in all */
	int fds[2]; /* for children, blocking: what makeflags_fds names */
	int own; /* ours, non-blocking, of its own open file: O_NONBLOCK is shared by dup */
	char *path; /* of the fifo */
	char *makeflags_fds, *makeflags_fifo;
};

#define JOBSERVER_INIT ((struct jobserver){ .fds = { -1, -1 }, .own = -1 })

/*
 * How many tokens suit this machine: CPUs of our affinity and control group plus one (a configure
 * keeps only 0.8 of a core busy; measured best), no more than memory allows at 800 MB a job.
 * jobs: the user's wish, 0: none.
 */
unsigned jobserver_tokens(unsigned jobs);

/* Create the fifo at path (replacing an old one) with so many tokens. */
bool jobserver_open(struct jobserver *j, const char *path, unsigned tokens, struct err *e);
/* Take one token now; false when there is none. */
bool jobserver_take(struct jobserver *j);
void jobserver_give(struct jobserver *j);
/*
 * No client runs any more and we hold `held` tokens: put back what killed clients took with them.
 * Returns how many were lost.
 */
unsigned jobserver_refill(struct jobserver *j, unsigned held);
/* Close and remove the fifo. Accepts JOBSERVER_INIT. */
void jobserver_close(struct jobserver *j);

#endif
