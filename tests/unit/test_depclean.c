/* Removal against a naive reference, on random small systems. */
#include "depclean.h"
#include "repo.h"
#include "test.h"

#include <stdint.h>
#include <stdlib.h>

#define NAMES 5
#define MAX_PACKAGES 9
#define MAX_NODES 4
#define MAX_KIDS 3

/* A dependency as the reference reads it. */
enum kind { ATOM, ALL, ANY, IF_X };
struct node {
	enum kind kind;
	int name, slot; /* ATOM: slot 0: any */
	bool newer, with_x, blocker; /* ATOM: >=…-2, [x], ! */
	int n;
	struct node *kid[MAX_KIDS];
};

struct member {
	int name, version; /* the slot is the version */
	bool x;
	int n;
	struct node *deps[MAX_NODES];
};

struct system {
	struct arena arena;
	uint64_t seed;
	int n;
	struct member v[MAX_PACKAGES];
	struct pkg view[MAX_PACKAGES];
};

static int below(struct system *s, int n)
{
	s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
	return (int)((s->seed >> 33) % (uint64_t)n);
}

static struct node *random_node(struct system *s, int depth)
{
	struct node *d = arena_calloc(&s->arena, 1, sizeof *d);
	int what = depth < 2 ? below(s, 8) : 0;
	d->kind = what < 4 ? ATOM : what == 4 ? ALL : what < 7 ? ANY : IF_X;
	if (d->kind == ATOM) {
		d->name = below(s, NAMES);
		d->slot = below(s, 3) == 0 ? 1 + below(s, 2) : 0;
		d->newer = d->slot == 0 && below(s, 4) == 0;
		d->with_x = below(s, 5) == 0;
		d->blocker = depth == 0 && below(s, 12) == 0;
		return d;
	}
	d->n = 1 + below(s, MAX_KIDS);
	for (int i = 0; i < d->n; i++)
		d->kid[i] = random_node(s, depth + 1);
	return d;
}

static void print(const struct node *d, struct buf *out)
{
	static const char *const open[] = { "", "( ", "|| ( ", "x? ( " };
	if (d->kind == ATOM) {
		buf_printf(out, "%s%sa/p%c%s", d->blocker ? "!" : "", d->newer ? ">=" : "",
			'a' + d->name, d->newer ? "-2" : "");
		if (d->slot > 0)
			buf_printf(out, ":%d", d->slot);
		buf_adds(out, d->with_x ? "[x] " : " ");
		return;
	}
	buf_adds(out, open[d->kind]);
	for (int i = 0; i < d->n; i++)
		print(d->kid[i], out);
	buf_adds(out, ") ");
}

static bool matches(const struct node *d, const struct member *p)
{
	return p->name == d->name && (d->slot == 0 || p->version == d->slot) &&
	       (!d->newer || p->version >= 2) && (!d->with_x || p->x);
}

static bool holds(const struct system *s, const struct node *d, int of, unsigned have)
{
	bool any = false;
	switch (d->kind) {
	case ATOM:
		for (int i = 0; i < s->n; i++)
			any = any || ((have >> i & 1) && matches(d, &s->v[i]));
		return any || d->blocker;
	case IF_X:
	case ALL:
		for (int i = 0; i < d->n; i++) {
			if ((d->kind == ALL || s->v[of].x) && !holds(s, d->kid[i], of, have))
				return false;
		}
		return true;
	case ANY:
		for (int i = 0; i < d->n; i++) {
			if (d->kid[i]->kind == IF_X && !s->v[of].x)
				continue;
			any = true;
			if (holds(s, d->kid[i], of, have))
				return true;
		}
		return !any;
	}
	return true;
}

static void add_view(struct system *s, int at)
{
	struct member *p = &s->v[at];
	struct pkg *v = &s->view[at];
	struct buf deps = BUF_INIT;
	for (int i = 0; i < p->n; i++)
		print(p->deps[i], &deps);
	*v = (struct pkg){
		.kind = PKG_INSTALLED, .loaded = true, .use_done = true, .cat = STR("a")
	};
	v->pn = str_of(arena_printf(&s->arena, "p%c", 'a' + p->name));
	v->cp = str_of(arena_printf(&s->arena, "a/p%c", 'a' + p->name));
	v->version = v->slot = v->subslot = str_of(arena_printf(&s->arena, "%d", p->version));
	v->pf = str_of(arena_printf(&s->arena, "p%c-%d", 'a' + p->name, p->version));
	v->eapi = STR("8");
	v->iuse = arena_calloc(&s->arena, 1, sizeof *v->iuse);
	v->iuse[0] = (struct iuse){ .name = STR("x"), .on = p->x };
	v->n_iuse = 1;
	v->meta[below(s, 2) == 0 ? PKG_RDEPEND : PKG_BDEPEND] =
		str_of(arena_strdup(&s->arena, buf_str(&deps)));
	buf_fini(&deps);
}

static void random_system(struct system *s, uint64_t seed)
{
	*s = (struct system){ .seed = seed };
	for (int name = 0; name < NAMES; name++) {
		for (int version = 1; version <= 2; version++) {
			if (s->n == MAX_PACKAGES || below(s, 5) < 2)
				continue;
			struct member *p = &s->v[s->n++];
			*p = (struct member){ .name = name, .version = version };
			p->x = below(s, 2) == 0;
			p->n = below(s, MAX_NODES);
			for (int i = 0; i < p->n; i++)
				p->deps[i] = random_node(s, 0);
		}
	}
	for (int i = 0; i < s->n; i++)
		add_view(s, i);
}

static struct removal_input input(struct system *s)
{
	return (struct removal_input){ .installed = s->view,
		.n_installed = (size_t)s->n,
		.arena = &s->arena,
		.build_deps = true };
}

/* Packages that some atom of the tree matches, whatever the operators; plain: outside of any-of. */
static unsigned mentioned(const struct system *s, const struct node *d, int of, bool plain)
{
	unsigned found = 0;
	if (d->kind == ATOM) {
		unsigned best = 0;
		for (int i = 0; i < s->n; i++) {
			if (!d->blocker && matches(d, &s->v[i]))
				best = 1u << i; /* the list rises by version */
		}
		return best;
	}
	if ((d->kind == IF_X && !s->v[of].x) || (plain && d->kind == ANY))
		return 0;
	for (int i = 0; i < d->n; i++)
		found |= mentioned(s, d->kid[i], of, plain);
	return found;
}

/* Everything that can be reached from the set. */
static unsigned closure(const struct system *s, unsigned set, bool plain)
{
	for (unsigned before = ~set; before != set;) {
		before = set;
		for (int i = 0; i < s->n; i++) {
			for (int k = 0; (set >> i & 1) && k < s->v[i].n; k++)
				set |= mentioned(s, s->v[i].deps[k], i, plain);
		}
	}
	return set;
}

static void check_kept(const struct system *s, unsigned kept, uint64_t seed)
{
	unsigned all = (1u << s->n) - 1;
	for (int i = 0; i < s->n; i++) {
		for (int k = 0; (kept >> i & 1) && k < s->v[i].n; k++) {
			const struct node *d = s->v[i].deps[k];
			if (holds(s, d, i, all) && !holds(s, d, i, kept))
				test_fail(__FILE__, __LINE__,
					"seed %llu: a dependency of package %d is broken",
					(unsigned long long)seed, i);
		}
	}
}

/* All that some atom matches, of all alternatives. */
static unsigned touched(const struct system *s, const struct node *d, int of)
{
	unsigned found = 0;
	for (int i = 0; d->kind == ATOM && !d->blocker && i < s->n; i++)
		found |= (unsigned)matches(d, &s->v[i]) << i;
	for (int i = 0; (d->kind != IF_X || s->v[of].x) && i < d->n; i++)
		found |= touched(s, d->kid[i], of);
	return found;
}

static unsigned direct(const struct system *s, int of)
{
	unsigned found = 0;
	for (int k = 0; k < s->v[of].n; k++)
		found |= touched(s, s->v[of].deps[k], of);
	return found & ~(1u << of);
}

/* Does one need the other through packages of the set? */
static bool reaches(const struct system *s, int from, int to, unsigned within)
{
	unsigned set = 1u << from;
	for (unsigned before = 0; before != set;) {
		before = set;
		for (int i = 0; i < s->n; i++)
			set |= (set >> i & 1) ? direct(s, i) & within : 0;
	}
	return set >> to & 1;
}

/* Nothing goes that something needs which goes later, unless both need each other. */
static void check_order(const struct system *s, const struct depclean *d, unsigned kept)
{
	for (size_t i = 0; i < d->remove.n; i++) {
		for (size_t k = i + 1; k < d->remove.n; k++) {
			int first = (int)d->remove.v[i], later = (int)d->remove.v[k];
			CHECK(!(direct(s, later) >> first & 1) || reaches(s, first, later, ~kept));
		}
	}
}

static size_t total_removed;

static void check_depclean(struct system *s, uint64_t seed)
{
	bool stay[MAX_PACKAGES + 1] = { false };
	unsigned roots = 0, kept = 0;
	for (int i = 0; i < s->n; i++) {
		stay[i] = below(s, 4) == 0;
		roots |= (unsigned)stay[i] << i;
	}
	const struct removal_input in = input(s);
	const struct depclean_request request = { .stay = stay };
	struct depclean d;
	struct err e = ERR_INIT;
	CHECK_OK(depclean(&in, &request, &d, &e), e);
	for (int i = 0; i < s->n; i++)
		kept |= (unsigned)d.kept[i] << i;
	unsigned least = closure(s, roots, true), most = closure(s, roots, false);
	if ((kept & least) != least || (kept & ~most) != 0)
		test_fail(__FILE__, __LINE__, "seed %llu: kept %x, at least %x, at most %x",
			(unsigned long long)seed, kept, least, most);
	CHECK(d.remove.n == (size_t)s->n - (size_t)__builtin_popcount(kept));
	total_removed += d.remove.n;
	check_kept(s, kept, seed);
	check_order(s, &d, kept);
	depclean_fini(&d);
}

/* How many top-level parts of a dependency are lost; all-of and met conditions are taken apart. */
static size_t lost(const struct system *s, const struct node *d, int of, unsigned left)
{
	size_t n = 0;
	if (d->kind == ALL || (d->kind == IF_X && s->v[of].x)) {
		for (int i = 0; i < d->n; i++)
			n += lost(s, d->kid[i], of, left);
		return n;
	}
	return holds(s, d, of, (1u << s->n) - 1) && !holds(s, d, of, left);
}

static size_t total_breaks;

static void check_breaks(struct system *s, uint64_t seed)
{
	bool gone[MAX_PACKAGES + 1] = { false };
	unsigned left = 0;
	for (int i = 0; i < s->n; i++) {
		gone[i] = below(s, 3) == 0;
		left |= (unsigned)!gone[i] << i;
	}
	size_t want[MAX_PACKAGES] = { 0 }, got[MAX_PACKAGES] = { 0 };
	for (int i = 0; i < s->n; i++) {
		for (int k = 0; !gone[i] && k < s->v[i].n; k++)
			want[i] += lost(s, s->v[i].deps[k], i, left);
	}
	const struct removal_input in = input(s);
	struct removal_deps breaks = { 0 };
	struct err e = ERR_INIT;
	CHECK_OK(removal_breaks(&in, gone, &breaks, &e), e);
	for (size_t i = 0; i < breaks.list.n; i++)
		got[breaks.list.v[i].of]++;
	for (int i = 0; i < s->n; i++) {
		if (got[i] != want[i])
			test_fail(__FILE__, __LINE__,
				"seed %llu: package %d loses %zu dependencies, not %zu",
				(unsigned long long)seed, i, want[i], got[i]);
	}
	total_breaks += breaks.list.n;
	vec_fini(&breaks.list);
}

TEST(depclean_never_removes_what_is_needed)
{
	for (uint64_t seed = 1; seed <= 20000; seed++) {
		struct system s;
		random_system(&s, seed);
		check_depclean(&s, seed);
		arena_fini(&s.arena);
	}
	CHECK(total_removed > 10000);
}

TEST(unmerge_says_all_that_breaks_and_nothing_else)
{
	for (uint64_t seed = 1; seed <= 20000; seed++) {
		struct system s;
		random_system(&s, seed);
		check_breaks(&s, seed);
		arena_fini(&s.arena);
	}
	CHECK(total_breaks > 5000);
}

TEST(depclean_names_what_is_not_installed)
{
	struct system s = { .seed = 1, .n = 1 };
	struct node gone = { .kind = ATOM, .name = 3 };
	s.v[0] = (struct member){ .version = 1, .n = 1, .deps = { &gone } };
	add_view(&s, 0);
	s.view[0].meta[PKG_RDEPEND] = STR("a/pd || ( a/pe a/pf )");
	s.view[0].meta[PKG_BDEPEND] = STR("a/pg");
	const bool stay[] = { true };
	const struct removal_input in = input(&s);
	const struct depclean_request request = { .stay = stay };
	struct depclean d;
	struct err e = ERR_INIT;
	CHECK_OK(depclean(&in, &request, &d, &e), e);
	struct buf text = BUF_INIT;
	for (size_t i = 0; i < d.unmet.list.n; i++) {
		removal_dep_print(&d.unmet.list.v[i], &text);
		buf_addc(&text, ';');
	}
	CHECK_STR(buf_str(&text), "a/pd;|| ( a/pe a/pf );");
	buf_fini(&text);
	depclean_fini(&d);
	s.view[0].meta[PKG_PDEPEND] = STR("( a/pd");
	s.view[0].deps_parsed = 0;
	CHECK(!depclean(&in, &request, &d, &e));
	CHECK(strstr(e.message, "PDEPEND of the installed a/pa-1") != NULL);
	depclean_fini(&d);
	arena_fini(&s.arena);
}
