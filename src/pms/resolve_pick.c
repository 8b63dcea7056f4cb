#include "resolve_oracle.h"

#include <string.h>

/* Which package a wish takes: the decisions of a walk. */

static bool to_be_rebuilt(const struct resolver *r, const struct pkg *installed)
{
	return installed != NULL && r->rebuild[resolve_at(r, installed)];
}

bool resolve_to_be_replaced(const struct resolver *r, const struct pkg *installed)
{
	return to_be_rebuilt(r, installed) ||
	       (installed != NULL && r->renew[resolve_at(r, installed)]);
}

/* Same version and slot as the installed one. */
static bool is_same(const struct pkg *p, const struct pkg *installed)
{
	return p != installed && resolve_same_slot(p, installed) && pkg_cmp(p, installed) == 0;
}

/* Can the installed package stay, or at least its version, built again? */
static bool try_keep(struct resolver *r, const struct wish *wish, const struct pkg *installed)
{
	int keep = 0;
	for (size_t i = 0; i < wish->options.n; i++) {
		const struct option *o = &wish->options.v[i];
		bool same = o->cand->pkg == installed || is_same(o->cand->pkg, installed);
		if (same && keep == 0)
			keep = o->lit;
		else if (same)
			keep = oracle_either(r->oracle, keep, o->lit);
	}
	return keep != 0 && oracle_try(r->oracle, keep);
}

static bool try_take(struct resolver *r, const struct option *o)
{
	const struct taken *t = resolve_taken_slot(r, o->cand->pkg);
	return (t == NULL || t->item.pkg == o->cand->pkg) && oracle_try(r->oracle, o->lit);
}

/* What is installed has to be replaced: by the same version if that can be. */
static bool pick_same(
	struct resolver *r, const struct wish *wish, const struct pkg *installed, struct pick *out)
{
	for (size_t i = 0; i < wish->options.n; i++) {
		const struct option *o = &wish->options.v[i];
		if (is_same(o->cand->pkg, installed) && try_take(r, o)) {
			*out = (struct pick){ o->cand->pkg, false };
			return true;
		}
	}
	return false;
}

/* What there is to pick from; tried: keeping the installed one was. */
struct choices {
	const struct want *w;
	const struct wish *wish;
	struct pkg *installed;
	bool tried;
};

/* Of the packages that are as far from being allowed. */
static bool pick_grade(struct resolver *r, struct choices *from, enum grade grade, struct pick *out)
{
	const struct wish *wish = from->wish;
	for (size_t i = 0; i < wish->options.n; i++) {
		const struct option *o = &wish->options.v[i];
		struct pkg *p = o->cand->pkg;
		if (o->cand->grade != grade || p->kind == PKG_INSTALLED)
			continue;
		if (!from->tried && resolve_stays(r, from->w, from->installed, p)) {
			from->tried = true;
			*out = (struct pick){ from->installed, true };
			if (try_keep(r, wish, from->installed))
				return true;
		}
		*out = (struct pick){ p, false };
		if (try_take(r, o))
			return true;
	}
	return false;
}

static bool pick_new(struct resolver *r, const struct want *w, const struct wish *wish,
	struct pkg *installed, struct pick *out)
{
	struct choices from = { w, wish, installed, false };
	from.tried = installed == NULL || resolve_to_be_replaced(r, installed);
	for (enum grade grade = GRADE_FREE; grade < GRADE_NO; grade++) {
		if (pick_grade(r, &from, grade, out))
			return true;
	}
	*out = (struct pick){ installed, true };
	return !from.tried && try_keep(r, wish, installed);
}

/* The decision that leaves a solution, in the order of preference. */
static bool pick_asking(
	struct resolver *r, const struct want *w, struct pkg *installed, struct pick *out)
{
	const struct wish *wish = oracle_wish(r->oracle, w->atom);
	if (to_be_rebuilt(r, installed) && pick_same(r, wish, installed, out))
		return true;
	if (pick_new(r, w, wish, installed, out))
		return true;
	for (size_t i = 0; i < wish->options.n; i++) {
		*out = (struct pick){ wish->options.v[i].cand->pkg, true };
		if (out->pkg->kind == PKG_INSTALLED &&
			oracle_try(r->oracle, wish->options.v[i].lit))
			return true;
	}
	return false;
}

/* The decision of the first walk. */
static bool pick_first(struct resolver *r, const struct want *w, struct pkg *installed,
	struct pick *out, struct err *e)
{
	struct err none = ERR_INIT;
	struct pkg *best = resolve_find(r, w, &none);
	bool again = installed != NULL && to_be_rebuilt(r, installed);
	if (none.code != ERR_NONE && none.code != ERR_CONFLICT) {
		*e = none;
		return false;
	}
	if (installed != NULL && again && (best == NULL || !is_same(best, installed))) {
		struct atom same = *w->atom;
		same.op = ATOM_EQ;
		same.version = installed->version;
		const struct want twin = { &same, w->parent, w->build, w->forced };
		struct pkg *found = resolve_find(r, &twin, &none);
		best = found != NULL ? found : best;
	}
	if (best == NULL && (installed == NULL || resolve_to_be_replaced(r, installed))) {
		*e = none;
		return false;
	}
	*out = (struct pick){ best, false };
	if (!resolve_to_be_replaced(r, installed) && resolve_stays(r, w, installed, best))
		*out = (struct pick){ installed, true };
	return true;
}

bool resolve_pick(struct resolver *r, const struct want *w, struct pkg *installed, struct pick *out,
	struct err *e)
{
	if (r->oracle == NULL)
		return pick_first(r, w, installed, out, e);
	if (pick_asking(r, w, installed, out))
		return true;
	if (r->oracle->e.code != ERR_NONE)
		*e = r->oracle->e;
	return err_set(e, ERR_CONFLICT, "resolve.find", "nothing satisfies %.*s: %s%s%s",
		STR_ARG(w->atom->text), resolve_why_none(r, w->atom),
		w->parent != NULL ? "\nneeded by " : "", resolve_chain_text(r));
}
