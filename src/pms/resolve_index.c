#include "resolve_int.h"

#include <stdlib.h>

bool resolve_same_slot(const struct pkg *a, const struct pkg *b)
{
	return str_eq(a->cp, b->cp) && str_eq(a->slot, b->slot);
}

struct by_name *resolve_name(struct resolver *r, struct str cp)
{
	struct by_name *n = map_get(&r->names, cp);
	if (n == NULL) {
		n = xcalloc(1, sizeof *n);
		vec_push(&r->all_names, n);
		map_set(&r->names, cp, n);
	}
	return n;
}

void resolve_index(struct resolver *r)
{
	r->walked = xcalloc(r->in->n_installed + 1, sizeof *r->walked);
	r->rebuild = xcalloc(r->in->n_installed + 1, sizeof *r->rebuild);
	r->renew = xcalloc(r->in->n_installed + 1, sizeof *r->renew);
	r->removed = xcalloc(r->in->n_installed + 1, sizeof *r->removed);
	for (size_t i = 0; i < r->in->n_installed; i++) {
		struct pkg *p = &r->in->installed[i];
		vec_push(&resolve_name(r, p->cp)->installed, p);
	}
}

void resolve_index_fini(struct resolver *r)
{
	for (size_t i = 0; i < r->all_names.n; i++) {
		struct by_name *n = r->all_names.v[i];
		vec_fini(&n->installed);
		vec_fini(&n->taken);
		vec_fini(&n->needs);
		vec_fini(&n->blocks);
		free(n);
	}
	vec_fini(&r->all_names);
	map_fini(&r->names);
	free(r->walked);
	free(r->rebuild);
	free(r->renew);
	free(r->removed);
	vec_fini(&r->world.list);
	vec_fini(&r->taken);
	vec_fini(&r->kept);
	vec_fini(&r->chain);
	vec_fini(&r->circle);
}

size_t resolve_at(const struct resolver *r, const struct pkg *installed)
{
	return (size_t)(installed - r->in->installed);
}

/* Atoms of requests may hold wildcards; everything else asks for one name. */
static struct pkg *best_of_all(const struct resolver *r, const struct atom *atom)
{
	struct pkg *best = NULL;
	for (size_t i = 0; i < r->in->n_installed; i++) {
		struct pkg *p = &r->in->installed[i];
		if (atom_match(atom, p) && (best == NULL || pkg_cmp(best, p) < 0))
			best = p;
	}
	return best;
}

struct pkg *resolve_installed(const struct resolver *r, const struct atom *atom)
{
	if (atom->wildcard)
		return best_of_all(r, atom);
	const struct by_name *n = map_get(&r->names, atom->cp);
	struct pkg *best = NULL;
	for (size_t i = 0; n != NULL && i < n->installed.n; i++) {
		struct pkg *p = n->installed.v[i];
		if (atom_match(atom, p) && (best == NULL || pkg_cmp(best, p) < 0))
			best = p;
	}
	return best;
}

struct pkg *resolve_in_slot(const struct resolver *r, const struct pkg *p)
{
	const struct by_name *n = map_get(&r->names, p->cp);
	for (size_t i = 0; n != NULL && i < n->installed.n; i++) {
		if (resolve_same_slot(n->installed.v[i], p))
			return n->installed.v[i];
	}
	return NULL;
}

struct taken *resolve_taken(const struct resolver *r, const struct atom *atom)
{
	const struct by_name *n = map_get(&r->names, atom->cp);
	for (size_t i = 0; n != NULL && i < n->taken.n; i++) {
		if (atom_match(atom, n->taken.v[i]->item.pkg))
			return n->taken.v[i];
	}
	return NULL;
}

struct taken *resolve_taken_slot(const struct resolver *r, const struct pkg *p)
{
	const struct by_name *n = map_get(&r->names, p->cp);
	for (size_t i = 0; n != NULL && i < n->taken.n; i++) {
		if (resolve_same_slot(n->taken.v[i]->item.pkg, p))
			return n->taken.v[i];
	}
	return NULL;
}
