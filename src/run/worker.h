#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include "err.h"
#include "step.h"
#include "timings.h"

#include <sys/types.h>

/* One step in one process of its own: the executor forks it, it tells by a pipe how it goes. */

enum worker_event_kind {
	WORKER_BEGIN, /* of a phase */
	WORKER_END, /* of a phase: time says how long it took */
	WORKER_MERGED, /* the step is finished */
	WORKER_FAILED, /* err says why; phase which it was */
};

/* What goes through the pipe. */
struct worker_event {
	enum worker_event_kind kind;
	enum phase phase;
	struct phase_time time;
	bool out_of_memory; /* a failure that looks like memory running out */
	struct err err;
};

struct worker_job {
	const struct step *step;
	const struct worker_env *env; /* log_fd is opened by the worker */
	const struct phase_runner *runner;
	bool keep_work; /* leave the work directory after the merge */
};

/* A running worker. Empty value: WORKER_NONE. */
struct worker {
	pid_t pid;
	int events; /* the pipe's read end */
	size_t step; /* for the executor's use */
	unsigned tokens; /* the same: jobserver tokens held for it */
};
#define WORKER_NONE ((struct worker){ .events = -1 })

/* Start it. It leads a session of its own and ends when this process does. */
bool worker_start(struct worker *w, const struct worker_job *job, struct err *e);
/*
 * Read one event; false at the end of the pipe, when *e tells how the process ended if it said
 * nothing of a failure itself (killed, crashed). It has been waited for then.
 */
bool worker_next(struct worker *w, struct worker_event *event, struct err *e);

#endif
