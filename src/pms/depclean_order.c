#include "depclean_int.h"

#include <stdlib.h>

/* How strong a dependency is, the weakest first: circles are broken there (Portage's order). */
enum strength { BUILD, POST, RUN, SLOT_OPERATOR, STRENGTHS };

/* Among the packages that go: `from` depends on `to`. */
struct edge {
	size_t from, to;
	enum strength strength;
};

struct ordering {
	const struct removal_index *x;
	struct depclean *out;
	VEC(struct edge) edges;
	size_t (*wanted)[STRENGTHS]; /* by package: dependencies on it of what is left */
	bool *left;
};

static enum strength strength_of(enum pkg_key key, const struct atom *atom)
{
	if (removal_key_is_soft(key))
		return BUILD;
	if (key == PKG_PDEPEND)
		return POST;
	return atom->slot_op == '=' && atom->subslot.n > 0 ? SLOT_OPERATOR : RUN;
}

static void add_edges(struct ordering *o, size_t of, enum pkg_key key, const struct dep *d)
{
	for (; d != NULL; d = d->next) {
		if (d->kind != DEP_ATOM) {
			if (d->kind != DEP_USE || removal_active(o->x, d, of))
				add_edges(o, of, key, d->child);
			continue;
		}
		const struct atom *atom = removal_atom(o->x, d, of);
		const struct removal_name *name = removal_name(o->x, atom->cp);
		for (size_t k = 0; name != NULL && k < name->n; k++) {
			size_t to = name->v[k];
			if (atom->block != ATOM_NO_BLOCK || to == of || !o->left[to] ||
				!removal_match(o->x, atom, to))
				continue;
			const struct edge edge = { of, to, strength_of(key, atom) };
			vec_push(&o->edges, edge);
			o->wanted[to][edge.strength]++;
		}
	}
}

static bool is_wanted(const struct ordering *o, size_t i, int ignored)
{
	for (int s = ignored; s < STRENGTHS; s++) {
		if (o->wanted[i][s] > 0)
			return true;
	}
	return false;
}

static void take(struct ordering *o, size_t i)
{
	o->left[i] = false;
	vec_push(&o->out->remove, i);
	for (size_t k = 0; k < o->edges.n; k++) {
		const struct edge *edge = &o->edges.v[k];
		if (edge->from == i)
			o->wanted[edge->to][edge->strength]--;
	}
}

/* Mark what can be reached from i by the edges, against them when back. */
static void reach(const struct ordering *o, size_t i, bool back, bool *marks)
{
	marks[i] = true;
	for (bool more = true; more;) {
		more = false;
		for (size_t k = 0; k < o->edges.n; k++) {
			const struct edge *edge = &o->edges.v[k];
			size_t from = back ? edge->to : edge->from,
			       to = back ? edge->from : edge->to;
			if (!marks[from] || marks[to] || !o->left[edge->from] || !o->left[edge->to])
				continue;
			marks[to] = more = true;
		}
	}
}

/* Does nothing depend on it but what it depends on itself? */
static bool is_in_topmost_circle(const struct ordering *o, size_t i)
{
	size_t n = o->x->in->n_installed;
	bool *above = xcalloc(n + 1, sizeof *above), *below = xcalloc(n + 1, sizeof *below);
	bool topmost = true;
	reach(o, i, true, above);
	reach(o, i, false, below);
	for (size_t k = 0; k < n; k++)
		topmost = topmost && (!above[k] || below[k]);
	free(above);
	free(below);
	return topmost;
}

/* What nothing left depends on. */
static bool take_free(struct ordering *o)
{
	VEC(size_t) found = { 0 };
	for (size_t i = 0; i < o->x->in->n_installed; i++) {
		if (o->left[i] && !is_wanted(o, i, 0))
			vec_push(&found, i);
	}
	for (size_t k = 0; k < found.n; k++)
		take(o, found.v[k]);
	bool any = found.n > 0;
	vec_fini(&found);
	return any;
}

/* Circles only are left: one package of a topmost one, at its weakest dependency. */
static bool take_of_circle(struct ordering *o)
{
	for (int ignored = 1; ignored <= STRENGTHS; ignored++) {
		for (size_t i = 0; i < o->x->in->n_installed; i++) {
			if (!o->left[i] || is_wanted(o, i, ignored) || !is_in_topmost_circle(o, i))
				continue;
			take(o, i);
			return true;
		}
	}
	return false;
}

bool depclean_order(const struct removal_index *x, struct depclean *out, struct err *e)
{
	size_t n = x->in->n_installed;
	struct ordering o = { .x = x, .out = out };
	o.left = xcalloc(n + 1, sizeof *o.left);
	o.wanted = xcalloc(n + 1, sizeof *o.wanted);
	bool ok = true;
	for (size_t i = 0; i < n; i++)
		o.left[i] = !out->kept[i];
	for (size_t i = 0; i < n; i++) {
		for (const enum pkg_key *k = removal_keys; ok && o.left[i] && *k != PKG_KEYS; k++) {
			const struct dep *tree;
			ok = removal_tree(x, i, *k, &tree, e);
			add_edges(&o, i, *k, ok ? tree : NULL);
		}
	}
	while (ok && (take_free(&o) || take_of_circle(&o)))
		continue;
	vec_fini(&o.edges);
	free(o.left);
	free(o.wanted);
	return ok;
}
