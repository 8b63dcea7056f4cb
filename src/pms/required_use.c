#include "required_use.h"

#include "vec.h"

/* A part of the string that was found relevant, for showing what is unsatisfied. */
struct part {
	const struct dep *dep; /* NULL: the whole */
	struct part *parent;
	VEC(struct part *) children;
	bool leaf, satisfied;
};

struct checker {
	const struct required_use *how;
	struct arena arena;
	VEC(struct part *) parts; /* all of them, to free their children */
	struct err *e;
};

static struct part *new_part(struct checker *c, const struct dep *d, struct part *parent)
{
	struct part *p = arena_calloc(&c->arena, 1, sizeof *p);
	p->dep = d;
	p->parent = parent;
	vec_push(&c->parts, p);
	if (parent != NULL)
		vec_push(&parent->children, p);
	return p;
}

static bool is_operator(const struct part *p)
{
	return p->dep != NULL && p->dep->kind >= DEP_ANY && p->dep->kind <= DEP_AT_MOST_ONE;
}

/* The state of a flag, negated where the node says so. */
static bool flag_state(struct checker *c, const struct dep *d, bool *on)
{
	if (c->how->valid != NULL && !c->how->valid(c->how->valid_ctx, d->text))
		return err_set(c->e, ERR_CONFLICT, "pms.iuse",
			"REQUIRED_USE names the flag '%.*s', which is not in IUSE",
			STR_ARG(d->text));
	*on = (c->how->on != NULL && c->how->on(c->how->on_ctx, d->text)) != d->negated;
	return true;
}

/* How many members of a group count, and how many of them hold. */
struct tally {
	size_t n, held;
};

static void count(struct tally *t, bool held)
{
	t->n++;
	t->held += held;
}

static bool holds(const struct checker *c, enum dep_kind kind, const struct tally *t)
{
	if (t->n == 0 && !c->how->empty_any_is_false)
		return true;
	switch (kind) {
	case DEP_ANY:
		return t->held > 0;
	case DEP_ONE:
		return t->held == 1;
	case DEP_AT_MOST_ONE:
		return t->held <= 1;
	default:
		return t->held == t->n;
	}
}

/* The last child of the parent gives way to its own children. */
static void hoist(struct part *p, struct part *parent)
{
	parent->children.n--;
	for (size_t i = 0; i < p->children.n; i++) {
		vec_push(&parent->children, p->children.v[i]);
		p->children.v[i]->parent = parent;
	}
}

/* Drop brackets that say nothing, as Portage does before it shows a string. */
static void simplify(struct part *p, struct part *parent)
{
	if (p->dep->kind == DEP_ALL) {
		if (p->children.n <= 1 || !is_operator(parent))
			hoist(p, parent);
	} else if (p->children.n == 0) {
		parent->children.n--;
	} else if (p->children.n == 1 && is_operator(p)) {
		struct part *only = p->children.v[0];
		hoist(p, parent);
		bool plain = !only->leaf && only->dep->kind == DEP_ALL;
		if (plain && !is_operator(parent))
			hoist(only, parent);
	}
}

static bool check_list(
	struct checker *c, const struct dep *d, struct part *parent, struct tally *tally);

static bool check_group(
	struct checker *c, const struct dep *d, struct part *parent, struct tally *tally)
{
	struct part *p = new_part(c, d, parent);
	struct tally inner = { 0, 0 };
	if (!check_list(c, d->child, p, &inner))
		return false;
	bool active = true;
	if (d->kind == DEP_USE && !flag_state(c, d, &active))
		return false;
	if (!active) {
		parent->children.n--;
		return true;
	}
	p->satisfied = holds(c, d->kind, &inner);
	if (d->kind != DEP_ALL || inner.n > 0)
		count(tally, p->satisfied);
	simplify(p, parent);
	return true;
}

static bool check_list(
	struct checker *c, const struct dep *d, struct part *parent, struct tally *tally)
{
	for (; d != NULL; d = d->next) {
		if (d->kind != DEP_WORD) {
			if (!check_group(c, d, parent, tally))
				return false;
			continue;
		}
		struct part *p = new_part(c, d, parent);
		p->leaf = true;
		if (!flag_state(c, d, &p->satisfied))
			return false;
		count(tally, p->satisfied);
	}
	return true;
}

/* Below an operator every member matters, elsewhere only what does not hold. */
static bool shows_all(const struct part *p)
{
	while (p != NULL && !is_operator(p))
		p = p->parent;
	return p != NULL;
}

static void space(struct buf *out, size_t start)
{
	if (out->n > start)
		buf_addc(out, ' ');
}

static void print_part(const struct part *p, struct buf *out)
{
	if (p->leaf) {
		buf_adds(out, p->dep->negated ? "!" : "");
		buf_add_str(out, p->dep->text);
		return;
	}
	size_t start = out->n;
	if (p->dep != NULL) {
		if (p->dep->kind == DEP_USE && p->dep->negated)
			buf_addc(out, '!');
		if (p->dep->kind != DEP_ALL)
			buf_add_str(out, p->dep->text);
		buf_adds(out, p->dep->kind == DEP_USE ? "? (" : is_operator(p) ? " (" : "(");
	}
	bool all = shows_all(p);
	for (size_t i = 0; i < p->children.n; i++) {
		if (!all && p->children.v[i]->satisfied)
			continue;
		space(out, start);
		print_part(p->children.v[i], out);
	}
	if (p->dep != NULL)
		buf_adds(out, " )");
}

bool required_use_check(const struct dep *d, const struct required_use *how, bool *satisfied,
	struct buf *unsatisfied, struct err *e)
{
	struct checker c = { .how = how, .e = e };
	struct tally all = { 0, 0 };
	struct part *whole = new_part(&c, NULL, NULL);
	bool ok = check_list(&c, d, whole, &all);
	*satisfied = ok && all.held == all.n;
	if (ok && !*satisfied && unsatisfied != NULL)
		print_part(whole, unsatisfied);
	for (size_t i = 0; i < c.parts.n; i++)
		vec_fini(&c.parts.v[i]->children);
	vec_fini(&c.parts);
	arena_fini(&c.arena);
	return ok;
}
