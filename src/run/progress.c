#include "progress.h"

#include "fs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRAW_S 0.25 /* between two drawings of the live view */
#define STATUS_S 5.0 /* between two status.json while nothing happens */
#define GREEN "\033[32m"
#define RED "\033[31m"
#define PLAIN "\033[0m"

void progress_init(struct progress *p, const struct progress_opts *o, const struct plan *plan)
{
	*p = (struct progress){ .fd = o->fd,
		.live = !o->quiet && term_is_live(o->fd),
		.color = term_use_color(o->fd, o->color),
		.quiet = o->quiet,
		.verbose = o->verbose,
		.status_path = o->status_path,
		.state = "running" };
	p->numbers = xcalloc(plan->steps.n, sizeof *p->numbers);
}

void progress_fini(struct progress *p)
{
	free(p->numbers);
	p->numbers = NULL;
}

/* To the terminal or pipe; when that is gone there is nobody to tell. */
static void put(const struct progress *p, const struct buf *text)
{
	size_t at = 0;
	while (at < text->n) {
		ssize_t n = write(p->fd, text->p + at, text->n - at);
		if (n <= 0)
			return;
		at += (size_t)n;
	}
}

/* Take the live view off the screen. */
static void erase(struct progress *p, struct buf *out)
{
	if (p->drawn > 0)
		buf_printf(out, "\033[%zuA\r\033[J", p->drawn);
	p->drawn = 0;
}

/* Add one line of the live view, cut to the width of the terminal. Only ASCII gets in. */
static void add_line(struct progress *p, struct buf *out, struct buf *line, int width)
{
	size_t max = width > 1 ? (size_t)width - 1 : 1;
	buf_add(out, line->p, line->n < max ? line->n : max);
	buf_addc(out, '\n');
	buf_clear(line);
	p->drawn++;
}

static void draw_head(const struct tally *t, struct buf *line)
{
	buf_printf(line, "%zu of %zu steps done, %zu running", t->done, t->todo, t->running);
	if (t->failed > 0)
		buf_printf(line, ", %zu FAILED", t->failed);
	buf_adds(line, "; ");
	progress_time(line, t->now - t->started);
	buf_adds(line, " elapsed, about ");
	progress_time(line, tally_eta(t));
	buf_adds(line, " left");
	for (size_t i = 0; i < t->plan->stages.n; i++) {
		struct stage_count c = tally_stage(t, i);
		if (c.running > 0)
			buf_printf(line, "; %s %zu/%zu", t->plan->stages.v[i], c.done, c.steps);
	}
}

static void draw_step(const struct tally *t, size_t step, struct buf *line)
{
	const struct step_run *r = &t->steps[step];
	buf_printf(line, "  %-44s %-9s ", t->plan->steps.v[step].id, phase_name(r->phase));
	progress_time(line, t->now - r->phase_started);
}

static void draw_download(const struct download *d, struct buf *line)
{
	buf_printf(line, "  %-44s fetch     ", d->name);
	progress_bytes(line, d->done);
	if (d->total > 0) {
		buf_adds(line, " of ");
		progress_bytes(line, d->total);
	}
}

static void draw(struct progress *p, const struct tally *t, struct buf *out)
{
	struct buf line = BUF_INIT;
	int width = term_width(p->fd);
	draw_head(t, &line);
	add_line(p, out, &line, width);
	for (size_t i = 0; i < t->plan->steps.n; i++) {
		if (t->steps[i].status != STEP_RUNNING)
			continue;
		draw_step(t, i, &line);
		add_line(p, out, &line, width);
	}
	for (size_t i = 0; i < DOWNLOADS_MAX; i++) {
		if (t->downloads[i].name[0] == '\0')
			continue;
		draw_download(&t->downloads[i], &line);
		add_line(p, out, &line, width);
	}
	p->last_draw = t->now;
	buf_fini(&line);
}

/* ">>> [12/57] stage3 sys-devel/gcc-14.2.0": the line's start for a step. */
static void add_step(struct progress *p, const struct tally *t, size_t step, struct buf *out)
{
	const struct step *s = &t->plan->steps.v[step];
	if (p->numbers[step] == 0)
		p->numbers[step] = ++p->started;
	buf_printf(out, ">>> [%zu/%zu] %s %s/%s-%s ", p->numbers[step], t->todo, s->stage,
		s->category, s->pn, s->pvr);
}

static const char *paint(const struct progress *p, const char *color)
{
	return p->color ? color : "";
}

static void add_phase_end(
	struct progress *p, const struct tally *t, const struct run_event *event, struct buf *out)
{
	/* Phases of no length are no news. */
	if (p->verbose == 0 && event->seconds < 1)
		return;
	add_step(p, t, event->step, out);
	buf_printf(out, "%s: ", phase_name(event->phase));
	progress_time(out, event->seconds);
	buf_addc(out, '\n');
}

static void add_done(
	struct progress *p, const struct tally *t, const struct run_event *event, struct buf *out)
{
	buf_adds(out, paint(p, GREEN));
	add_step(p, t, event->step, out);
	buf_printf(out, "done%s: ", paint(p, PLAIN));
	progress_time(out, event->seconds);
	buf_printf(out, " (%zu of %zu steps", t->done, t->todo);
	if (t->done < t->todo) {
		buf_adds(out, ", about ");
		progress_time(out, tally_eta(t));
		buf_adds(out, " left");
	}
	buf_adds(out, ")\n");
}

/* The lines that stay, for one event. */
static void add_lines(
	struct progress *p, const struct tally *t, const struct run_event *event, struct buf *out)
{
	switch (event->kind) {
	case RUN_PHASE_BEGIN:
		if (p->quiet || p->live)
			break;
		add_step(p, t, event->step, out);
		buf_printf(out, "%s\n", phase_name(event->phase));
		break;
	case RUN_PHASE_END:
		if (!p->quiet && !p->live)
			add_phase_end(p, t, event, out);
		break;
	case RUN_STEP_DONE:
		if (!p->quiet)
			add_done(p, t, event, out);
		break;
	case RUN_STEP_FAILED:
		buf_printf(out, "%s!!!%s %s\n", paint(p, RED), paint(p, PLAIN), event->text);
		break;
	case RUN_STEP_RETRY:
		buf_printf(out, "!!! %s\n", event->text);
		break;
	case RUN_STOPPING:
		buf_printf(out, "!!! %s: stopping the builds\n", event->text);
		break;
	case RUN_FETCHED:
		if (!p->quiet)
			buf_printf(out, ">>> fetched %s\n", event->text);
		break;
	case RUN_NOTE:
		if (p->verbose > 0)
			buf_printf(out, "    %s\n", event->text);
		break;
	default:
		break;
	}
}

static void write_status(struct progress *p, const struct tally *t, const struct run_event *event)
{
	if (p->status_path == NULL ||
		(event->kind == RUN_TICK && t->now - p->last_status < STATUS_S))
		return;
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	if (event->kind == RUN_STOPPING)
		p->state = "interrupted";
	if (event->kind == RUN_END && p->state[0] == 'r')
		p->state = t->done == t->todo ? "done" : "failed";
	status_json(t, p->state, &text);
	/* A disk that is full shows itself where it matters. */
	fs_write(AT_FDCWD, p->status_path, text.p, text.n, 0644, &ignored);
	p->last_status = t->now;
	buf_fini(&text);
}

void progress_event(void *ctx, const struct tally *t, const struct run_event *event)
{
	struct progress *p = ctx;
	struct buf lines = BUF_INIT, out = BUF_INIT;
	write_status(p, t, event);
	add_lines(p, t, event, &lines);
	bool redraw = p->live && (lines.n > 0 || t->now - p->last_draw >= DRAW_S);
	if (redraw || event->kind == RUN_END)
		erase(p, &out);
	buf_add(&out, lines.p, lines.n);
	if (redraw && event->kind != RUN_END)
		draw(p, t, &out);
	put(p, &out);
	buf_fini(&lines);
	buf_fini(&out);
}
