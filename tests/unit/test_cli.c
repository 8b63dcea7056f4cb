#include "test.h"

#include "cli.h"

#include <stdlib.h>

/* Commands of this test's own, so that the parser is tested without the program's table. */
static const struct cli_option build_options[] = {
	{ 'a', "ask", NULL, "ask first", NULL },
	{ 'j', "jobs", "[N]", "so many at once", NULL },
	{ 'p', "pretend", NULL, "show only", NULL },
	{ 'v', "deep-verbose", NULL, "a letter that is also a common one", NULL },
	{ 0, "with-bdeps", "[y|n]", "build dependencies too", "y|n" },
	{ 'u', "until", "STAGE", "stop after it", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

static int seen_argc;
static int run_build(struct cli *c, int argc, char **argv)
{
	(void)c;
	(void)argv;
	seen_argc = argc;
	return 5;
}

static const struct cli_command build = { .name = "build",
	.summary = "build things",
	.usage = "ATOM…",
	.options = build_options,
	.min_args = 1,
	.max_args = 2,
	.run = run_build };
static const struct cli_command status = {
	.name = "status", .summary = "say how it stands", .usage = "", .run = run_build
};

const struct cli_command *const cli_commands[] = { &build, &status, NULL };

/* A parsed line; words is one string cut at spaces. */
struct line {
	struct cli c;
	struct arena text;
	VEC(char *) words;
	int argc;
	bool ok;
	struct err e;
};

static void parse(struct line *l, const char *text)
{
	*l = (struct line){ 0 };
	struct str rest = str_of(text), word;
	while (str_word(&rest, &word))
		vec_push(&l->words, arena_strndup(&l->text, word.p, word.n));
	l->argc = (int)l->words.n;
	vec_push(&l->words, NULL);
	l->ok = cli_parse(&l->c, &l->argc, l->words.v, &l->e);
}

static void forget(struct line *l)
{
	vec_fini(&l->c.given);
	vec_fini(&l->words);
	arena_fini(&l->text);
}

TEST(cli_options_and_operands_mix)
{
	struct line l;
	parse(&l, "--quiet build x -ap --until=stage2 y");
	CHECK(l.ok);
	CHECK(l.c.command == &build);
	CHECK(l.argc == 2);
	CHECK_STR(l.words.v[0], "x");
	CHECK_STR(l.words.v[1], "y");
	CHECK(cli_has(&l.c, "ask"));
	CHECK(cli_has(&l.c, "pretend"));
	CHECK(cli_has(&l.c, "quiet"));
	CHECK(!cli_has(&l.c, "json"));
	CHECK_STR(cli_value(&l.c, "until", "none"), "stage2");
	forget(&l);
}

TEST(cli_two_dashes_end_the_options)
{
	struct line l;
	parse(&l, "build -- -p --ask");
	CHECK(l.ok);
	CHECK(l.argc == 2);
	CHECK_STR(l.words.v[0], "-p");
	CHECK(!cli_has(&l.c, "ask"));
	forget(&l);
}

TEST(cli_a_command_may_take_a_common_letter)
{
	struct line l;
	parse(&l, "build -vv x");
	CHECK(cli_count(&l.c, "deep-verbose") == 2);
	CHECK(cli_count(&l.c, "verbose") == 0);
	forget(&l);
	parse(&l, "status -v");
	CHECK(cli_count(&l.c, "verbose") == 1);
	forget(&l);
}

TEST(cli_optional_arguments_follow_portage)
{
	static const struct {
		const char *line, *jobs;
		int operands;
	} cases[] = {
		{ "build -j4 x", "4", 1 },
		{ "build -j 4 x", "4", 1 },
		{ "build -j x", "none", 1 },
		{ "build --jobs 4 x", "4", 1 },
		{ "build --jobs=4 x", "4", 1 },
		{ "build --jobs x", "none", 1 },
		{ "build -ja x", "none", 1 },
		{ "build -aj8 x", "8", 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct line l;
		parse(&l, cases[i].line);
		CHECK(l.ok);
		CHECK(l.argc == cases[i].operands);
		CHECK(cli_has(&l.c, "jobs"));
		CHECK_STR(cli_value(&l.c, "jobs", "none"), cases[i].jobs);
		forget(&l);
	}
}

TEST(cli_yes_and_no)
{
	struct line l;
	parse(&l, "build --with-bdeps x");
	CHECK(cli_yes(&l.c, "with-bdeps", false));
	CHECK(l.argc == 1);
	forget(&l);
	parse(&l, "build --with-bdeps n x");
	CHECK(!cli_yes(&l.c, "with-bdeps", true));
	CHECK(l.argc == 1);
	forget(&l);
	parse(&l, "build x");
	CHECK(cli_yes(&l.c, "with-bdeps", true));
	forget(&l);
}

TEST(cli_wrong_use_is_explained)
{
	static const struct {
		const char *line, *message;
	} cases[] = {
		{ "biuld x", "there is no command \"biuld\"; did you mean \"build\"?" },
		{ "zzzzzz", "there is no command \"zzzzzz\"; `eprefix --help` lists them" },
		{ "build --pretned", "there is no option --pretned; did you mean --pretend?" },
		{ "build --wxyz", "there is no option --wxyz; `eprefix build --help` lists them" },
		{ "build -Z", "there is no option -Z; `eprefix build --help` lists them" },
		{ "build --until", "option --until needs an argument: STAGE" },
		{ "build --ask=yes", "option --ask takes no argument" },
		{ "build --with-bdeps=q", "option --with-bdeps is one of y|n, not \"q\"" },
		{ "status --color", "option --color needs an argument: WHEN" },
		{ "status --=x", "there is no option --; `eprefix status --help` lists them" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct line l;
		parse(&l, cases[i].line);
		CHECK(!l.ok);
		CHECK(l.e.code == ERR_USAGE);
		CHECK_STR(l.e.message, cases[i].message);
		forget(&l);
	}
}

TEST(cli_numbers_have_a_range)
{
	static const unsigned range[2] = { 1, 512 };
	static const char *const bad[] = { "0", "513", "x", "-1", "4x", "99999999999" };
	struct line l;
	struct err e = ERR_INIT;
	unsigned n = 7;
	parse(&l, "build -j12 x");
	CHECK(cli_number(&l.c, "jobs", range, &n, &e) && n == 12);
	forget(&l);
	parse(&l, "build x");
	CHECK(cli_number(&l.c, "jobs", range, &n, &e) && n == 12);
	forget(&l);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char *text = xasprintf("build --jobs=%s x", bad[i]);
		e = ERR_INIT;
		parse(&l, text);
		CHECK(!cli_number(&l.c, "jobs", range, &n, &e));
		CHECK(e.code == ERR_USAGE && n == 12);
		forget(&l);
		free(text);
	}
}

TEST(cli_runs_the_command_with_its_operands)
{
	char *line[] = { (char[]){ "eprefix" }, (char[]){ "build" }, (char[]){ "one" },
		(char[]){ "-p" }, (char[]){ "two" }, NULL };
	CHECK(cli_main(5, line) == 5);
	CHECK(seen_argc == 2);
}

TEST(cli_counts_operands)
{
	char *few[] = { (char[]){ "eprefix" }, (char[]){ "build" }, NULL };
	char *many[] = { (char[]){ "eprefix" }, (char[]){ "status" }, (char[]){ "x" }, NULL };
	char *no_command[] = { (char[]){ "eprefix" }, NULL };
	CHECK(cli_main(2, few) == 2);
	CHECK(cli_main(3, many) == 2);
	CHECK(cli_main(1, no_command) == 2);
}
