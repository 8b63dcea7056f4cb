#include "manual.h"

#include <stdio.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6" /* in UTF-8; troff wants ASCII */

/* Text for troff: what would be a request or an escape is quoted, hyphens stay hyphens. */
static void add_text(struct buf *out, const char *text)
{
	size_t ellipsis = strlen(ELLIPSIS);
	bool line_start = out->n == 0 || out->p[out->n - 1] == '\n';
	for (const char *p = text; *p != '\0'; p++) {
		if (line_start && (*p == '.' || *p == '\''))
			buf_adds(out, "\\&");
		line_start = *p == '\n';
		if (strncmp(p, ELLIPSIS, ellipsis) == 0) {
			buf_adds(out, "...");
			p += ellipsis - 1;
		} else if (*p == '\\') {
			buf_adds(out, "\\e");
		} else if (*p == '-') {
			buf_adds(out, "\\-");
		} else {
			buf_addc(out, *p);
		}
	}
}

static void add_heading(struct buf *out, const char *heading)
{
	buf_printf(out, ".SH %s\n", heading);
}

/* "\fB\-j\fR, \fB\-\-jobs\fR=\fIN\fR" */
static void add_option_name(struct buf *out, const struct cli_option *o)
{
	const char *arg = o->arg;
	if (o->short_name != '\0')
		buf_printf(out, "\\fB\\-%c\\fR, ", o->short_name);
	buf_adds(out, "\\fB\\-\\-");
	add_text(out, o->long_name);
	buf_adds(out, "\\fR");
	if (arg == NULL)
		return;
	bool optional = arg[0] == '[';
	buf_adds(out, optional ? "[=\\fI" : "=\\fI");
	add_text(out, optional ? arg + 1 : arg);
	if (optional)
		out->n -= out->p[out->n - 1] == ']';
	buf_adds(out, optional ? "\\fR]" : "\\fR");
}

static void add_options(struct buf *out, const char *heading, const struct cli_option *table)
{
	if (table == NULL)
		return;
	add_heading(out, heading);
	for (const struct cli_option *o = table; o->long_name != NULL; o++) {
		buf_adds(out, ".TP\n");
		add_option_name(out, o);
		buf_addc(out, '\n');
		add_text(out, o->help);
		buf_addc(out, '\n');
	}
}

static void add_verbs(struct buf *out, const struct cli_verb *verbs)
{
	if (verbs == NULL)
		return;
	add_heading(out, "WHAT IT CAN DO");
	for (const struct cli_verb *v = verbs; v->name != NULL; v++) {
		buf_printf(out, ".TP\n\\fB%s\\fR ", v->name);
		add_text(out, v->args);
		buf_addc(out, '\n');
		add_text(out, v->help);
		buf_addc(out, '\n');
	}
}

/* A blank line in the details begins a paragraph. */
static void add_details(struct buf *out, const char *details)
{
	struct str rest = str_of(details), line;
	while (str_split(&rest, '\n', &line)) {
		char *copy = xstrndup(line.p, line.n);
		if (line.n == 0)
			buf_adds(out, ".PP");
		else
			add_text(out, copy);
		buf_addc(out, '\n');
		free(copy);
	}
}

static void add_end(struct buf *out)
{
	add_options(out, "OPTIONS OF EVERY COMMAND", cli_common_options);
	add_heading(out, "EXIT STATUS");
	buf_adds(out,
		"0 done; 1 failed; 2 wrong usage; 3 this host is unfit; 4 a source could not be "
		"had;\n5 a build failed; 6 no solution or a conflict; 7 the prefix is in use "
		"by another run;\n130 interrupted.\n");
	add_heading(out, "SEE ALSO");
	buf_adds(out, "\\fBeprefix\\fR(1)");
	for (size_t i = 0; cli_commands[i] != NULL; i++)
		buf_printf(out, ",\n\\fBeprefix\\-%s\\fR(1)", cli_commands[i]->name);
	buf_addc(out, '\n');
}

static void overview_page(struct buf *out)
{
	buf_adds(out, ".TH EPREFIX 1\n");
	add_heading(out, "NAME");
	buf_adds(out, "eprefix \\- a self\\-hosted toolchain in a directory of your own\n");
	add_heading(out, "SYNOPSIS");
	buf_adds(out, "\\fBeprefix\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] [\\fIoperands\\fR]\n");
	add_heading(out, "COMMANDS");
	for (size_t i = 0; cli_commands[i] != NULL; i++) {
		buf_printf(out, ".TP\n\\fB%s\\fR\n", cli_commands[i]->name);
		add_text(out, cli_commands[i]->summary);
		buf_addc(out, '\n');
	}
	add_end(out);
}

void manual_page(const struct cli_command *command, struct buf *out)
{
	if (command == NULL) {
		overview_page(out);
		return;
	}
	buf_printf(out, ".TH EPREFIX\\-%s 1\n", command->name);
	add_heading(out, "NAME");
	buf_printf(out, "eprefix\\-%s \\- ", command->name);
	add_text(out, command->summary);
	buf_addc(out, '\n');
	add_heading(out, "SYNOPSIS");
	buf_printf(out, "\\fBeprefix %s\\fR [\\fIoptions\\fR] ", command->name);
	add_text(out, command->usage);
	buf_addc(out, '\n');
	if (command->details != NULL) {
		add_heading(out, "DESCRIPTION");
		add_details(out, command->details);
	}
	add_verbs(out, command->verbs);
	add_options(out, "OPTIONS", command->options);
	add_end(out);
}
