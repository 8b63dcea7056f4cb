#include "dep.h"

#include "vec.h"

#include <string.h>

/*
 * Portage removes redundant brackets while it closes them, looking at the lists that are open at
 * that moment. The rules below follow what its use_reduce answers, so the same lists are kept here.
 */
struct reducer {
	struct arena *arena;
	const struct reduce *how;
	VEC(struct rlist *) open; /* the lists that are not closed yet, outermost first */
	struct err *e;
};

static void push(struct reducer *r, struct rlist *l, struct rnode x)
{
	if (l->n == l->cap) {
		l->cap = l->cap > 0 ? l->cap * 2 : 4;
		struct rnode *more = arena_alloc(r->arena, l->cap * sizeof *more);
		if (l->n > 0)
			memcpy(more, l->v, l->n * sizeof *more);
		l->v = more;
	}
	l->v[l->n++] = x;
}

static void extend(struct reducer *r, struct rlist *l, const struct rlist *more, size_t from)
{
	for (size_t i = from; i < more->n; i++)
		push(r, l, more->v[i]);
}

static bool is_any(const struct rnode *x)
{
	return x->list == NULL && x->dep != NULL && x->dep->kind == DEP_ANY;
}

static bool is_condition(const struct rnode *x)
{
	return x->list == NULL && x->dep != NULL && x->dep->kind == DEP_USE;
}

/* The last node of the open list at a level; NULL when there is none. */
static struct rnode *last(const struct reducer *r, size_t level)
{
	struct rlist *l = level < r->open.n ? r->open.v[level] : NULL;
	return l != NULL && l->n > 0 ? &l->v[l->n - 1] : NULL;
}

/* Level -1 is given as SIZE_MAX: there is no list. */
static bool ends_in_any(const struct reducer *r, size_t level)
{
	const struct rnode *x = last(r, level);
	return x != NULL && is_any(x);
}

/* Is an any-of in effect at this level, seen through empty levels and conditions? */
static bool any_in_effect(const struct reducer *r, size_t level)
{
	for (; level < r->open.n; level--) {
		const struct rnode *x = last(r, level);
		if (x == NULL || x->list != NULL || is_condition(x))
			continue;
		return is_any(x);
	}
	return false;
}

static bool starts_with_any(const struct rlist *l)
{
	return l != NULL && l->n > 0 && is_any(&l->v[0]);
}

/* The list behind its any-of operator, in a list of its own. */
static struct rnode with_operator(struct reducer *r, struct rnode op, const struct rlist *l)
{
	struct rlist *whole = arena_calloc(r->arena, 1, sizeof *whole);
	push(r, whole, op);
	extend(r, whole, l, 0);
	return (struct rnode){ .list = whole };
}

/* A list of one list: [[…]]. */
static void append_inner(struct reducer *r, size_t level, struct rnode inner)
{
	struct rlist *to = r->open.v[level];
	bool converted = r->how->opconvert && starts_with_any(inner.list);
	bool any = any_in_effect(r, level - 1);
	if (any == converted)
		extend(r, to, inner.list, converted);
	else
		push(r, to, inner);
}

/* A list of one item: [A], [[…]], [|| […]] or, converted, [|| …]. */
static void append_single(struct reducer *r, size_t level, struct rlist *l)
{
	struct rlist *to = r->open.v[level];
	if (is_any(&l->v[0]) && ends_in_any(r, level - 1))
		extend(r, to, r->how->opconvert ? l : l->v[1].list, r->how->opconvert);
	else if (l->n == 1 && l->v[0].list != NULL)
		append_inner(r, level, l->v[0]);
	else
		extend(r, to, l, 0);
}

/* Add the closed list, without its brackets where they say nothing. */
static void append(struct reducer *r, size_t level, struct rlist *l, bool single)
{
	struct rnode *op = last(r, level);
	if (single)
		append_single(r, level, l);
	else if (r->how->opconvert && op != NULL && is_any(op))
		*op = with_operator(r, *op, l);
	else
		push(r, r->open.v[level], (struct rnode){ .list = l });
}

/* Add the closed list l, which is not empty, to the list of the level. */
static void merge(struct reducer *r, size_t level, struct rlist *l)
{
	struct rlist *to = r->open.v[level];
	bool opconvert = r->how->opconvert;
	bool any = ends_in_any(r, level), outer_any = ends_in_any(r, level - 1);
	bool single = l->n == 1 || (is_any(&l->v[0]) && (opconvert || l->n == 2));
	if (!outer_any && !any) {
		extend(r, to, l, 0);
	} else if (single && any) {
		to->n--;
		append(r, level, l, true);
	} else if (any && outer_any) {
		to->n--;
		extend(r, to, l, 0);
	} else {
		append(r, level, l, single);
	}
}

static bool active(struct reducer *r, const struct dep *d, bool *yes)
{
	const struct reduce *how = r->how;
	if (how->valid != NULL && !how->valid(how->valid_ctx, d->text))
		return err_set(r->e, ERR_CONFLICT, "pms.iuse",
			"the condition '%s%.*s?' asks for a flag that is not in IUSE",
			d->negated ? "!" : "", STR_ARG(d->text));
	if (d->negated && flag_list_has(&how->excluded, d->text))
		*yes = false;
	else if (flag_list_has(&how->masked, d->text))
		*yes = d->negated;
	else if (how->matchall || how->matchnone)
		*yes = how->matchall;
	else
		*yes = (how->on != NULL && how->on(how->on_ctx, d->text)) != d->negated;
	return true;
}

/* Close the innermost list into the one of `level`. */
static bool close_list(struct reducer *r, size_t level)
{
	struct rlist *l = r->open.v[level + 1], *to = r->open.v[level];
	struct rnode *op = last(r, level);
	bool keep = true;
	r->open.n = level + 1;
	if (op != NULL && is_condition(op)) {
		if (!active(r, op->dep, &keep))
			return false;
		to->n--;
	} else if (op != NULL && is_any(op) && l->n == 0 && !r->how->flat) {
		to->n--;
		if (r->how->empty_any_is_false)
			push(r, l, (struct rnode){ .token = STR("__const__/empty-any-of") });
	}
	if (r->how->flat && keep)
		extend(r, to, l, 0);
	else if (keep && l->n > 0)
		merge(r, level, l);
	return true;
}

static bool check_atom(struct reducer *r, const struct atom *a)
{
	const struct reduce *how = r->how;
	for (size_t i = 0; how->valid != NULL && i < a->n_use; i++) {
		const struct use_dep *u = &a->use[i];
		bool conditional = u->kind != USE_DEP_ON && u->kind != USE_DEP_OFF;
		if (conditional && !how->valid(how->valid_ctx, u->flag))
			return err_set(r->e, ERR_CONFLICT, "pms.iuse",
				"the atom '%.*s' asks for the flag '%.*s', which is not in IUSE",
				STR_ARG(a->text), STR_ARG(u->flag));
	}
	return true;
}

static bool leaf(struct reducer *r, const struct dep *d)
{
	struct rnode x = { .token = d->text, .dep = d, .atom = d->atom };
	if (d->atom != NULL) {
		if (!check_atom(r, d->atom))
			return false;
		if (!r->how->matchall)
			x.atom = atom_evaluate(r->arena, d->atom, r->how->on, r->how->on_ctx);
	}
	push(r, r->open.v[r->open.n - 1], x);
	return true;
}

static bool reduce_list(struct reducer *r, const struct dep *d)
{
	size_t level = r->open.n - 1;
	for (; d != NULL; d = d->next) {
		if (d->kind < DEP_ALL) {
			if (!leaf(r, d))
				return false;
			continue;
		}
		if (d->kind != DEP_ALL)
			push(r, r->open.v[level], (struct rnode){ .token = d->text, .dep = d });
		vec_push(&r->open, arena_calloc(r->arena, 1, sizeof(struct rlist)));
		if (!reduce_list(r, d->child) || !close_list(r, level))
			return false;
	}
	return true;
}

bool dep_reduce(struct arena *a, const struct dep *d, const struct reduce *how, struct rlist **out,
	struct err *e)
{
	*out = NULL;
	if ((how->flat && how->opconvert) || (how->matchall && how->matchnone))
		return err_set(e, ERR_USAGE, "pms.reduce",
			"'flat' and 'opconvert' exclude each other, and so do 'matchall' and "
			"'matchnone'");
	struct reducer r = { .arena = a, .how = how, .e = e };
	struct rlist *top = arena_calloc(a, 1, sizeof *top);
	vec_push(&r.open, top);
	bool ok = reduce_list(&r, d);
	vec_fini(&r.open);
	if (ok)
		*out = top;
	return ok;
}

static void rnode_json(const struct rnode *x, struct buf *out)
{
	if (x->list != NULL) {
		rlist_json(x->list, out);
		return;
	}
	if (x->atom == NULL || x->atom->unevaluated == NULL) {
		buf_json(out, x->token);
		return;
	}
	struct buf text = BUF_INIT;
	atom_print(x->atom, &text);
	buf_json(out, (struct str){ text.p, text.n });
	buf_fini(&text);
}

void rlist_json(const struct rlist *l, struct buf *out)
{
	buf_addc(out, '[');
	for (size_t i = 0; i < l->n; i++) {
		buf_adds(out, i > 0 ? ", " : "");
		rnode_json(&l->v[i], out);
	}
	buf_addc(out, ']');
}
