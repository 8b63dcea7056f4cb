#include "resolve_int.h"

#include "version.h"

/* What an update has to build again beside what the walk met. */

/* The best visible version in the slot of an installed package, or NULL. */
static struct pkg *successor(struct resolver *r, const struct pkg *p, struct err *e)
{
	struct atom *atom = arena_calloc(r->a, 1, sizeof *atom);
	struct err none = ERR_INIT;
	*atom = (struct atom){
		.text = p->cp, .cp = p->cp, .cat = p->cat, .pn = p->pn, .slot = p->slot
	};
	const struct want w = { atom, NULL, false, true };
	struct pkg *best = resolve_find(r, &w, &none);
	if (best == NULL && none.code != ERR_CONFLICT)
		*e = none;
	return best;
}

/* The atoms of one key with the package's flags, groups dissolved; NULL: none, or *e filled. */
static struct rlist *atoms_of(struct resolver *r, struct pkg *p, enum pkg_key key, struct err *e)
{
	const struct dep *tree = NULL;
	struct rlist *list = NULL;
	const struct reduce how = { .on = pkg_flag_on_cb, .on_ctx = p, .flat = true };
	if (!pkg_deps(&r->in->repos->arena, p, key, &tree, e) ||
		!dep_reduce(r->a, tree, &how, &list, e))
		return NULL;
	return list;
}

static bool is_new(const struct resolve_item *item, enum rebuild_if when)
{
	if (when == REBUILD_IF_MERGED || item->replaces == NULL)
		return true;
	if (when == REBUILD_IF_NEW_REVISION)
		return pkg_cmp(item->replaces, item->pkg) != 0;
	return !str_eq(version_base(item->replaces->version), version_base(item->pkg->version));
}

/* Is the taken package a reason to build again what is built with it? What was itself only built
 * again is not. */
static bool is_reason(const struct resolver *r, const struct taken *t)
{
	const struct pkg *old = t->item.replaces;
	return (old == NULL || !r->renew[resolve_at(r, old)]) &&
	       is_new(&t->item, r->in->opts.rebuild_if);
}

static bool built_with_new(struct resolver *r, struct pkg *p, bool *yes, struct err *e)
{
	static const enum pkg_key keys[] = { PKG_DEPEND, PKG_BDEPEND };
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		const struct rlist *list = atoms_of(r, p, keys[k], e);
		for (size_t i = 0; list != NULL && i < list->n; i++) {
			const struct atom *atom = list->v[i].atom;
			const struct taken *t = atom != NULL && atom->block == ATOM_NO_BLOCK
							? resolve_taken(r, atom)
							: NULL;
			*yes = *yes || (t != NULL && is_reason(r, t));
		}
	}
	return e->code == ERR_NONE;
}

/* --rebuild-if-…: mark what is built with what the list merges. */
static bool renew(struct resolver *r, bool *again, struct err *e)
{
	for (size_t i = 0; i < r->in->n_installed; i++) {
		const struct pkg *p = &r->in->installed[i];
		bool yes = false;
		if (r->renew[i] || resolve_taken_slot(r, p) != NULL || resolve_is_excluded(r, p))
			continue;
		struct pkg *best = successor(r, p, e);
		if (e->code != ERR_NONE || (best != NULL && !built_with_new(r, best, &yes, e)))
			return false;
		if (yes)
			r->renew[i] = *again = true;
	}
	return true;
}

/* Does an atom of the list, of which the record is made, speak of that package already? */
static bool is_bound_to(const struct rlist *record, const struct pkg *other)
{
	for (size_t i = 0; i < record->n; i++) {
		const struct atom *atom = record->v[i].atom;
		if (atom != NULL && atom->block == ATOM_NO_BLOCK && atom_match_but_use(atom, other))
			return true;
	}
	return false;
}

/* Would the package, built again, be bound to a later slot of what `bound` says it was built with?
 */
static bool would_move(struct resolver *r, struct pkg *best, const struct rlist *record,
	const struct atom *bound, struct err *e)
{
	const struct pkg *old = resolve_installed(r, bound);
	const struct rlist *list = old != NULL ? atoms_of(r, best, PKG_RDEPEND, e) : NULL;
	for (size_t i = 0; list != NULL && i < list->n; i++) {
		const struct atom *atom = list->v[i].atom;
		struct err none = ERR_INIT;
		if (atom == NULL || atom->block != ATOM_NO_BLOCK || atom->slot_op != '=' ||
			!str_eq(atom->cp, bound->cp))
			continue;
		const struct want w = { atom, best, false, false };
		const struct pkg *other = resolve_find(r, &w, &none);
		if (other != NULL && !resolve_same_slot(other, old) && pkg_cmp(old, other) < 0 &&
			!is_bound_to(record, other))
			return true;
	}
	return false;
}

static bool check_slots(struct resolver *r, struct pkg *p, bool *yes, struct err *e)
{
	const struct rlist *list = atoms_of(r, p, PKG_RDEPEND, e);
	struct pkg *best = NULL;
	for (size_t i = 0; list != NULL && i < list->n && !*yes && e->code == ERR_NONE; i++) {
		const struct atom *atom = list->v[i].atom;
		if (atom == NULL || atom->block != ATOM_NO_BLOCK || atom->slot_op != '=' ||
			atom->subslot.n == 0)
			continue;
		best = best != NULL ? best : successor(r, p, e);
		if (best == NULL || pkg_cmp(best, p) < 0)
			break;
		*yes = would_move(r, best, list, atom, e);
	}
	return e->code == ERR_NONE;
}

/* --update --deep: what was bound by := to a slot that a later one has replaced is built again. */
static bool follow_slots(struct resolver *r, bool *again, struct err *e)
{
	for (size_t i = 0; i < r->kept.n; i++) {
		struct pkg *p = r->kept.v[i];
		size_t at = resolve_at(r, p);
		bool yes = false;
		if (r->rebuild[at] || r->renew[at] || resolve_taken_slot(r, p) != NULL ||
			resolve_is_excluded(r, p))
			continue;
		if (!check_slots(r, p, &yes, e))
			return false;
		if (yes)
			r->renew[at] = *again = true;
	}
	return true;
}

bool resolve_again(struct resolver *r, bool *again, struct err *e)
{
	const struct resolve_opts *o = &r->in->opts;
	if (o->nodeps)
		return true;
	return (o->rebuild_if == REBUILD_NEVER || renew(r, again, e)) &&
	       (!o->update || o->deep == 0 || follow_slots(r, again, e));
}
