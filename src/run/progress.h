#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "executor.h"
#include "term.h"

/*
 * What people see of a run, on stderr: a live view on a terminal, plain lines in a pipe; and
 * status.json for `eprefix status`, rewritten whenever something happened.
 */
struct progress {
	int fd;
	bool live, color, quiet;
	unsigned verbose;
	const char *status_path; /* of status.json, NULL: not written */
	size_t *numbers; /* of each step: the how-manyth it was to start, 0: not yet */
	size_t started; /* steps that have started */
	size_t drawn; /* lines of the live view on the screen */
	double last_draw, last_status;
	const char *state; /* "running", "done", "failed", "interrupted" */
};

struct progress_opts {
	int fd;
	enum term_color color;
	bool quiet;
	unsigned verbose;
	const char *status_path;
};

void progress_init(struct progress *p, const struct progress_opts *o, const struct plan *plan);
/* The `event` of struct run_opts; ctx is a struct progress. */
void progress_event(void *ctx, const struct tally *t, const struct run_event *event);
void progress_fini(struct progress *p);

/* At the end: time per stage, slowest packages, CPU time and how well it used the cores. */
void progress_summary(const struct tally *t, struct buf *out);

/* Append seconds for people: "42 s", "12 min 05 s", "1 h 02 min". */
void progress_time(struct buf *out, double seconds);
/* Append bytes for people: "812 KiB", "1.2 GiB". */
void progress_bytes(struct buf *out, uint64_t bytes);

/* status_json.c: the content of status.json. */
void status_json(const struct tally *t, const char *state, struct buf *out);

#endif
