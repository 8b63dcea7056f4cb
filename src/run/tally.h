#ifndef RUN_TALLY_H
#define RUN_TALLY_H

#include "plan.h"
#include "timings.h"

/*
 * How a run stands: the executor keeps it, the progress display and status.json read it. Times are
 * seconds of the monotonic clock unless said otherwise.
 */

enum step_status {
	STEP_WAITING,
	STEP_RUNNING,
	STEP_DONE, /* in this run */
	STEP_CURRENT, /* was finished before */
	STEP_FAILED,
	STEP_BLOCKED, /* something it waits for failed, or the run ended before its turn */
	STEP_LEFT_OUT, /* behind --until */
};

struct step_run {
	enum step_status status;
	size_t waits; /* unfinished steps it waits for */
	size_t missing; /* sources not in DISTDIR yet */
	bool one_job; /* memory ran out once: no jobserver */
	bool again; /* to be started once more when its worker is gone */
	enum phase phase; /* running: the present one; failed: the one that failed */
	double started, phase_started, wall_s, cpu_s;
	char *problem; /* why it failed */
};

/* A download in progress. */
struct download {
	char name[128];
	uint64_t done, total; /* bytes; total 0: unknown */
};
#define DOWNLOADS_MAX 8

struct tally {
	const struct plan *plan;
	struct step_run *steps; /* same index as plan->steps */
	size_t todo, done, failed,
		running; /* todo: steps of this run, the done and failed included */
	struct download downloads[DOWNLOADS_MAX]; /* an empty name: free */
	size_t sources_missing;
	uint64_t fetched_bytes;
	double started, now;
	double cpu_s; /* of finished phases */
	unsigned cpus;
	long long epoch; /* wall clock at the start */
};

/* What is left out: everything that the stage named until (NULL: none) and what it needs do not
 * contain. Fails with ERR_USAGE when no stage has that name. */
bool tally_init(struct tally *t, const struct plan *p, const char *until, struct err *e);
void tally_fini(struct tally *t);

/* Seconds of the monotonic clock. */
double tally_clock(void);
/* Seconds until the end of the run, from estimates and from how good they were so far. */
double tally_eta(const struct tally *t);

/* Steps of a stage in this run, and how many of them are finished. */
struct stage_count {
	size_t steps, done, running;
	double cpu_s; /* spent in this run */
	double first, last; /* when its first step began and its last one ended; first 0: none */
};
struct stage_count tally_stage(const struct tally *t, size_t stage);

#endif
