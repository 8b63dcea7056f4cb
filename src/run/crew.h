#ifndef RUN_CREW_H
#define RUN_CREW_H

#include "executor.h"
#include "fetcher.h"
#include "jobserver.h"
#include "worker.h"

/* The executor's inside: which steps may start, and who works on what. */

#define WORKERS_MAX 8

struct crew {
	struct plan *plan;
	const struct run_opts *opts;
	struct tally *tally;
	struct jobserver jobs;
	struct fetcher fetcher;
	struct worker workers[WORKERS_MAX];
	size_t max;
	bool closing; /* no new step starts: one failed */
	bool stopping; /* a signal came */
	bool draining; /* the fetcher is telling which sources cannot be had: all are heard */
	struct worker_env env, env_one_job;
};

/* Tell the caller. */
void crew_tell(struct crew *c, struct run_event event);
/* Start as many ready steps as workers and tokens allow, the most urgent first. */
bool crew_start_ready(struct crew *c, struct err *e);
/* Is there a ready step for which only a token is missing? */
bool crew_wants_token(const struct crew *c);
/* Take in one event of a worker. */
void crew_worker_event(struct crew *c, struct worker *w);
void crew_fetcher_event(struct crew *c);
/* End all workers: SIGTERM, after 5 s SIGKILL. */
void crew_stop(struct crew *c);

/* crew_end.c: a step is finished or failed. text is the problem, the crew's from now on. */
void crew_step_done(struct crew *c, size_t step);
void crew_step_failed(struct crew *c, size_t step, char *problem);
/* The report on a failed step: what, why, last lines of the log, how to go on. Caller's own. */
char *crew_report(const struct step *s, const struct worker_event *event);

#endif
