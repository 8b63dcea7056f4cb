#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct cli_option cli_common_options[] = {
	{ 'h', "help", NULL, "show this help", NULL },
	{ 'V', "version", NULL, "show the version", NULL },
	{ 'q', "quiet", NULL, "say less", NULL },
	{ 'v', "verbose", NULL, "say more", NULL },
	{ 0, "color", "WHEN", "colours: auto, always or never", "auto|always|never" },
	{ 0, "json", NULL, "print data as JSON", NULL },
	{ 0, "prefix", "EPREFIX", "the prefix to work on", NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

static const struct cli_option none[] = { { 0, NULL, NULL, NULL, NULL } };

/* The tables in the order of lookup: a command may give a common letter a meaning of its own. */
static const struct cli_option *table(const struct cli_command *command, int which)
{
	if (which == 1)
		return cli_common_options;
	return command != NULL && command->options != NULL ? command->options : none;
}

const struct cli_option *cli_find_option(const struct cli_command *command, struct str long_name)
{
	for (int which = 0; which < 2; which++) {
		for (const struct cli_option *o = table(command, which); o->long_name != NULL;
			o++) {
			if (str_is(long_name, o->long_name))
				return o;
		}
	}
	return NULL;
}

static const struct cli_option *find_short(const struct cli_command *command, char letter)
{
	for (int which = 0; which < 2; which++) {
		for (const struct cli_option *o = table(command, which); o->long_name != NULL;
			o++) {
			if (o->short_name == letter)
				return o;
		}
	}
	return NULL;
}

const struct cli_command *cli_find_command(const char *name)
{
	for (size_t i = 0; cli_commands[i] != NULL; i++) {
		if (strcmp(cli_commands[i]->name, name) == 0)
			return cli_commands[i];
	}
	return NULL;
}

static const char *command_name(const void *ctx, size_t i)
{
	(void)ctx;
	return cli_commands[i] != NULL ? cli_commands[i]->name : NULL;
}

static const char *option_name(const void *ctx, size_t i)
{
	const struct cli_command *command = ctx;
	for (int which = 0; which < 2; which++) {
		for (const struct cli_option *o = table(command, which); o->long_name != NULL;
			o++) {
			if (i-- == 0)
				return o->long_name;
		}
	}
	return NULL;
}

static bool unknown_command(const char *name, struct err *e)
{
	const char *near = cli_nearest(name, command_name, NULL);
	if (near != NULL)
		return err_set(e, ERR_USAGE, "cli.command",
			"there is no command \"%s\"; did you mean \"%s\"?", name, near);
	return err_set(e, ERR_USAGE, "cli.command",
		"there is no command \"%s\"; `eprefix --help` lists them", name);
}

static bool unknown_option(const struct cli_command *command, const char *name, struct err *e)
{
	const char *near = cli_nearest(name, option_name, command);
	const char *of = command != NULL ? command->name : "";
	const char *space = command != NULL ? " " : "";
	if (near != NULL)
		return err_set(e, ERR_USAGE, "cli.option",
			"there is no option --%s; did you mean --%s?", name, near);
	return err_set(e, ERR_USAGE, "cli.option",
		"there is no option --%s; `eprefix %s%s--help` lists them", name, of, space);
}

/* Is value one of "a|b|c"? */
static bool is_choice(const char *choices, const char *value)
{
	struct str rest = str_of(choices), one;
	while (str_split(&rest, '|', &one)) {
		if (str_is(one, value))
			return true;
	}
	return false;
}

static bool is_number(const char *s)
{
	size_t n = strspn(s, "0123456789");
	return n > 0 && s[n] == '\0';
}

/* May the next word be the argument of an option whose argument is optional? */
static bool fits_optional(const struct cli_option *o, const char *word)
{
	return o->choices != NULL ? is_choice(o->choices, word) : is_number(word);
}

/* The state of one walk over argv. */
struct walk {
	struct cli *c;
	char **argv;
	int argc, at; /* at: the next word */
	int kept; /* operands moved to the front of argv */
};

/* Remember one occurrence; attached is an argument given in the same word, or NULL. */
static bool take(struct walk *w, const struct cli_option *o, const char *attached, struct err *e)
{
	const char *value = attached;
	const char *word = w->at < w->argc ? w->argv[w->at] : NULL;
	if (o->arg == NULL && attached != NULL)
		return err_set(
			e, ERR_USAGE, "cli.option", "option --%s takes no argument", o->long_name);
	if (o->arg != NULL && value == NULL) {
		bool optional = o->arg[0] == '[';
		if (!optional && word == NULL)
			return err_set(e, ERR_USAGE, "cli.option",
				"option --%s needs an argument: %s", o->long_name, o->arg);
		if (!optional || (word != NULL && fits_optional(o, word))) {
			value = word;
			w->at++;
		}
	}
	if (value != NULL && o->choices != NULL && !is_choice(o->choices, value))
		return err_set(e, ERR_USAGE, "cli.option", "option --%s is one of %s, not \"%s\"",
			o->long_name, o->choices, value);
	vec_push(&w->c->given, (struct cli_given){ o, value });
	return true;
}

static bool take_long(struct walk *w, const char *word, struct err *e)
{
	struct str rest = str_of(word), name;
	if (!str_split(&rest, '=', &name))
		return true;
	const struct cli_option *o = cli_find_option(w->c->command, name);
	if (o == NULL) {
		char *text = xstrndup(name.p, name.n);
		unknown_option(w->c->command, text, e);
		free(text);
		return false;
	}
	return take(w, o, name.n < strlen(word) ? word + name.n + 1 : NULL, e);
}

/* A cluster such as -avj4: an option with an argument takes the rest of the word. */
static bool take_cluster(struct walk *w, const char *letters, struct err *e)
{
	for (const char *p = letters; *p != '\0'; p++) {
		const struct cli_option *o = find_short(w->c->command, *p);
		if (o == NULL)
			return err_set(e, ERR_USAGE, "cli.option",
				"there is no option -%c; `eprefix %s%s--help` lists them", *p,
				w->c->command != NULL ? w->c->command->name : "",
				w->c->command != NULL ? " " : "");
		const char *rest = p + 1 + (p[1] == '=');
		bool attached = o->arg != NULL && *rest != '\0';
		/* `-ja` in Portage is -j -a: letters are no optional number. */
		if (attached && o->arg[0] == '[' && !fits_optional(o, rest))
			attached = false;
		if (!take(w, o, attached ? rest : NULL, e))
			return false;
		if (attached)
			break;
	}
	return true;
}

static bool take_word(struct walk *w, char *word, struct err *e)
{
	if (w->c->command == NULL) {
		w->c->command = cli_find_command(word);
		return w->c->command != NULL || unknown_command(word, e);
	}
	w->argv[w->kept++] = word;
	return true;
}

bool cli_parse(struct cli *c, int *argc, char **argv, struct err *e)
{
	struct walk w = { .c = c, .argv = argv, .argc = *argc };
	bool options = true;
	while (w.at < w.argc) {
		char *word = argv[w.at++];
		bool ok;
		if (options && strcmp(word, "--") == 0) {
			options = false;
			continue;
		}
		if (options && word[0] == '-' && word[1] == '-')
			ok = take_long(&w, word + 2, e);
		else if (options && word[0] == '-' && word[1] != '\0')
			ok = take_cluster(&w, word + 1, e);
		else
			ok = take_word(&w, word, e);
		if (!ok)
			return false;
	}
	argv[w.kept] = NULL;
	*argc = w.kept;
	return true;
}

/* The option a command asks for: a name in no table is a mistake in this program. */
static const struct cli_option *known(const struct cli *c, const char *long_name)
{
	const struct cli_option *o = cli_find_option(c->command, str_of(long_name));
	if (o == NULL)
		abort();
	return o;
}

unsigned cli_count(const struct cli *c, const char *long_name)
{
	const struct cli_option *o = known(c, long_name);
	unsigned n = 0;
	for (size_t i = 0; i < c->given.n; i++)
		n += c->given.v[i].option == o;
	return n;
}

bool cli_has(const struct cli *c, const char *long_name)
{
	return cli_count(c, long_name) > 0;
}

const char *cli_value(const struct cli *c, const char *long_name, const char *fallback)
{
	const struct cli_option *o = known(c, long_name);
	for (size_t i = c->given.n; i-- > 0;) {
		if (c->given.v[i].option == o && c->given.v[i].value != NULL)
			return c->given.v[i].value;
	}
	return fallback;
}

struct strv cli_values(const struct cli *c, const char *long_name)
{
	const struct cli_option *o = known(c, long_name);
	struct strv values = STRV_INIT;
	for (size_t i = 0; i < c->given.n; i++) {
		if (c->given.v[i].option == o && c->given.v[i].value != NULL)
			strv_push(&values, c->given.v[i].value);
	}
	return values;
}

bool cli_yes(const struct cli *c, const char *long_name, bool fallback)
{
	const struct cli_option *o = known(c, long_name);
	for (size_t i = c->given.n; i-- > 0;) {
		if (c->given.v[i].option == o)
			return c->given.v[i].value == NULL || c->given.v[i].value[0] != 'n';
	}
	return fallback;
}

bool cli_number(const struct cli *c, const char *long_name, const unsigned range[2], unsigned *out,
	struct err *e)
{
	const char *value = cli_value(c, long_name, NULL);
	if (value == NULL)
		return true;
	unsigned long n = is_number(value) && strlen(value) < 10 ? strtoul(value, NULL, 10) : ~0UL;
	if (n < range[0] || n > range[1])
		return err_set(e, ERR_USAGE, "cli.option",
			"option --%s is a number from %u to %u, not \"%s\"", long_name, range[0],
			range[1], value);
	*out = (unsigned)n;
	return true;
}
