#include "pms_tree.h"
#include "resolve.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * The resolver against a reference that tries everything: small random repositories, each state of
 * which is looked at.
 */
enum { NAMES = 5, VERSIONS = 2, DEPS = 3, MAX_INSTALLED = 2, SEEDS = 400 };

enum bound { BOUND_NONE, BOUND_LT2, BOUND_GE2 };
enum flag_dep { FLAG_ANY, FLAG_ON, FLAG_OFF };
struct ref_atom {
	int name;
	enum bound bound;
	enum flag_dep use;
};
enum dep_form { FORM_ATOM, FORM_ANY, FORM_IF_ON, FORM_IF_OFF, FORM_BLOCK };
struct ref_dep {
	enum dep_form form;
	struct ref_atom a, b; /* b: the other alternative */
};
/* A version of a package, in a repository or installed; its one flag is called x. */
struct version {
	bool exists, testing, on;
	int name, version, slot, n_deps;
	struct ref_dep deps[DEPS];
};
struct random_case {
	unsigned state;
	struct version repo[NAMES * VERSIONS];
	struct version installed[MAX_INSTALLED];
	int n_installed;
};

/* What is there in the end; flag: as it is then. */
struct present {
	const struct version *v;
	bool flag;
};
struct end_state {
	struct present of[NAMES * VERSIONS + MAX_INSTALLED];
	int n;
};

static unsigned roll(struct random_case *c, unsigned sides)
{
	c->state = c->state * 1664525U + 1013904223U;
	return (c->state >> 16) % sides;
}

static struct ref_atom roll_atom(struct random_case *c)
{
	struct ref_atom a = { .name = 1 + (int)roll(c, NAMES - 1) };
	a.bound = roll(c, 2) == 0 ? BOUND_NONE : (enum bound)(1 + roll(c, 2));
	a.use = roll(c, 3) > 0 ? FLAG_ANY : (enum flag_dep)(1 + roll(c, 2));
	return a;
}

static struct version roll_version(struct random_case *c, int name, int version, bool slotted)
{
	struct version v = { .exists = true, .name = name, .version = version };
	v.slot = slotted ? version : 0;
	v.on = roll(c, 2) == 0;
	v.testing = roll(c, 6) == 0;
	v.n_deps = (int)roll(c, DEPS + 1);
	for (int i = 0; i < v.n_deps; i++) {
		static const enum dep_form forms[] = { FORM_ATOM, FORM_ATOM, FORM_ANY, FORM_IF_ON,
			FORM_IF_OFF, FORM_BLOCK };
		v.deps[i] = (struct ref_dep){ forms[roll(c, 6)], roll_atom(c), roll_atom(c) };
	}
	return v;
}

static void roll_case(struct random_case *c, unsigned seed)
{
	*c = (struct random_case){ .state = seed * 2654435761U + 1 };
	for (int name = 0; name < NAMES; name++) {
		bool slotted = roll(c, 4) == 0;
		for (int i = 0; i < VERSIONS; i++) {
			struct version v = roll_version(c, name, i + 1, slotted);
			v.exists = i == 0 || roll(c, 4) > 0;
			c->repo[name * VERSIONS + i] = v;
		}
	}
	int wanted = (int)roll(c, MAX_INSTALLED + 1);
	for (int i = 0; i < wanted; i++) {
		int name = 1 + i * 2 + (int)roll(c, 2);
		const struct version *like = &c->repo[name * VERSIONS];
		c->installed[c->n_installed++] = roll_version(c, name, 1, like->slot != 0);
	}
}

static bool bound_holds(const struct ref_atom *a, const struct version *v)
{
	return v->name == a->name && (a->bound != BOUND_LT2 || v->version < 2) &&
	       (a->bound != BOUND_GE2 || v->version >= 2);
}

static bool matches(const struct ref_atom *a, const struct present *p)
{
	return bound_holds(a, p->v) && (a->use == FLAG_ANY || p->flag == (a->use == FLAG_ON));
}

static bool is_there(const struct end_state *s, const struct ref_atom *a)
{
	for (int i = 0; i < s->n; i++) {
		if (matches(a, &s->of[i]))
			return true;
	}
	return false;
}

/* Does a package of another slot or name match the blocker, with the flags as configured? */
static bool is_blocked(
	const struct end_state *s, const struct version *by, const struct ref_atom *a)
{
	for (int i = 0; i < s->n; i++) {
		const struct version *v = s->of[i].v;
		if (bound_holds(a, v) && !(v->name == by->name && v->slot == by->slot))
			return true;
	}
	return false;
}

static bool dep_holds(const struct end_state *s, const struct present *p, const struct ref_dep *d)
{
	switch (d->form) {
	case FORM_ATOM:
		return is_there(s, &d->a);
	case FORM_ANY:
		return is_there(s, &d->a) || is_there(s, &d->b);
	case FORM_IF_ON:
		return !p->flag || is_there(s, &d->a);
	case FORM_IF_OFF:
		return p->flag || is_there(s, &d->a);
	case FORM_BLOCK:
		return !is_blocked(s, p->v, &d->a);
	}
	return false;
}

static bool is_installed(const struct random_case *c, const struct version *v)
{
	return v >= c->installed && v < c->installed + MAX_INSTALLED;
}

static struct end_state now(const struct random_case *c)
{
	struct end_state s = { .n = 0 };
	for (int i = 0; i < c->n_installed; i++)
		s.of[s.n++] = (struct present){ &c->installed[i], c->installed[i].on };
	return s;
}

static struct end_state merged_of(const struct random_case *c, const struct end_state *s)
{
	struct end_state m = { .n = 0 };
	for (int i = 0; i < s->n; i++) {
		if (!is_installed(c, s->of[i].v))
			m.of[m.n++] = s->of[i];
	}
	return m;
}

/* What is merged has all it needs; what stays has what it had, and blocks nothing that is merged.
 */
static bool is_valid(const struct random_case *c, const struct end_state *s)
{
	const struct end_state before = now(c), merged = merged_of(c, s);
	bool asked = false;
	for (int i = 0; i < s->n; i++) {
		const struct present *p = &s->of[i];
		bool old = is_installed(c, p->v);
		asked = asked || p->v->name == 0;
		for (int k = 0; k < p->v->n_deps; k++) {
			const struct ref_dep *d = &p->v->deps[k];
			bool block = d->form == FORM_BLOCK;
			if (old && !block && !dep_holds(&before, p, d))
				continue;
			if (!dep_holds(old && block ? &merged : s, p, d))
				return false;
		}
	}
	return asked;
}

/*
 * Of all states that are valid. With a changed flag a state counts as one to be found when
 * something in it asks for the change: nobody's flags are turned off just to be rid of a
 * dependency.
 */
struct verdict {
	bool any, to_be_found, without_keyword, without_line, without_downgrade;
	int highest; /* version of the request, no line, no downgrade */
};

static bool replaced(const struct end_state *s, const struct version *old)
{
	for (int i = 0; i < s->n; i++) {
		if (s->of[i].v->name == old->name && s->of[i].v->slot == old->slot)
			return true;
	}
	return false;
}

static bool is_off(const struct present *p, const struct ref_dep *d)
{
	return (d->form == FORM_IF_ON && !p->flag) || (d->form == FORM_IF_OFF && p->flag) ||
	       d->form == FORM_BLOCK;
}

static bool has_need_of(const struct present *p, const struct present *other, bool of_flag)
{
	for (int k = 0; k < p->v->n_deps; k++) {
		const struct ref_dep *d = &p->v->deps[k];
		const struct ref_atom *atoms[] = { &d->a, d->form == FORM_ANY ? &d->b : &d->a };
		for (int i = 0; i < 2 && !is_off(p, d); i++) {
			if (matches(atoms[i], other) && (!of_flag || atoms[i]->use != FLAG_ANY))
				return true;
		}
	}
	return false;
}

/* Does something that belongs to the request, or is installed, ask for each changed flag? */
static bool all_asked_for(const struct random_case *c, const struct end_state *s)
{
	bool counts[NAMES * VERSIONS + MAX_INSTALLED] = { 0 }, more = true;
	for (int i = 0; i < s->n; i++)
		counts[i] = s->of[i].v->name == 0 || is_installed(c, s->of[i].v);
	while (more) {
		more = false;
		for (int i = 0; i < s->n * s->n; i++) {
			int from = i / s->n, to = i % s->n;
			if (counts[from] && !counts[to] &&
				has_need_of(&s->of[from], &s->of[to], false))
				counts[to] = more = true;
		}
	}
	for (int i = 0; i < s->n; i++) {
		bool asked = s->of[i].flag == s->of[i].v->on;
		for (int k = 0; k < s->n; k++)
			asked = asked || (counts[k] && has_need_of(&s->of[k], &s->of[i], true));
		if (!asked)
			return false;
	}
	return true;
}

static void judge(const struct random_case *c, struct end_state *s, struct verdict *out)
{
	bool keyword = false, flag = false, older = false;
	int merged = s->n, version = 0;
	for (int i = 0; i < merged; i++) {
		const struct present *p = &s->of[i];
		keyword = keyword || p->v->testing;
		flag = flag || p->flag != p->v->on;
		if (p->v->name == 0 && p->v->version > version)
			version = p->v->version;
		for (int k = 0; k < c->n_installed; k++)
			older = older || (c->installed[k].name == p->v->name &&
						 c->installed[k].slot == p->v->slot &&
						 p->v->version < c->installed[k].version);
	}
	for (int i = 0; i < c->n_installed; i++) {
		struct end_state new_ones = *s;
		new_ones.n = merged;
		if (!replaced(&new_ones, &c->installed[i]))
			s->of[s->n++] = (struct present){ &c->installed[i], c->installed[i].on };
	}
	if (!is_valid(c, s))
		return;
	bool found = all_asked_for(c, s);
	out->any = true;
	out->to_be_found |= found;
	out->without_keyword |= found && !keyword;
	out->without_line |= !keyword && !flag;
	out->without_downgrade |= !keyword && !flag && !older;
	if (!keyword && !flag && !older && version > out->highest)
		out->highest = version;
}

/* Each version: not there, there as configured, there with its flag changed. */
static void try_all(
	const struct random_case *c, int at, const struct end_state *so_far, struct verdict *out)
{
	struct end_state s = *so_far;
	if (at == NAMES * VERSIONS) {
		judge(c, &s, out);
		return;
	}
	const struct version *v = &c->repo[at];
	try_all(c, at + 1, so_far, out);
	if (!v->exists || replaced(so_far, v))
		return;
	s.of[s.n++] = (struct present){ v, v->on };
	try_all(c, at + 1, &s, out);
	s.of[s.n - 1].flag = !v->on;
	try_all(c, at + 1, &s, out);
}

static void print_atom(struct buf *b, const struct ref_atom *a)
{
	static const char *const ops[] = { "", "<", ">=" }, *const uses[] = { "", "[x]", "[-x]" };
	buf_printf(b, "%sa/p%d%s%s ", ops[a->bound], a->name, a->bound != BOUND_NONE ? "-2" : "",
		uses[a->use]);
}

static void print_deps(struct buf *b, const struct version *v)
{
	static const char *const before[] = { "", "|| ( ", "x? ( ", "!x? ( ", "!" };
	for (int i = 0; i < v->n_deps; i++) {
		const struct ref_dep *d = &v->deps[i];
		struct ref_atom a = d->a;
		if (d->form == FORM_BLOCK)
			a.use = FLAG_ANY;
		buf_adds(b, before[d->form]);
		print_atom(b, &a);
		if (d->form == FORM_ANY)
			print_atom(b, &d->b);
		buf_adds(b, d->form == FORM_ATOM || d->form == FORM_BLOCK ? "" : ") ");
	}
}

static void write_repo(const struct random_case *c, struct tree *t)
{
	for (int i = 0; i < NAMES * VERSIONS; i++) {
		const struct version *v = &c->repo[i];
		struct buf fields = BUF_INIT;
		if (!v->exists)
			continue;
		char *cpv = xasprintf("a/p%d-%d", v->name, v->version);
		buf_printf(&fields,
			"EAPI=8\nSLOT=%d\nKEYWORDS=%samd64\nIUSE=%sx\nRDEPEND=", v->slot,
			v->testing ? "~" : "", v->on ? "+" : "");
		print_deps(&fields, v);
		buf_addc(&fields, '\n');
		tree_ebuild(t, cpv, buf_str(&fields));
		buf_fini(&fields);
		free(cpv);
	}
}

static void fill_installed(struct arena *a, const struct version *v, struct pkg *p)
{
	struct buf deps = BUF_INIT;
	print_deps(&deps, v);
	*p = (struct pkg){ .kind = PKG_INSTALLED, .cat = STR("a") };
	p->pn = str_of(arena_printf(a, "p%d", v->name));
	p->cp = str_of(arena_printf(a, "a/p%d", v->name));
	p->version = str_of(arena_printf(a, "%d", v->version));
	p->pf = str_of(arena_printf(a, "p%d-%d", v->name, v->version));
	pkg_set_field(a, p, STR("EAPI"), STR("8"));
	pkg_set_field(a, p, STR("SLOT"), str_of(arena_printf(a, "%d", v->slot)));
	pkg_set_field(a, p, STR("IUSE"), STR("x"));
	pkg_set_field(a, p, STR("RDEPEND"), str_of(arena_strdup(a, buf_str(&deps))));
	pkg_filled(a, p);
	p->iuse[0].on = v->on;
	p->use_done = true;
	buf_fini(&deps);
}

/* The state that a list leads to. */
static struct end_state state_of(const struct random_case *c, const struct resolution *r)
{
	struct end_state s = { .n = 0 };
	for (size_t i = 0; i < r->list.n; i++) {
		const struct pkg *p = r->list.v[i].pkg;
		int name = p->pn.p[1] - '0', version = p->version.p[0] - '0';
		const struct version *v = &c->repo[name * VERSIONS + version - 1];
		s.of[s.n++] = (struct present){ v, p->iuse[0].on };
	}
	return s;
}

static void describe(const struct random_case *c, unsigned seed)
{
	for (int i = 0; i < NAMES * VERSIONS + c->n_installed; i++) {
		bool old = i >= NAMES * VERSIONS;
		const struct version *v = old ? &c->installed[i - NAMES * VERSIONS] : &c->repo[i];
		struct buf b = BUF_INIT;
		print_deps(&b, v);
		if (v->exists)
			printf("seed %u: %sp%d-%d:%d%s %sx %s\n", seed, old ? "installed " : "",
				v->name, v->version, v->slot, v->testing ? " ~" : "",
				v->on ? "+" : "-", buf_str(&b));
		buf_fini(&b);
	}
}

/* What goes, goes because it or the list says so, and then all that is left has what it needs. */
static bool removals_are_right(const struct random_case *c, const struct resolution *r)
{
	struct end_state s = state_of(c, r), merged = s, all;
	bool gone[MAX_INSTALLED] = { false };
	for (size_t i = 0; i < r->removals.n; i++) {
		const struct resolve_removal *x = &r->removals.v[i];
		int name = x->pkg->pn.p[1] - '0', slot = x->pkg->slot.p[0] - '0';
		for (int k = 0; k < c->n_installed; k++)
			gone[k] = gone[k] ||
				  (c->installed[k].name == name && c->installed[k].slot == slot);
	}
	for (int k = 0; k < c->n_installed; k++) {
		if (!gone[k] && !replaced(&merged, &c->installed[k]))
			s.of[s.n++] = (struct present){ &c->installed[k], c->installed[k].on };
	}
	for (int k = 0; k < c->n_installed; k++) {
		if (!gone[k])
			continue;
		all = s;
		all.of[all.n++] = (struct present){ &c->installed[k], c->installed[k].on };
		bool because = false;
		for (int i = 0; i < all.n; i++) {
			for (int d = 0; d < all.of[i].v->n_deps; d++) {
				const struct ref_dep *dep = &all.of[i].v->deps[d];
				because = because || (dep->form == FORM_BLOCK &&
							     !dep_holds(&all, &all.of[i], dep));
			}
		}
		if (!because)
			return false;
	}
	return is_valid(c, &s);
}

/* Compare a list, or that there is none, with the verdict; false: they differ. */
static bool agree(const struct random_case *c, const struct verdict *want, bool ok,
	const struct resolution *r)
{
	struct verdict got = { 0 };
	if (!ok)
		return !want->to_be_found;
	if (r->removals.n > 0)
		return !want->to_be_found && removals_are_right(c, r);
	struct end_state s = state_of(c, r);
	judge(c, &s, &got);
	return got.any && (r->keywords.n == 0 || !want->without_keyword) &&
	       got.without_line == want->without_line &&
	       got.without_downgrade == want->without_downgrade &&
	       (!want->without_downgrade || got.highest == want->highest);
}

static bool run(const struct random_case *c, struct verdict *want)
{
	struct tree t = tree_new();
	struct arena a = ARENA_INIT;
	struct pkg installed[MAX_INSTALLED];
	struct resolution r;
	struct err e = ERR_INIT;
	tree_write(&t, "var/db/repos/main/profiles/base/make.defaults",
		"ARCH=\"amd64\"\nACCEPT_KEYWORDS=\"amd64\"\nACCEPT_LICENSE=\"*\"\n");
	write_repo(c, &t);
	CHECK(tree_load(&t, NULL));
	for (int i = 0; i < c->n_installed; i++)
		fill_installed(&a, &c->installed[i], &installed[i]);
	const struct atom *atom = atom_parse(&a, STR("a/p0"), STR(""), 0, &e);
	const struct resolve_input in = { t.repos, t.config, installed, (size_t)c->n_installed,
		&atom, 1, NULL, NULL, { 0 } };
	bool ok = resolve(&in, &r, &e);
	try_all(c, 0, &(struct end_state){ .n = 0 }, want);
	bool same = agree(c, want, ok, &r);
	for (size_t i = 0; !same && i < r.list.n; i++)
		printf("  got %.*s\n", STR_ARG(r.list.v[i].pkg->pf));
	if (!same)
		printf("  got %s; to be found %d, no keyword %d, no line %d, no downgrade %d, "
		       "version %d\n",
			ok ? "a list" : e.message, want->to_be_found, want->without_keyword,
			want->without_line, want->without_downgrade, want->highest);
	resolution_fini(&r);
	arena_fini(&a);
	tree_free(&t);
	return same;
}

TEST(resolve_agrees_with_trying_everything)
{
	size_t some = 0, none = 0, lines = 0;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct random_case c;
		struct verdict want = { 0 };
		roll_case(&c, seed);
		bool same = run(&c, &want);
		if (!same)
			describe(&c, seed);
		CHECK(same);
		some += want.any;
		none += !want.any;
		lines += want.any && !want.without_line;
	}
	/* All three kinds came up often enough to mean something. */
	CHECK(some > SEEDS / 4 && none > SEEDS / 20 && lines > SEEDS / 40);
}
