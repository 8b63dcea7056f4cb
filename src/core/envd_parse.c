/* The syntax of env.d files: the shell's assignments without its expansions. */
#include "envd.h"

struct parser {
	struct str rest;
	size_t line;
	const char *file;
	struct strv *bad;
};

static char next(struct parser *p)
{
	char c = p->rest.p[0];
	p->rest.p++;
	p->rest.n--;
	p->line += c == '\n';
	return c;
}

static void skip_line(struct parser *p)
{
	while (p->rest.n > 0 && next(p) != '\n')
		;
}

/* Up to the next assignment; false at the end. */
static bool skip_blank(struct parser *p)
{
	while (p->rest.n > 0 && (chr_space(p->rest.p[0]) || p->rest.p[0] == '#')) {
		if (p->rest.p[0] == '#')
			skip_line(p);
		else
			next(p);
	}
	return p->rest.n > 0;
}

/* An identifier, with "=" behind it, which is taken too. */
static bool parse_name(struct parser *p, struct str *name)
{
	*name = (struct str){ p->rest.p, 0 };
	while (name->n < p->rest.n && (chr_alnum(name->p[name->n]) || name->p[name->n] == '_'))
		name->n++;
	if (name->n == 0 || chr_digit(name->p[0]) || name->n == p->rest.n ||
		name->p[name->n] != '=')
		return false;
	p->rest = (struct str){ name->p + name->n + 1, p->rest.n - name->n - 1 };
	return true;
}

static void escape(struct parser *p, char quote, struct buf *out)
{
	char c = '\\';
	if (p->rest.n > 0)
		c = next(p);
	if (c == '\n')
		return;
	if (quote == '"' && strchr("\"\\$`", c) == NULL)
		buf_addc(out, '\\');
	buf_addc(out, c);
}

/* False when a quote is not closed. */
static bool parse_value(struct parser *p, struct buf *out)
{
	char quote = '\0';
	while (p->rest.n > 0 && (quote != '\0' || !chr_space(p->rest.p[0]))) {
		char c = next(p);
		if (c == '\\' && quote != '\'')
			escape(p, quote, out);
		else if (c == quote)
			quote = '\0';
		else if (quote == '\0' && (c == '"' || c == '\''))
			quote = c;
		else
			buf_addc(out, c);
	}
	return quote == '\0';
}

static void complain(struct parser *p, size_t line, const char *why)
{
	strv_own(p->bad, xasprintf("%s:%zu: %s", p->file, line, why));
}

static void assignment(struct parser *p, struct envd_file *f)
{
	struct str name;
	struct buf value = BUF_INIT;
	size_t line = p->line;
	if (str_starts(p->rest, "export ") || str_starts(p->rest, "export\t"))
		p->rest = str_trim((struct str){ p->rest.p + 7, p->rest.n - 7 });
	if (!parse_name(p, &name)) {
		complain(p, line, "not of the form NAME=value");
		skip_line(p);
	} else if (!parse_value(p, &value)) {
		complain(p, line, "the quote is not closed");
	} else {
		vec_push(&f->lines,
			(struct envd_line){ xstrndup(name.p, name.n), xstrdup(buf_str(&value)) });
	}
	buf_fini(&value);
}

void envd_parse(struct envd_file *f, struct str text, const char *file, struct strv *bad)
{
	struct parser p = { text, 1, file, bad };
	while (skip_blank(&p))
		assignment(&p, f);
}

void envd_file_fini(struct envd_file *f)
{
	for (size_t i = 0; i < f->lines.n; i++) {
		free(f->lines.v[i].name);
		free(f->lines.v[i].value);
	}
	vec_fini(&f->lines);
}
