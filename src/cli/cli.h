#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "err.h"
#include "str.h"
#include "term.h"
#include "vec.h"

#include <stddef.h>

/*
 * The command line: one table of commands, each with one table of options. Help, man pages and
 * shell completions are printed from these tables, so they cannot disagree with the parser.
 */

/* One option. A table ends with an entry whose long_name is NULL. */
struct cli_option {
	char short_name; /* 'p' for -p, 0: none */
	const char *long_name; /* "pretend" */
	/*
	 * What its argument is called in the help, NULL: takes none. In brackets the argument is
	 * optional: it is taken from "--name=X", and from the next word when that is one of the
	 * choices, or a number where choices is NULL (so that `emerge -j 4 foo` means what it
	 * means to Portage).
	 */
	const char *arg;
	const char *help; /* one phrase, lower case, no full stop */
	const char *choices; /* "auto|always|never": other values are refused; NULL: any */
};

/* One word that a command takes first, as in `query files`. A table ends with a NULL name. */
struct cli_verb {
	const char *name, *args, *help;
};

struct cli;

struct cli_command {
	const char *name, *summary; /* summary: one phrase, lower case */
	const char *usage; /* the operands: "[EPREFIX]", "ATOM…" */
	const char *details; /* paragraphs for --help and the man page, NULL: none */
	const struct cli_option *options; /* beside the common ones; NULL: none */
	const struct cli_verb *verbs; /* NULL: none */
	int min_args, max_args; /* operands, max -1: any number */
	/* argv: the operands only (NULL-terminated); options are read with cli_has() and others.
	 * Returns the exit status. */
	int (*run)(struct cli *c, int argc, char **argv);
};

/* What each occurrence of an option gave. */
struct cli_given {
	const struct cli_option *option;
	const char *value; /* NULL: no argument */
};

struct cli {
	const struct cli_command *command;
	bool quiet, json;
	unsigned verbose; /* how often --verbose was given */
	enum term_color color;
	VEC(struct cli_given) given;
	char *prefix; /* what cli_prefix found */
	const char *argv0;
};

/* All commands, in the order of the help, NULL-terminated (commands.c). */
extern const struct cli_command *const cli_commands[];
/* Options every command takes. */
extern const struct cli_option cli_common_options[];

/* The whole program. Returns its exit status (design §7). */
int cli_main(int argc, char **argv);

/* How often the option of that long name was given; a name in no table aborts. */
unsigned cli_count(const struct cli *c, const char *long_name);
bool cli_has(const struct cli *c, const char *long_name);
/* The last argument given to it, or fallback. Borrowed from argv. */
const char *cli_value(const struct cli *c, const char *long_name, const char *fallback);
/* All arguments given to it, in order; the strings are copies. */
struct strv cli_values(const struct cli *c, const char *long_name);
/*
 * For the y|n options of Portage: given without argument or with y: true, with n: false, not
 * given: fallback.
 */
bool cli_yes(const struct cli *c, const char *long_name, bool fallback);
/* Its last argument as a decimal number within min…max into *out, which keeps its value when the
 * option was not given. Fails with ERR_USAGE. */
bool cli_number(const struct cli *c, const char *long_name, const unsigned range[2], unsigned *out,
	struct err *e);

/*
 * The prefix to work on: --prefix, $EPREFIX, or the one this program is installed in. Borrowed
 * (physical path), NULL with *e filled when there is none.
 */
const char *cli_prefix(struct cli *c, struct err *e);

/* Print "eprefix: message" to stderr; returns the exit status that belongs to the error. */
int cli_fail(const struct err *e);
/* The same for a warning, without a status. */
void cli_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A wrong use of the command: message, a pointer to --help; returns 2. */
int cli_usage(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* options.c: parse argv into c->command and c->given; operands stay, in order, in argv[0…*argc). */
bool cli_parse(struct cli *c, int *argc, char **argv, struct err *e);
/* Take over what `first` was given as if it stood before c's own. Arguments stay borrowed. */
void cli_put_first(struct cli *c, const struct cli *first);
const struct cli_command *cli_find_command(const char *name);
/* The option of that long name in the command's table or the common one, or NULL. */
const struct cli_option *cli_find_option(const struct cli_command *command, struct str long_name);

/* help.c: to stdout. command NULL: the overview of all. */
void cli_print_help(const struct cli_command *command);

/*
 * nearest.c: the candidate with the smallest edit distance to word, NULL when none is near.
 * next returns the i-th candidate and NULL at the end.
 */
const char *cli_nearest(
	const char *word, const char *(*next)(const void *ctx, size_t i), const void *ctx);

#endif
