#include "emerge.h"

#include <stdlib.h>
#include <string.h>

/* What the settings say about every run of emerge: EMERGE_DEFAULT_OPTS and MAKEOPTS. */

#define DEFAULTS "EMERGE_DEFAULT_OPTS"

bool emerge_defaults(struct emerge *m, struct err *e)
{
	struct cli *c = m->cli;
	struct str rest = str_of(config_var(m->engine.config, DEFAULTS)), word;
	if (rest.n == 0 || cli_has(c, "ignore-default-opts"))
		return true;
	VEC(char *) argv = { 0 };
	while (str_word(&rest, &word))
		vec_push(&argv, arena_strndup(&m->arena, word.p, word.n));
	vec_push(&argv, NULL);
	int argc = (int)argv.n - 1;
	struct cli defaults = { .command = c->command };
	bool ok = cli_parse(&defaults, &argc, argv.v, e) || err_in(e, DEFAULTS);
	if (ok && argc > 0)
		ok = err_set(e, ERR_USAGE, "emerge.defaults",
			DEFAULTS
			" holds \"%s\", which is no option; mend it in etc/portage/make.conf",
			argv.v[0]);
	if (ok)
		cli_put_first(c, &defaults);
	vec_fini(&defaults.given);
	vec_fini(&argv);
	return ok;
}

/* The N of -jN, -j N, --jobs=N or --jobs N, of the last one; 0: as many as there may be. */
static bool wanted_jobs(const char *opts, struct str *out)
{
	struct str rest = str_of(opts), word;
	bool any = false;
	while (str_word(&rest, &word)) {
		struct str next = rest, number = { NULL, 0 };
		if (str_starts(word, "--jobs="))
			number = (struct str){ word.p + 7, word.n - 7 };
		else if (str_starts(word, "-j") && word.n > 2)
			number = (struct str){ word.p + 2, word.n - 2 };
		else if ((str_is(word, "-j") || str_is(word, "--jobs")) &&
			 str_word(&next, &number) && chr_digit(number.p[0]))
			rest = next;
		else
			continue;
		*out = number;
		any = true;
	}
	return any && out->n > 0;
}

bool emerge_jobs(const struct emerge *m, unsigned *jobs, struct err *e)
{
	static const unsigned range[2] = { 1, 1024 };
	const char *opts = config_var(m->engine.config, "MAKEOPTS");
	struct str number;
	if (cli_has(m->cli, "jobs") || !wanted_jobs(opts, &number))
		return cli_number(m->cli, "jobs", range, jobs, e);
	unsigned long n = number.n < 9 ? strtoul(number.p, NULL, 10) : 0;
	size_t digits = strspn(number.p, "0123456789");
	if (digits != number.n || n < range[0] || n > range[1])
		return err_set(e, ERR_USAGE, "emerge.makeopts",
			"MAKEOPTS=\"%s\": \"%.*s\" is no number of jobs from %u to %u; mend it in "
			"etc/portage/make.conf",
			opts, STR_ARG(number), range[0], range[1]);
	*jobs = (unsigned)n;
	return true;
}
