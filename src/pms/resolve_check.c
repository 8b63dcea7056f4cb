#include "resolve_int.h"

#include <string.h>

static bool know_world(struct resolver *r, struct err *e)
{
	if (!r->world_known && r->in->world != NULL && !r->in->world(r->in->ctx, &r->world, e))
		return false;
	r->world_known = true;
	return true;
}

/* Is it the only one that will satisfy an atom of @world? */
static bool world_needs(struct resolver *r, const struct pkg *p, const char **why)
{
	for (size_t i = 0; i < r->world.list.n; i++) {
		const struct atom *atom = r->world.list.v[i];
		if (!atom_match(atom, p) || resolve_taken(r, atom) != NULL)
			continue;
		const struct by_name *n = resolve_name(r, p->cp);
		bool other = false;
		for (size_t k = 0; k < n->installed.n; k++) {
			const struct pkg *q = n->installed.v[k];
			other = other ||
				(q != p && !r->removed[resolve_at(r, q)] && atom_match(atom, q));
		}
		if (!other) {
			*why = "@world names it";
			return true;
		}
	}
	return false;
}

/* Would something that stays miss it? It is marked as removed. */
static bool others_need(struct resolver *r, const struct pkg *p, const char **why)
{
	resolve_know_needs(r);
	const struct by_name *n = resolve_name(r, p->cp);
	for (size_t i = 0; i < n->needs.n; i++) {
		const struct need *need = &n->needs.v[i];
		if (resolve_need_will_hold(r, need) || !resolve_need_holds(r, need))
			continue;
		*why = arena_printf(
			r->a, "%.*s/%.*s needs it", STR_ARG(need->of->cat), STR_ARG(need->of->pf));
		return true;
	}
	return false;
}

/* One package blocks another; one of them is installed and in the way. */
struct blocked {
	const struct pkg *by, *what;
	const struct atom *atom;
	const struct pkg *item; /* of the list */
	const struct pkg *installed;
};

static bool let_go(struct resolver *r, const struct blocked *b, struct err *e)
{
	bool *removed = &r->removed[resolve_at(r, b->installed)];
	const char *why = NULL;
	if (*removed)
		return true;
	if (!r->may_remove)
		return err_set(e, ERR_CONFLICT, "resolve.blocked",
			"%.*s/%.*s says %.*s, and %.*s/%.*s is installed; remove it first: "
			"eprefix emerge -C %.*s",
			STR_ARG(b->by->cat), STR_ARG(b->by->pf), STR_ARG(b->atom->text),
			STR_ARG(b->installed->cat), STR_ARG(b->installed->pf),
			STR_ARG(b->installed->cp));
	if (!know_world(r, e))
		return false;
	*removed = true;
	if (resolve_is_excluded(r, b->installed))
		why = "--exclude names it";
	if (why == NULL && !world_needs(r, b->installed, &why) &&
		!others_need(r, b->installed, &why)) {
		vec_push(&r->out->removals,
			(struct resolve_removal){ b->installed, b->item, b->atom });
		return true;
	}
	*removed = false;
	return err_set(e, ERR_CONFLICT, "resolve.blocked",
		"%.*s/%.*s says %.*s, and %.*s/%.*s cannot be there with it; %.*s/%.*s is "
		"installed and "
		"is not removed for this, as %s\nif it may go: eprefix emerge -C %.*s",
		STR_ARG(b->by->cat), STR_ARG(b->by->pf), STR_ARG(b->atom->text),
		STR_ARG(b->what->cat), STR_ARG(b->what->pf), STR_ARG(b->installed->cat),
		STR_ARG(b->installed->pf), why, STR_ARG(b->installed->cp));
}

/* Do the blockers of p hit what is there in the end? */
static bool check_blocker(
	struct resolver *r, const struct pkg *p, const struct atom *block, struct err *e)
{
	for (size_t i = 0; i < r->out->list.n; i++) {
		const struct pkg *other = r->out->list.v[i].pkg;
		if (other != p && atom_match(block, other))
			return err_set(e, ERR_CONFLICT, "resolve.blocked",
				"%.*s/%.*s and %.*s/%.*s cannot both be installed: the first says "
				"%.*s",
				STR_ARG(p->cat), STR_ARG(p->pf), STR_ARG(other->cat),
				STR_ARG(other->pf), STR_ARG(block->text));
	}
	for (size_t i = 0; i < r->in->n_installed; i++) {
		const struct pkg *other = &r->in->installed[i];
		const struct blocked b = { p, other, block, p, other };
		if (atom_match(block, other) && resolve_taken_slot(r, other) == NULL &&
			!let_go(r, &b, e))
			return false;
	}
	return true;
}

/* Does an installed package that stays block what the list merges? */
static bool check_installed_blocker(
	struct resolver *r, const struct pkg *p, const struct atom *block, struct err *e)
{
	for (size_t i = 0; i < r->out->list.n; i++) {
		const struct pkg *other = r->out->list.v[i].pkg;
		const struct blocked b = { p, other, block, other, p };
		if (!resolve_same_slot(other, p) && atom_match(block, other) && !let_go(r, &b, e))
			return false;
	}
	return true;
}

typedef bool check_one(
	struct resolver *r, const struct pkg *p, const struct atom *block, struct err *e);

static bool check_keys(struct resolver *r, struct pkg *p, const enum pkg_key *keys,
	check_one *check, struct err *e)
{
	const struct reduce how = { .on = pkg_flag_on_cb, .on_ctx = p, .flat = true };
	for (; *keys != PKG_KEYS; keys++) {
		const struct dep *tree = NULL;
		struct rlist *list = NULL;
		if (!pkg_deps(&r->in->repos->arena, p, *keys, &tree, e) ||
			!dep_reduce(r->a, tree, &how, &list, e))
			return false;
		for (size_t i = 0; list != NULL && i < list->n; i++) {
			const struct atom *atom = list->v[i].atom;
			if (atom != NULL && atom->block != ATOM_NO_BLOCK && !check(r, p, atom, e))
				return false;
		}
	}
	return true;
}

static bool may_block(const struct pkg *p)
{
	static const enum pkg_key keys[] = { PKG_RDEPEND, PKG_PDEPEND };
	for (size_t k = 0; k < 2; k++) {
		struct str text = p->meta[keys[k]];
		if (text.n > 0 && memchr(text.p, '!', text.n) != NULL)
			return true;
	}
	return false;
}

bool resolve_check_blockers(struct resolver *r, struct err *e)
{
	static const enum pkg_key of_list[] = { PKG_DEPEND, PKG_RDEPEND, PKG_PDEPEND, PKG_KEYS };
	static const enum pkg_key of_installed[] = { PKG_RDEPEND, PKG_PDEPEND, PKG_KEYS };
	for (size_t i = 0; i < r->out->list.n; i++) {
		if (!check_keys(r, r->out->list.v[i].pkg, of_list, check_blocker, e))
			return false;
	}
	for (size_t i = 0; i < r->in->n_installed; i++) {
		struct pkg *p = &r->in->installed[i];
		struct err unreadable =
			ERR_INIT; /* an old record that nobody can read blocks nothing */
		if (r->removed[i] || resolve_taken_slot(r, p) != NULL || !may_block(p))
			continue;
		if (!check_keys(r, p, of_installed, check_installed_blocker, &unreadable) &&
			strcmp(unreadable.what, "resolve.blocked") == 0) {
			*e = unreadable;
			return false;
		}
	}
	return true;
}
