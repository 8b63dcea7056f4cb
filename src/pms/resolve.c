#include "resolve_int.h"

#include <string.h>

/* The walk that takes nothing back, as often as packages turn out to be built again. */
static bool first_walk(struct resolver *r, struct err *e)
{
	for (bool again = true; again;) {
		struct pkg *bad = NULL;
		again = false;
		resolve_walk_reset(r);
		if (!resolve_walk(r, e) || !resolve_check_required(r, &bad, e) ||
			!resolve_again(r, &again, e))
			return false;
		if (again)
			continue;
		if (r->in->opts.nodeps)
			return true;
		if (!resolve_check_blockers(r, e) || !resolve_check_needs(r, &again, e))
			return false;
	}
	return true;
}

/* Nothing else helps: what is installed and in the way goes, where it may. */
static bool walk_removing(struct resolver *r, struct err *e)
{
	r->may_remove = true;
	memset(r->rebuild, 0, r->in->n_installed * sizeof *r->rebuild);
	memset(r->renew, 0, r->in->n_installed * sizeof *r->renew);
	return first_walk(r, e);
}

/*
 * The first walk met a blocker. What the oracle found (or not: *e says why) knows nothing of those
 * that installed packages hold, nor that a package may go.
 */
static bool settle_blocks(struct resolver *r, bool solved, struct err *e)
{
	struct err blocked = ERR_INIT, other = ERR_INIT;
	if (solved && resolve_check_blockers(r, &blocked))
		return true;
	if (!solved && e->code != ERR_CONFLICT)
		return false;
	bool ok = walk_removing(r, &other);
	if (ok)
		*e = ERR_INIT;
	else if (solved)
		*e = other;
	return ok;
}

bool resolve(const struct resolve_input *in, struct resolution *out, struct err *e)
{
	*out = (struct resolution){ 0 };
	struct resolver r = { .in = in, .out = out, .a = &out->arena };
	struct err first = ERR_INIT;
	resolve_index(&r);
	bool ok = first_walk(&r, &first);
	if (!ok && first.code == ERR_CONFLICT && !in->opts.nodeps) {
		ok = resolve_solve(&r, &first, e);
		if (strcmp(first.what, "resolve.blocked") == 0)
			ok = settle_blocks(&r, ok, e);
	} else if (!ok) {
		*e = first;
	}
	resolve_index_fini(&r);
	return ok;
}

void resolution_fini(struct resolution *r)
{
	vec_fini(&r->list);
	vec_fini(&r->removals);
	strv_fini(&r->keywords);
	strv_fini(&r->uses);
	strv_fini(&r->unmasks);
	strv_fini(&r->licenses);
	arena_fini(&r->arena);
}
