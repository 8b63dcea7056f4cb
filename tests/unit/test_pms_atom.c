#include "atom.h"
#include "pkg.h"
#include "test.h"
#include "version.h"

static struct arena arena;

static struct atom *parse(const char *text, const char *eapi, unsigned flags)
{
	struct err e = ERR_INIT;
	struct atom *a = atom_parse(&arena, str_of(text), str_of(eapi), flags, &e);
	CHECK((a == NULL) == (e.code == ERR_CONFLICT));
	return a;
}

/* What an atom is printed as; "invalid", when it is not one. */
static const char *printed(const char *text, const char *eapi, unsigned flags)
{
	struct buf out = BUF_INIT;
	struct atom *a = parse(text, eapi, flags);
	if (a == NULL)
		return "invalid";
	atom_print(a, &out);
	const char *kept = arena_strdup(&arena, buf_str(&out));
	buf_fini(&out);
	return kept;
}

static const char *why(const char *text, const char *eapi)
{
	static struct err e;
	e = ERR_INIT;
	CHECK(atom_parse(&arena, str_of(text), str_of(eapi), 0, &e) == NULL);
	return e.message;
}

/* "a -b" becomes IUSE with their states. */
static struct pkg package(const char *cpv, const char *slot, const char *use)
{
	struct cpv c;
	struct pkg p = { 0 };
	CHECK(cpv_split(str_of(cpv), &c));
	p.cp = c.cp;
	p.cat = c.cat;
	p.pn = c.pn;
	p.version = c.version;
	struct str rest = str_of(slot), word;
	str_split(&rest, '/', &p.slot);
	p.subslot = rest.p != NULL ? rest : p.slot;
	p.iuse = arena_calloc(&arena, 8, sizeof *p.iuse);
	rest = str_of(use);
	while (str_word(&rest, &word)) {
		bool off = word.p[0] == '-';
		struct str name = { word.p + off, word.n - off };
		p.iuse[p.n_iuse++] = (struct iuse){ .name = name, .on = !off };
	}
	return p;
}

static bool matches(const char *atom, const char *cpv, const char *slot, const char *use)
{
	struct pkg p = package(cpv, slot, use);
	struct atom *a = parse(atom, "", ATOM_USER);
	return a != NULL && atom_match(a, &p);
}

TEST(atom_prints_what_it_read)
{
	static const char *const same[] = { "a/b", "!a/b",
		"!!>=a/b-1-r2:0/1=::r[x,-y(+),z?,!w(-)=]", "=a/b-1*:=", "~a/b-2_p3", "<a/b-1",
		">a/b-1", "<=a/b-1:2", "a/b:*", "a/b::r[x]", "*/*", "dev-*/foo*:1", "=*/*-*9999*",
		"*/zlib::r", "=a/b-1-2" };
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		CHECK_STR(printed(same[i], "", ATOM_USER), same[i]);
	arena_fini(&arena);
}

TEST(atom_forms_belong_to_their_eapi)
{
	CHECK_STR(printed("a/b:1", "0", 0), "invalid");
	CHECK_STR(printed("a/b:1", "1", 0), "a/b:1");
	CHECK_STR(printed("a/b[x]", "1", 0), "invalid");
	CHECK_STR(printed("!!a/b", "1", 0), "invalid");
	CHECK_STR(printed("!a/b", "0", 0), "!a/b");
	CHECK_STR(printed("a/b[x(+)]", "3", 0), "invalid");
	CHECK_STR(printed("a/b[x(+)]", "4", 0), "a/b[x(+)]");
	CHECK_STR(printed("a/b:=", "4", 0), "invalid");
	CHECK_STR(printed("a/b:1/2", "4", 0), "invalid");
	CHECK_STR(printed("a/b:1/2=", "5", 0), "a/b:1/2=");
	CHECK_STR(printed("a/b::r", "8", 0), "invalid");
	CHECK_STR(printed("a/b::r", "8", ATOM_REPO), "a/b::r");
	CHECK_STR(printed("*/b", "8", 0), "invalid");
	arena_fini(&arena);
}

TEST(atom_says_what_is_wrong_and_where)
{
	CHECK(strstr(why("a/b[x,!y]", "8"), "'!y' at character 7") != NULL);
	CHECK(strstr(why("a/b:1", "0"), "not allowed in EAPI 0") != NULL);
	CHECK(strstr(why(">=a/b", "8"), "needs") != NULL);
	CHECK(strstr(why("a/b-1", "8"), "a version needs an operator") != NULL);
	CHECK(strstr(why("b", "8"), "no category") != NULL);
	arena_fini(&arena);
}

TEST(atom_letter_of_pms_and_portage_differ)
{
	CHECK_STR(printed("~a/b-1-r1", "8", 0), "~a/b-1-r1");
	CHECK_STR(printed("~a/b-1-r1", "8", ATOM_PMS), "invalid");
	CHECK_STR(printed("a/b[u(-),u(+)]", "8", 0), "invalid");
	CHECK_STR(printed("a/b[u(-),u(+)]", "8", ATOM_PMS), "a/b[u(-),u(+)]");
	CHECK_STR(printed("=a/b-1-2", "8", 0), "invalid");
	CHECK_STR(printed("=a/b-1-02", "", ATOM_USER), "invalid");
	arena_fini(&arena);
}

TEST(atom_wildcards_only_in_their_forms)
{
	static const char *const bad[] = { "a/**", ">=*/b-1", "*/b[x]", "=*/b-1*", "*/b-1",
		"=a/*-1", "=*/*-**", "*", "*/", "/*", "=_p----*y*" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK_STR(printed(bad[i], "", ATOM_USER), "invalid");
	arena_fini(&arena);
}

TEST(atom_matches_versions)
{
	CHECK(matches(">=a/b-1", "a/b-1-r1", "0", ""));
	CHECK(!matches(">a/b-1", "a/b-1-r0", "0", ""));
	CHECK(matches("=a/b-1.0", "a/b-01.0-r0", "0", ""));
	CHECK(matches("~a/b-1", "a/b-1-r7", "0", ""));
	CHECK(matches("~a/b-1-r2", "a/b-1-r7", "0", ""));
	CHECK(!matches("~a/b-1.0", "a/b-01.0", "0", ""));
	CHECK(matches("=a/b-1*", "a/b-1.2", "0", ""));
	CHECK(!matches("=a/b-1*", "a/b-10", "0", ""));
	CHECK(!matches("a/b", "a/c-1", "0", ""));
	CHECK(matches("=*/*-*999*", "a/c-1.9999", "0", ""));
	CHECK(!matches("=a/b-1-3", "a/b-1", "0", "")); /* a build id: binary packages only */
	arena_fini(&arena);
}

TEST(atom_matches_slots_and_names)
{
	CHECK(matches("a/b:1", "a/b-1", "1/2", ""));
	CHECK(!matches("a/b:2", "a/b-1", "1/2", ""));
	CHECK(matches("a/b:1/2=", "a/b-1", "1/2", ""));
	CHECK(!matches("a/b:1/1=", "a/b-1", "1/2", ""));
	CHECK(matches("a/b:=", "a/b-1", "1/2", ""));
	CHECK(matches("a/b:9", "a/b-1", "", ""));
	CHECK(matches("*/b", "a/b-1", "0", ""));
	CHECK(matches("a*/*b*", "abc/xbx-1", "0", ""));
	CHECK(!matches("a*b", "a/b-1", "0", ""));
	CHECK(!matches("*/*:1", "a/b-1", "0", ""));
	arena_fini(&arena);
}

TEST(atom_matches_use)
{
	CHECK(matches("a/b[x,-y]", "a/b-1", "0", "x -y"));
	CHECK(!matches("a/b[x]", "a/b-1", "0", "-x"));
	CHECK(!matches("a/b[x]", "a/b-1", "0", ""));
	CHECK(!matches("a/b[-x]", "a/b-1", "0", ""));
	CHECK(matches("a/b[x(+)]", "a/b-1", "0", ""));
	CHECK(!matches("a/b[x(-)]", "a/b-1", "0", ""));
	CHECK(matches("a/b[-x(-)]", "a/b-1", "0", ""));
	CHECK(!matches("a/b[-x(+)]", "a/b-1", "0", ""));
	CHECK(!matches("a/b[x(+)]", "a/b-1", "0", "-x"));
	CHECK(matches("a/b[x?]", "a/b-1", "0", "-x"));
	CHECK(!matches("a/b[x?]", "a/b-1", "0", "")); /* it must exist though it is not asked */
	arena_fini(&arena);
}

static bool x_is_on(const void *ctx, struct str flag)
{
	(void)ctx;
	return str_is(flag, "x");
}

TEST(atom_conditions_follow_the_parent)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "a/b[x?]", "a/b[x]" },
		{ "a/b[y?]", "a/b" },
		{ "a/b[!x?]", "a/b" },
		{ "a/b[!y?]", "a/b[-y]" },
		{ "a/b[x=]", "a/b[x]" },
		{ "a/b[y=]", "a/b[-y]" },
		{ "a/b[!x=]", "a/b[-x]" },
		{ "a/b[!y(-)=,z]", "a/b[y(-),z]" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = BUF_INIT;
		struct atom *a = parse(cases[i].text, "8", 0);
		atom_print(atom_evaluate(&arena, a, x_is_on, NULL), &out);
		CHECK_STR(buf_str(&out), cases[i].want);
		buf_fini(&out);
	}
	/* A flag whose condition fell away must still be in IUSE. */
	struct pkg p = package("a/b-1", "0", "");
	CHECK(!atom_match(atom_evaluate(&arena, parse("a/b[y?]", "8", 0), x_is_on, NULL), &p));
	arena_fini(&arena);
}

/* The best of a list separated by blanks. */
static const char *best(const char *atoms, const char *cpv)
{
	const struct atom *v[16];
	size_t n = 0;
	struct str rest = str_of(arena_strdup(&arena, atoms)), word;
	struct err e = ERR_INIT;
	while (str_word(&rest, &word))
		v[n++] = atom_parse(&arena, word, STR(""), ATOM_USER, &e);
	struct pkg p = package(cpv, "0", "");
	size_t i = atom_best_match(v, n, &p);
	return i < n ? arena_strndup(&arena, v[i]->text.p, v[i]->text.n) : "none";
}

TEST(atom_best_match_is_the_most_specific)
{
	CHECK_STR(best("a/b =a/b-1 ~a/b-1", "a/b-1"), "=a/b-1");
	CHECK_STR(best("=a/b-1* ~a/b-1", "a/b-1"), "~a/b-1");
	CHECK_STR(best(">=a/b-1 a/b:0", "a/b-1"), "a/b:0");
	CHECK_STR(best(">=a/b-1 >=a/b-2", "a/b-3"), ">=a/b-2");
	CHECK_STR(best("<a/b-9 <a/b-5", "a/b-3"), "<a/b-5");
	CHECK_STR(best(">=a/b-1 >=a/b-3", "a/b-3"), ">=a/b-3");
	CHECK_STR(best("*/* */b:0 a/b", "a/b-3"), "a/b");
	CHECK_STR(best("*/* */b:0", "a/b-3"), "*/b:0");
	CHECK_STR(best("a/c", "a/b-3"), "none");
	arena_fini(&arena);
}

static bool meet(const char *a, const char *b)
{
	struct atom *x = parse(a, "", ATOM_USER), *y = parse(b, "", ATOM_USER);
	CHECK(atom_intersects(x, y) == atom_intersects(y, x));
	return atom_intersects(x, y);
}

TEST(atom_intersections)
{
	CHECK(meet("a/b", ">a/b-1") && meet(">a/b-1", "<a/b-2") && !meet("<a/b-1", ">a/b-1"));
	CHECK(meet(">=a/b-1", "<=a/b-1") && !meet(">a/b-1", "<=a/b-1"));
	CHECK(meet("=a/b-1*", ">a/b-1.5") && !meet("=a/b-1*", ">=a/b-2"));
	CHECK(meet("=a/b-1*", "<a/b-1") && !meet("=a/b-1-r1*", "<a/b-1"));
	CHECK(meet("~a/b-1", ">a/b-1-r5") && !meet("~a/b-1", "<a/b-1"));
	CHECK(meet("=a/b-1*", "=a/b-1.0*") && !meet("=a/b-1.1*", "=a/b-1.0*"));
	CHECK(!meet("a/b:1", "a/b:2") && !meet("a/b::r", "a/b::s") && !meet("a/b[x]", "a/b[-x]"));
	CHECK(meet("a/*", "a/b") && !meet("c/*", "a/b"));
	arena_fini(&arena);
}
