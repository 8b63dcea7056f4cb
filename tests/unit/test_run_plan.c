#include "run_fixture.h"

#include "fs.h"
#include "timings.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>

#define N(array) (sizeof(array) / sizeof *(array))

/* Where a package stands in the order of the plan. */
static size_t place(const struct plan *p, const char *id)
{
	size_t at = plan_find(p, id);
	CHECK(at != SIZE_MAX);
	return at;
}

static bool waits_for(const struct plan *p, const char *id, const char *first)
{
	size_t at = place(p, id), to = place(p, first);
	for (size_t i = 0; at != SIZE_MAX && i < p->steps.v[at].n_deps; i++) {
		if (p->steps.v[at].deps[i] == to)
			return true;
	}
	return false;
}

TEST(plan_orders_by_dependencies_and_adds_what_is_needed)
{
	static const struct fake_pkg packages[] = {
		{ .cpv = "a/app-1", .depend = "a/lib >=a/zlib-1", .bdepend = "a/tool" },
		{ .cpv = "a/lib-1", .rdepend = "a/data" },
		{ .cpv = "a/zlib-2" },
		{ .cpv = "a/tool-3" },
		{ .cpv = "a/data-1" },
	};
	static const char *const atoms[] = { "a/app", "a/zlib", NULL };
	struct fixture f;
	fixture_open(&f, packages, N(packages), atoms);
	CHECK(f.plan.steps.n == 5);
	CHECK(waits_for(&f.plan, "one:a/app-1", "one:a/lib-1"));
	CHECK(waits_for(&f.plan, "one:a/app-1", "one:a/zlib-2"));
	CHECK(waits_for(&f.plan, "one:a/app-1", "one:a/tool-3"));
	CHECK(waits_for(&f.plan, "one:a/lib-1", "one:a/data-1"));
	for (size_t i = 0; i < f.plan.steps.n; i++) {
		for (size_t j = 0; j < f.plan.steps.v[i].n_deps; j++)
			CHECK(f.plan.steps.v[i].deps[j] < i);
	}
	fixture_close(&f);
}

TEST(plan_decides_flags_and_conditional_dependencies)
{
	static const struct fake_pkg packages[] = {
		{ .cpv = "a/app-1",
			.iuse = "+nls extra -x",
			.depend = "nls? ( a/intl ) !extra? ( a/plain ) extra? ( a/extra )" },
		{ .cpv = "a/intl-1" },
		{ .cpv = "a/plain-1" },
		{ .cpv = "a/extra-1" },
	};
	static const char *const atoms[] = { "a/app", NULL };
	static const char *const lines[] = { "a/app extra", "a/other -nls", "*/* x", "a/app -x",
		NULL };
	struct fixture f;
	fixture_open(&f, packages, N(packages), atoms);
	CHECK_STR(f.plan.steps.v[place(&f.plan, "one:a/app-1")].use, "nls");
	CHECK(plan_find(&f.plan, "one:a/intl-1") != SIZE_MAX);
	CHECK(plan_find(&f.plan, "one:a/plain-1") != SIZE_MAX);
	CHECK(plan_find(&f.plan, "one:a/extra-1") == SIZE_MAX);
	struct arena a = ARENA_INIT;
	struct err e = ERR_INIT;
	const struct stage stage = { .name = "x", .use = lines };
	const struct pkg_meta m = {
		.category = "a", .pn = "app", .pvr = "1", .slot = "0", .iuse = "+nls extra -x"
	};
	const char *use = NULL;
	CHECK_OK(plan_use(&stage, &m, &a, &use, &e), e);
	CHECK_STR(use, "extra nls");
	arena_fini(&a);
	fixture_close(&f);
}

TEST(plan_any_of_prefers_what_is_planned)
{
	static const struct fake_pkg packages[] = {
		{ .cpv = "a/app-1", .depend = "|| ( a/first a/second )" },
		{ .cpv = "a/other-1", .depend = "|| ( a/third a/fourth )" },
		{ .cpv = "a/first-1" },
		{ .cpv = "a/second-1" },
		{ .cpv = "a/third-1" },
		{ .cpv = "a/fourth-1" },
	};
	static const char *const atoms[] = { "a/app", "a/other", "a/second", NULL };
	struct fixture f;
	fixture_open(&f, packages, N(packages), atoms);
	CHECK(waits_for(&f.plan, "one:a/app-1", "one:a/second-1"));
	CHECK(plan_find(&f.plan, "one:a/first-1") == SIZE_MAX);
	CHECK(waits_for(&f.plan, "one:a/other-1", "one:a/third-1"));
	fixture_close(&f);
}

TEST(plan_drops_a_run_time_cycle_with_a_note)
{
	static const struct fake_pkg packages[] = {
		{ .cpv = "a/one-1", .rdepend = "a/two" },
		{ .cpv = "a/two-1", .depend = "a/one" },
	};
	static const char *const atoms[] = { "a/one", NULL };
	struct fixture f;
	fixture_open(&f, packages, N(packages), atoms);
	CHECK(waits_for(&f.plan, "one:a/two-1", "one:a/one-1"));
	CHECK(!waits_for(&f.plan, "one:a/one-1", "one:a/two-1"));
	bool noted = false;
	for (size_t i = 0; i < f.plan.notes.n; i++)
		noted = noted || strstr(f.plan.notes.v[i], "run-time cycle") != NULL;
	CHECK(noted);
	fixture_close(&f);
}

/* Plan packages that cannot be planned; the message. */
static void plan_fails(const struct fake_pkg *packages, size_t n, struct err *e)
{
	static const char *const atoms[] = { "a/one", NULL };
	struct fake_repo repo = { packages, n };
	const struct plan_source source = fake_source(&repo);
	const char *dir = test_dir();
	const char *broots[] = { dir, NULL };
	const struct stage stage = {
		.name = "s", .root = dir, .broots = broots, .packages = atoms
	};
	struct plan p;
	const struct plan_request request = { dir, &stage, 1, &source };
	CHECK(!plan_bootstrap(&p, &request, e));
	CHECK(e->code == ERR_CONFLICT);
	plan_fini(&p);
}

TEST(plan_prints_a_whole_cycle)
{
	static const struct fake_pkg packages[] = {
		{ .cpv = "a/one-1", .depend = "a/two" },
		{ .cpv = "a/two-1", .depend = "a/three" },
		{ .cpv = "a/three-1", .bdepend = "a/one" },
	};
	struct err e = ERR_INIT;
	plan_fails(packages, N(packages), &e);
	CHECK(strstr(e.message, "s:a/three-1 -> s:a/one-1 -> s:a/two-1 -> s:a/three-1") != NULL);
}

TEST(plan_says_who_needs_what_is_not_there)
{
	static const struct fake_pkg packages[] = { { .cpv = "a/one-1", .depend = "a/gone" } };
	struct err e = ERR_INIT;
	plan_fails(packages, N(packages), &e);
	CHECK_STR(e.message, "s:a/one-1 needs a/gone (DEPEND): no package matches a/gone");
}

TEST(plan_host_tools_meet_build_dependencies)
{
	static const struct fake_pkg packages[] = { { .cpv = "a/one-1", .bdepend = "a/host" } };
	static const char *const atoms[] = { "a/one", NULL };
	struct fake_repo repo = { packages, 1 };
	const struct plan_source source = fake_source(&repo);
	const char *dir = test_dir();
	const char *broots[] = { dir, NULL };
	const struct stage stage = {
		.name = "s", .root = dir, .broots = broots, .packages = atoms, .host_tools = true
	};
	struct err e = ERR_INIT;
	struct plan p;
	const struct plan_request request = { dir, &stage, 1, &source };
	CHECK_OK(plan_bootstrap(&p, &request, &e), e);
	CHECK(p.steps.n == 1);
	plan_fini(&p);
}

/* Three stages: tools into tmp, libc into the prefix, the libc rebuilt with an application. */
struct stages {
	char *eprefix, *tmp;
	const char *broots[3];
	struct stage v[3];
};

static void make_stages(struct stages *s)
{
	static const char *const tools[] = { "a/tool", NULL };
	static const char *const libc[] = { "a/libc", NULL };
	static const char *const apps[] = { "a/libc", "a/app", NULL };
	static const char *const on_tool[] = { "first:a/tool", NULL };
	static const char *const on_stage[] = { "second:*", NULL };
	s->eprefix = xstrdup(test_dir());
	s->tmp = path_join(s->eprefix, "tmp");
	s->broots[0] = s->tmp;
	s->broots[1] = s->eprefix;
	s->broots[2] = NULL;
	s->v[0] = (struct stage){
		.name = "first", .root = s->tmp, .broots = s->broots, .packages = tools
	};
	s->v[1] = (struct stage){ .name = "second",
		.root = s->eprefix,
		.broots = s->broots,
		.packages = libc,
		.needs = on_tool };
	s->v[2] = (struct stage){ .name = "third",
		.root = s->eprefix,
		.broots = s->broots,
		.packages = apps,
		.needs = on_stage };
}

static void plan_stages(struct stages *s, const struct fake_pkg *packages, struct plan *p)
{
	struct fake_repo repo = { packages, 3 };
	const struct plan_source source = fake_source(&repo);
	struct err e = ERR_INIT;
	const struct plan_request request = { s->eprefix, s->v, 3, &source };
	CHECK_OK(plan_bootstrap(p, &request, &e), e);
}

TEST(plan_stages_order_and_share_roots)
{
	static const struct fake_pkg packages[] = {
		{ .cpv = "a/tool-1" },
		{ .cpv = "a/libc-1" },
		{ .cpv = "a/app-1", .depend = "a/libc", .bdepend = "a/tool" },
	};
	struct stages s;
	struct plan p;
	make_stages(&s);
	plan_stages(&s, packages, &p);
	CHECK(p.steps.n == 4);
	CHECK(waits_for(&p, "second:a/libc-1", "first:a/tool-1"));
	CHECK(waits_for(&p, "third:a/libc-1", "second:a/libc-1"));
	CHECK(waits_for(&p, "third:a/app-1", "third:a/libc-1"));
	CHECK(waits_for(&p, "third:a/app-1", "first:a/tool-1"));
	CHECK_STR(p.steps.v[place(&p, "first:a/tool-1")].root, s.tmp);
	plan_fini(&p);
	free(s.tmp);
	free(s.eprefix);
}

static const char *key(const struct plan *p, const char *id)
{
	return p->steps.v[place(p, id)].key;
}

TEST(plan_keys_change_with_what_they_depend_on_only)
{
	struct fake_pkg packages[] = {
		{ .cpv = "a/tool-1" },
		{ .cpv = "a/libc-1" },
		{ .cpv = "a/app-1", .depend = "a/libc" },
	};
	struct stages s;
	struct plan before, same, after;
	make_stages(&s);
	plan_stages(&s, packages, &before);
	plan_stages(&s, packages, &same);
	CHECK_STR(key(&same, "third:a/app-1"), key(&before, "third:a/app-1"));
	packages[1].recipe = "2";
	plan_stages(&s, packages, &after);
	CHECK_STR(key(&after, "first:a/tool-1"), key(&before, "first:a/tool-1"));
	CHECK(strcmp(key(&after, "second:a/libc-1"), key(&before, "second:a/libc-1")) != 0);
	CHECK(strcmp(key(&after, "third:a/app-1"), key(&before, "third:a/app-1")) != 0);
	plan_fini(&after);
	packages[1].recipe = NULL;
	packages[0].recipe = "2";
	plan_stages(&s, packages, &after);
	/* "first:a/tool" is a named need, it counts; "second:*" orders only, but the new libc key
	 * comes back by DEPEND. */
	CHECK(strcmp(key(&after, "second:a/libc-1"), key(&before, "second:a/libc-1")) != 0);
	CHECK_STR(key(&after, "third:a/libc-1"), key(&before, "third:a/libc-1"));
	plan_fini(&after);
	plan_fini(&same);
	plan_fini(&before);
	free(s.tmp);
	free(s.eprefix);
}

TEST(plan_refuses_needs_of_nothing)
{
	static const char *const atoms[] = { "a/one", NULL };
	static const char *const needs[] = { "early:a/one", NULL };
	static const struct fake_pkg packages[] = { { .cpv = "a/one-1" } };
	struct fake_repo repo = { packages, 1 };
	const struct plan_source source = fake_source(&repo);
	const struct stage stage = {
		.name = "s", .root = "/nonexistent", .packages = atoms, .needs = needs
	};
	struct err e = ERR_INIT;
	struct plan p;
	const struct plan_request request = { "/nonexistent", &stage, 1, &source };
	CHECK(!plan_bootstrap(&p, &request, &e));
	CHECK_STR(e.message, "stage s needs \"early:a/one\", but there is no such step");
	plan_fini(&p);
}

TEST(plan_priority_is_the_longest_chain)
{
	static const struct fake_pkg packages[] = {
		{ .cpv = "a/base-1" },
		{ .cpv = "a/mid-1", .depend = "a/base" },
		{ .cpv = "a/top-1", .depend = "a/mid" },
		{ .cpv = "a/lone-1" },
	};
	static const char *const atoms[] = { "a/lone", "a/top", NULL };
	struct fixture f;
	fixture_open(&f, packages, N(packages), atoms);
	size_t base = place(&f.plan, "one:a/base-1"), lone = place(&f.plan, "one:a/lone-1");
	double each = f.plan.steps.v[base].est_cpu_s;
	CHECK(each > 0);
	CHECK(f.plan.info.v[base].tail_s == 3 * each);
	CHECK(f.plan.info.v[lone].tail_s == each);
	fixture_close(&f);
}

TEST(plan_estimates_by_earlier_runs)
{
	static const struct fake_pkg packages[] = { { .cpv = "a/one-1" } };
	static const char *const atoms[] = { "a/one", NULL };
	struct fixture f;
	struct timings t = TIMINGS_INIT;
	fixture_open(&f, packages, 1, atoms);
	char *dir = xasprintf("%s/var/lib/eprefix", f.eprefix);
	CHECK_OK(fs_mkdirs(AT_FDCWD, dir, 0755, &f.e), f.e);
	const struct step *s = &f.plan.steps.v[0];
	const struct phase_time times[] = { { PHASE_CONFIGURE, 9, 7.25, 1 },
		{ PHASE_COMPILE, 30, 50.5, 1 }, { PHASE_COMPILE, 20, 40.5, 1 } };
	for (size_t i = 0; i < N(times); i++)
		CHECK_OK(timings_add(f.eprefix, s, &times[i], &f.e), f.e);
	CHECK_OK(timings_load(&t, f.eprefix, &f.e), f.e);
	plan_estimate(&f.plan, &t);
	CHECK(f.plan.steps.v[0].est_cpu_s == 47.75);
	timings_fini(&t);
	free(dir);
	fixture_close(&f);
}

TEST(plan_list_waits_for_earlier_packages_only)
{
	static const struct pkg_meta packages[] = {
		{ .category = "a", .pn = "lib", .pvr = "1", .slot = "0", .rdepend = "a/app" },
		{ .category = "a",
			.pn = "app",
			.pvr = "2",
			.slot = "0",
			.depend = ">=a/lib-1",
			.rdepend = "|| ( a/none a/lib )" },
	};
	struct err e = ERR_INIT;
	struct plan p;
	const struct plan_packages list = { "/nonexistent", packages, 2, "tools" };
	CHECK_OK(plan_list(&p, &list, &e), e);
	CHECK(p.steps.n == 2);
	CHECK_STR(p.steps.v[0].id, "emerge:a/lib-1");
	CHECK(p.steps.v[0].n_deps == 0);
	CHECK(p.steps.v[1].n_deps == 1 && p.steps.v[1].deps[0] == 0);
	plan_fini(&p);
}
