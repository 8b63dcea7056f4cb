#include "crew.h"

#include "machine.h"
#include "progress.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STOP_S 5.0 /* what workers get to end their commands in order */

void crew_tell(struct crew *c, struct run_event event)
{
	c->tally->now = tally_clock();
	if (c->opts->event != NULL)
		c->opts->event(c->opts->ctx, c->tally, &event);
}

static bool is_ready(const struct crew *c, size_t i)
{
	const struct step_run *r = &c->tally->steps[i];
	return r->status == STEP_WAITING && r->waits == 0 && r->missing == 0;
}

/* The ready step with the longest chain behind it, SIZE_MAX for none. */
static size_t most_urgent(const struct crew *c)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < c->plan->steps.n; i++) {
		if (is_ready(c, i) && (best == SIZE_MAX || c->plan->info.v[i].tail_s >
								   c->plan->info.v[best].tail_s))
			best = i;
	}
	return best;
}

static struct worker *free_worker(struct crew *c)
{
	for (size_t i = 0; i < c->max; i++) {
		if (c->workers[i].events < 0)
			return &c->workers[i];
	}
	return NULL;
}

/* Offline, nothing starts before it is known that all sources are there: that takes no time. */
static bool awaits_sources(const struct crew *c)
{
	return c->opts->fetch != NULL && c->opts->fetch->offline && c->fetcher.events >= 0;
}

bool crew_wants_token(const struct crew *c)
{
	return !awaits_sources(c) && !c->closing && !c->stopping && c->tally->running < c->max &&
	       most_urgent(c) != SIZE_MAX;
}

/*
 * Tokens a memory-hungry step keeps to itself, so that no more of its jobs run at once, whoever
 * starts them, than memory holds.
 */
static unsigned extra_tokens(const struct crew *c, const struct step *s)
{
	unsigned memory = machine_memory_mb();
	if (s->mem_mb == 0 || memory == 0)
		return 0;
	unsigned fit = memory / s->mem_mb;
	fit = fit > 0 ? fit : 1;
	return fit < c->jobs.tokens ? c->jobs.tokens - fit : 0;
}

static bool start_step(struct crew *c, struct worker *w, size_t step, struct err *e)
{
	const struct step *s = &c->plan->steps.v[step];
	struct step_run *r = &c->tally->steps[step];
	struct worker_env env = r->one_job ? c->env_one_job : c->env;
	const struct worker_job job = {
		.step = s, .env = &env, .runner = c->opts->runner, .keep_work = c->opts->keep_work
	};
	unsigned tokens = 1, extra = extra_tokens(c, s);
	/* Tools that know no jobserver are told how many jobs memory has room for. */
	if (env.jobs > c->jobs.tokens - extra)
		env.jobs = c->jobs.tokens - extra;
	for (; extra > 0 && jobserver_take(&c->jobs); extra--)
		tokens++;
	if (!worker_start(w, &job, e))
		return false;
	w->step = step;
	w->tokens = tokens;
	r->status = STEP_RUNNING;
	r->phase = PHASE_UNPACK;
	r->started = r->phase_started = tally_clock();
	c->tally->running++;
	return true;
}

bool crew_start_ready(struct crew *c, struct err *e)
{
	while (crew_wants_token(c)) {
		/* Nobody else holds tokens now: those that are missing were lost with killed jobs.
		 */
		if (c->tally->running == 0)
			jobserver_refill(&c->jobs, 0);
		if (!jobserver_take(&c->jobs))
			return true;
		if (!start_step(c, free_worker(c), most_urgent(c), e))
			return false;
	}
	return true;
}

static void phase_ended(struct crew *c, size_t step, const struct phase_time *time)
{
	struct err ignored = ERR_INIT;
	struct step_run *r = &c->tally->steps[step];
	r->cpu_s += time->cpu_s;
	c->tally->cpu_s += time->cpu_s;
	/* Only estimates stand on this file; a full disk shows itself elsewhere. */
	timings_add(c->plan->eprefix, &c->plan->steps.v[step], time, &ignored);
	crew_tell(c, (struct run_event){ .kind = RUN_PHASE_END,
			     .step = step,
			     .phase = time->phase,
			     .seconds = time->wall_s });
}

/* Memory ran out: once more, with one job, or give up. */
static void step_failed(struct crew *c, size_t step, const struct worker_event *event)
{
	struct step_run *r = &c->tally->steps[step];
	const struct step *s = &c->plan->steps.v[step];
	r->phase = event->phase;
	if (c->stopping) {
		r->status = STEP_WAITING;
		return;
	}
	if (event->out_of_memory && !r->one_job) {
		r->one_job = r->again = true;
		char *text = xasprintf("%s: memory ran out in %s; trying again with one job", s->id,
			phase_name(event->phase));
		crew_tell(c, (struct run_event){ .kind = RUN_STEP_RETRY,
				     .step = step,
				     .phase = event->phase,
				     .text = text });
		free(text);
		return;
	}
	crew_step_failed(c, step, crew_report(s, event));
}

/* The worker is gone. */
static void worker_ended(struct crew *c, struct worker *w, const struct err *how)
{
	struct step_run *r = &c->tally->steps[w->step];
	for (; w->tokens > 0; w->tokens--)
		jobserver_give(&c->jobs);
	c->tally->running--;
	r->wall_s += tally_clock() - r->started;
	if (r->again)
		r->status = STEP_WAITING;
	r->again = false;
	if (r->status != STEP_RUNNING)
		return;
	/* It ended without a word. */
	struct worker_event event = { .kind = WORKER_FAILED, .phase = r->phase, .err = *how };
	if (how->code == ERR_NONE)
		err_set(&event.err, ERR_BUILD, "run.worker", "its worker ended too early");
	step_failed(c, w->step, &event);
}

static void merged(struct crew *c, size_t step)
{
	double wall = tally_clock() - c->tally->steps[step].started;
	crew_step_done(c, step);
	crew_tell(c, (struct run_event){ .kind = RUN_STEP_DONE,
			     .step = step,
			     .phase = PHASE_MERGE,
			     .seconds = c->tally->steps[step].wall_s + wall });
}

void crew_worker_event(struct crew *c, struct worker *w)
{
	struct worker_event event;
	struct err how = ERR_INIT;
	size_t step = w->step;
	if (!worker_next(w, &event, &how)) {
		worker_ended(c, w, &how);
		return;
	}
	switch (event.kind) {
	case WORKER_BEGIN:
		c->tally->steps[step].phase = event.phase;
		c->tally->steps[step].phase_started = tally_clock();
		crew_tell(c, (struct run_event){
				     .kind = RUN_PHASE_BEGIN, .step = step, .phase = event.phase });
		break;
	case WORKER_END:
		phase_ended(c, step, &event.time);
		break;
	case WORKER_MERGED:
		merged(c, step);
		break;
	case WORKER_FAILED:
		step_failed(c, step, &event);
		break;
	}
}

static struct download *find_download(struct tally *t, const char *name)
{
	for (size_t i = 0; i < DOWNLOADS_MAX; i++) {
		if (strcmp(t->downloads[i].name, name) == 0)
			return &t->downloads[i];
	}
	return NULL;
}

static void note_progress(struct tally *t, const struct fetcher_event *event)
{
	struct download *d = find_download(t, event->name);
	if (d == NULL)
		d = find_download(t, "");
	if (d == NULL)
		return;
	snprintf(d->name, sizeof d->name, "%s", event->name);
	d->done = event->done;
	d->total = event->total;
}

static void download_done(struct crew *c, const struct fetcher_event *event)
{
	struct download *d = find_download(c->tally, event->name);
	struct buf text = BUF_INIT;
	if (d != NULL && event->name[0] != '\0')
		d->name[0] = '\0';
	c->tally->fetched_bytes += event->total;
	buf_printf(&text, "%s (", event->name);
	progress_bytes(&text, event->total);
	buf_addc(&text, ')');
	crew_tell(c, (struct run_event){ .kind = RUN_FETCHED, .text = buf_str(&text) });
	buf_fini(&text);
}

static void source_missing(struct crew *c, size_t step, const char *text)
{
	struct step_run *r = &c->tally->steps[step];
	if (r->status != STEP_WAITING)
		return;
	r->phase = PHASE_FETCH;
	crew_step_failed(c, step,
		xasprintf("%s: a source cannot be had:\n%s\nPut the file into %s, or name a mirror "
			  "that "
			  "has it in GENTOO_MIRRORS; then give the same command again.",
			c->plan->steps.v[step].id, text, c->opts->distdir));
}

/* Nothing more can be fetched: every step that still lacks a source fails. */
static void fetch_broke(struct crew *c, const char *text)
{
	for (size_t i = 0; i < c->plan->steps.n; i++) {
		if (c->tally->steps[i].missing > 0)
			source_missing(c, i, text);
	}
}

void crew_fetcher_event(struct crew *c)
{
	struct fetcher_event event;
	struct tally *t = c->tally;
	if (!fetcher_next(&c->fetcher, &event)) {
		memset(t->downloads, 0, sizeof t->downloads);
		fetch_broke(c, "the process that fetches sources ended before its sources were "
			       "there; give the same command again");
		return;
	}
	switch (event.kind) {
	case FETCHER_HAVE:
		t->steps[event.step].missing--;
		t->sources_missing--;
		break;
	case FETCHER_MISSING:
		c->draining = true;
		source_missing(c, event.step, event.text);
		break;
	case FETCHER_PROGRESS:
		note_progress(t, &event);
		break;
	case FETCHER_DONE:
		download_done(c, &event);
		break;
	case FETCHER_NOTE:
		crew_tell(c, (struct run_event){ .kind = RUN_NOTE, .text = event.text });
		break;
	case FETCHER_FATAL:
		fetch_broke(c, event.text);
		break;
	}
}

static void signal_all(struct crew *c, int sig)
{
	for (size_t i = 0; i < c->max; i++) {
		if (c->workers[i].events >= 0)
			kill(c->workers[i].pid, sig);
	}
}

void crew_stop(struct crew *c)
{
	double end = tally_clock() + STOP_S;
	bool killed = false;
	c->stopping = true;
	fetcher_stop(&c->fetcher);
	signal_all(c, SIGTERM);
	while (c->tally->running > 0) {
		struct pollfd fds[WORKERS_MAX];
		for (size_t i = 0; i < c->max; i++)
			fds[i] = (struct pollfd){ .fd = c->workers[i].events, .events = POLLIN };
		poll(fds, c->max, 100);
		for (size_t i = 0; i < c->max; i++) {
			if (fds[i].revents != 0 && c->workers[i].events >= 0)
				crew_worker_event(c, &c->workers[i]);
		}
		if (!killed && tally_clock() > end) {
			signal_all(c, SIGKILL);
			killed = true;
		}
	}
}
