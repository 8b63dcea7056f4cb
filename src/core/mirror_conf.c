#include "mirror_apt.h"

#include <stdlib.h>

/* A token of apt.conf: a word (possibly quoted) or one of { } ; */
struct token {
	struct buf text;
	char punct; /* '{', '}', ';', or 0 for a word */
};

static void skip_to(struct str *s, const char *end)
{
	size_t n = strlen(end);
	while (s->n > 0 && (s->n < n || memcmp(s->p, end, n) != 0))
		*s = (struct str){ s->p + 1, s->n - 1 };
}

/* White space and comments: "//…", "#…" (but #include and #clear are not followed), "…" */
static void skip_blank(struct str *s)
{
	for (;;) {
		while (s->n > 0 && chr_space(s->p[0]))
			*s = (struct str){ s->p + 1, s->n - 1 };
		if (str_starts(*s, "//") || str_starts(*s, "#"))
			skip_to(s, "\n");
		else if (str_starts(*s, "/*"))
			skip_to(s, "*/"), *s = (struct str){ s->p + (s->n >= 2 ? 2 : s->n),
				s->n >= 2 ? s->n - 2 : 0 };
		else
			return;
	}
}

static bool is_punct(char c)
{
	return c == '{' || c == '}' || c == ';';
}

static void read_word(struct str *s, struct buf *word)
{
	bool quoted = false;
	while (s->n > 0) {
		char c = s->p[0];
		if (!quoted && (chr_space(c) || is_punct(c)))
			return;
		if (c == '"')
			quoted = !quoted;
		else
			buf_addc(word, c);
		*s = (struct str){ s->p + 1, s->n - 1 };
	}
}

static bool next_token(struct str *s, struct token *t)
{
	skip_blank(s);
	buf_clear(&t->text);
	t->punct = '\0';
	if (s->n == 0)
		return false;
	if (is_punct(s->p[0])) {
		t->punct = s->p[0];
		*s = (struct str){ s->p + 1, s->n - 1 };
	} else {
		read_word(s, &t->text);
	}
	return true;
}

static void lower(char *s)
{
	for (; *s != '\0'; s++) {
		if (*s >= 'A' && *s <= 'Z')
			*s = (char)(*s - 'A' + 'a');
	}
}

/* The name of a setting within the scopes that are open. */
static char *full_name(const struct strv *scopes, const char *name)
{
	struct buf out = BUF_INIT;
	for (size_t i = 0; i < scopes->n; i++)
		buf_printf(&out, "%s::", scopes->v[i]);
	buf_adds(&out, name);
	lower(out.p);
	return buf_take(&out);
}

/* A statement ended: "name value;" or "name;" or "value;" in a list. */
static void statement(struct strv *words, const struct strv *scopes, struct apt_conf *out)
{
	if (words->n >= 2)
		vec_push(out, (struct apt_setting){ .name = full_name(scopes, words->v[0]),
				      .value = xstrdup(words->v[1]) });
	strv_fini(words);
}

static void open_scope(struct strv *words, struct strv *scopes)
{
	strv_push(scopes, words->n > 0 ? words->v[0] : "");
	strv_fini(words);
}

static void close_scope(struct strv *scopes)
{
	if (scopes->n > 0)
		free(scopes->v[--scopes->n]);
}

void apt_conf_parse(struct str text, struct apt_conf *out)
{
	struct token t = { 0 };
	struct strv words = STRV_INIT, scopes = STRV_INIT;
	while (next_token(&text, &t)) {
		if (t.punct == '\0')
			strv_push(&words, buf_str(&t.text));
		else if (t.punct == '{')
			open_scope(&words, &scopes);
		else
			statement(&words, &scopes, out);
		if (t.punct == '}')
			close_scope(&scopes);
	}
	statement(&words, &scopes, out);
	strv_fini(&scopes);
	buf_fini(&t.text);
}

const char *apt_conf_get(const struct apt_conf *c, const char *name)
{
	for (size_t i = c->n; i > 0; i--) {
		if (strcmp(c->v[i - 1].name, name) == 0)
			return c->v[i - 1].value;
	}
	return NULL;
}

void apt_conf_fini(struct apt_conf *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->v[i].name);
		free(c->v[i].value);
	}
	vec_fini(c);
}
