#include "tally.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double tally_clock(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Mark the step and all it waits for as part of the run. */
static void include(const struct plan *p, bool *in, size_t step)
{
	/* Steps come after what they wait for: one walk backwards reaches everything. */
	in[step] = true;
	for (size_t i = step + 1; i-- > 0;) {
		for (size_t j = 0; in[i] && j < p->steps.v[i].n_deps; j++)
			in[p->steps.v[i].deps[j]] = true;
	}
}

static bool leave_out(struct tally *t, const char *until, struct err *e)
{
	const struct plan *p = t->plan;
	size_t stage = 0;
	while (stage < p->stages.n && strcmp(p->stages.v[stage], until) != 0)
		stage++;
	if (stage == p->stages.n) {
		struct buf names = BUF_INIT;
		for (size_t i = 0; i < p->stages.n; i++)
			buf_printf(&names, " %s", p->stages.v[i]);
		err_set(e, ERR_USAGE, "run.until", "there is no stage \"%s\"; the stages are:%s",
			until, buf_str(&names));
		buf_fini(&names);
		return false;
	}
	bool *in = xcalloc(p->steps.n, sizeof *in);
	for (size_t i = 0; i < p->steps.n; i++) {
		if (p->info.v[i].stage <= stage)
			include(p, in, i);
	}
	for (size_t i = 0; i < p->steps.n; i++) {
		if (!in[i])
			t->steps[i].status = STEP_LEFT_OUT;
	}
	free(in);
	return true;
}

/* Is the step one of those this run has to do? */
static bool is_todo(const struct tally *t, size_t i)
{
	return t->steps[i].status == STEP_WAITING;
}

/* Steps on demand that nobody waits for are as good as done. */
static void drop_undemanded(struct tally *t)
{
	const struct plan *p = t->plan;
	bool *wanted = xcalloc(p->steps.n, sizeof *wanted);
	/* Who waits comes after what is waited for. */
	for (size_t i = p->steps.n; i-- > 0;) {
		if (is_todo(t, i) && p->info.v[i].on_demand && !wanted[i])
			t->steps[i].status = STEP_CURRENT;
		for (size_t j = 0; is_todo(t, i) && j < p->steps.v[i].n_deps; j++)
			wanted[p->steps.v[i].deps[j]] = true;
	}
	free(wanted);
}

bool tally_init(struct tally *t, const struct plan *p, const char *until, struct err *e)
{
	*t = (struct tally){ .plan = p, .epoch = (long long)time(NULL) };
	t->started = t->now = tally_clock();
	t->cpus = machine_cpus();
	t->steps = xcalloc(p->steps.n, sizeof *t->steps);
	if (until != NULL && !leave_out(t, until, e))
		return false;
	for (size_t i = 0; i < p->steps.n; i++) {
		if (is_todo(t, i) && p->info.v[i].reason == REASON_CURRENT)
			t->steps[i].status = STEP_CURRENT;
	}
	drop_undemanded(t);
	for (size_t i = 0; i < p->steps.n; i++)
		t->todo += is_todo(t, i);
	for (size_t i = 0; i < p->steps.n; i++) {
		const struct step *s = &p->steps.v[i];
		for (size_t j = 0; j < s->n_deps; j++)
			t->steps[i].waits += is_todo(t, s->deps[j]);
	}
	return true;
}

void tally_fini(struct tally *t)
{
	for (size_t i = 0; t->plan != NULL && i < t->plan->steps.n; i++)
		free(t->steps[i].problem);
	free(t->steps);
	*t = (struct tally){ 0 };
}

/* CPU seconds that a step still needs, by its estimate. */
static double left_of(const struct tally *t, size_t i)
{
	const struct step_run *r = &t->steps[i];
	double est = t->plan->steps.v[i].est_cpu_s;
	if (r->status == STEP_WAITING)
		return est;
	if (r->status != STEP_RUNNING)
		return 0;
	double left = est - (t->now - r->started);
	return left > est / 10 ? left : est / 10;
}

double tally_eta(const struct tally *t)
{
	double left = 0, chain = 0, expected = 0, spent = 0;
	for (size_t i = 0; i < t->plan->steps.n; i++) {
		const struct step_run *r = &t->steps[i];
		double mine = left_of(t, i);
		double behind = t->plan->info.v[i].tail_s - t->plan->steps.v[i].est_cpu_s;
		left += mine;
		if (mine > 0 && mine + behind > chain)
			chain = mine + behind;
		if (r->status == STEP_DONE) {
			expected += t->plan->steps.v[i].est_cpu_s;
			spent += r->cpu_s;
		}
	}
	/* Neither faster than all cores can be, nor than the longest chain on all of them: big
	 * packages fill the cores by themselves. */
	double wall = left / t->cpus;
	if (chain / t->cpus > wall)
		wall = chain / t->cpus;
	double ratio = expected > 60 ? spent / expected : 1;
	ratio = ratio < 0.25 ? 0.25 : ratio > 4 ? 4 : ratio;
	return wall * ratio;
}

struct stage_count tally_stage(const struct tally *t, size_t stage)
{
	struct stage_count c = { 0 };
	for (size_t i = 0; i < t->plan->steps.n; i++) {
		const struct step_run *r = &t->steps[i];
		if (t->plan->info.v[i].stage != stage || r->status == STEP_LEFT_OUT)
			continue;
		c.steps++;
		c.done += r->status == STEP_DONE || r->status == STEP_CURRENT;
		c.running += r->status == STEP_RUNNING;
		c.cpu_s += r->cpu_s;
		if (r->started <= 0)
			continue;
		double end = r->status == STEP_RUNNING ? t->now : r->started + r->wall_s;
		c.first = c.first <= 0 || r->started < c.first ? r->started : c.first;
		c.last = end > c.last ? end : c.last;
	}
	return c;
}
