#include "test.h"
#include "version.h"

static int cmp(const char *a, const char *b)
{
	int forth = version_cmp(str_of(a), str_of(b)), back = version_cmp(str_of(b), str_of(a));
	CHECK((forth < 0) == (back > 0) && (forth == 0) == (back == 0));
	return forth < 0 ? -1 : forth > 0;
}

static bool valid(const char *v)
{
	return version_valid(str_of(v));
}

static bool glob(const char *pattern, const char *v)
{
	return version_glob(str_of(pattern), str_of(v));
}

TEST(version_syntax)
{
	static const char *const good[] = { "0", "1.2.3", "1a", "1.2b_alpha", "1_p_p3_rc4",
		"1_pre2-r3", "123456789012345678901234567890.1", "1-r00", "20240101" };
	static const char *const bad[] = { "", ".", "1.", ".1", "a", "1aa", "1.a", "1_", "1_x",
		"1-r", "1-1", "1 ", " 1", "1-r1-r2", "1_alpha-", "1A", "1..2", "1_alphax" };
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		CHECK(valid(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!valid(bad[i]));
}

TEST(version_numbers_have_any_length)
{
	CHECK(cmp("18446744073709551616", "18446744073709551615") > 0);
	CHECK(cmp("1.100000000000000000000000000000", "1.99999999999999999999999999999") > 0);
	CHECK(cmp("000000000000000000000000000001", "1") == 0);
	CHECK(cmp("1_p100000000000000000000", "1_p99999999999999999999") > 0);
	CHECK(cmp("1-r100000000000000000000", "1-r99999999999999999999") > 0);
}

TEST(version_leading_zeros_compare_as_fractions)
{
	CHECK(cmp("1.1", "1.01") > 0);
	CHECK(cmp("1.0100", "1.010") == 0);
	CHECK(cmp("1.010.02", "1.01.2") < 0);
	CHECK(cmp("1.05", "1.5") < 0);
	CHECK(cmp("1.0", "1.00") == 0);
	CHECK(cmp("1.09", "1.1") < 0);
}

TEST(version_order_of_parts)
{
	CHECK(cmp("1.0", "1") > 0);
	CHECK(cmp("1.1", "1a") > 0);
	CHECK(cmp("1a", "1") > 0);
	CHECK(cmp("1_alpha", "1_beta") < 0);
	CHECK(cmp("1_beta", "1_pre") < 0);
	CHECK(cmp("1_pre", "1_rc") < 0);
	CHECK(cmp("1_rc", "1") < 0);
	CHECK(cmp("1", "1_p") < 0);
	CHECK(cmp("1_p", "1_p0") == 0);
	CHECK(cmp("1_alpha_p", "1_alpha") > 0);
	CHECK(cmp("1_alpha_beta", "1_alpha") < 0);
	CHECK(cmp("1-r1", "1") > 0);
	CHECK(cmp("1-r0", "1") == 0);
	CHECK(cmp("1-r01", "1-r1") == 0);
}

TEST(version_glob_ends_at_a_boundary)
{
	CHECK(glob("1", "1"));
	CHECK(glob("1", "1.5"));
	CHECK(glob("1", "1a"));
	CHECK(glob("1", "1_p2"));
	CHECK(glob("1", "1-r3"));
	CHECK(!glob("1", "10"));
	CHECK(!glob("1.1", "1.10"));
	CHECK(glob("1_p", "1_p2"));
	CHECK(!glob("1_p", "1_pre"));
	CHECK(!glob("1-r1", "1-r11"));
	CHECK(glob("45", "045"));
	CHECK(glob("045", "45.1"));
	CHECK(glob("0", "00.1"));
	CHECK(!glob("1.2", "1"));
}

TEST(version_parts)
{
	CHECK(str_is(version_base(str_of("1.2_p3-r4")), "1.2_p3"));
	CHECK(str_is(version_revision(str_of("1.2_p3-r4")), "4"));
	CHECK(version_revision(str_of("1.2")).n == 0);
}

static const char *split(const char *text)
{
	static char out[128];
	struct cpv c;
	if (!cpv_split(str_of(text), &c))
		return "none";
	snprintf(out, sizeof out, "%.*s|%.*s|%.*s|%.*s", STR_ARG(c.cat), STR_ARG(c.pn),
		STR_ARG(c.version), STR_ARG(c.cp));
	return out;
}

TEST(version_split_of_names)
{
	CHECK_STR(split("cat/pkg-1.0-r2"), "cat|pkg|1.0-r2|cat/pkg");
	CHECK_STR(split("pkg-1"), "|pkg|1|pkg");
	CHECK_STR(split("a/b-c-r1-2"), "a|b-c-r1|2|a/b-c-r1");
	CHECK_STR(split("a/b--1"), "a|b-|1|a/b-");
	CHECK_STR(split("a/font-100dpi-1"), "a|font-100dpi|1|a/font-100dpi");
	CHECK_STR(split("a/b"), "none");
	CHECK_STR(split("a/b-1-1"), "none");
	CHECK_STR(split("a/b-1-r1-1"), "none");
	CHECK_STR(split("a/b-r1"), "none");
	CHECK_STR(split("/b-1"), "none");
	CHECK_STR(split("a/-1"), "none");
	CHECK_STR(split(""), "none");
	CHECK_STR(split("-"), "none");
}

TEST(version_names_of_things)
{
	CHECK(name_category(str_of("dev-libs")) && name_category(str_of("a.b+c_d")));
	CHECK(!name_category(str_of("-a")) && !name_category(str_of("")));
	CHECK(name_package(str_of("gtk+")) && name_package(str_of("b-r1")));
	CHECK(!name_package(str_of("b-1")) && !name_package(str_of("b.c")));
	CHECK(name_slot(str_of("4.8")) && !name_slot(str_of(".8")) && !name_slot(str_of("+0")));
	CHECK(name_flag(str_of("c++11@x")) && !name_flag(str_of("_a")) &&
		!name_flag(str_of("a.b")));
	CHECK(name_repo(str_of("gentoo-prefix")) && !name_repo(str_of("repo-1")));
	CHECK(!name_category((struct str){ "a\0b", 3 }));
}
