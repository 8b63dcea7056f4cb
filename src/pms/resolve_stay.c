#include "resolve_int.h"

bool resolve_is_excluded(const struct resolver *r, const struct pkg *p)
{
	const struct strv *names = &r->in->opts.exclude;
	for (size_t i = 0; i < names->n; i++) {
		if (str_is(p->cp, names->v[i]) || str_is(p->pn, names->v[i]))
			return true;
	}
	return false;
}

bool resolve_is_deep(const struct resolver *r, size_t steps)
{
	return steps <= r->in->opts.deep;
}

static bool was_on(const struct pkg *installed, struct str flag)
{
	return pkg_iuse(installed, flag) != NULL && pkg_flag_on(installed, flag);
}

/*
 * Was the installed package built with other flags than it would be now? For --changed-use enabled
 * ones count, for --newuse those that came or went, too; not what the profile forces or masks.
 */
static bool use_differs(
	const struct resolve_opts *o, const struct pkg *installed, const struct pkg *wanted)
{
	for (size_t i = 0; i < wanted->n_iuse; i++) {
		const struct iuse *flag = &wanted->iuse[i];
		bool known = pkg_iuse(installed, flag->name) != NULL;
		if (flag->forced || flag->masked)
			continue;
		if (was_on(installed, flag->name) != flag->on || (o->newuse && !known))
			return true;
	}
	for (size_t i = 0; i < installed->n_iuse; i++) {
		struct str name = installed->iuse[i].name;
		if (pkg_iuse(wanted, name) == NULL && (o->newuse || was_on(installed, name)))
			return true;
	}
	return false;
}

bool resolve_stays(const struct resolver *r, const struct want *w, const struct pkg *installed,
	const struct pkg *best)
{
	const struct resolve_opts *o = &r->in->opts;
	if (installed == NULL)
		return false;
	if (resolve_is_excluded(r, installed) || best == NULL)
		return true;
	if (w->parent == NULL && !o->noreplace && !o->update)
		return false;
	bool look = w->parent == NULL ? o->update : o->update && resolve_is_deep(r, r->chain.n);
	if (look && (pkg_cmp(installed, best) < 0 || !str_eq(installed->slot, best->slot)))
		return false;
	return !(o->newuse || o->changed_use) || !use_differs(o, installed, best);
}
