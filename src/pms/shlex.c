#include "shlex.h"

#include "makeconf.h"

#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
	return chr_alnum(c) || (c != '\0' && strchr("~!@#$%*_\\:;?,./-+{}", c) != NULL);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char peek(const struct shlex *s)
{
	return s->rest.p[0];
}

static char take(struct shlex *s)
{
	char c = s->rest.p[0];
	s->rest.p++;
	s->rest.n--;
	s->line += c == '\n';
	return c;
}

static void skip_comment(struct shlex *s)
{
	while (s->rest.n > 0 && take(s) != '\n')
		;
}

static void skip_blank(struct shlex *s)
{
	while (s->rest.n > 0) {
		if (peek(s) == '#')
			skip_comment(s);
		else if (is_blank(peek(s)))
			take(s);
		else
			return;
	}
}

/* The rest of a quoted part behind its opening quote. */
static bool take_quoted(struct shlex *s, char quote, struct buf *out, const char **why)
{
	while (s->rest.n > 0) {
		char c = take(s);
		if (c == quote)
			return true;
		if (c == '\\' && quote == '"' && s->rest.n > 0) {
			char escaped = take(s);
			if (escaped != '\\' && escaped != '"')
				buf_addc(out, '\\');
			buf_addc(out, escaped);
		} else {
			buf_addc(out, c);
		}
	}
	*why = "a quotation is not closed";
	return false;
}

static bool take_escaped(struct shlex *s, struct buf *out, const char **why)
{
	take(s);
	if (s->rest.n == 0) {
		*why = "nothing follows the last backslash";
		return false;
	}
	buf_addc(out, take(s));
	return true;
}

static bool take_word(struct shlex *s, struct buf *out, const char **why)
{
	while (s->rest.n > 0) {
		char c = peek(s);
		if (is_blank(c) || c == '#')
			return true;
		if (c == '"' || c == '\'') {
			take(s);
			if (!take_quoted(s, c, out, why))
				return false;
		} else if (c == '\\') {
			if (!take_escaped(s, out, why))
				return false;
		} else if (is_word(c)) {
			buf_addc(out, take(s));
		} else {
			return true;
		}
	}
	return true;
}

char *shlex_next(struct shlex *s, const char **why)
{
	struct buf out = BUF_INIT;
	skip_blank(s);
	if (s->rest.n == 0)
		return NULL;
	char c = peek(s);
	if (c != '"' && c != '\'' && c != '\\' && !is_word(c))
		buf_addc(&out, take(s));
	else if (!take_word(s, &out, why))
		buf_fini(&out);
	return *why == NULL ? buf_take(&out) : NULL;
}

bool shlex_at_line_end(const struct shlex *s)
{
	struct str rest = s->rest;
	while (rest.n > 0 && rest.p[0] != '\n' && rest.p[0] != '#' && is_blank(rest.p[0])) {
		rest.p++;
		rest.n--;
	}
	return rest.n == 0 || rest.p[0] == '\n' || rest.p[0] == '#';
}

/* Behind a backslash: \\ and \$ lose it, a newline vanishes, the rest stays as it is. */
static void expand_escape(struct str *s, struct buf *out)
{
	char c = '\0';
	if (s->n > 0)
		c = s->p[0];
	if (s->n == 0 || (c != '$' && c != '\\' && c != '\n')) {
		buf_addc(out, '\\');
		return;
	}
	s->p++;
	s->n--;
	if (c != '\n')
		buf_addc(out, c);
	/* Portage takes a quote or dollar behind "\\" literally. */
	if (c == '\\' && s->n > 0 && strchr("'\"$", s->p[0]) != NULL && s->p[0] != '\0') {
		buf_addc(out, s->p[0]);
		s->p++;
		s->n--;
	}
}

/* Behind a '$'. */
static bool expand_name(struct str *s, const struct vars *vars, struct buf *out, const char **why)
{
	if (s->n == 0) {
		buf_addc(out, '$');
		return true;
	}
	bool braced = s->p[0] == '{';
	struct str name = { s->p + braced, 0 };
	while (name.n + braced < s->n && (chr_alnum(name.p[name.n]) || name.p[name.n] == '_'))
		name.n++;
	bool closed = !braced || (name.n + 1 < s->n && name.p[name.n] == '}');
	if (name.n == 0 || !closed) {
		*why = "this substitution is none that is known ($NAME or ${NAME}):";
		return false;
	}
	s->p += name.n + (braced ? 2 : 0);
	s->n -= name.n + (braced ? 2 : 0);
	const char *value = map_get(&vars->map, name);
	buf_adds(out, value != NULL ? value : "");
	return true;
}

bool shlex_expand(struct str value, const struct vars *vars, struct buf *out, const char **why)
{
	bool single = false, dbl = false;
	while (value.n > 0) {
		char c = value.p[0];
		value.p++;
		value.n--;
		/* Quotes that are part of the value still switch expansion, as in Portage. */
		if (c == '\'' && !dbl)
			single = !single;
		else if (c == '"' && !single)
			dbl = !dbl;
		if (single || (c != '\\' && c != '$'))
			buf_add(out, c == '\n' && !single ? " " : &c, 1);
		else if (c == '\\')
			expand_escape(&value, out);
		else if (!expand_name(&value, vars, out, why))
			return false;
	}
	return true;
}
