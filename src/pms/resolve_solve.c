#include "resolve_oracle.h"

#include <stdlib.h>

/* Flags that were changed for a walk are again as the configuration says. */
static void restore_flags(struct oracle *o)
{
	for (size_t i = 0; i < o->cands.n; i++) {
		struct cand *c = o->cands.v[i];
		if (c->flips.n == 0)
			continue;
		c->pkg->use_done = false;
		config_use(o->r->in->config, c->pkg);
	}
}

/* Which of the installed packages that were relied on have to be built again? */
static bool settle_rebuilds(struct resolver *r)
{
	bool again = false;
	for (size_t i = 0; i < r->oracle->cands.n; i++) {
		const struct cand *c = r->oracle->cands.v[i];
		if (c->pkg->kind != PKG_INSTALLED || resolve_taken_slot(r, c->pkg) != NULL)
			continue;
		bool *rebuild = &r->rebuild[resolve_at(r, c->pkg)];
		if (*rebuild || oracle_try(r->oracle, c->var))
			continue;
		*rebuild = again = true;
	}
	return again;
}

enum walked { WALK_DONE, WALK_AGAIN, WALK_FAILED };

static enum walked walk_once(struct resolver *r, struct demand_set *d, struct err *e)
{
	struct pkg *bad = NULL;
	struct err why = ERR_INIT;
	resolve_walk_reset(r);
	bool ok = resolve_walk(r, &why);
	if (r->oracle->demands_grew)
		return WALK_AGAIN;
	if (!ok && r->circle.n > 0) {
		oracle_forbid(d, r->circle.v, r->circle.n, why.message);
		return WALK_AGAIN;
	}
	if (ok && settle_rebuilds(r))
		return WALK_AGAIN;
	if (ok && !resolve_check_required(r, &bad, &why)) {
		const struct pkg *of = bad;
		oracle_forbid(d, &of, 1, why.message);
		return WALK_AGAIN;
	}
	if (!ok)
		*e = why;
	return ok ? WALK_DONE : WALK_FAILED;
}

/* An oracle that knows all flags that its packages ask for. */
static void renew(struct resolver *r, struct demand_set *d)
{
	do {
		if (r->oracle != NULL)
			restore_flags(r->oracle);
		oracle_free(r->oracle);
		r->oracle = oracle_new(r, d, false);
	} while (r->oracle->demands_grew);
}

bool resolve_solve(struct resolver *r, const struct err *first, struct err *e)
{
	struct demand_set d = { 0 };
	enum walked walked = WALK_AGAIN;
	memset(r->rebuild, 0, r->in->n_installed * sizeof *r->rebuild);
	while (walked == WALK_AGAIN) {
		renew(r, &d);
		if (r->oracle->e.code != ERR_NONE) {
			*e = r->oracle->e;
			walked = WALK_FAILED;
		} else if (!oracle_begin(r->oracle)) {
			oracle_free(r->oracle);
			r->oracle = NULL;
			resolve_explain(r, &d, first, e);
			walked = WALK_FAILED;
		} else {
			walked = walk_once(r, &d, e);
		}
	}
	oracle_free(r->oracle);
	r->oracle = NULL;
	map_fini(&d.flags);
	vec_fini(&d.forbidden);
	arena_fini(&d.a);
	return walked == WALK_DONE;
}
