#include "dep.h"
#include "required_use.h"
#include "test.h"

#include <stdlib.h>

static struct arena arena;

static const struct dep *parse(const char *text, enum dep_syntax syntax, struct err *e)
{
	const struct dep *d;
	struct dep_parse how = { .syntax = syntax };
	*e = ERR_INIT;
	bool ok = dep_parse(&arena, str_of(text), &how, &d, e);
	CHECK(ok == (e->code == ERR_NONE));
	return d;
}

static const char *printed(const char *text, enum dep_syntax syntax)
{
	struct err e;
	struct buf out = BUF_INIT;
	const struct dep *d = parse(text, syntax, &e);
	if (e.code != ERR_NONE)
		return "invalid";
	dep_print(d, &out);
	const char *kept = arena_strdup(&arena, buf_str(&out));
	buf_fini(&out);
	return kept;
}

static bool bad(const char *text, enum dep_syntax syntax, const char *message)
{
	struct err e;
	parse(text, syntax, &e);
	return e.code == ERR_CONFLICT && strstr(e.message, message) != NULL;
}

TEST(dep_prints_what_it_read)
{
	CHECK_STR(printed(" a/b\t|| ( a/c  ( a/d a/e ) )\n", DEP_OF_ATOMS),
		"a/b || ( a/c ( a/d a/e ) )");
	CHECK_STR(printed("x? ( !y? ( !a/b ) )", DEP_OF_ATOMS), "x? ( !y? ( !a/b ) )");
	CHECK_STR(printed("http://x/y -> z x? ( f )", DEP_OF_URIS), "http://x/y -> z x? ( f )");
	CHECK_STR(printed("^^ ( a !b ) ?? ( ) || ( ( c ) )", DEP_OF_FLAGS),
		"^^ ( a !b ) ?? ( ) || ( ( c ) )");
	CHECK_STR(printed("|| ( GPL-2 MIT )", DEP_OF_WORDS), "|| ( GPL-2 MIT )");
	CHECK_STR(printed("", DEP_OF_ATOMS), "");
	arena_fini(&arena);
}

TEST(dep_errors_name_the_token)
{
	CHECK(bad("a/b || a/c", DEP_OF_ATOMS, "token 3, 'a/c': '(' must come here"));
	CHECK(bad("a/b )", DEP_OF_ATOMS, "token 2, ')'"));
	CHECK(bad("( a/b", DEP_OF_ATOMS, "')' is missing at the end"));
	CHECK(bad("a/b ||", DEP_OF_ATOMS, "'(' is missing at the end"));
	CHECK(bad("|| ( )", DEP_OF_ATOMS, "the group is empty"));
	CHECK(bad("|| ( a/b (a/c ) )", DEP_OF_ATOMS, "white space is missing"));
	CHECK(bad("a/b nonsense", DEP_OF_ATOMS, "token 2: invalid atom 'nonsense'"));
	CHECK(bad("+? ( a/b )", DEP_OF_ATOMS, "no USE flag"));
	CHECK(bad("a -> b", DEP_OF_WORDS, "SRC_URI only"));
	CHECK(bad("|| ( a b )", DEP_OF_URIS, "no any-of"));
	CHECK(bad("a ->", DEP_OF_URIS, "file name is missing"));
	CHECK(bad("a -> b/c", DEP_OF_URIS, "without '/'"));
	CHECK(bad("a -> ( b )", DEP_OF_URIS, "file name"));
	CHECK(bad("a -> x? ( b )", DEP_OF_URIS, "file name"));
	CHECK(bad("a !!b", DEP_OF_FLAGS, "no USE flag"));
	arena_fini(&arena);
}

TEST(dep_depth_is_limited)
{
	struct buf text = BUF_INIT;
	for (int i = 0; i < DEP_MAX_DEPTH; i++)
		buf_adds(&text, "( ");
	buf_adds(&text, "a/b");
	for (int i = 0; i < DEP_MAX_DEPTH; i++)
		buf_adds(&text, " )");
	CHECK(strcmp(printed(buf_str(&text), DEP_OF_ATOMS), "invalid") != 0);
	char *deeper = xasprintf("( %s )", buf_str(&text));
	CHECK(bad(deeper, DEP_OF_ATOMS, "too deeply"));
	free(deeper);
	buf_fini(&text);
	arena_fini(&arena);
}

static const struct str on_v[] = { { "x", 1 }, { "y", 1 } };
static const struct flag_list on = { on_v, 2 };

static const char *reduced(const char *text, enum dep_syntax syntax, struct reduce how)
{
	struct err e;
	struct rlist *l;
	struct buf out = BUF_INIT;
	const struct dep *d = parse(text, syntax, &e);
	CHECK_OK(e.code == ERR_NONE, e);
	how.on = flag_list_on;
	how.on_ctx = &on;
	if (!dep_reduce(&arena, d, &how, &l, &e))
		return "invalid";
	rlist_json(l, &out);
	const char *kept = arena_strdup(&arena, buf_str(&out));
	buf_fini(&out);
	return kept;
}

TEST(dep_reduces_conditions)
{
	struct reduce plain = { 0 };
	CHECK_STR(reduced("x? ( a ) !x? ( b ) n? ( c ) !n? ( d )", DEP_OF_WORDS, plain),
		"[\"a\", \"d\"]");
	CHECK_STR(reduced("a/b[x?,n?,!n=]", DEP_OF_ATOMS, plain), "[\"a/b[x,n]\"]");
	struct reduce all = { .matchall = true };
	CHECK_STR(reduced("n? ( a/b[n?] )", DEP_OF_ATOMS, all), "[\"a/b[n?]\"]");
	struct reduce none = { .matchnone = true };
	CHECK_STR(reduced("x? ( a ) !n? ( b ) c", DEP_OF_WORDS, none), "[\"c\"]");
	arena_fini(&arena);
}

TEST(dep_reduction_drops_redundant_brackets)
{
	struct reduce plain = { 0 }, op = { .opconvert = true }, flat = { .flat = true };
	CHECK_STR(reduced("( ( a ) ( b ) )", DEP_OF_WORDS, plain), "[\"a\", \"b\"]");
	CHECK_STR(reduced("|| ( a || ( b c ) )", DEP_OF_WORDS, plain),
		"[\"||\", [\"a\", \"b\", \"c\"]]");
	CHECK_STR(reduced("|| ( ( a b ) x? ( c ) )", DEP_OF_WORDS, op),
		"[[\"||\", [\"a\", \"b\"], \"c\"]]");
	CHECK_STR(reduced("|| ( a x? ( b ) )", DEP_OF_WORDS, flat), "[\"||\", \"a\", \"b\"]");
	struct reduce both = { .flat = true, .opconvert = true };
	CHECK_STR(reduced("a", DEP_OF_WORDS, both), "invalid");
	arena_fini(&arena);
}

TEST(dep_emptied_any_of_depends_on_the_eapi)
{
	struct reduce old = { 0 }, new = { .empty_any_is_false = true };
	CHECK_STR(reduced("|| ( n? ( a ) )", DEP_OF_WORDS, old), "[]");
	CHECK_STR(reduced("|| ( n? ( a ) )", DEP_OF_WORDS, new), "[\"__const__/empty-any-of\"]");
	arena_fini(&arena);
}

TEST(dep_reduction_checks_flags)
{
	struct reduce strict = { .valid = flag_list_on, .valid_ctx = &on };
	CHECK_STR(reduced("x? ( a )", DEP_OF_WORDS, strict), "[\"a\"]");
	CHECK_STR(reduced("n? ( a )", DEP_OF_WORDS, strict), "invalid");
	CHECK_STR(reduced("a/b[n?]", DEP_OF_ATOMS, strict), "invalid");
	CHECK_STR(reduced("a/b[n]", DEP_OF_ATOMS, strict), "[\"a/b[n]\"]");
	arena_fini(&arena);
}

TEST(dep_shares_atoms_that_are_written_alike)
{
	struct map atoms = MAP_INIT;
	struct err e = ERR_INIT;
	struct dep_parse how = { .syntax = DEP_OF_ATOMS, .eapi = STR("8"), .atoms = &atoms };
	const struct dep *d;
	CHECK_OK(dep_parse(&arena, STR("a/b x? ( a/b ) a/c"), &how, &d, &e), e);
	CHECK(d->atom == d->next->child->atom && d->atom != d->next->next->atom);
	map_fini(&atoms);
	arena_fini(&arena);
}

static const char *required(const char *text, bool new_eapi)
{
	struct err e;
	struct buf out = BUF_INIT;
	bool satisfied;
	const struct dep *d = parse(text, DEP_OF_FLAGS, &e);
	CHECK_OK(e.code == ERR_NONE, e);
	struct required_use how = { .on = flag_list_on, .on_ctx = &on };
	how.empty_any_is_false = new_eapi;
	CHECK_OK(required_use_check(d, &how, &satisfied, &out, &e), e);
	CHECK(satisfied == (out.n == 0));
	const char *kept = arena_strdup(&arena, buf_str(&out));
	buf_fini(&out);
	return kept;
}

TEST(required_use_shows_what_is_unsatisfied)
{
	CHECK_STR(required("x y !n", true), "");
	CHECK_STR(required("x !y n", true), "!y n");
	CHECK_STR(required("^^ ( x y )", true), "^^ ( x y )");
	CHECK_STR(required("?? ( x y n )", true), "?? ( x y n )");
	CHECK_STR(required("x? ( n x )", true), "x? ( n )");
	CHECK_STR(required("n? ( m ) || ( m n )", true), "|| ( m n )");
	CHECK_STR(required("|| ( ( ( n m ) ) )", true), "n m");
	arena_fini(&arena);
}

TEST(required_use_empty_groups)
{
	CHECK_STR(required("?? ( ) x? ( )", true), "");
	CHECK_STR(required("|| ( ) ^^ ( )", false), "");
	struct required_use how = { .on = flag_list_on, .on_ctx = &on, .empty_any_is_false = true };
	struct err e;
	bool satisfied;
	const struct dep *d = parse("|| ( )", DEP_OF_FLAGS, &e);
	CHECK_OK(required_use_check(d, &how, &satisfied, NULL, &e), e);
	CHECK(!satisfied);
	how.valid = flag_list_on;
	how.valid_ctx = &on;
	CHECK(!required_use_check(parse("q", DEP_OF_FLAGS, &e), &how, &satisfied, NULL, &e));
	arena_fini(&arena);
}
