#include "fetcher.h"

#include "child.h"
#include "map.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* One wanted source: where it belongs in the plan. */
struct want {
	size_t step, source;
	bool told;
	struct buf failed; /* the reports on its files that cannot be had */
};

/* The child's view. */
struct errand {
	int events;
	struct arena arena;
	VEC(struct want) wants; /* same index as jobs */
	VEC(struct fetch_job) jobs;
	const struct fetch_opts *opts;
};

static void tell(const struct errand *er, const struct fetcher_event *event)
{
	ssize_t n = write(er->events, event, sizeof *event);
	if (n < 0 && errno == EPIPE)
		_exit(1);
}

static void tell_want(struct errand *er, size_t i, enum fetcher_event_kind kind, const char *text)
{
	struct fetcher_event event = {
		.kind = kind, .step = er->wants.v[i].step, .source = er->wants.v[i].source
	};
	snprintf(event.text, sizeof event.text, "%s", text);
	if (!er->wants.v[i].told)
		tell(er, &event);
	er->wants.v[i].told = true;
}

static const struct fetch_file *fetch_files(struct errand *er, const struct source *s)
{
	struct fetch_file *files = arena_calloc(&er->arena, s->alternatives.n + 1, sizeof *files);
	for (size_t i = 0; i < s->alternatives.n; i++) {
		const struct source_file *f = &s->alternatives.v[i];
		files[i] = (struct fetch_file){ .name = f->name,
			.size = f->size,
			.blake2b = f->blake2b,
			.sha512 = f->sha512,
			.uris = (const char *const *)f->uris.v,
			.n_uris = f->uris.n };
	}
	return files;
}

static void add_jobs(struct errand *er, const struct step *s, size_t step)
{
	for (size_t i = 0; i < s->n_sources; i++) {
		vec_push(&er->wants, (struct want){ .step = step, .source = i });
		vec_push(&er->jobs,
			(struct fetch_job){ .alternatives = fetch_files(er, &s->sources[i]),
				.n_alternatives = s->sources[i].alternatives.n,
				.chosen = FETCH_NONE });
	}
}

/* A finished file serves every job that lists it. */
static void file_is_there(struct errand *er, const char *name)
{
	for (size_t i = 0; i < er->jobs.n; i++) {
		const struct fetch_job *job = &er->jobs.v[i];
		for (size_t j = 0; j < job->n_alternatives; j++) {
			if (strcmp(job->alternatives[j].name, name) == 0)
				tell_want(er, i, FETCHER_HAVE, "");
		}
	}
}

/* A file of no alternative is left: its report goes to every job that lists it. */
static void file_failed(struct errand *er, const char *name, const char *report)
{
	for (size_t i = 0; i < er->jobs.n; i++) {
		const struct fetch_job *job = &er->jobs.v[i];
		for (size_t j = 0; j < job->n_alternatives; j++) {
			if (strcmp(job->alternatives[j].name, name) == 0)
				buf_printf(&er->wants.v[i].failed, "%s%s",
					er->wants.v[i].failed.n > 0 ? "\n" : "", report);
		}
	}
}

static void on_event(void *ctx, const struct fetch_event *event)
{
	struct errand *er = ctx;
	struct fetcher_event out = {
		.kind = FETCHER_PROGRESS, .done = event->done, .total = event->total
	};
	snprintf(out.name, sizeof out.name, "%s", event->name);
	if (event->kind == FETCH_DONE) {
		out.kind = FETCHER_DONE;
		file_is_there(er, event->name);
	}
	if (event->kind == FETCH_FAILED)
		file_failed(er, event->name, event->message != NULL ? event->message : "");
	if (event->kind == FETCH_RETRY || event->kind == FETCH_MISS) {
		out.kind = FETCHER_NOTE;
		snprintf(out.text, sizeof out.text, "%s",
			event->message != NULL ? event->message : "");
	}
	tell(er, &out);
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

/* What is there already is told before the first download starts. */
static bool tell_present(struct errand *er, struct err *e)
{
	for (size_t i = 0; i < er->jobs.n; i++) {
		size_t index = FETCH_NONE;
		if (!fetch_present(er->opts->distdir, &er->jobs.v[i], &index, e))
			return false;
		er->jobs.v[i].chosen = index;
		if (index != FETCH_NONE)
			tell_want(er, i, FETCHER_HAVE, "");
	}
	return true;
}

static void fatal(struct errand *er, const struct err *e)
{
	struct fetcher_event event = { .kind = FETCHER_FATAL };
	snprintf(event.text, sizeof event.text, "%s", e->message);
	tell(er, &event);
}

static int fetch(struct errand *er)
{
	struct err e = ERR_INIT;
	struct fetch_opts opts = *er->opts;
	opts.event = on_event;
	opts.should_stop = never; /* SIGTERM ends this process: partial files are resumed */
	opts.ctx = er;
	if (!tell_present(er, &e)) {
		fatal(er, &e);
		return 1;
	}
	VEC(struct fetch_job) left = { 0 };
	VEC(size_t) index = { 0 };
	for (size_t i = 0; i < er->jobs.n; i++) {
		if (er->jobs.v[i].chosen != FETCH_NONE)
			continue;
		vec_push(&left, er->jobs.v[i]);
		vec_push(&index, i);
	}
	bool ok = left.n == 0 || fetch_all(&opts, left.v, left.n, &e);
	for (size_t i = 0; i < left.n; i++) {
		bool here = left.v[i].chosen != FETCH_NONE;
		const struct buf *own = &er->wants.v[index.v[i]].failed;
		tell_want(er, index.v[i], here ? FETCHER_HAVE : FETCHER_MISSING,
			own->n > 0 ? buf_str(own) : e.message);
	}
	if (!ok && e.code != ERR_SOURCE)
		fatal(er, &e);
	return ok ? 0 : 1;
}

bool fetcher_start(
	struct fetcher *f, const struct tally *t, const struct fetch_opts *opts, struct err *e)
{
	const struct child_fds keep = { NULL, 0 };
	struct errand er = { .opts = opts };
	*f = FETCHER_NONE;
	for (size_t i = 0; i < t->plan->steps.n; i++) {
		if (t->steps[i].status == STEP_WAITING)
			add_jobs(&er, &t->plan->steps.v[i], i);
	}
	bool ok = true;
	if (er.jobs.n > 0) {
		f->pid = child_fork(&f->events, &keep, e);
		if (f->pid == 0) {
			er.events = f->events;
			_exit(fetch(&er));
		}
		ok = f->pid > 0;
	}
	vec_fini(&er.jobs);
	vec_fini(&er.wants);
	arena_fini(&er.arena);
	return ok;
}

bool fetcher_next(struct fetcher *f, struct fetcher_event *event)
{
	if (child_read(f->events, event, sizeof *event))
		return true;
	fetcher_stop(f);
	return false;
}

void fetcher_stop(struct fetcher *f)
{
	if (f->events < 0)
		return;
	close(f->events);
	kill(f->pid, SIGTERM);
	while (waitpid(f->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*f = FETCHER_NONE;
}
