#ifndef RUN_TIMINGS_H
#define RUN_TIMINGS_H

#include "err.h"
#include "map.h"
#include "mem.h"
#include "step.h"

/*
 * EPREFIX/var/lib/eprefix/timings.tsv: a line for each finished phase, appended:
 * stage, cat/pn, version, phase, wall seconds, CPU seconds, biggest process in KiB, epoch.
 */
struct timings {
	struct arena arena;
	struct map by_step; /* "stage cat/pn" -> struct timing, from the last run of each phase */
	struct map by_package; /* "cat/pn" -> the same, of any stage */
};

struct timing {
	double cpu_s[PHASE_COUNT], wall_s[PHASE_COUNT];
};

#define TIMINGS_INIT ((struct timings){ 0 })

/* Read the file; absent: empty. Lines that do not parse are skipped: a kill may tear the last. */
bool timings_load(struct timings *t, const char *eprefix, struct err *e);
/* The numbers of the step's package, of this stage if there are any, else of another, else NULL. */
const struct timing *timings_of(const struct timings *t, const struct step *s);
/* Sum of its CPU seconds. */
double timing_cpu(const struct timing *t);
void timings_fini(struct timings *t);

/* One measured phase. */
struct phase_time {
	enum phase phase;
	double wall_s, cpu_s;
	long maxrss_kb;
};
/* Append one line in one write. */
bool timings_add(
	const char *eprefix, const struct step *s, const struct phase_time *t, struct err *e);

#endif
