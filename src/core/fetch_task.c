#include "fetch_run.h"

#include "fetch_stamp.h"
#include "fetch_url.h"
#include "fs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 300, PROGRESS_BYTES = 64 * 1024, BACKOFF_DOUBLINGS = 6 };

uint64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

const char *task_url(const struct task *t)
{
	return t->chain.n > 0 ? t->chain.v[t->chain.n - 1] : t->urls.v[t->at].url;
}

void task_event(struct task *t, enum fetch_event_kind kind, const char *message)
{
	const struct fetch_opts *o = t->run->o;
	if (o->event == NULL)
		return;
	char *shown = t->at < t->urls.n ? url_shown(task_url(t)) : NULL;
	struct fetch_event event = {
		.kind = kind,
		.name = t->file->name,
		.uri = shown,
		.done = t->part.size,
		.total = t->file->size,
		.message = message,
	};
	if (kind == FETCH_DONE)
		event.done = event.total;
	o->event(o->ctx, &event);
	free(shown);
}

static void forget_transfer(struct task *t)
{
	buf_clear(&t->sniffed);
	free(t->stop_detail);
	t->stop_detail = NULL;
	t->stop = STOP_NONE;
	t->stop_kind = FAIL_NONE;
	t->begun = false;
	t->offset = 0;
}

static void forget_address(struct task *t)
{
	forget_transfer(t);
	strv_fini(&t->chain);
	t->failures = 0;
	t->best = 0;
	t->restarted = false;
}

void task_fini(struct task *t)
{
	forget_address(t);
	mirror_urls_fini(&t->urls);
	part_close(&t->part);
	buf_fini(&t->sniffed);
	buf_fini(&t->report);
}

/* "URL -> redirect -> redirect", for people. */
static char *shown_chain(const struct task *t)
{
	struct buf out = BUF_INIT;
	char *first = url_shown(t->urls.v[t->at].url);
	buf_adds(&out, first);
	free(first);
	for (size_t i = 0; i < t->chain.n; i++) {
		char *hop = url_shown(t->chain.v[i]);
		buf_printf(&out, " -> %s", hop);
		free(hop);
	}
	return buf_take(&out);
}

void task_give_up(struct task *t, enum fail_kind kind, const char *detail)
{
	char *chain = shown_chain(t);
	char *why = xasprintf(
		"%s: %s%s%s", chain, fail_phrase(kind), detail[0] != '\0' ? ": " : "", detail);
	/* Offline, the report is a list of what to get, and nothing was tried. */
	buf_printf(&t->report, "\n    %s", kind == FAIL_OFFLINE ? chain : why);
	t->kinds[kind] = true;
	if (kind != FAIL_OFFLINE)
		task_event(t, FETCH_MISS, why);
	free(why);
	free(chain);
	forget_address(t);
	t->at++;
	t->state = TASK_WAITING;
	t->not_before_ms = 0;
}

/* Doubling pauses, each between 3/4 and 5/4 of its length, so that many clients spread. */
static uint64_t pause_ms(struct task *t, unsigned after_s)
{
	unsigned doublings = t->failures - 1;
	if (doublings > BACKOFF_DOUBLINGS)
		doublings = BACKOFF_DOUBLINGS;
	uint64_t base = (uint64_t)t->run->backoff_ms << doublings;
	t->run->seed = t->run->seed * 1103515245u + 12345u;
	uint64_t ms = base * 3 / 4 + base / 2 * ((t->run->seed >> 8) % 1024) / 1024;
	return ms > after_s * 1000ull ? ms : after_s * 1000ull;
}

void task_retry(struct task *t, enum fail_kind kind, const char *detail, unsigned after_s)
{
	if (t->part.size > t->best + PROGRESS_BYTES)
		t->failures = 0;
	if (t->part.size > t->best)
		t->best = t->part.size;
	if (++t->failures >= t->run->tries) {
		task_give_up(t, kind, detail);
		return;
	}
	uint64_t pause = pause_ms(t, after_s);
	char *message = xasprintf("%s%s%s; asking again in %.1f s", fail_phrase(kind),
		detail[0] != '\0' ? ": " : "", detail, (double)pause / 1000);
	task_event(t, FETCH_RETRY, message);
	free(message);
	forget_transfer(t);
	strv_fini(&t->chain);
	t->state = TASK_WAITING;
	t->not_before_ms = now_ms() + pause;
}

void task_restart(struct task *t)
{
	t->restarted = true;
	forget_transfer(t);
	strv_fini(&t->chain);
	t->state = TASK_WAITING;
	t->not_before_ms = 0;
	if (!part_rewind(&t->part, t->run->e))
		t->run->fatal = true;
}

static void put_aside(struct task *t, const char *why)
{
	char *kept = NULL;
	if (!part_set_aside(&t->part, &kept, t->run->e)) {
		t->run->fatal = true;
	} else {
		char *detail = xasprintf("%s; kept as %s", why, kept);
		task_give_up(t, FAIL_CHECKSUM, detail);
		free(detail);
	}
	free(kept);
}

void task_received(struct task *t)
{
	char *why = part_differs(&t->part);
	if (why != NULL && t->offset > 0 && !t->restarted) {
		/* The older bytes may have been of another file: once more, from the start. */
		task_event(t, FETCH_RETRY, "the resumed file is not right; asking for the whole");
		task_restart(t);
	} else if (why != NULL) {
		put_aside(t, why);
	} else if (!part_commit(&t->part, t->run->e)) {
		t->run->fatal = true;
	} else {
		stamp_add(t->run->dir, t->file);
		t->state = TASK_DONE;
		t->job->chosen = t->alternative;
		task_event(t, FETCH_DONE, NULL);
	}
	free(why);
}

/* A file of that name which is not right must make room; it is kept aside for its owner. */
static bool clear_place(struct task *t)
{
	struct fetch *run = t->run;
	char *why = NULL, *kept = NULL;
	bool ok = check_at(run->dir, t->file, &why, run->e);
	if (ok && why == NULL) {
		t->state = TASK_DONE;
		t->job->chosen = t->alternative;
	} else if (ok && fs_exists(run->dir, t->file->name) && !run->o->offline) {
		ok = set_aside(run->dir, t->file->name, t->file->name, &kept, run->e);
		if (ok)
			buf_printf(
				&t->report, "\n    the file in DISTDIR: %s; kept as %s", why, kept);
	} else if (ok && fs_exists(run->dir, t->file->name)) {
		buf_printf(&t->report, "\n    the file in DISTDIR: %s", why);
	}
	run->fatal = run->fatal || !ok;
	free(kept);
	free(why);
	return ok && t->state == TASK_WAITING;
}

/* The next alternative, or the end. False: nothing more to do for this task now. */
static bool begin_alternative(struct task *t)
{
	if (t->file != NULL) {
		part_close(&t->part);
		t->alternative++;
	}
	mirror_urls_fini(&t->urls);
	t->at = 0;
	if (t->alternative >= t->job->n_alternatives) {
		char *message = report_task(t);
		t->state = TASK_FAILED;
		if (t->file != NULL)
			task_event(t, FETCH_FAILED, message);
		free(message);
		return false;
	}
	t->file = &t->job->alternatives[t->alternative];
	buf_printf(&t->report, "\n  %s", t->file->name);
	if (t->file->size > 0)
		buf_printf(&t->report, " (%llu bytes)", (unsigned long long)t->file->size);
	plan_urls(t->run->o, &t->run->sites, t->file, &t->urls);
	if (t->urls.n == 0)
		buf_adds(&t->report, "\n    no address is known");
	return clear_place(t);
}

/* Open what an earlier run left. False: another process is at it, or it was complete. */
static bool ready_part(struct task *t)
{
	struct fetch *run = t->run;
	bool busy = false;
	if (t->part.fd >= 0)
		return true;
	if (!part_open(&t->part, run->dir, t->file, &busy, run->e)) {
		run->fatal = true;
		return false;
	}
	if (busy) {
		if (!t->waited)
			task_event(
				t, FETCH_RETRY, "another process is fetching it, waiting for that");
		t->waited = true;
		t->not_before_ms = now_ms() + LOCK_WAIT_MS;
		return false;
	}
	/* Its last owner may just have put the file in place. */
	if (t->waited && !clear_place(t)) {
		part_close(&t->part);
		return false;
	}
	if (t->file->size > 0 && t->part.size > t->file->size && !part_rewind(&t->part, run->e))
		run->fatal = true;
	return !run->fatal;
}

/* Everything was there but for the final name: no need to ask anybody. */
static bool finish_complete(struct task *t)
{
	if (t->part.size == 0 || t->part.size != t->file->size)
		return false;
	if (!part_resume(&t->part, t->run->e)) {
		t->run->fatal = true;
		return true;
	}
	char *why = part_differs(&t->part);
	if (why == NULL)
		task_received(t);
	else if (!part_rewind(&t->part, t->run->e))
		t->run->fatal = true;
	bool done = why == NULL;
	free(why);
	return done;
}

static void ask(struct task *t)
{
	const char *url = task_url(t);
	char *path = url_local_path(url);
	if (path != NULL)
		local_copy(t, path);
	else if (strncmp(url, "mirror://", 9) == 0)
		task_give_up(t, FAIL_ADDRESS,
			"no addresses are known for this mirror name (profiles/thirdpartymirrors, "
			"etc/portage/mirrors)");
	else if (!url_is_http(url))
		task_give_up(t, FAIL_ADDRESS, "only http, https, file and mirror are known");
	else if (t->run->o->offline)
		task_give_up(t, FAIL_OFFLINE, "");
	else
		http_start(t);
	free(path);
}

void task_advance(struct task *t)
{
	if (t->file == NULL && !begin_alternative(t))
		return;
	if (t->at >= t->urls.n) {
		begin_alternative(t);
		return;
	}
	if (!ready_part(t) || finish_complete(t) || t->run->fatal)
		return;
	ask(t);
}
