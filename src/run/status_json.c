#include "progress.h"

#include <stdio.h>
#include <unistd.h>

static void add_string(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "\"%s\":", name);
	buf_json(out, str_of(value));
}

static void add_stages(const struct tally *t, struct buf *out)
{
	buf_adds(out, ",\"stages\":[");
	for (size_t i = 0; i < t->plan->stages.n; i++) {
		struct stage_count c = tally_stage(t, i);
		buf_adds(out, i > 0 ? ",{" : "{");
		add_string(out, "name", t->plan->stages.v[i]);
		buf_printf(out, ",\"steps\":%zu,\"done\":%zu,\"running\":%zu,\"cpu\":%.0f}",
			c.steps, c.done, c.running, c.cpu_s);
	}
	buf_addc(out, ']');
}

static void add_running(const struct tally *t, struct buf *out)
{
	const char *comma = "";
	buf_adds(out, ",\"running\":[");
	for (size_t i = 0; i < t->plan->steps.n; i++) {
		const struct step_run *r = &t->steps[i];
		if (r->status != STEP_RUNNING)
			continue;
		buf_printf(out, "%s{", comma);
		add_string(out, "step", t->plan->steps.v[i].id);
		buf_addc(out, ',');
		add_string(out, "phase", phase_name(r->phase));
		buf_printf(out, ",\"elapsed\":%.0f,\"phase_elapsed\":%.0f,", t->now - r->started,
			t->now - r->phase_started);
		add_string(out, "log", t->plan->steps.v[i].log);
		buf_addc(out, '}');
		comma = ",";
	}
	buf_addc(out, ']');
}

static void add_failed(const struct tally *t, struct buf *out)
{
	const char *comma = "";
	buf_adds(out, ",\"failed\":[");
	for (size_t i = 0; i < t->plan->steps.n; i++) {
		const struct step_run *r = &t->steps[i];
		if (r->status != STEP_FAILED)
			continue;
		buf_printf(out, "%s{", comma);
		add_string(out, "step", t->plan->steps.v[i].id);
		buf_addc(out, ',');
		add_string(out, "phase", phase_name(r->phase));
		buf_addc(out, ',');
		add_string(out, "log", t->plan->steps.v[i].log);
		buf_addc(out, ',');
		add_string(out, "problem", r->problem != NULL ? r->problem : "");
		buf_addc(out, '}');
		comma = ",";
	}
	buf_addc(out, ']');
}

static void add_downloads(const struct tally *t, struct buf *out)
{
	const char *comma = "";
	buf_adds(out, ",\"downloads\":[");
	for (size_t i = 0; i < DOWNLOADS_MAX; i++) {
		const struct download *d = &t->downloads[i];
		if (d->name[0] == '\0')
			continue;
		buf_printf(out, "%s{", comma);
		add_string(out, "name", d->name);
		buf_printf(out, ",\"done\":%llu,\"total\":%llu}", (unsigned long long)d->done,
			(unsigned long long)d->total);
		comma = ",";
	}
	buf_addc(out, ']');
}

void status_json(const struct tally *t, const char *state, struct buf *out)
{
	char host[256] = "";
	size_t current = 0, left_out = 0;
	gethostname(host, sizeof host - 1);
	for (size_t i = 0; i < t->plan->steps.n; i++) {
		current += t->steps[i].status == STEP_CURRENT;
		left_out += t->steps[i].status == STEP_LEFT_OUT;
	}
	buf_addc(out, '{');
	add_string(out, "state", state);
	buf_addc(out, ',');
	add_string(out, "host", host);
	buf_printf(out, ",\"pid\":%ld,\"started\":%lld,\"elapsed\":%.0f,\"eta\":%.0f,\"cpu\":%.0f",
		(long)getpid(), t->epoch, t->now - t->started, tally_eta(t), t->cpu_s);
	buf_printf(out,
		",\"steps\":%zu,\"current\":%zu,\"todo\":%zu,\"done\":%zu,\"left_out\":%zu,"
		"\"sources_missing\":%zu",
		t->plan->steps.n, current, t->todo, t->done, left_out, t->sources_missing);
	add_stages(t, out);
	add_running(t, out);
	add_failed(t, out);
	add_downloads(t, out);
	buf_adds(out, "}\n");
}
