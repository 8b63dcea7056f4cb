#include "fetch_run.h"

#include <stdlib.h>

enum { MESSAGE_MAX = 1500 };

char *report_task(const struct task *t)
{
	const char *owner = t->job->owner;
	return xasprintf("%s%s%s", owner != NULL ? owner : "", owner != NULL ? ":" : "",
		buf_str(&t->report));
}

static bool was_met(const struct fetch *run, enum fail_kind kind)
{
	for (size_t i = 0; i < run->tasks.n; i++) {
		if (run->tasks.v[i].state == TASK_FAILED && run->tasks.v[i].kinds[kind])
			return true;
	}
	return false;
}

/* What can be done about the kinds of failure that were met, each said once. */
static void add_remedies(const struct fetch *run, struct buf *out)
{
	struct strv said = STRV_INIT;
	for (unsigned k = 0; k < FAIL_KINDS; k++) {
		const char *remedy = fail_remedy((enum fail_kind)k);
		if (remedy == NULL || !was_met(run, (enum fail_kind)k) || strv_has(&said, remedy))
			continue;
		strv_push(&said, remedy);
		buf_printf(out, "\n- %s", remedy);
	}
	strv_fini(&said);
	buf_printf(out,
		"\n- put one file of each source into %s by hand (eprefix fetch --list says from "
		"where), or name "
		"a "
		"mirror in GENTOO_MIRRORS; then run the same command again",
		run->o->distdir);
}

/* The message has bounded room: whole lines, then how many more there are. */
static void add_bounded(struct buf *out, const char *text, size_t *hidden)
{
	struct str rest = str_of(text), line;
	while (str_split(&rest, '\n', &line)) {
		if (out->n + line.n + 1 > MESSAGE_MAX) {
			++*hidden;
			continue;
		}
		if (out->n > 0)
			buf_addc(out, '\n');
		buf_add_str(out, line);
	}
}

/* Every failed job with its addresses and reasons, as far as there is room. */
static void add_reasons(const struct fetch *run, struct buf *out)
{
	size_t hidden = 0;
	for (size_t i = 0; i < run->tasks.n; i++) {
		const struct task *t = &run->tasks.v[i];
		char *text = t->state == TASK_FAILED ? report_task(t) : NULL;
		if (text != NULL)
			add_bounded(out, text, &hidden);
		free(text);
	}
	if (hidden > 0)
		buf_printf(out, "\n    … and %zu lines more", hidden);
}

bool report_all(const struct fetch *run, struct err *e)
{
	struct buf out = BUF_INIT;
	size_t failed = 0;
	for (size_t i = 0; i < run->tasks.n; i++)
		failed += run->tasks.v[i].state == TASK_FAILED;
	buf_printf(&out, "%s%zu of %zu sources could not be had%s",
		run->o->offline ? "offline: " : "", failed, run->n_jobs, run->o->brief ? "" : ":");
	if (!run->o->brief)
		add_reasons(run, &out);
	add_remedies(run, &out);
	err_set(e, ERR_SOURCE, "fetch.source", "%s", buf_str(&out));
	buf_fini(&out);
	return false;
}

static void list_file(const struct fetch_opts *o, const struct sites *sites,
	const struct fetch_file *f, struct buf *out)
{
	struct mirror_urls urls = { 0 };
	plan_urls(o, sites, f, &urls);
	for (size_t i = 0; i < urls.n; i++) {
		buf_printf(out, "%s\t%llu\t", urls.v[i].url, (unsigned long long)f->size);
		const char *gap = "";
		if (f->blake2b != NULL)
			buf_printf(out, "BLAKE2B=%s", f->blake2b), gap = " ";
		if (f->sha512 != NULL)
			buf_printf(out, "%sSHA512=%s", gap, f->sha512), gap = " ";
		if (f->sha256 != NULL)
			buf_printf(out, "%sSHA256=%s", gap, f->sha256);
		buf_printf(out, "\t%s\n", f->name);
	}
	mirror_urls_fini(&urls);
}

void fetch_list(const struct fetch_opts *o, const struct fetch_job *job, struct buf *out)
{
	struct sites sites;
	sites_init(&sites, o);
	for (size_t i = 0; i < job->n_alternatives; i++)
		list_file(o, &sites, &job->alternatives[i], out);
	sites_fini(&sites);
}
