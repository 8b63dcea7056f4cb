#include "contents.h"

/* Take the last word of *s, with the white space before it; false when there is none. */
static bool last_word(struct str *s, struct str *word)
{
	size_t at = s->n;
	while (at > 0 && !chr_space(s->p[at - 1]))
		at--;
	if (at == s->n || at == 0 || s->p[at - 1] != ' ')
		return false;
	*word = (struct str){ s->p + at, s->n - at };
	s->n = at - 1;
	return true;
}

static bool number(struct str s, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (!chr_digit(s.p[i]) || *out > (UINT64_MAX - 9) / 10)
			return false;
		*out = *out * 10 + (uint64_t)(s.p[i] - '0');
	}
	return s.n > 0;
}

/* "(33188, 1L, 2L, 1, 0, 0, 5L, atime, mtime, ctime)" at the end of *s: the ninth number. */
static bool stat_tuple(struct str *s, uint64_t *mtime)
{
	if (!str_ends(*s, ")"))
		return false;
	size_t open = s->n;
	while (open > 0 && s->p[open - 1] != '(')
		open--;
	if (open < 2 || s->p[open - 2] != ' ')
		return false;
	struct str rest = { s->p + open, s->n - 1 - open }, part = { 0 };
	int i = 0;
	while (i < 9 && str_split(&rest, ',', &part))
		i++;
	part = str_trim(part);
	if (i < 9 || !number(part, mtime))
		return false;
	s->n = open - 2;
	return true;
}

/* Split "path -> target" at the last " -> ". */
static bool split_arrow(struct str s, struct contents_entry *e)
{
	for (size_t at = s.n >= 4 ? s.n - 4 : 0; at > 0; at--) {
		if (memcmp(s.p + at, " -> ", 4) != 0)
			continue;
		e->path = (struct str){ s.p, at };
		e->target = (struct str){ s.p + at + 4, s.n - at - 4 };
		return e->target.n > 0;
	}
	return false;
}

static bool parse_sym(struct str rest, struct contents_entry *e)
{
	struct str word, all = rest;
	if (!(last_word(&rest, &word) && number(word, &e->mtime))) {
		rest = all;
		if (!stat_tuple(&rest, &e->mtime))
			return false;
	}
	return split_arrow(rest, e);
}

static bool parse_obj(struct str rest, struct contents_entry *e)
{
	struct str word;
	if (!last_word(&rest, &word) || !number(word, &e->mtime) || !last_word(&rest, &e->md5))
		return false;
	e->path = rest;
	return true;
}

static bool parse_line(struct str line, struct contents_entry *e)
{
	static const enum contents_type types[] = { CONTENTS_DIR, CONTENTS_OBJ, CONTENTS_SYM,
		CONTENTS_FIF, CONTENTS_DEV };
	if (line.n < 5 || line.p[3] != ' ' || memchr(line.p, '\0', line.n) != NULL)
		return false;
	struct str word = { line.p, 3 }, rest = { line.p + 4, line.n - 4 };
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (str_is(word, contents_word(types[i])))
			e->type = types[i];
	}
	bool ok = e->type != 0;
	if (e->type == CONTENTS_OBJ) {
		ok = parse_obj(rest, e);
	} else if (e->type == CONTENTS_SYM) {
		ok = parse_sym(rest, e);
	} else {
		e->path = rest;
	}
	return ok && e->path.n > 0 && e->path.p[0] == '/';
}

void contents_parse(struct contents *c, struct str text)
{
	struct str line;
	for (size_t n = 1; str_split(&text, '\n', &line); n++) {
		struct contents_entry entry = { 0 };
		if (line.n == 0)
			continue;
		if (parse_line(line, &entry)) {
			vec_push(&c->list, entry);
		} else if (c->bad++ == 0) {
			c->first_bad = n;
		}
	}
}

void contents_format(struct buf *out, const struct contents_entry *e)
{
	buf_printf(out, "%s ", contents_word(e->type));
	buf_add_str(out, e->path);
	if (e->type == CONTENTS_OBJ) {
		buf_addc(out, ' ');
		buf_add_str(out, e->md5);
	} else if (e->type == CONTENTS_SYM) {
		buf_adds(out, " -> ");
		buf_add_str(out, e->target);
	}
	if (e->type == CONTENTS_OBJ || e->type == CONTENTS_SYM)
		buf_printf(out, " %llu", (unsigned long long)e->mtime);
	buf_addc(out, '\n');
}

const char *contents_word(enum contents_type type)
{
	switch (type) {
	case CONTENTS_DIR:
		return "dir";
	case CONTENTS_OBJ:
		return "obj";
	case CONTENTS_SYM:
		return "sym";
	case CONTENTS_FIF:
		return "fif";
	case CONTENTS_DEV:
		return "dev";
	}
	return "";
}

void contents_fini(struct contents *c)
{
	vec_fini(&c->list);
	*c = CONTENTS_INIT;
}
