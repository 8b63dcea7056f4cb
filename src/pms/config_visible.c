#include "config_int.h"

#include <string.h>

/* The first line of package.mask that holds, unless package.unmask speaks against it. */
static const struct atom_line *mask_line(const struct config *c, const struct pkg *p)
{
	struct atom_lines mask = { 0 }, unmask = { 0 };
	const struct atom_line *found = NULL;
	atom_table_named(&c->mask, p->cp, &mask);
	for (size_t i = 0; i < mask.list.n && found == NULL; i++) {
		if (atom_match(mask.list.v[i]->atom, p))
			found = mask.list.v[i];
	}
	if (found != NULL)
		atom_table_named(&c->unmask, p->cp, &unmask);
	for (size_t i = 0; i < unmask.list.n && found != NULL; i++) {
		if (atom_match(unmask.list.v[i]->atom, p))
			found = NULL;
	}
	vec_fini(&mask.list);
	vec_fini(&unmask.list);
	return found;
}

static void add(struct buf *text, const char *before, const char *what, const char *behind)
{
	buf_printf(text, "%s%s%s%s", text->n > 0 ? ", " : "", before, what, behind);
}

static void check_package(
	const struct config *c, const struct pkg *p, struct mask *m, struct buf *t)
{
	const struct atom_line *line = mask_line(c, p);
	if (line == NULL)
		return;
	m->kinds |= MASK_PACKAGE;
	m->atom = line->atom;
	m->where = line->file;
	add(t, "", "package.mask", "");
}

static void check_words(const struct config *c, struct pkg *p, struct mask *m, struct buf *t)
{
	static const struct {
		enum pkg_key key;
		enum mask_kind kind;
		const char *behind;
	} fields[] = {
		{ PKG_LICENSE, MASK_LICENSE, " license(s)" },
		{ PKG_PROPERTIES, MASK_PROPERTIES, " properties" },
		{ PKG_RESTRICT, MASK_RESTRICT, " in RESTRICT" },
	};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		const char *words = config_unaccepted(c, p, fields[i].key);
		if (words == NULL)
			continue;
		m->kinds |= fields[i].kind;
		if (fields[i].key == PKG_LICENSE)
			m->licenses = words;
		add(t, "", words, fields[i].behind);
	}
}

static void check_keywords(
	const struct config *c, const struct pkg *p, struct mask *m, struct buf *t)
{
	if (!config_keyword_missing(c, p, &m->keyword))
		return;
	m->kinds |= MASK_KEYWORD;
	const char *shown = arena_strndup(c->texts, m->keyword.p, m->keyword.n);
	add(t, "", str_is(m->keyword, "**") ? "missing" : shown, " keyword");
}

static void check_all(const struct config *c, struct pkg *p, struct mask *m, struct buf *t)
{
	if (p->broken) {
		m->kinds = MASK_BROKEN;
		add(t, "", p->problem, "");
		return;
	}
	check_package(c, p, m, t);
	check_words(c, p, m, t);
	check_keywords(c, p, m, t);
}

bool config_visible(const struct config *c, struct pkg *p, struct mask *m)
{
	if (p->mask_done && (m == NULL || p->masked == NULL)) {
		if (m != NULL)
			*m = (struct mask){ .text = "" };
		return p->masked == NULL;
	}
	struct mask own = { .text = "" };
	struct buf text = BUF_INIT;
	config_use(c, p);
	check_all(c, p, &own, &text);
	if (text.n > 0)
		own.text = arena_strdup(c->texts, text.p);
	buf_fini(&text);
	p->mask_done = true;
	p->masked = own.kinds != 0 ? own.text : NULL;
	if (m != NULL)
		*m = own;
	return own.kinds == 0;
}
