#ifndef RUN_EXECUTOR_H
#define RUN_EXECUTOR_H

#include "err.h"
#include "fetch.h"
#include "plan.h"
#include "tally.h"

/* Runs a plan: workers side by side under one jobserver, downloads beside them. */

enum run_event_kind {
	RUN_START, /* before the first step */
	RUN_PHASE_BEGIN,
	RUN_PHASE_END, /* seconds: wall time of the phase */
	RUN_STEP_DONE, /* seconds: wall time of the step */
	RUN_STEP_FAILED, /* text: the whole report */
	RUN_STEP_RETRY, /* text: why it is tried once more */
	RUN_FETCHED, /* text: name and size of a downloaded file */
	RUN_NOTE, /* text */
	RUN_TICK, /* a few times a second, for a live display */
	RUN_STOPPING, /* a signal came; text: which */
	RUN_END,
};
struct run_event {
	enum run_event_kind kind;
	size_t step;
	enum phase phase;
	double seconds;
	const char *text;
};

struct run_opts {
	const struct phase_runner *runner;
	/* How sources are fetched, NULL: all are taken to be in distdir already. */
	const struct fetch_opts *fetch;
	const char *distdir;
	const char *until; /* stage after which to stop, NULL: none */
	unsigned jobs; /* jobserver tokens, 0: what suits the machine */
	unsigned workers; /* most at once, 0: tokens + 1, at most 8 */
	bool keep_going; /* after a failure, go on with what does not depend on it */
	bool keep_work;
	/* Called for what happened, always from this process; may be NULL. */
	void (*event)(void *ctx, const struct tally *t, const struct run_event *event);
	void *ctx;
};

/*
 * Run what is to do. t is initialised here and the caller's to fini, whatever is returned.
 * Failures: ERR_BUILD when steps failed (ERR_SOURCE when all of them for want of a source), after
 * the rest ended; ERR_INTERRUPTED on SIGINT, SIGTERM, SIGHUP. The caller holds the run lock.
 */
bool run_plan(struct plan *p, const struct run_opts *o, struct tally *t, struct err *e);

#endif
