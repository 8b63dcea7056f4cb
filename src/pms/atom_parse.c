#include "atom.h"

#include "eapi.h"
#include "version.h"

/* An atom being taken apart: rest is what was not understood yet. */
struct parser {
	struct str text, rest;
	unsigned flags, features;
	struct str eapi;
	struct atom *atom;
	struct arena *arena;
	struct err *e;
};

/* The failure of one part, with its place in the whole. */
static bool bad(struct parser *p, struct str part, const char *why)
{
	size_t at = part.p >= p->text.p ? (size_t)(part.p - p->text.p) + 1 : 1;
	return err_set(p->e, ERR_CONFLICT, "pms.atom",
		"invalid atom '%.*s': '%.*s' at character %zu %s", STR_ARG(p->text), STR_ARG(part),
		at, why);
}

static bool forbidden(struct parser *p, struct str part, unsigned feature, const char *what)
{
	if (p->features & feature)
		return false;
	err_set(p->e, ERR_CONFLICT, "pms.atom",
		"invalid atom '%.*s': %s '%.*s' not allowed in EAPI %.*s", STR_ARG(p->text), what,
		STR_ARG(part), STR_ARG(p->eapi));
	return true;
}

static struct str drop(struct str s, size_t n)
{
	return (struct str){ s.p + n, s.n - n };
}

static struct str keep(struct str s, size_t n)
{
	return (struct str){ s.p, n };
}

/* Index of the first c in s, s.n when there is none. */
static size_t index_of(struct str s, char c)
{
	const char *at = s.n > 0 ? memchr(s.p, c, s.n) : NULL;
	return at != NULL ? (size_t)(at - s.p) : s.n;
}

static bool take_block(struct parser *p)
{
	struct str start = p->rest;
	while (p->atom->block < ATOM_STRONG_BLOCK && str_starts(p->rest, "!")) {
		p->atom->block++;
		p->rest = drop(p->rest, 1);
	}
	return p->atom->block != ATOM_STRONG_BLOCK ||
	       !forbidden(p, keep(start, 2), EAPI_STRONG_BLOCKS, "strong blocker");
}

/* Its first character, NUL when there is none. */
static char first_of(struct str s)
{
	if (s.n == 0)
		return '\0';
	return s.p[0];
}

static void take_op(struct parser *p)
{
	struct str s = p->rest;
	char c = first_of(s);
	bool equal = s.n > 1 && s.p[1] == '=';
	size_t length = 1;
	if (c == '=' || c == '~') {
		p->atom->op = c == '=' ? ATOM_EQ : ATOM_TILDE;
	} else if (c == '>' || c == '<') {
		p->atom->op = c == '>' ? equal ? ATOM_GE : ATOM_GT : equal ? ATOM_LE : ATOM_LT;
		length += equal;
	} else {
		length = 0;
	}
	p->rest = drop(s, length);
}

/* The "(+)" or "(-)" at the end of *s. */
static char take_default(struct str *s)
{
	if (!str_ends(*s, "(+)") && !str_ends(*s, "(-)"))
		return '\0';
	char c = s->p[s->n - 2];
	s->n -= 3;
	return c;
}

/* "?" or "=" at the end, NUL without. */
static char suffix_of(struct str s)
{
	if (str_ends(s, "?"))
		return '?';
	if (str_ends(s, "="))
		return '=';
	return '\0';
}

/* Six of the nine combinations mean something. */
static bool use_dep_kind(char prefix, char suffix, enum use_dep_kind *kind)
{
	if (suffix == '\0' && prefix != '!')
		*kind = prefix == '-' ? USE_DEP_OFF : USE_DEP_ON;
	else if (suffix == '=' && prefix != '-')
		*kind = prefix == '!' ? USE_DEP_NOT_EQUAL : USE_DEP_EQUAL;
	else if (suffix == '?' && prefix != '-')
		*kind = prefix == '!' ? USE_DEP_IF_OFF : USE_DEP_IF_ON;
	else
		return false;
	return true;
}

static bool one_use_dep(struct parser *p, struct str s, struct use_dep *u)
{
	struct str rest = s;
	char prefix = first_of(rest);
	if (prefix != '!' && prefix != '-')
		prefix = '\0';
	rest = drop(rest, prefix != '\0');
	char suffix = suffix_of(rest);
	rest.n -= suffix != '\0';
	char missing = take_default(&rest);
	*u = (struct use_dep){ .missing = missing, .flag = rest };
	if (!use_dep_kind(prefix, suffix, &u->kind))
		return bad(p, s, "is no USE dependency (f, -f, f=, !f=, f? or !f?)");
	p->atom->use_conditional |= suffix != '\0';
	if (!name_flag(u->flag))
		return bad(p, s, "names no USE flag");
	if (u->missing == '\0')
		return true;
	return !forbidden(p, s, EAPI_USE_DEP_DEFAULTS, "USE dependency default");
}

/* Portage refuses a flag that is listed twice with different defaults; PMS does not speak of it. */
static bool same_default(struct parser *p, const struct use_dep *u)
{
	for (size_t i = 0; i < p->atom->n_use && !(p->flags & ATOM_PMS); i++) {
		const struct use_dep *other = &p->atom->use[i];
		if (str_eq(other->flag, u->flag) && other->missing != u->missing)
			return bad(p, u->flag, "has two different defaults");
	}
	return true;
}

/* "[…]" at the end. */
static bool take_use(struct parser *p)
{
	size_t at = index_of(p->rest, '[');
	if (at == p->rest.n)
		return true;
	struct str use = drop(p->rest, at);
	p->rest = keep(p->rest, at);
	if (!str_ends(use, "]"))
		return bad(p, use, "does not end in ']'");
	if (forbidden(p, use, EAPI_USE_DEPS, "USE dependency"))
		return false;
	use = keep(drop(use, 1), use.n - 2);
	size_t count = 1;
	for (size_t i = 0; i < use.n; i++)
		count += use.p[i] == ',';
	p->atom->use = arena_alloc(p->arena, count * sizeof *p->atom->use);
	for (size_t i = 0; i < count; i++) {
		struct use_dep *u = &p->atom->use[i];
		struct str one = keep(use, index_of(use, ','));
		if (!one_use_dep(p, one, u) || !same_default(p, u))
			return false;
		p->atom->n_use++;
		use = drop(use, one.n + (one.n < use.n));
	}
	return true;
}

/* "::repo" behind the slot. */
static bool take_repo(struct parser *p, struct str s)
{
	struct str name = drop(s, 2);
	if (!(p->flags & ATOM_REPO) && forbidden(p, s, EAPI_REPO_DEPS, "repository"))
		return false;
	if (!name_repo(name))
		return bad(p, s, "names no repository");
	p->atom->repo = name;
	return true;
}

static bool take_subslot(struct parser *p, struct str s, struct str subslot)
{
	if (forbidden(p, s, EAPI_SLOT_OPERATORS, "sub-slot"))
		return false;
	if (!name_slot(subslot))
		return bad(p, s, "has an invalid sub-slot");
	p->atom->subslot = subslot;
	return true;
}

/* ":slot", ":slot/sub", ":slot=", ":slot/sub=", ":=" or ":*"; s has no colon. */
static bool take_slot(struct parser *p, struct str s)
{
	if (forbidden(p, s, EAPI_SLOT_DEPS, "slot"))
		return false;
	struct str rest = s;
	if (str_ends(rest, "=") || str_is(rest, "*")) {
		p->atom->slot_op = rest.p[rest.n - 1];
		rest.n--;
		if (forbidden(p, s, EAPI_SLOT_OPERATORS, "slot operator"))
			return false;
		if (rest.n == 0)
			return true;
	}
	size_t slash = index_of(rest, '/');
	if (slash < rest.n && !take_subslot(p, s, drop(rest, slash + 1)))
		return false;
	p->atom->slot = keep(rest, slash);
	return name_slot(p->atom->slot) || bad(p, s, "is no slot");
}

static bool take_slot_and_repo(struct parser *p)
{
	size_t colon = index_of(p->rest, ':');
	struct str tail = drop(p->rest, colon);
	p->rest = keep(p->rest, colon);
	if (tail.n == 0)
		return true;
	if (str_starts(tail, "::"))
		return take_repo(p, tail);
	struct str slot = drop(tail, 1);
	slot = keep(slot, index_of(slot, ':'));
	tail = drop(tail, slot.n + 1);
	if (slot.n == 0)
		return bad(p, p->text, "has an empty slot");
	if (!take_slot(p, slot))
		return false;
	if (tail.n > 0 && !str_starts(tail, "::"))
		return bad(p, tail, "is no repository");
	return tail.n == 0 || take_repo(p, tail);
}

/* Letters of names and '*', as in "dev-*". */
static bool wild_name(struct str s, const char *more)
{
	if (s.n == 0 || s.p[0] == '-' || s.p[0] == '.')
		return false;
	for (size_t i = 0; i < s.n; i++) {
		bool known = chr_alnum(s.p[i]) || (s.p[i] != '\0' && strchr(more, s.p[i]) != NULL);
		if (!known || (s.p[i] == '*' && i + 1 < s.n && s.p[i + 1] == '*'))
			return false;
	}
	return true;
}

/* The "part" of "cat/pn-*part*", with the hyphen and the stars; empty when there is none. */
static struct str wild_version(struct str s)
{
	if (s.n < 4 || s.p[s.n - 1] != '*')
		return STR("");
	size_t i = s.n - 1;
	while (i > 0 && (chr_alnum(s.p[i - 1]) || s.p[i - 1] == '_'))
		i--;
	bool found = i >= 2 && i < s.n - 1 && s.p[i - 1] == '*' && s.p[i - 2] == '-';
	return found ? drop(s, i - 2) : STR("");
}

/* Extended syntax: only what has no version, but for =cat/pn-*part*. */
static bool take_wild(struct parser *p)
{
	struct atom *a = p->atom;
	a->wildcard = true;
	if (a->op == ATOM_EQ) {
		struct str version = wild_version(p->rest);
		if (version.n == 0)
			return bad(p, p->rest, "has wildcards but not the form cat/pn-*part*");
		p->rest = keep(p->rest, p->rest.n - version.n);
		a->op = ATOM_GLOB;
		a->version = keep(drop(version, 2), version.n - 3);
	} else if (a->op != ATOM_ANY) {
		return bad(p, p->rest, "has wildcards, which go with no operator but '='");
	}
	size_t at, slash = index_of(p->rest, '/');
	a->cp = p->rest;
	a->cat = keep(a->cp, slash);
	a->pn = drop(a->cp, slash + (slash < a->cp.n));
	if (!wild_name(a->cat, "+_.-*") || !wild_name(a->pn, "+_-*") || pf_version_at(a->pn, &at))
		return bad(p, a->cp, "is no cat/pn with wildcards");
	if (a->n_use > 0 || a->use != NULL)
		return bad(
			p, p->text, "has wildcards and USE dependencies, which do not go together");
	return true;
}

static bool take_name(struct parser *p)
{
	struct atom *a = p->atom;
	size_t slash = index_of(p->rest, '/');
	a->cp = p->rest;
	a->cat = keep(p->rest, slash);
	a->pn = drop(p->rest, slash + (slash < p->rest.n));
	if (slash == p->rest.n)
		return bad(p, p->rest, "has no category");
	if (!name_category(a->cat))
		return bad(p, a->cat, "is no category");
	if (!name_package(a->pn))
		return bad(p, a->pn,
			a->op == ATOM_ANY ? "is no package name (a version needs an operator)"
					  : "is no package name");
	return true;
}

/* Portage's build id behind the version: "-N" without leading zeros. */
static void take_build_id(struct parser *p)
{
	struct str rest = p->rest;
	size_t i = rest.n, at;
	while (i > 0 && chr_digit(rest.p[i - 1]))
		i--;
	if (i == 0 || i == rest.n || rest.p[i - 1] != '-' || (rest.p[i] == '0' && rest.n - i > 1))
		return;
	if (!pf_version_at(keep(rest, i - 1), &at))
		return;
	p->atom->build_id = drop(rest, i);
	p->rest = keep(rest, i - 1);
}

static bool take_version(struct parser *p)
{
	struct atom *a = p->atom;
	if (a->op == ATOM_EQ && str_ends(p->rest, "*")) {
		a->op = ATOM_GLOB;
		p->rest.n--;
	} else if (p->flags & ATOM_BUILD_ID) {
		take_build_id(p);
	}
	size_t at;
	if (!pf_version_at(p->rest, &at))
		return bad(p, p->rest, "does not end in a version, which the operator needs");
	a->version = drop(p->rest, at + 1);
	p->rest = keep(p->rest, at);
	if (a->op == ATOM_TILDE && (p->flags & ATOM_PMS) && version_revision(a->version).n > 0)
		return bad(p, a->version, "has a revision, which '~' does not take");
	return true;
}

static bool take_all(struct parser *p)
{
	if (!take_block(p))
		return false;
	take_op(p);
	if (!take_use(p) || !take_slot_and_repo(p))
		return false;
	size_t star = index_of(p->rest, '*');
	bool glob = p->atom->op == ATOM_EQ && star + 1 == p->rest.n && star > 0 &&
		    p->rest.p[star - 1] != '-';
	if ((p->flags & ATOM_WILDCARDS) && star < p->rest.n && !glob)
		return take_wild(p);
	if (p->atom->op != ATOM_ANY && !take_version(p))
		return false;
	return take_name(p);
}

struct atom *atom_parse(
	struct arena *a, struct str text, struct str eapi, unsigned flags, struct err *e)
{
	struct atom *atom = arena_calloc(a, 1, sizeof *atom);
	atom->text = text;
	struct parser p = { .text = text, .rest = text, .flags = flags, .eapi = eapi };
	p.features = eapi_features(eapi);
	p.atom = atom;
	p.arena = a;
	p.e = e;
	return take_all(&p) ? atom : NULL;
}
