#include "manual.h"

#include <string.h>

/* Completion scripts for three shells, from the same tables as --help. */

/* Choices are written "a|b|c" and completed as words. */
static char choice_char(char c)
{
	if (c == '|')
		return ' ';
	return c;
}

/* Does the command take packages? Then their names complete, too. */
static bool takes_packages(const struct cli_command *c)
{
	return strstr(c->usage, "ATOM") != NULL;
}

/* Call each() for the command's own options, then the common ones. */
static void each_option(const struct cli_command *c,
	void each(struct buf *out, const struct cli_command *c, const struct cli_option *o),
	struct buf *out)
{
	for (const struct cli_option *o = c->options; o != NULL && o->long_name != NULL; o++)
		each(out, c, o);
	for (const struct cli_option *o = cli_common_options; o->long_name != NULL; o++)
		each(out, c, o);
}

/* Text inside single quotes of a shell. */
static void add_quoted(struct buf *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *text);
	}
}

static void bash_word(struct buf *out, const struct cli_command *c, const struct cli_option *o)
{
	(void)c;
	buf_printf(out, " --%s", o->long_name);
	if (o->arg != NULL && o->arg[0] != '[')
		buf_addc(out, '=');
	if (o->short_name != '\0')
		buf_printf(out, " -%c", o->short_name);
}

static void bash_choices(struct buf *out, const struct cli_command *c, const struct cli_option *o)
{
	if (o->choices == NULL)
		return;
	buf_printf(out, "\t%s:--%s) words='", c->name, o->long_name);
	for (const char *p = o->choices; *p != '\0'; p++)
		buf_addc(out, choice_char(*p));
	buf_adds(out, "' ;;\n");
}

static void add_names(struct buf *out)
{
	for (size_t i = 0; cli_commands[i] != NULL; i++)
		buf_printf(out, "%s%s", i > 0 ? " " : "", cli_commands[i]->name);
}

static void bash_command(struct buf *out, const struct cli_command *c)
{
	buf_printf(out, "\t%s)\n\t\twords='", c->name);
	for (const struct cli_verb *v = c->verbs; v != NULL && v->name != NULL; v++)
		buf_printf(out, "%s ", v->name);
	each_option(c, bash_word, out);
	buf_adds(out, "'\n");
	if (takes_packages(c))
		buf_adds(out, "\t\tcase $cur in\n\t\t-*) ;;\n"
			      "\t\t*) words=\"$words $(eprefix help --packages 2>/dev/null)\" ;;\n"
			      "\t\tesac\n");
	buf_adds(out, "\t\t;;\n");
}

static void bash_script(struct buf *out)
{
	buf_adds(out, "# bash completion for eprefix; made by `eprefix help --completion bash`\n"
		      "_eprefix() {\n"
		      "\tlocal cur=$2 prev=$3 command='' word words=''\n"
		      "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
		      "\t\tcase $word in -*) ;; *) command=$word; break ;; esac\n"
		      "\tdone\n"
		      "\t[ \"$cur\" != = ] || cur=\n"
		      "\t[ \"$prev\" != = ] || prev=${COMP_WORDS[COMP_CWORD-2]}\n"
		      "\tcase $command:$prev in\n");
	for (size_t i = 0; cli_commands[i] != NULL; i++)
		each_option(cli_commands[i], bash_choices, out);
	buf_adds(out, "\tesac\n\tif [ -n \"$words\" ]; then\n"
		      "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\t\treturn\n\tfi\n"
		      "\tcase $command in\n\t'') words='");
	add_names(out);
	buf_adds(out, "' ;;\n");
	for (size_t i = 0; cli_commands[i] != NULL; i++)
		bash_command(out, cli_commands[i]);
	buf_adds(out, "\tesac\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
		      "\t[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
		      "}\ncomplete -o default -F _eprefix eprefix\n");
}

/* _arguments wants brackets and colons in its descriptions quoted. */
static void add_zsh_text(struct buf *out, const char *text)
{
	struct buf plain = BUF_INIT;
	for (; *text != '\0'; text++) {
		if (strchr("[]:\\", *text) != NULL)
			buf_addc(&plain, '\\');
		buf_addc(&plain, *text);
	}
	add_quoted(out, buf_str(&plain));
	buf_fini(&plain);
}

static void zsh_one(struct buf *out, const struct cli_option *o, const char *name)
{
	bool optional = o->arg != NULL && o->arg[0] == '[';
	buf_printf(out, "\t\t\t'*%s%s[", name, o->arg == NULL ? "" : name[1] == '-' ? "=" : "+");
	add_zsh_text(out, o->help);
	buf_addc(out, ']');
	if (o->arg != NULL) {
		buf_printf(out, optional ? "::%s:" : ":%s:", o->long_name);
		if (o->choices != NULL) {
			buf_addc(out, '(');
			for (const char *p = o->choices; *p != '\0'; p++)
				buf_addc(out, choice_char(*p));
			buf_addc(out, ')');
		} else {
			buf_adds(out, "_files");
		}
	}
	buf_adds(out, "' \\\n");
}

static void zsh_option(struct buf *out, const struct cli_command *c, const struct cli_option *o)
{
	char letter[3] = { '-', o->short_name, '\0' };
	char *name = xasprintf("--%s", o->long_name);
	(void)c;
	zsh_one(out, o, name);
	if (o->short_name != '\0')
		zsh_one(out, o, letter);
	free(name);
}

static void zsh_script(struct buf *out)
{
	buf_adds(out, "#compdef eprefix\n"
		      "# zsh completion for eprefix; made by `eprefix help --completion zsh`\n"
		      "_eprefix_packages() { compadd -- ${(f)\"$(eprefix help --packages "
		      "2>/dev/null)\"} }\n"
		      "_eprefix() {\n\tlocal -a commands\n\tcommands=(\n");
	for (size_t i = 0; cli_commands[i] != NULL; i++) {
		buf_printf(out, "\t\t'%s:", cli_commands[i]->name);
		add_zsh_text(out, cli_commands[i]->summary);
		buf_adds(out, "'\n");
	}
	buf_adds(out,
		"\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n"
		"\tfi\n\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n"
		"\tcase $command in\n");
	for (size_t i = 0; cli_commands[i] != NULL; i++) {
		const struct cli_command *c = cli_commands[i];
		buf_printf(out, "\t%s)\n\t\t_arguments -s \\\n", c->name);
		each_option(c, zsh_option, out);
		if (c->verbs != NULL) {
			buf_adds(out, "\t\t\t'1:verb:(");
			for (const struct cli_verb *v = c->verbs; v->name != NULL; v++)
				buf_printf(out, "%s%s", v == c->verbs ? "" : " ", v->name);
			buf_adds(out, ")' \\\n");
		}
		buf_printf(out, "\t\t\t'*:operand:%s'\n\t\t;;\n",
			takes_packages(c) ? "_eprefix_packages" : "_files");
	}
	buf_adds(out, "\tesac\n}\n_eprefix \"$@\"\n");
}

static void fish_option(struct buf *out, const struct cli_command *c, const struct cli_option *o)
{
	buf_printf(out, "complete -c eprefix -n '__fish_seen_subcommand_from %s' -l %s", c->name,
		o->long_name);
	if (o->short_name != '\0')
		buf_printf(out, " -s %c", o->short_name);
	if (o->arg != NULL && o->arg[0] != '[')
		buf_adds(out, " -r");
	if (o->choices != NULL) {
		buf_adds(out, " -f -a '");
		for (const char *p = o->choices; *p != '\0'; p++)
			buf_addc(out, choice_char(*p));
		buf_addc(out, '\'');
	}
	buf_adds(out, " -d '");
	add_quoted(out, o->help);
	buf_adds(out, "'\n");
}

static void fish_command(struct buf *out, const struct cli_command *c)
{
	buf_printf(out, "complete -c eprefix -n __fish_use_subcommand -f -a %s -d '", c->name);
	add_quoted(out, c->summary);
	buf_adds(out, "'\n");
	for (const struct cli_verb *v = c->verbs; v != NULL && v->name != NULL; v++) {
		buf_printf(out,
			"complete -c eprefix -n '__fish_seen_subcommand_from %s' -f -a %s -d '",
			c->name, v->name);
		add_quoted(out, v->help);
		buf_adds(out, "'\n");
	}
	if (takes_packages(c))
		buf_printf(out,
			"complete -c eprefix -n '__fish_seen_subcommand_from %s' -f -a "
			"'(eprefix help --packages 2>/dev/null)'\n",
			c->name);
	each_option(c, fish_option, out);
}

void completion_script(const char *shell, struct buf *out)
{
	if (strcmp(shell, "bash") == 0) {
		bash_script(out);
		return;
	}
	if (strcmp(shell, "zsh") == 0) {
		zsh_script(out);
		return;
	}
	buf_adds(out, "# fish completion for eprefix; made by `eprefix help --completion fish`\n");
	for (size_t i = 0; cli_commands[i] != NULL; i++)
		fish_command(out, cli_commands[i]);
}
