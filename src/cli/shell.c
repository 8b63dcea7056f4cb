#include "commands.h"

#include "fs.h"
#include "mem.h"
#include "proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

extern char **environ;

/* EPREFIX/startprefix as the caller's own string, NULL with *e filled. */
static char *find_startprefix(struct cli *c, struct err *e)
{
	const char *prefix = cli_prefix(c, e);
	char *path = prefix != NULL ? path_join(prefix, "startprefix") : NULL;
	if (path == NULL || fs_exists(AT_FDCWD, path))
		return path;
	err_set(e, ERR_FAILED, "shell.unfinished",
		"%s is not there: the prefix is not finished; go on with: eprefix bootstrap %s",
		path, prefix);
	free(path);
	return NULL;
}

static int run_shell(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	const char *command = cli_value(c, "command", NULL);
	if (command == NULL && argc > 0)
		return cli_usage(c, "arguments go with -c COMMAND");
	char *path = find_startprefix(c, &e);
	if (path == NULL)
		return cli_fail(&e);
	VEC(const char *) args = { 0 };
	vec_push(&args, path);
	if (cli_has(c, "host-path"))
		vec_push(&args, "--host-path");
	if (command != NULL) {
		vec_push(&args, "-c");
		vec_push(&args, command);
	}
	for (int i = 0; i < argc; i++)
		vec_push(&args, argv[i]);
	vec_push(&args, NULL);
	proc_exec(args.v, (const char *const *)environ, &e);
	vec_fini(&args);
	free(path);
	return cli_fail(&e);
}

/* The environment inside, each "NAME=value" ended by a NUL. */
static bool ask_environment(struct cli *c, struct buf *out, struct err *e)
{
	char *path = find_startprefix(c, e);
	if (path == NULL)
		return false;
	/* _ and SHLVL are the asking shell's own. */
	const char *const argv[] = { path, "-c", "exec env -u _ -u SHLVL -u OLDPWD -u PWD -0",
		NULL };
	struct proc_spec spec = { .argv = argv,
		.env = (const char *const *)environ,
		.log_fd = -1,
		.out = out,
		.tail_lines = 20 };
	struct proc_result r = PROC_RESULT_INIT;
	bool ok =
		proc_run(&spec, &r, e) &&
		(r.status == 0 || err_set(e, ERR_FAILED, "env.start", "%s ended with status %d: %s",
					  path, r.status, buf_str(&r.tail)));
	proc_result_fini(&r);
	free(path);
	return ok;
}

/* In single quotes, where only the quote itself is special to a shell. */
static void add_quoted(struct buf *b, const char *value)
{
	buf_addc(b, '\'');
	for (; *value != '\0'; value++) {
		if (*value == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, *value);
	}
	buf_addc(b, '\'');
}

static void add_variable(struct buf *b, bool json, struct str name, const char *value)
{
	if (json) {
		buf_adds(b, b->n == 0 ? "{" : ",");
		buf_json(b, name);
		buf_addc(b, ':');
		buf_json(b, str_of(value));
	} else {
		buf_printf(b, "export %.*s=", STR_ARG(name));
		add_quoted(b, value);
		buf_addc(b, '\n');
	}
}

static int run_env(struct cli *c, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct err e = ERR_INIT;
	struct buf raw = BUF_INIT, text = BUF_INIT;
	struct strv all = STRV_INIT;
	bool ok = ask_environment(c, &raw, &e);
	struct str rest = { raw.p, raw.n }, one;
	while (ok && str_split(&rest, '\0', &one))
		strv_own(&all, xstrndup(one.p, one.n));
	strv_sort(&all);
	for (size_t i = 0; i < all.n; i++) {
		struct str value = str_of(all.v[i]), name;
		if (str_split(&value, '=', &name))
			add_variable(&text, c->json, name, value.p != NULL ? value.p : "");
	}
	if (ok && c->json)
		buf_adds(&text, text.n > 0 ? "}\n" : "{}\n");
	fputs(buf_str(&text), stdout);
	strv_fini(&all);
	buf_fini(&raw);
	buf_fini(&text);
	return ok ? 0 : cli_fail(&e);
}

static const struct cli_option shell_options[] = {
	{ 'c', "command", "COMMAND", "run this and end with its status", NULL },
	{ 0, "host-path", NULL, "put the caller's PATH behind the prefix's", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_shell = {
	.name = "shell",
	.summary = "enter the prefix, or run a command in it",
	.usage = "[ARGUMENT…]",
	.details = "Starts the prefix's bash with a clean environment: what belongs to the session "
		   "(terminal, display, ssh agent, proxies) stays, everything else comes from the "
		   "prefix's "
		   "etc/profile.env. It is the same as EPREFIX/startprefix. With -c the arguments "
		   "are $0, "
		   "$1 … of the command; those that start with - stand behind --.",
	.options = shell_options,
	.max_args = -1,
	.run = run_shell,
};

const struct cli_command cmd_env = {
	.name = "env",
	.summary = "print the environment inside the prefix",
	.usage = "",
	.details = "One `export NAME='value'` per variable, for eval in a shell; with --json one "
		   "object.",
	.run = run_env,
};
