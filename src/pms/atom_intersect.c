#include "atom.h"
#include "version.h"

static bool is_upper(enum atom_op op)
{
	return op == ATOM_LT || op == ATOM_LE;
}

static bool is_range(enum atom_op op)
{
	return op >= ATOM_LT;
}

static int cmp_bases(struct str a, struct str b)
{
	return version_cmp(version_base(a), version_base(b));
}

static bool ranges(const struct atom *a, const struct atom *b)
{
	if (is_upper(a->op) == is_upper(b->op))
		return true;
	const struct atom *low = is_upper(a->op) ? b : a, *high = is_upper(a->op) ? a : b;
	int c = version_cmp(low->version, high->version);
	return c < 0 || (c == 0 && low->op == ATOM_GE && high->op == ATOM_LE);
}

/* Is the least of some versions below the upper bound? */
static bool below(const struct atom *bound, struct str least)
{
	int c = version_cmp(least, bound->version);
	return c < 0 || (c == 0 && bound->op == ATOM_LE);
}

/* ~v: v-r0 and every revision above. */
static bool range_and_tilde(const struct atom *range, struct str v)
{
	if (is_upper(range->op))
		return below(range, version_base(v));
	return cmp_bases(range->version, v) <= 0;
}

/* =v*: with a revision v and those it is a prefix of; else also v.1, v_alpha, which is below v. */
static bool range_and_glob(const struct atom *range, struct str v)
{
	if (version_revision(v).n > 0)
		return is_upper(range->op) ? below(range, v) : cmp_bases(range->version, v) <= 0;
	if (version_glob(v, range->version))
		return true;
	int c = version_cmp(range->version, v);
	return is_upper(range->op) ? c > 0 : c < 0;
}

static bool glob_and_tilde(struct str glob, struct str v)
{
	if (version_revision(glob).n > 0)
		return cmp_bases(glob, v) == 0;
	return version_glob(glob, version_base(v));
}

/* a->op <= b->op, none of them ATOM_ANY. */
static bool versions(const struct atom *a, const struct atom *b)
{
	if (a->op == ATOM_EQ)
		return b->op == ATOM_TILDE ? cmp_bases(a->version, b->version) == 0
					   : atom_match_version(b, a->version);
	if (is_range(a->op))
		return ranges(a, b);
	if (a->op == ATOM_TILDE)
		return is_range(b->op) ? range_and_tilde(b, a->version)
				       : cmp_bases(a->version, b->version) == 0;
	if (is_range(b->op))
		return range_and_glob(b, a->version);
	if (b->op == ATOM_TILDE)
		return glob_and_tilde(a->version, b->version);
	return version_glob(a->version, b->version) || version_glob(b->version, a->version);
}

static bool both_versions(const struct atom *a, const struct atom *b)
{
	if (a->op == ATOM_ANY || b->op == ATOM_ANY || a->wildcard || b->wildcard)
		return true;
	return a->op <= b->op ? versions(a, b) : versions(b, a);
}

static bool agree(struct str a, struct str b)
{
	return a.n == 0 || b.n == 0 || str_eq(a, b);
}

static bool names(const struct atom *a, const struct atom *b)
{
	if (a->wildcard && b->wildcard)
		return true;
	return a->wildcard ? atom_match_name(a, b->cp) : atom_match_name(b, a->cp);
}

/* Does one want a flag on that the other wants off? */
static bool contradict(const struct use_dep *u, const struct atom *b)
{
	for (size_t i = 0; i < b->n_use; i++) {
		const struct use_dep *v = &b->use[i];
		bool plain = u->kind <= USE_DEP_OFF && v->kind <= USE_DEP_OFF;
		if (plain && u->kind != v->kind && str_eq(u->flag, v->flag))
			return true;
	}
	return false;
}

bool atom_intersects(const struct atom *a, const struct atom *b)
{
	if (!names(a, b) || !agree(a->slot, b->slot) || !agree(a->subslot, b->subslot) ||
		!agree(a->repo, b->repo))
		return false;
	for (size_t i = 0; i < a->n_use; i++) {
		if (contradict(&a->use[i], b))
			return false;
	}
	return both_versions(a, b);
}
