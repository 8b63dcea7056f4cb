#include "atom.h"
#include "pkg.h"
#include "version.h"

/* Does text fit pattern, in which '*' stands for any run of bytes without a slash? */
static bool glob_match(struct str pattern, struct str text)
{
	size_t i = 0, j = 0, star = pattern.n, mark = 0;
	while (j < text.n) {
		if (i < pattern.n && pattern.p[i] == '*') {
			star = i++;
			mark = j;
		} else if (i < pattern.n && pattern.p[i] == text.p[j]) {
			i++;
			j++;
		} else if (star < pattern.n && text.p[mark] != '/') {
			i = star + 1;
			j = ++mark;
		} else {
			return false;
		}
	}
	while (i < pattern.n && pattern.p[i] == '*')
		i++;
	return i == pattern.n;
}

static bool contains(struct str s, struct str part)
{
	for (size_t i = 0; i + part.n <= s.n; i++) {
		if (memcmp(s.p + i, part.p, part.n) == 0)
			return true;
	}
	return false;
}

bool atom_match_version(const struct atom *a, struct str version)
{
	switch (a->op) {
	case ATOM_ANY:
		return true;
	case ATOM_GLOB:
		return a->wildcard ? contains(version, a->version)
				   : version_glob(a->version, version);
	case ATOM_TILDE: /* Portage wants the same text, not an equal version */
		return str_eq(version_base(a->version), version_base(version));
	case ATOM_EQ:
		return version_cmp(version, a->version) == 0;
	case ATOM_LT:
		return version_cmp(version, a->version) < 0;
	case ATOM_LE:
		return version_cmp(version, a->version) <= 0;
	case ATOM_GE:
		return version_cmp(version, a->version) >= 0;
	case ATOM_GT:
		return version_cmp(version, a->version) > 0;
	}
	return false;
}

static bool match_slot(const struct atom *a, const struct pkg *p)
{
	if (a->slot.n == 0 || p->slot.n == 0)
		return true;
	return str_eq(a->slot, p->slot) && (a->subslot.n == 0 || str_eq(a->subslot, p->subslot));
}

bool atom_match_name(const struct atom *a, struct str cp)
{
	return a->wildcard ? glob_match(a->cp, cp) : str_eq(a->cp, cp);
}

bool atom_match_but_use(const struct atom *a, const struct pkg *p)
{
	if (!atom_match_name(a, p->cp))
		return false;
	if (a->repo.n > 0 && p->repo_name.n > 0 && !str_eq(a->repo, p->repo_name))
		return false;
	/* Only binary packages have build ids. */
	if (a->build_id.n > 0 && a->op == ATOM_EQ)
		return false;
	return atom_match_version(a, p->version) && match_slot(a, p);
}

static bool match_one_use(const struct use_dep *u, const struct pkg *p)
{
	if (u->kind != USE_DEP_ON && u->kind != USE_DEP_OFF)
		return true;
	bool want = u->kind == USE_DEP_ON;
	if (!pkg_flag_valid(p, u->flag))
		return want == (u->missing == '+');
	return pkg_flag_on(p, u->flag) == want;
}

bool atom_match_use(const struct atom *a, const struct pkg *p)
{
	const struct atom *written = a->unevaluated != NULL ? a->unevaluated : a;
	for (size_t i = 0; i < written->n_use; i++) {
		const struct use_dep *u = &written->use[i];
		if (u->missing == '\0' && !pkg_flag_valid(p, u->flag))
			return false;
	}
	for (size_t i = 0; i < a->n_use; i++) {
		if (!match_one_use(&a->use[i], p))
			return false;
	}
	return true;
}

bool atom_match(const struct atom *a, const struct pkg *p)
{
	return atom_match_but_use(a, p) && atom_match_use(a, p);
}

/* portage-formats §6, package.use. */
static int specificity(const struct atom *a)
{
	static const int by_op[] = {
		[ATOM_EQ] = 6,
		[ATOM_TILDE] = 5,
		[ATOM_GLOB] = 4,
		[ATOM_LT] = 2,
		[ATOM_LE] = 2,
		[ATOM_GE] = 2,
		[ATOM_GT] = 2,
		[ATOM_ANY] = 1,
	};
	if (a->wildcard)
		return a->op == ATOM_GLOB ? 0 : a->slot.n > 0 ? -1 : -2;
	return a->slot.n > 0 && by_op[a->op] < 3 ? 3 : by_op[a->op];
}

/* Of two bounds, is b nearer to the version than a? Both on the same side of it, or equal. */
static bool nearer(const struct atom *b, const struct atom *a, struct str version)
{
	int va = version_cmp(a->version, version), vb = version_cmp(b->version, version);
	int ab = version_cmp(a->version, b->version);
	if (va == 0 || ab == 0)
		return false;
	if (vb == 0)
		return true;
	return (va < 0 && vb < 0 && ab < 0) || (va > 0 && vb > 0 && ab > 0);
}

size_t atom_best_match(const struct atom *const *atoms, size_t n, const struct pkg *p)
{
	size_t best = n;
	int best_value = -3;
	for (size_t i = 0; i < n; i++) {
		if (!atom_match(atoms[i], p))
			continue;
		int value = specificity(atoms[i]);
		bool closer =
			value == 2 && best_value == 2 && nearer(atoms[i], atoms[best], p->version);
		if (value > best_value || closer) {
			best = i;
			best_value = value;
		}
	}
	return best;
}
