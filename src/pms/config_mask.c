#include "config_int.h"

#include <stdlib.h>
#include <string.h>

/* A line of package.mask or package.unmask on its way through the layers. */
struct mask_line {
	struct line line;
	struct str eapi;
	unsigned flags; /* of atom_parse */
	const struct repo *repo; /* of a repository's own file, else NULL */
};
struct mask_lines {
	VEC(struct mask_line) list;
};

/* What all lines of one file have in common. */
struct source {
	const struct line_list *lines;
	struct mask_line like;
};

static bool same_line(const struct mask_line *a, struct str text, const struct repo *repo)
{
	return a->repo == repo && str_eq(a->line.words[0], text);
}

/* "-atom" takes away the identical atom of a lower layer. */
static void take_away(struct mask_lines *to, struct str text, const struct repo *repo)
{
	for (size_t i = to->list.n; i-- > 0;) {
		if (!same_line(&to->list.v[i], text, repo))
			continue;
		to->list.n--;
		memmove(&to->list.v[i], &to->list.v[i + 1], (to->list.n - i) * sizeof *to->list.v);
	}
}

static void stack_lines(struct mask_lines *to, const struct source *s)
{
	for (size_t i = 0; i < s->lines->list.n; i++) {
		struct mask_line l = s->like;
		l.line = s->lines->list.v[i];
		struct str text = l.line.words[0];
		if (str_is(text, "-*"))
			to->list.n = 0;
		else if (text.p[0] == '-')
			take_away(to, (struct str){ text.p + 1, text.n - 1 }, l.repo);
		else
			vec_push(&to->list, l);
	}
}

/* A repository's file stands on those of its masters, and speaks of its own packages only. */
static void stack_repository(
	struct config *c, const struct repo *r, bool unmask, struct mask_lines *to)
{
	struct mask_lines own = { 0 };
	for (size_t i = 0; i <= r->n_masters; i++) {
		const struct repo *from = i < r->n_masters ? r->masters[i] : r;
		const struct policy *p = &c->of_repo[from->index];
		struct source s = { .lines = unmask ? &p->package_unmask : &p->package_mask };
		s.like.repo = r;
		s.like.eapi = p->eapi;
		s.like.flags = ATOM_REPO;
		stack_lines(&own, &s);
	}
	for (size_t i = 0; i < own.list.n; i++)
		vec_push(&to->list, own.list.v[i]);
	vec_fini(&own.list);
}

static void add_atom(struct config *c, struct atom_table *t, const struct mask_line *l)
{
	struct err e = ERR_INIT;
	struct atom *a = atom_parse(&c->arena, l->line.words[0], l->eapi, l->flags, &e);
	if (a == NULL) {
		strv_own(&c->warnings,
			xasprintf("%s:%u: %s", l->line.file, l->line.number, e.message));
		return;
	}
	if (l->repo != NULL && a->repo.n == 0)
		a->repo = str_of(l->repo->name);
	atom_table_add(&c->arena, t,
		&(struct atom_line){ a, l->line.words, 0, l->line.file, l->line.number });
}

static void read_table(
	struct config *c, const struct line_list *user, bool unmask, struct atom_table *t)
{
	struct mask_lines all = { 0 };
	for (size_t i = 0; i < c->repos->list.n; i++)
		stack_repository(c, c->repos->list.v[i], unmask, &all);
	for (size_t i = 0; i < c->profiles.list.n; i++) {
		const struct policy *p = c->profiles.list.v[i];
		struct source s = { .lines = unmask ? &p->package_unmask : &p->package_mask };
		s.like.eapi = p->eapi;
		s.like.flags = p->user ? ATOM_USER : ATOM_REPO;
		stack_lines(&all, &s);
	}
	struct source last = { .lines = user };
	last.like.flags = ATOM_USER;
	stack_lines(&all, &last);
	for (size_t i = 0; i < all.list.n; i++)
		add_atom(c, t, &all.list.v[i]);
	vec_fini(&all.list);
}

void config_read_masks(
	struct config *c, const struct line_list *mask, const struct line_list *unmask)
{
	read_table(c, mask, false, &c->mask);
	read_table(c, unmask, true, &c->unmask);
}
