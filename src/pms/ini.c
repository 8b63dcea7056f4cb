#include "ini.h"

static struct str lower(struct arena *a, struct str s)
{
	char *copy = arena_strndup(a, s.p, s.n);
	for (char *c = copy; *c != '\0'; c++) {
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	}
	return str_of(copy);
}

static size_t delimiter(struct str s)
{
	size_t n = 0;
	while (n < s.n && s.p[n] != '=' && s.p[n] != ':')
		n++;
	return n;
}

/* An indented line behind a key continues its value. */
static void continue_value(struct arena *a, struct ini_entry *entry, struct str more)
{
	entry->value = str_of(arena_printf(a, "%.*s %.*s", STR_ARG(entry->value), STR_ARG(more)));
}

struct reader {
	struct arena *arena;
	struct ini *out;
	struct ini_entry now; /* section, file and line */
	struct err *e;
};

static bool bad(struct reader *r, const char *why)
{
	return err_set(
		r->e, ERR_USAGE, "config.syntax", "%s:%u: %s", r->now.file, r->now.line, why);
}

static bool take_line(struct reader *r, struct str raw)
{
	struct str line = str_trim(raw);
	if (line.n == 0 || line.p[0] == '#' || line.p[0] == ';')
		return true;
	bool indented = chr_space(raw.p[0]) && r->out->list.n > 0;
	if (indented && r->out->list.v[r->out->list.n - 1].key.n > 0) {
		continue_value(r->arena, &r->out->list.v[r->out->list.n - 1], line);
		return true;
	}
	struct ini_entry entry = r->now;
	if (line.p[0] == '[') {
		if (!str_ends(line, "]"))
			return bad(r, "the section's name does not end in ']'");
		r->now.section = entry.section = (struct str){ line.p + 1, line.n - 2 };
		vec_push(&r->out->list, entry);
		return true;
	}
	size_t at = delimiter(line);
	if (at == line.n)
		return bad(r, "expected [section] or key = value");
	if (entry.section.p == NULL)
		return bad(r, "this stands before the first [section]");
	entry.key = lower(r->arena, str_trim((struct str){ line.p, at }));
	entry.value = str_trim((struct str){ line.p + at + 1, line.n - at - 1 });
	vec_push(&r->out->list, entry);
	return true;
}

bool ini_parse(struct arena *a, struct str text, const char *file, struct ini *out, struct err *e)
{
	struct reader r = { .arena = a, .out = out, .e = e, .now = { .file = file } };
	struct str line;
	while (str_split(&text, '\n', &line)) {
		r.now.line++;
		if (!take_line(&r, line))
			return false;
	}
	return true;
}
