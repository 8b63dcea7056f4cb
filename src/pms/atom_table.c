#include "atom_table.h"

#include <stdlib.h>
#include <string.h>

/* The list for the atom's name; wildcards have one of their own. */
static struct atom_lines *lines_of(struct arena *a, struct atom_table *t, const struct atom *atom)
{
	if (atom->wildcard)
		return &t->wild;
	struct atom_lines *l = map_get(&t->by_cp, atom->cp);
	if (l == NULL) {
		l = arena_calloc(a, 1, sizeof *l);
		map_set(&t->by_cp, atom->cp, l);
	}
	return l;
}

static void append_words(struct arena *a, struct atom_line *to, const struct atom_line *more)
{
	struct str *all = arena_alloc(a, (to->n + more->n) * sizeof *all);
	if (to->n > 0)
		memcpy(all, to->words, to->n * sizeof *all);
	if (more->n > 0)
		memcpy(all + to->n, more->words, more->n * sizeof *all);
	to->words = all;
	to->n += more->n;
}

void atom_table_add(struct arena *a, struct atom_table *t, const struct atom_line *line)
{
	struct atom_lines *l = lines_of(a, t, line->atom);
	for (size_t i = 0; i < l->list.n; i++) {
		if (str_eq(l->list.v[i]->atom->text, line->atom->text) && line->n > 0) {
			append_words(a, l->list.v[i], line);
			return;
		}
	}
	struct atom_line *kept = arena_alloc(a, sizeof *kept);
	*kept = *line;
	vec_push(&l->list, kept);
	vec_push(&t->all.list, kept);
}

void atom_table_fini(struct atom_table *t)
{
	for (size_t i = 0; i < t->by_cp.cap; i++) {
		struct atom_lines *l = t->by_cp.slots[i].value;
		if (l != NULL)
			vec_fini(&l->list);
	}
	map_fini(&t->by_cp);
	vec_fini(&t->wild.list);
	vec_fini(&t->all.list);
}

static void append(const struct atom_lines *from, struct str cp, struct atom_lines *out)
{
	for (size_t i = 0; i < from->list.n; i++) {
		if (atom_match_name(from->list.v[i]->atom, cp))
			vec_push(&out->list, from->list.v[i]);
	}
}

void atom_table_named(const struct atom_table *t, struct str cp, struct atom_lines *out)
{
	const struct atom_lines *own = map_get(&t->by_cp, cp);
	if (own != NULL)
		append(own, cp, out);
	append(&t->wild, cp, out);
}

/* Move the most specific match of lines[0…n) to `to`; false when none matches. */
static bool take_best(
	struct atom_lines *lines, const struct atom **atoms, const struct pkg *p, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		atoms[i] = lines->list.v[i]->atom;
	size_t best = atom_best_match(atoms, *n, p);
	if (best == *n)
		return false;
	/* The rest keeps its order, because the first of equals is the best of them. */
	struct atom_line *taken = lines->list.v[best];
	memmove(&lines->list.v[best], &lines->list.v[best + 1],
		(*n - best - 1) * sizeof(struct atom_line *));
	lines->list.v[--*n] = taken;
	return true;
}

void atom_table_match(const struct atom_table *t, const struct pkg *p, struct atom_lines *out)
{
	struct atom_lines found = { 0 };
	atom_table_named(t, p->cp, &found);
	size_t total = found.list.n, n = total;
	const struct atom **atoms = total > 0 ? xmalloc(total * sizeof *atoms) : NULL;
	/* The best ones gather at the end, the very best last. */
	while (n > 0 && take_best(&found, atoms, p, &n))
		;
	for (size_t i = n; i < total; i++)
		vec_push(&out->list, found.list.v[i]);
	free(atoms);
	vec_fini(&found.list);
}

bool atom_table_add_line(const struct atom_file *how, const struct line *line, struct atom_table *t)
{
	struct err e = ERR_INIT;
	const struct atom *atom = atom_parse(how->arena, line->words[0], how->eapi, how->flags, &e);
	if (atom == NULL) {
		strv_own(
			how->warnings, xasprintf("%s:%u: %s", line->file, line->number, e.message));
		return false;
	}
	atom_table_add(how->arena, t,
		&(struct atom_line){
			atom, line->words + 1, line->n - 1, line->file, line->number });
	return true;
}

bool atom_table_read(
	const struct atom_file *how, const char *path, struct atom_table *t, struct err *e)
{
	struct line_list lines = { 0 };
	bool ok = lines_read(how->arena, path, &lines, e);
	for (size_t i = 0; ok && i < lines.list.n; i++)
		atom_table_add_line(how, &lines.list.v[i], t);
	vec_fini(&lines.list);
	return ok;
}
