#include "resolve_int.h"

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
		if (atom_match(block, other) && resolve_taken_slot(r, other) == NULL)
			return err_set(e, ERR_CONFLICT, "resolve.blocked",
				"%.*s/%.*s says %.*s, and %.*s/%.*s is installed; remove it first: "
				"eprefix emerge -C %.*s",
				STR_ARG(p->cat), STR_ARG(p->pf), STR_ARG(block->text),
				STR_ARG(other->cat), STR_ARG(other->pf), STR_ARG(other->cp));
	}
	return true;
}

static bool check_list(
	struct resolver *r, const struct pkg *p, const struct rlist *list, struct err *e)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct rnode *n = &list->v[i];
		if (n->atom != NULL && n->atom->block != ATOM_NO_BLOCK &&
			!check_blocker(r, p, n->atom, e))
			return false;
	}
	return true;
}

bool resolve_check_blockers(struct resolver *r, struct err *e)
{
	static const enum pkg_key keys[] = { PKG_DEPEND, PKG_RDEPEND, PKG_PDEPEND };
	for (size_t i = 0; i < r->out->list.n; i++) {
		struct pkg *p = r->out->list.v[i].pkg;
		const struct reduce how = { .on = pkg_flag_on_cb, .on_ctx = p, .flat = true };
		for (size_t k = 0; k < 3; k++) {
			const struct dep *tree = NULL;
			struct rlist *list = NULL;
			if (!pkg_deps(&r->in->repos->arena, p, keys[k], &tree, e) ||
				!dep_reduce(r->a, tree, &how, &list, e) ||
				(list != NULL && !check_list(r, p, list, e)))
				return false;
		}
	}
	return true;
}
