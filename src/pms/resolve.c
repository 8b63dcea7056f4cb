#include "resolve_int.h"

/* The walk that takes nothing back, as often as packages turn out to be built again. */
static bool first_walk(struct resolver *r, struct err *e)
{
	for (bool again = true; again;) {
		struct pkg *bad = NULL;
		again = false;
		resolve_walk_reset(r);
		if (!resolve_walk(r, e) || !resolve_check_required(r, &bad, e))
			return false;
		if (r->in->opts.nodeps)
			return true;
		if (!resolve_check_blockers(r, e) || !resolve_check_needs(r, &again, e))
			return false;
	}
	return true;
}

bool resolve(const struct resolve_input *in, struct resolution *out, struct err *e)
{
	*out = (struct resolution){ 0 };
	struct resolver r = { .in = in, .out = out, .a = &out->arena };
	struct err first = ERR_INIT;
	resolve_index(&r);
	bool ok = first_walk(&r, &first);
	if (!ok && first.code == ERR_CONFLICT && !in->opts.nodeps)
		ok = resolve_solve(&r, &first, e);
	else if (!ok)
		*e = first;
	resolve_index_fini(&r);
	return ok;
}

void resolution_fini(struct resolution *r)
{
	vec_fini(&r->list);
	strv_fini(&r->keywords);
	strv_fini(&r->uses);
	strv_fini(&r->unmasks);
	arena_fini(&r->arena);
}
