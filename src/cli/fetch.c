#include "commands.h"
#include "fetch_select.h"

#include "mem.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* eprefix fetch: source archives of packages, without building them. */

static volatile sig_atomic_t stop_signal;

static void on_signal(int signal)
{
	stop_signal = signal;
}

static bool should_stop(void *ctx)
{
	(void)ctx;
	return stop_signal != 0;
}

/* How the transfers are shown. */
struct show {
	const struct cli *cli;
	bool live; /* a terminal: one line is rewritten */
};

static void show_line(const struct show *s, const char *name, const char *text)
{
	fprintf(stderr, "%s%s: %s\n", s->live ? "\r\033[K" : "", name, text);
}

static void show_begin(const struct show *s, const struct fetch_event *event)
{
	char *text =
		event->done > 0
			? xasprintf("going on behind %.1f of %.1f MB from %s",
				  (double)event->done / 1e6, (double)event->total / 1e6, event->uri)
			: xasprintf("%.1f MB from %s", (double)event->total / 1e6, event->uri);
	show_line(s, event->name, text);
	free(text);
}

static void show_event(void *ctx, const struct fetch_event *event)
{
	const struct show *s = ctx;
	if (s->cli->quiet)
		return;
	switch (event->kind) {
	case FETCH_BEGIN:
		show_begin(s, event);
		break;
	case FETCH_PROGRESS:
		if (s->live && event->total > 0)
			fprintf(stderr, "\r\033[K%s: %.0f %%", event->name,
				100.0 * (double)event->done / (double)event->total);
		break;
	case FETCH_RETRY:
	case FETCH_MISS:
		show_line(s, event->name, event->message);
		break;
	case FETCH_DONE:
		show_line(s, event->name, "complete");
		break;
	case FETCH_FAILED:
		fprintf(stderr, "%smissing: %s\n", s->live ? "\r\033[K" : "", event->message);
		break;
	}
}

static void list(const struct fetch_opts *o, const struct selection *s)
{
	struct buf out = BUF_INIT;
	for (size_t i = 0; i < s->jobs.n; i++)
		fetch_list(o, &s->jobs.v[i], &out);
	fwrite(buf_str(&out), 1, out.n, stdout);
	buf_fini(&out);
}

bool selection_fetch(
	struct selection *s, struct cli *c, const struct fetch_opts *how, struct err *e)
{
	struct show show = { .cli = c, .live = term_is_live(STDERR_FILENO) };
	struct fetch_opts o = *how;
	struct sigaction stop = { .sa_handler = on_signal };
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGHUP, &stop, NULL);
	o.event = show_event;
	o.brief = !c->quiet;
	o.should_stop = should_stop;
	o.ctx = &show;
	return fetch_all(&o, s->jobs.v, s->jobs.n, e);
}

static int run(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	struct engine engine = ENGINE_INIT;
	struct selection selection = { .engine = &engine };
	struct downloads downloads = { 0 };
	bool ok = engine_open(&engine, c, &e) && downloads_open(&downloads, &engine, &e);
	for (int i = 0; ok && i < argc; i++)
		ok = selection_add(&selection, argv[i], &e);
	downloads.opts.offline = cli_has(c, "offline");
	if (ok && cli_has(c, "list"))
		list(&downloads.opts, &selection);
	else if (ok)
		ok = selection_fetch(&selection, c, &downloads.opts, &e);
	selection_fini(&selection);
	downloads_close(&downloads);
	engine_close(&engine);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 'l', "list", NULL,
		"print URL, size, checksums and file name of each source, fetch nothing", NULL },
	{ 0, "offline", NULL, "use DISTDIR and local mirrors only, list all that is missing",
		NULL },
	{ 0 },
};

const struct cli_command cmd_fetch = {
	.name = "fetch",
	.summary = "get the sources of packages, without building them",
	.usage = "ATOM|@SET…",
	.details = "The sources of the best visible version of each package go to DISTDIR, where "
		   "they are used after their size and all checksums of the Manifest match. "
		   "Unfinished files are resumed. Dependencies are not followed; emerge "
		   "--fetchonly does that.\n"
		   "--list prints one line per address: URL, size, checksums, and the name the "
		   "file must have in DISTDIR, separated by tabs; carry the files over by hand "
		   "where this machine has no network.",
	.options = options,
	.min_args = 1,
	.max_args = -1,
	.run = run,
};
