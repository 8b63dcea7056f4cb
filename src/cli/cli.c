#include "cli.h"

#include "fs.h"
#include "mem.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EPREFIX_VERSION
#define EPREFIX_VERSION "0.1.0"
#endif

int cli_fail(const struct err *e)
{
	fflush(stdout);
	fprintf(stderr, "eprefix: %s\n", e->message);
	return e->code != ERR_NONE ? (int)e->code : ERR_FAILED;
}

void cli_warn(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	fprintf(stderr, "eprefix: warning: %s\n", text);
	free(text);
}

int cli_usage(const struct cli *c, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	fprintf(stderr, "eprefix: %s; see `eprefix %s --help`\n", text, c->command->name);
	free(text);
	return ERR_USAGE;
}

/* The prefix that holds this program as usr/bin/eprefix, the caller's own, or NULL. */
static char *own_prefix(const char *argv0)
{
	struct err ignored = ERR_INIT;
	const char *path = getenv("PATH");
	char *exe = fs_readlink(AT_FDCWD, "/proc/self/exe", &ignored);
	if (exe == NULL) {
		char *named = strchr(argv0, '/') != NULL
				      ? xstrdup(argv0)
				      : proc_which(argv0, path != NULL ? path : "");
		exe = named != NULL ? fs_real(named, &ignored) : NULL;
		free(named);
	}
	static const char tail[] = "/usr/bin/eprefix";
	size_t n = exe != NULL ? strlen(exe) : 0;
	bool ours = n > sizeof tail - 1 && strcmp(exe + n - (sizeof tail - 1), tail) == 0;
	char *prefix = ours ? xstrndup(exe, n - (sizeof tail - 1)) : NULL;
	free(exe);
	return prefix;
}

const char *cli_prefix(struct cli *c, struct err *e)
{
	if (c->prefix != NULL)
		return c->prefix;
	const char *env = getenv("EPREFIX");
	const char *named = cli_value(c, "prefix", env != NULL && *env != '\0' ? env : NULL);
	if (named != NULL) {
		if (fs_is_dir(AT_FDCWD, named))
			c->prefix = fs_real(named, e);
		else
			err_set(e, ERR_USAGE, "cli.prefix",
				"the prefix %s (from %s) is not a directory", named,
				cli_has(c, "prefix") ? "--prefix" : "$EPREFIX");
		return c->prefix;
	}
	c->prefix = own_prefix(c->argv0);
	if (c->prefix == NULL)
		err_set(e, ERR_USAGE, "cli.prefix",
			"which prefix? Give --prefix EPREFIX, set $EPREFIX, or run the eprefix "
			"that "
			"is installed in it");
	return c->prefix;
}

static void read_common(struct cli *c)
{
	const char *color = cli_value(c, "color", "auto");
	c->quiet = cli_has(c, "quiet");
	c->json = cli_has(c, "json");
	c->verbose = cli_count(c, "verbose");
	if (strcmp(color, "always") == 0)
		c->color = TERM_ALWAYS;
	else if (strcmp(color, "never") == 0)
		c->color = TERM_NEVER;
}

void cli_put_first(struct cli *c, const struct cli *first)
{
	struct cli all = { 0 };
	for (size_t i = 0; i < first->given.n; i++)
		vec_push(&all.given, first->given.v[i]);
	for (size_t i = 0; i < c->given.n; i++)
		vec_push(&all.given, c->given.v[i]);
	vec_fini(&c->given);
	c->given = all.given;
	read_common(c);
}

static int check_operands(const struct cli *c, int argc)
{
	const struct cli_command *command = c->command;
	if (argc < command->min_args)
		return cli_usage(c, "%s needs %s", command->name, command->usage);
	if (command->max_args >= 0 && argc > command->max_args)
		return cli_usage(c, "%s takes at most %d operand%s, not %d", command->name,
			command->max_args, command->max_args == 1 ? "" : "s", argc);
	return 0;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct err e = ERR_INIT;
	if (!cli_parse(c, &argc, argv, &e))
		return cli_fail(&e);
	if (cli_has(c, "help")) {
		cli_print_help(c->command);
		return 0;
	}
	if (cli_has(c, "version")) {
		printf("eprefix %s\n", EPREFIX_VERSION);
		return 0;
	}
	if (c->command == NULL) {
		err_set(&e, ERR_USAGE, "cli.command", "which command? `eprefix --help` lists them");
		return cli_fail(&e);
	}
	read_common(c);
	int status = check_operands(c, argc);
	return status != 0 ? status : c->command->run(c, argc, argv);
}

int cli_main(int argc, char **argv)
{
	struct cli c = { .argv0 = argc > 0 ? argv[0] : "eprefix" };
	/* A reader that goes away shows as a write error below, not as a death by signal. */
	signal(SIGPIPE, SIG_IGN);
	int status = run(&c, argc > 0 ? argc - 1 : 0, argv + (argc > 0));
	errno = 0;
	if ((fflush(stdout) != 0 || ferror(stdout)) && errno != EPIPE && status == 0) {
		struct err e = ERR_INIT;
		err_sys(&e, "cli.stdout", "writing to standard output");
		status = cli_fail(&e);
	}
	vec_fini(&c.given);
	free(c.prefix);
	return status;
}
