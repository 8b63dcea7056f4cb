#include "progress.h"

#include <stdlib.h>

#define SLOWEST 10

void progress_time(struct buf *out, double seconds)
{
	unsigned long s = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;
	if (s < 60)
		buf_printf(out, "%lu s", s);
	else if (s < 3600)
		buf_printf(out, "%lu min %02lu s", s / 60, s % 60);
	else
		buf_printf(out, "%lu h %02lu min", s / 3600, s % 3600 / 60);
}

void progress_bytes(struct buf *out, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t unit = 0;
	uint64_t tenths = bytes * 10;
	while (tenths >= 10240 && unit < 4) {
		tenths /= 1024;
		unit++;
	}
	if (unit == 0 || tenths >= 1000)
		buf_printf(out, "%llu %s", (unsigned long long)(tenths / 10), units[unit]);
	else
		buf_printf(out, "%llu.%llu %s", (unsigned long long)(tenths / 10),
			(unsigned long long)(tenths % 10), units[unit]);
}

static void add_stages(const struct tally *t, struct buf *out)
{
	for (size_t i = 0; i < t->plan->stages.n; i++) {
		struct stage_count c = tally_stage(t, i);
		if (c.first <= 0)
			continue;
		buf_printf(out, "  %-14s %3zu steps  ", t->plan->stages.v[i], c.steps);
		progress_time(out, c.last - c.first);
		buf_adds(out, ", CPU ");
		progress_time(out, c.cpu_s);
		buf_addc(out, '\n');
	}
}

/* A finished step and what it took. */
struct took {
	size_t step;
	double cpu_s;
};

static int by_cpu(const void *a, const void *b)
{
	const struct took *x = a, *y = b;
	return (x->cpu_s < y->cpu_s) - (x->cpu_s > y->cpu_s);
}

static void add_slowest(const struct tally *t, struct buf *out)
{
	VEC(struct took) all = { 0 };
	for (size_t i = 0; i < t->plan->steps.n; i++) {
		if (t->steps[i].status == STEP_DONE)
			vec_push(&all, (struct took){ i, t->steps[i].cpu_s });
	}
	if (all.n > 0)
		qsort(all.v, all.n, sizeof *all.v, by_cpu);
	for (size_t i = 0; i < all.n && i < SLOWEST; i++) {
		const struct step *s = &t->plan->steps.v[all.v[i].step];
		buf_printf(out, "  %-40s ", s->id);
		progress_time(out, t->steps[all.v[i].step].wall_s);
		buf_adds(out, ", CPU ");
		progress_time(out, all.v[i].cpu_s);
		buf_addc(out, '\n');
	}
	vec_fini(&all);
}

void progress_summary(const struct tally *t, struct buf *out)
{
	double wall = t->now - t->started;
	buf_printf(out, "%zu of %zu steps done in ", t->done, t->todo);
	progress_time(out, wall);
	buf_adds(out, "; CPU time ");
	progress_time(out, t->cpu_s);
	if (t->cpu_s > 1)
		buf_printf(out, " on %u cores: wall / (CPU / cores) = %.2f", t->cpus,
			wall / (t->cpu_s / t->cpus));
	buf_adds(out, "\nStages:\n");
	add_stages(t, out);
	buf_adds(out, "Slowest packages:\n");
	add_slowest(t, out);
}
