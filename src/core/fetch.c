#include "fetch.h"

#include "fetch_run.h"
#include "fs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { TICK_MS = 200, REFRESH_MS = 1000 };

static unsigned or_default(unsigned given, unsigned usual)
{
	return given > 0 ? given : usual;
}

/* Take over what is there already; the others become tasks. */
static bool find_missing(struct fetch *run, struct fetch_job *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!fetch_present(run->o->distdir, &jobs[i], &jobs[i].chosen, run->e))
			return false;
		if (jobs[i].chosen == FETCH_NONE)
			vec_push(&run->tasks,
				(struct task){ .run = run, .job = &jobs[i], .part = PART_NONE });
	}
	return true;
}

static bool prepare(struct fetch *run)
{
	const struct fetch_opts *o = run->o;
	if (!fs_mkdirs(AT_FDCWD, o->distdir, 0755, run->e) ||
		!fs_open_dir(AT_FDCWD, o->distdir, &run->dir, run->e))
		return false;
	if (access(o->distdir, W_OK) != 0)
		return err_sys(run->e, "fetch.distdir",
			"cannot write to DISTDIR %s; set DISTDIR in make.conf to a directory of "
			"yours",
			o->distdir);
	run->max_files = or_default(o->max_files, 5);
	run->max_per_host = or_default(o->max_per_host, 2);
	run->tries = or_default(o->tries, 4);
	run->backoff_ms = or_default(o->backoff_ms, 1000);
	run->deadline_ms = o->budget_s > 0 ? now_ms() + o->budget_s * 1000ull : 0;
	run->seed = (unsigned)getpid() ^ (unsigned)now_ms();
	run->hosts.file = o->dead_hosts;
	sites_init(&run->sites, o);
	return true;
}

/* Start what may start. Returns when the next pause of a task ends, at most a tick from now. */
static uint64_t advance(struct fetch *run, uint64_t now)
{
	uint64_t wake = now + TICK_MS;
	for (size_t i = 0; i < run->tasks.n && !run->fatal; i++) {
		struct task *t = &run->tasks.v[i];
		bool due = t->not_before_ms <= now;
		while (t->state == TASK_WAITING && due && run->running < run->max_files &&
			!run->fatal) {
			size_t alternative = t->alternative, at = t->at;
			bool restarted = t->restarted, had_file = t->file != NULL;
			task_advance(t);
			if (t->at == at && t->alternative == alternative &&
				t->restarted == restarted && had_file)
				break; /* it waits for a host or another process */
		}
		if (t->state == TASK_WAITING && t->not_before_ms > now && t->not_before_ms < wake)
			wake = t->not_before_ms;
	}
	return wake;
}

static void wait_and_collect(struct fetch *run, uint64_t until)
{
	uint64_t now = now_ms();
	unsigned ms = until > now ? (unsigned)(until - now) : 0;
	void *ctx;
	struct net_result r;
	if (run->net == NULL) {
		poll(NULL, 0, (int)ms);
		return;
	}
	if (!net_poll(run->net, ms, run->e))
		run->fatal = true;
	while (net_ended(run->net, &ctx, &r)) {
		http_ended(ctx, &r);
		net_result_fini(&r);
	}
}

static bool unfinished(const struct fetch *run)
{
	for (size_t i = 0; i < run->tasks.n; i++) {
		if (run->tasks.v[i].state < TASK_DONE)
			return true;
	}
	return false;
}

/* The budget is used up: no address may be asked any more. */
static void give_up_all(struct fetch *run)
{
	for (size_t i = 0; i < run->tasks.n; i++) {
		struct task *t = &run->tasks.v[i];
		if (t->state == TASK_RUNNING) {
			net_cancel(run->net, t);
			run->running--;
			t->state = TASK_WAITING;
		}
		if (t->state != TASK_WAITING)
			continue;
		buf_printf(&t->report, "\n    %s", fail_phrase(FAIL_BUDGET));
		t->state = TASK_FAILED;
	}
}

static void work(struct fetch *run)
{
	const struct fetch_opts *o = run->o;
	uint64_t refresh = 0;
	while (!run->fatal && unfinished(run)) {
		uint64_t now = now_ms();
		if (o->should_stop != NULL && o->should_stop(o->ctx)) {
			run->fatal = !err_set(run->e, ERR_INTERRUPTED, "fetch.stop",
				"interrupted; what has come so far will be resumed");
			return;
		}
		if (run->deadline_ms > 0 && now >= run->deadline_ms) {
			give_up_all(run);
			return;
		}
		if (now >= refresh) {
			hosts_refresh(&run->hosts);
			refresh = now + REFRESH_MS;
		}
		uint64_t wake = advance(run, now);
		if (!run->fatal && unfinished(run))
			wait_and_collect(run, wake);
	}
}

static void finish(struct fetch *run)
{
	net_close(run->net);
	for (size_t i = 0; i < run->tasks.n; i++)
		task_fini(&run->tasks.v[i]);
	vec_fini(&run->tasks);
	sites_fini(&run->sites);
	hosts_fini(&run->hosts);
	env_ca_fini(&run->ca);
	free(run->ca_problem);
	if (run->dir >= 0)
		close(run->dir);
}

static bool any_failed(const struct fetch *run)
{
	for (size_t i = 0; i < run->tasks.n; i++) {
		if (run->tasks.v[i].state == TASK_FAILED)
			return true;
	}
	return false;
}

bool fetch_all(const struct fetch_opts *o, struct fetch_job *jobs, size_t n, struct err *e)
{
	struct fetch run = { .o = o, .e = e, .dir = -1, .n_jobs = n };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	bool ok = find_missing(&run, jobs, n);
	if (ok && run.tasks.n == 0)
		return true;
	/* A server that goes away while TLS is being closed must not end this process. */
	sigaction(SIGPIPE, &ignore, &old);
	ok = ok && prepare(&run);
	if (ok && !o->offline) {
		hosts_refresh(&run.hosts);
		sites_ask(&run);
	}
	if (ok)
		work(&run);
	ok = ok && !run.fatal;
	if (ok && any_failed(&run))
		ok = report_all(&run, e);
	finish(&run);
	sigaction(SIGPIPE, &old, NULL);
	return ok;
}
