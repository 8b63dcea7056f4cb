#include "crew.h"

#include "log_tail.h"

#include <stdlib.h>
#include <string.h>

#define REPORT_LINES 25

void crew_step_done(struct crew *c, size_t step)
{
	struct tally *t = c->tally;
	t->steps[step].status = STEP_DONE;
	t->done++;
	for (size_t i = step + 1; i < c->plan->steps.n; i++) {
		const struct step *s = &c->plan->steps.v[i];
		for (size_t j = 0; j < s->n_deps; j++)
			t->steps[i].waits -= s->deps[j] == step;
	}
}

/* What waits for the step, directly or not, cannot be built in this run. */
static void block_dependents(struct crew *c, size_t step)
{
	struct step_run *steps = c->tally->steps;
	for (size_t i = step + 1; i < c->plan->steps.n; i++) {
		const struct step *s = &c->plan->steps.v[i];
		for (size_t j = 0; j < s->n_deps && steps[i].status == STEP_WAITING; j++) {
			enum step_status of = steps[s->deps[j]].status;
			if (of == STEP_FAILED || of == STEP_BLOCKED)
				steps[i].status = STEP_BLOCKED;
		}
	}
}

void crew_step_failed(struct crew *c, size_t step, char *problem)
{
	struct tally *t = c->tally;
	struct step_run *r = &t->steps[step];
	r->status = STEP_FAILED;
	free(r->problem);
	r->problem = problem;
	t->failed++;
	block_dependents(c, step);
	if (!c->opts->keep_going)
		c->closing = true;
	crew_tell(c, (struct run_event){ .kind = RUN_STEP_FAILED,
			     .step = step,
			     .phase = r->phase,
			     .text = r->problem });
}

char *crew_report(const struct step *s, const struct worker_event *event)
{
	struct buf text = BUF_INIT;
	struct err no_log = ERR_INIT;
	const char *why = event->err.message;
	/* What a command of a build said follows from the log, once. */
	bool logged = strcmp(event->err.what, "build.command") == 0;
	size_t n = logged ? strcspn(why, "\n") : strlen(why);
	buf_printf(&text, "%s failed in %s: %.*s\n", s->id, phase_name(event->phase), (int)n, why);
	if (event->out_of_memory)
		buf_adds(&text, "Memory ran out, also with one job at a time: free some, or add "
				"swap.\n");
	char *tail = log_tail(s->log, REPORT_LINES, &no_log);
	if (tail != NULL && *tail != '\0')
		buf_printf(&text, "The last lines of its log:\n%s", tail);
	if (text.n > 0 && text.p[text.n - 1] != '\n')
		buf_addc(&text, '\n');
	free(tail);
	buf_printf(&text,
		"Log: %s\nThe build is in %s. Give the same command again to go on from there.",
		s->log, s->workdir);
	return buf_take(&text);
}
