#include "commands.h"

#include "fs.h"
#include "json_in.h"
#include "progress.h"
#include "status_steps.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_FILE "var/lib/eprefix/status.json"

static double number(const struct json *o, const char *name)
{
	return json_number(json_get(o, name), 0);
}

static void add_time(struct buf *out, const char *before, double seconds)
{
	buf_adds(out, before);
	progress_time(out, seconds);
}

/* A run that wrote "running" and was killed could not correct itself. */
static bool is_gone(const struct json *doc)
{
	char host[256] = "";
	long pid = (long)number(doc, "pid");
	gethostname(host, sizeof host - 1);
	return str_is(json_string(json_get(doc, "host")), host) && pid > 0 &&
	       kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* What the state means now. */
static const char *state_of(const struct json *doc)
{
	struct str state = json_string(json_get(doc, "state"));
	if (str_is(state, "running"))
		return is_gone(doc) ? "killed" : "running";
	if (str_is(state, "done"))
		return "done";
	return str_is(state, "interrupted") ? "interrupted" : "failed";
}

static void add_stages(const struct json *doc, struct buf *out)
{
	const struct json *s = json_at(json_get(doc, "stages"), 0);
	for (; s != NULL; s = json_next(s)) {
		struct str name = json_string(json_get(s, "name"));
		buf_printf(out, "  %-14.*s %3.0f of %3.0f steps done", STR_ARG(name),
			number(s, "done"), number(s, "steps"));
		if (number(s, "running") > 0)
			buf_printf(out, ", %.0f running", number(s, "running"));
		add_time(out, ", CPU ", number(s, "cpu"));
		buf_addc(out, '\n');
	}
}

static void add_running(const struct json *doc, struct buf *out)
{
	const struct json *s = json_at(json_get(doc, "running"), 0);
	for (; s != NULL; s = json_next(s)) {
		struct str step = json_string(json_get(s, "step"));
		struct str phase = json_string(json_get(s, "phase"));
		buf_printf(out, "  %-44.*s %.*s", STR_ARG(step), STR_ARG(phase));
		add_time(out, " for ", number(s, "phase_elapsed"));
		buf_addc(out, '\n');
	}
}

static void add_failed(const struct json *doc, struct buf *out)
{
	const struct json *s = json_at(json_get(doc, "failed"), 0);
	for (; s != NULL; s = json_next(s)) {
		struct str step = json_string(json_get(s, "step"));
		struct str phase = json_string(json_get(s, "phase"));
		struct str log = json_string(json_get(s, "log"));
		buf_printf(out, "  %.*s failed in %.*s; log: %.*s\n", STR_ARG(step), STR_ARG(phase),
			STR_ARG(log));
	}
}

static void print_status(const struct json *doc, const char *state)
{
	struct buf out = BUF_INIT;
	buf_printf(&out, "%s: %.0f of %.0f steps done", state, number(doc, "done"),
		number(doc, "todo"));
	if (number(doc, "current") > 0)
		buf_printf(&out, ", %.0f were current before", number(doc, "current"));
	add_time(&out, "; ", number(doc, "elapsed"));
	buf_adds(&out, " spent");
	if (strcmp(state, "running") == 0)
		add_time(&out, ", about ", number(doc, "eta"));
	buf_adds(&out, strcmp(state, "running") == 0 ? " left\nStages:\n" : "\nStages:\n");
	add_stages(doc, &out);
	if (strcmp(state, "running") == 0 && json_count(json_get(doc, "running")) > 0) {
		buf_adds(&out, "Running:\n");
		add_running(doc, &out);
	}
	if (json_count(json_get(doc, "failed")) > 0) {
		buf_adds(&out, "Failed:\n");
		add_failed(doc, &out);
	}
	if (strcmp(state, "done") != 0 && strcmp(state, "running") != 0)
		buf_adds(&out, "`eprefix bootstrap` goes on from there.\n");
	fputs(buf_str(&out), stdout);
	buf_fini(&out);
}

/* The file as it is, but for a run that was killed: its state is what we know better. */
static void print_json(const char *text, const char *state)
{
	static const char running[] = "{\"state\":\"running\"";
	bool killed =
		strcmp(state, "killed") == 0 && strncmp(text, running, sizeof running - 1) == 0;
	if (killed)
		printf("{\"state\":\"killed\"%s", text + sizeof running - 1);
	else
		fputs(text, stdout);
}

static bool show(struct cli *c, const char *prefix, struct err *e)
{
	char *path = path_join(prefix, STATUS_FILE);
	struct buf text = BUF_INIT;
	struct json *doc = NULL;
	bool ok = false;
	if (!fs_exists(AT_FDCWD, path)) {
		err_set(e, ERR_FAILED, "status.none",
			"no bootstrap has run in %s yet; `eprefix bootstrap %s` starts one", prefix,
			prefix);
		goto out;
	}
	if (!fs_read(AT_FDCWD, path, &text, e))
		goto out;
	doc = json_parse((struct str){ text.p, text.n }, e);
	if (doc == NULL) {
		err_in(e, "%s", path);
		goto out;
	}
	if (c->json)
		print_json(buf_str(&text), state_of(doc));
	else
		print_status(doc, state_of(doc));
	ok = true;
out:
	json_free(doc);
	buf_fini(&text);
	free(path);
	return ok;
}

static bool show_steps(const char *prefix, struct err *e)
{
	struct buf out = BUF_INIT;
	bool ok = status_steps(prefix, &out, e);
	fputs(buf_str(&out), stdout);
	buf_fini(&out);
	return ok;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	const char *prefix = argc > 0 ? argv[0] : cli_prefix(c, &e);
	bool ok = prefix != NULL &&
		  (cli_has(c, "steps") ? show_steps(prefix, &e) : show(c, prefix, &e));
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option options[] = {
	{ 0, "steps", NULL, "a table of what each step and phase took", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_status = {
	.name = "status",
	.summary = "say how the bootstrap stands: done, running, left, and for how long",
	.usage = "[EPREFIX]",
	.options = options,
	.max_args = 1,
	.run = run,
};
