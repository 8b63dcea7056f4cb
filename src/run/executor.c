#include "executor.h"

#include "crew.h"
#include "fs.h"
#include "stop_signal.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define TICK_MS 250

static bool open_jobserver(struct crew *c, struct err *e)
{
	char *dir = path_join(c->plan->eprefix, "var/lib/eprefix");
	char *path = path_join(dir, "jobs");
	bool ok = fs_mkdirs(AT_FDCWD, dir, 0755, e) &&
		  jobserver_open(&c->jobs, path, jobserver_tokens(c->opts->jobs), e);
	free(path);
	free(dir);
	return ok;
}

static void fill_env(struct crew *c)
{
	c->env = (struct worker_env){ .eprefix = c->plan->eprefix,
		.distdir = c->opts->distdir,
		.makeflags_fds = c->jobs.makeflags_fds,
		.makeflags_fifo = c->jobs.makeflags_fifo,
		.job_fifo = c->jobs.path,
		.job_fds = { c->jobs.fds[0], c->jobs.fds[1] },
		.jobs = c->jobs.tokens };
	c->env_one_job = c->env;
	c->env_one_job.makeflags_fds = c->env_one_job.makeflags_fifo = " -j1";
	c->env_one_job.jobs = 1;
	size_t workers = c->opts->workers > 0 ? c->opts->workers : c->jobs.tokens + 1;
	c->max = workers < WORKERS_MAX ? workers : WORKERS_MAX;
	for (size_t i = 0; i < WORKERS_MAX; i++)
		c->workers[i] = WORKER_NONE;
}

static void count_sources(struct crew *c)
{
	for (size_t i = 0; c->opts->fetch != NULL && i < c->plan->steps.n; i++) {
		if (c->tally->steps[i].status != STEP_WAITING)
			continue;
		c->tally->steps[i].missing = c->plan->steps.v[i].n_sources;
		c->tally->sources_missing += c->plan->steps.v[i].n_sources;
	}
}

/* Wait until something happens, and take it in. */
static void turn(struct crew *c, const struct stop_signal *signals)
{
	struct pollfd fds[WORKERS_MAX + 3];
	nfds_t n = 0;
	for (size_t i = 0; i < c->max; i++)
		fds[n++] = (struct pollfd){ .fd = c->workers[i].events, .events = POLLIN };
	fds[n++] = (struct pollfd){ .fd = c->fetcher.events, .events = POLLIN };
	fds[n++] = (struct pollfd){ .fd = signals->fd, .events = POLLIN };
	/* A token that becomes free is of interest only to a step that waits for one. */
	fds[n++] =
		(struct pollfd){ .fd = crew_wants_token(c) ? c->jobs.own : -1, .events = POLLIN };
	int ready = poll(fds, n, TICK_MS);
	for (size_t i = 0; ready > 0 && i < c->max; i++) {
		if (fds[i].revents != 0)
			crew_worker_event(c, &c->workers[i]);
	}
	if (ready > 0 && fds[c->max].revents != 0)
		crew_fetcher_event(c);
	crew_tell(c, (struct run_event){ .kind = RUN_TICK });
}

static bool has_waiting(const struct crew *c)
{
	for (size_t i = 0; i < c->plan->steps.n; i++) {
		if (c->tally->steps[i].status == STEP_WAITING)
			return true;
	}
	return false;
}

/* Is there anything to wait for? */
static bool goes_on(const struct crew *c)
{
	if (c->tally->running > 0)
		return true;
	if (c->closing)
		return c->draining && c->fetcher.events >= 0;
	return crew_wants_token(c) || (c->fetcher.events >= 0 && has_waiting(c));
}

static bool interrupted(struct crew *c, int sig, struct err *e)
{
	crew_tell(c, (struct run_event){ .kind = RUN_STOPPING, .text = strsignal(sig) });
	crew_stop(c);
	return err_set(e, ERR_INTERRUPTED, "run.interrupted",
		"stopped (%s) with %zu of %zu steps done; nothing is lost: give the same command "
		"again to go on",
		strsignal(sig), c->tally->done, c->tally->todo);
}

static bool loop(struct crew *c, struct err *e)
{
	struct stop_signal signals;
	bool ok = true;
	if (!stop_signal_open(&signals, e))
		return false;
	while (ok) {
		int sig = stop_signal_take(&signals);
		if (sig != 0)
			ok = interrupted(c, sig, e);
		else if (!crew_start_ready(c, e))
			ok = false;
		else if (!goes_on(c))
			break;
		else
			turn(c, &signals);
	}
	if (!ok)
		crew_stop(c);
	stop_signal_close(&signals);
	return ok;
}

/*
 * Work directories that nobody goes on with: of finished steps, which a kill between the record and
 * the end left behind, and of those that are to be built anew.
 */
static bool sweep_workdirs(const struct crew *c, struct err *e)
{
	for (size_t i = 0; i < c->plan->steps.n; i++) {
		const char *dir = c->plan->steps.v[i].workdir;
		enum step_status status = c->tally->steps[i].status;
		bool finished = status == STEP_CURRENT && !c->opts->keep_work;
		bool anew = status == STEP_WAITING && c->plan->info.v[i].reason == REASON_REDO;
		if ((finished || anew) && !fs_remove_tree(AT_FDCWD, dir, e))
			return false;
	}
	return true;
}

/* Steps that never had their turn, and what to say of the whole. */
static bool judge(struct crew *c, struct err *e)
{
	struct tally *t = c->tally;
	size_t sources = 0, blocked = 0;
	const char *first = NULL;
	for (size_t i = 0; i < c->plan->steps.n; i++) {
		struct step_run *r = &t->steps[i];
		if (r->status == STEP_WAITING)
			r->status = STEP_BLOCKED;
		blocked += r->status == STEP_BLOCKED;
		if (r->status != STEP_FAILED)
			continue;
		sources += r->phase == PHASE_FETCH;
		first = first == NULL ? c->plan->steps.v[i].id : first;
	}
	if (t->failed == 0 && blocked == 0)
		return true;
	return err_set(e, t->failed == sources && sources > 0 ? ERR_SOURCE : ERR_BUILD,
		"run.failed",
		"%zu of %zu steps failed (%s%s), %zu were done, %zu could not start; give the same "
		"command again to go on",
		t->failed, t->todo, first != NULL ? first : "none", t->failed > 1 ? ", …" : "",
		t->done, blocked);
}

bool run_plan(struct plan *p, const struct run_opts *o, struct tally *t, struct err *e)
{
	struct crew c = {
		.plan = p, .opts = o, .tally = t, .jobs = JOBSERVER_INIT, .fetcher = FETCHER_NONE
	};
	if (!tally_init(t, p, o->until, e))
		return false;
	bool ok = sweep_workdirs(&c, e) && open_jobserver(&c, e);
	if (!ok)
		goto out;
	fill_env(&c);
	count_sources(&c);
	crew_tell(&c, (struct run_event){ .kind = RUN_START });
	ok = (o->fetch == NULL || fetcher_start(&c.fetcher, t, o->fetch, e)) && loop(&c, e);
	fetcher_stop(&c.fetcher);
	ok = ok && judge(&c, e);
	crew_tell(&c, (struct run_event){ .kind = RUN_END });
out:
	jobserver_close(&c.jobs);
	return ok;
}
