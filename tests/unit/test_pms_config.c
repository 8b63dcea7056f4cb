#include "pms_tree.h"
#include "test.h"

#include <stdlib.h>

#define DEFAULTS "var/db/repos/main/profiles/base/make.defaults"
#define PROFILE "var/db/repos/main/profiles/base/"

static struct tree base(void)
{
	struct tree t = tree_new();
	tree_write(&t, DEFAULTS,
		"ARCH=amd64\nACCEPT_KEYWORDS=amd64\nUSE=\"low\"\nUSE_EXPAND=\"CARDS ELIBC\"\n"
		"USE_EXPAND_IMPLICIT=\"ELIBC ARCH\"\nUSE_EXPAND_UNPREFIXED=ARCH\nELIBC=glibc\n"
		"USE_EXPAND_VALUES_ARCH=\"amd64 x86\"\nUSE_EXPAND_VALUES_ELIBC=\"glibc musl\"\n"
		"CARDS=\"one two\"\nIUSE_IMPLICIT=prefix\n");
	tree_ebuild(&t, "a/x-1",
		"IUSE=+plus -minus low conf pkg env cards_one cards_two cards_three\n");
	return t;
}

TEST(config_use_layers)
{
	struct tree t = base();
	tree_write(&t, "etc/portage/make.conf", "USE=\"conf -low\"\n");
	tree_write(&t, "etc/portage/package.use/x", "a/x pkg minus\n");
	const char *const env[] = { "USE=env -pkg", NULL };
	CHECK_OK(tree_load(&t, env), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "plus minus conf env cards_one cards_two");
	CHECK_STR(config_var(t.config, "USE"), "amd64 cards_one cards_two conf elibc_glibc env");
	tree_free(&t);
}

TEST(config_use_clearing)
{
	struct tree t = base();
	tree_write(&t, "etc/portage/make.conf", "USE=\"-* conf\"\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "conf");
	tree_free(&t);
}

TEST(config_use_expand_replaces_its_prefix)
{
	struct tree t = base();
	tree_write(&t, "etc/portage/make.conf", "CARDS=\"three\"\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "plus low cards_three");
	tree_free(&t);
}

TEST(config_package_use_prefix_words)
{
	struct tree t = base();
	tree_write(&t, "etc/portage/package.use",
		"a/x conf CARDS: -* three\n*/* env\na/x -plus\n>=a/none-1 x\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "low conf env cards_three");
	tree_free(&t);
}

TEST(config_package_use_by_specificity)
{
	struct tree t = base();
	tree_write(&t, "etc/portage/package.use",
		"=a/x-1 conf\na/x -conf pkg\na/* -pkg env\n>=a/x-0 -env\n*/x env\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "plus low conf pkg cards_one cards_two");
	tree_free(&t);
}

TEST(config_use_mask_and_force)
{
	struct tree t = base();
	tree_write(&t, PROFILE "use.mask", "plus\nconf\n");
	tree_write(&t, PROFILE "use.force", "env\nconf\n");
	tree_write(&t, PROFILE "package.use.mask", "a/x low\n");
	tree_write(&t, PROFILE "package.use.stable.mask", "a/x cards_one\n");
	tree_write(&t, "etc/portage/profile/package.use.force", "a/x minus\n");
	tree_write(&t, "etc/portage/profile/use.mask", "-plus\n");
	tree_ebuild(&t, "a/y-1", "KEYWORDS=~amd64\nIUSE=cards_one low\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "plus minus env cards_two");
	struct pkg *p = tree_pkg(&t, "a/x-1");
	CHECK(pkg_iuse(p, STR("conf"))->masked && pkg_iuse(p, STR("conf"))->forced);
	CHECK(pkg_iuse(p, STR("env"))->forced && pkg_iuse(p, STR("low"))->masked);
	CHECK_STR(tree_use(&t, "a/y-1"), "cards_one low");
	tree_free(&t);
}

TEST(config_stable_rules_are_for_stable_packages)
{
	struct tree t = base();
	tree_write(&t, PROFILE "use.stable.mask", "low\n");
	tree_ebuild(&t, "a/y-1", "KEYWORDS=~amd64\nIUSE=low\n");
	tree_ebuild(&t, "a/z-1", "IUSE=low\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/y-1"), "low");
	CHECK_STR(tree_use(&t, "a/z-1"), "");
	tree_free(&t);
	/* Where testing is accepted anyway nothing is accepted through a stable keyword only. */
	t = base();
	tree_write(&t, PROFILE "use.stable.mask", "low\n");
	tree_write(&t, "etc/portage/make.conf", "ACCEPT_KEYWORDS=\"~amd64\"\n");
	tree_ebuild(&t, "a/z-1", "IUSE=low\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/z-1"), "low");
	tree_free(&t);
}

TEST(config_profile_package_use_stands_in_its_level)
{
	struct tree t = base();
	tree_write(&t, PROFILE "package.use", "a/x conf -low\n");
	tree_write(&t, "var/db/repos/main/profiles/child/parent", "../base\n");
	tree_write(&t, "var/db/repos/main/profiles/child/eapi", "8\n");
	tree_write(&t, "var/db/repos/main/profiles/child/make.defaults",
		"USE=\"-conf env\"\nCARDS=\"-two\"\n");
	tree_write(&t, "etc/portage/make.profile/parent", "main:child\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "plus env cards_one");
	tree_free(&t);
}

TEST(config_repository_rules_are_the_lowest)
{
	struct tree t = base();
	tree_write(&t, "var/db/repos/main/profiles/package.use", "a/x conf -plus\n");
	tree_write(&t, "var/db/repos/main/profiles/make.defaults", "USE=\"pkg\"\n");
	tree_write(&t, "var/db/repos/main/profiles/use.mask", "low\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "plus conf pkg cards_one cards_two");
	tree_free(&t);
}

TEST(config_package_env)
{
	struct tree t = base();
	tree_write(&t, "etc/portage/package.env", "a/x opt -none.conf\n");
	tree_write(&t, "etc/portage/package.env", "a/x opt\n");
	tree_write(&t, "etc/portage/env/opt", "CFLAGS=\"-O0\"\nUSE=\"conf -low\"\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/x-1"), "plus conf cards_one cards_two");
	struct config_env env = { 0 };
	CHECK_OK(config_env(t.config, tree_pkg(&t, "a/x-1"), &env, &t.e), t.e);
	CHECK(env.list.n == 2 && strcmp(env.list.v[0].name, "CFLAGS") == 0);
	CHECK_STR(env.list.v[0].value, "-O0");
	vec_fini(&env.list);
	tree_free(&t);
	t = base();
	tree_write(&t, "etc/portage/package.env", "a/x missing\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK(!config_env(t.config, tree_pkg(&t, "a/x-1"), &env, &t.e));
	CHECK(strstr(t.e.message, "env/missing is not there") != NULL);
	tree_free(&t);
}

TEST(config_implicit_flags)
{
	struct tree t = base();
	tree_write(&t, "var/db/repos/main/profiles/arch.list", "amd64\nppc\n");
	tree_ebuild(&t, "a/old-1", "EAPI=4\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	struct pkg *p = tree_pkg(&t, "a/x-1"), *old = tree_pkg(&t, "a/old-1");
	CHECK(pkg_flag_valid(p, STR("amd64")) && pkg_flag_on(p, STR("amd64")));
	CHECK(pkg_flag_valid(p, STR("x86")) && !pkg_flag_on(p, STR("x86")));
	CHECK(pkg_flag_valid(p, STR("elibc_musl")) && pkg_flag_on(p, STR("elibc_glibc")));
	CHECK(pkg_flag_valid(p, STR("prefix")) && !pkg_flag_valid(p, STR("ppc")));
	CHECK(!pkg_flag_valid(p, STR("other")) && !pkg_flag_on(p, STR("other")));
	CHECK(pkg_flag_valid(old, STR("ppc")) && pkg_flag_valid(old, STR("build")));
	tree_free(&t);
}

static const char *keyword_mask(const char *keywords, const char *make_conf, const char *accept)
{
	static char text[64];
	struct tree t = base();
	char *cache = xasprintf("KEYWORDS=%s\n", keywords);
	tree_ebuild(&t, "a/k-1", cache);
	tree_write(&t, "etc/portage/make.conf", make_conf);
	tree_write(&t, "etc/portage/package.accept_keywords/f", accept);
	CHECK_OK(tree_load(&t, NULL), t.e);
	snprintf(text, sizeof text, "%s", tree_mask(&t, "a/k-1"));
	free(cache);
	tree_free(&t);
	return text;
}

TEST(config_keywords)
{
	const char *testing = "ACCEPT_KEYWORDS=\"~amd64\"";
	CHECK_STR(keyword_mask("amd64", "", ""), "");
	CHECK_STR(keyword_mask("~amd64", "", ""), "~amd64 keyword");
	CHECK_STR(keyword_mask("~amd64", testing, ""), "");
	CHECK_STR(keyword_mask("~amd64", "", "a/k"), "");
	CHECK_STR(keyword_mask("~amd64", "", "=a/k-2"), "~amd64 keyword");
	CHECK_STR(keyword_mask("~amd64", "", "a/k ~x86"), "~amd64 keyword");
	CHECK_STR(keyword_mask("~x86", "", "a/k"), "missing keyword");
	CHECK_STR(keyword_mask("~x86", "", "a/k ~*"), "");
	CHECK_STR(keyword_mask("x86", "", "a/k *"), "");
	CHECK_STR(keyword_mask("~x86", "", "a/k *"), "missing keyword");
	CHECK_STR(keyword_mask("", "", "a/k ~*"), "missing keyword");
	CHECK_STR(keyword_mask("", "", "a/k **"), "");
	CHECK_STR(keyword_mask("-*", "", "*/* **"), "");
	CHECK_STR(keyword_mask("*", "", ""), "");
	CHECK_STR(keyword_mask("~*", "", ""), "missing keyword");
	CHECK_STR(keyword_mask("~*", testing, ""), "");
	CHECK_STR(keyword_mask("-amd64", "", ""), "missing keyword");
	CHECK_STR(keyword_mask("amd64", "", "a/k -*"), "amd64 keyword");
	CHECK_STR(keyword_mask("amd64", "", "a/k -amd64\n=a/k-1 amd64"), "");
}

TEST(config_masks)
{
	struct tree t = base();
	for (int i = 1; i <= 5; i++) {
		char *cpv = xasprintf("b/m-%d", i);
		tree_ebuild(&t, cpv, "");
		free(cpv);
	}
	tree_write(&t, "var/db/repos/main/profiles/package.mask", "# why\n=b/m-1\n=b/m-2\n");
	tree_write(&t, PROFILE "package.mask", "=b/m-3\n=b/m-4\n");
	tree_write(&t, "etc/portage/package.mask/mine", "-=b/m-4\n=b/m-5:0\nbad bad\n");
	tree_write(&t, "etc/portage/package.unmask", "<b/m-2\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_mask(&t, "b/m-1"), "");
	CHECK_STR(tree_mask(&t, "b/m-2"), "package.mask");
	CHECK_STR(tree_mask(&t, "b/m-3"), "package.mask");
	CHECK_STR(tree_mask(&t, "b/m-4"), "");
	struct mask m;
	CHECK(!config_visible(t.config, tree_pkg(&t, "b/m-5"), &m));
	CHECK(m.kinds == MASK_PACKAGE && strstr(m.where, "package.mask/mine") != NULL);
	CHECK(config_warnings(t.config)->n == 1);
	CHECK(strstr(config_warnings(t.config)->v[0], "package.mask/mine:3: invalid atom") != NULL);
	tree_free(&t);
}

static const char *license_mask(const char *license, const char *make_conf, const char *own)
{
	static char text[64];
	struct tree t = base();
	char *cache = xasprintf("IUSE=f\nLICENSE=%s\n", license);
	tree_ebuild(&t, "a/l-1", cache);
	tree_write(&t, "var/db/repos/main/profiles/license_groups",
		"FREE @GPL MIT\nGPL GPL-2 GPL-3\nEULA evil\n");
	tree_write(&t, "etc/portage/make.conf", make_conf);
	tree_write(&t, "etc/portage/package.license", own);
	CHECK_OK(tree_load(&t, NULL), t.e);
	snprintf(text, sizeof text, "%s", tree_mask(&t, "a/l-1"));
	free(cache);
	tree_free(&t);
	return text;
}

TEST(config_licenses)
{
	const char *free_only = "ACCEPT_LICENSE=\"-* @FREE\"";
	CHECK_STR(license_mask("anything", "", ""), "");
	CHECK_STR(license_mask("evil", "", ""), "evil license(s)");
	CHECK_STR(license_mask("evil", "", "a/l evil"), "");
	CHECK_STR(license_mask("evil", "", "a/l @EULA"), "");
	CHECK_STR(license_mask("GPL-3 MIT", free_only, ""), "");
	CHECK_STR(license_mask("GPL-3 odd", free_only, ""), "odd license(s)");
	CHECK_STR(license_mask("|| ( odd MIT )", free_only, ""), "");
	CHECK_STR(license_mask("|| ( odd ( MIT worse ) )", free_only, ""), "odd worse license(s)");
	CHECK_STR(license_mask("f? ( odd ) MIT", free_only, ""), "");
	CHECK_STR(license_mask("!f? ( odd ) MIT", free_only, ""), "odd license(s)");
	CHECK_STR(license_mask("GPL-2", "ACCEPT_LICENSE=\"* -@GPL\"", ""), "GPL-2 license(s)");
	CHECK_STR(license_mask("GPL-2", free_only, "*/* -GPL-2"), "GPL-2 license(s)");
}

TEST(config_properties_and_restrict)
{
	struct tree t = base();
	tree_ebuild(&t, "a/i-1", "PROPERTIES=interactive\nRESTRICT=fetch\n");
	tree_write(&t, "etc/portage/make.conf",
		"ACCEPT_PROPERTIES=\"* -interactive\"\nACCEPT_RESTRICT=\"* -fetch\"\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_mask(&t, "a/i-1"), "interactive properties, fetch in RESTRICT");
	tree_free(&t);
	t = base();
	tree_ebuild(&t, "a/i-1", "PROPERTIES=interactive\n");
	tree_write(&t, "etc/portage/make.conf", "ACCEPT_PROPERTIES=\"-interactive\"\n");
	tree_write(&t, "etc/portage/package.properties", "a/i interactive\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_mask(&t, "a/i-1"), "");
	tree_free(&t);
}

TEST(config_sets_of_profile_and_user)
{
	struct tree t = base();
	struct set_list l = { 0 };
	struct strv names = STRV_INIT;
	tree_write(&t, PROFILE "packages", "*a/x\n*b/y\nb/z\n");
	tree_write(&t, "etc/portage/profile/packages", "-*b/y\n");
	tree_write(&t, "etc/portage/sets/mine", "a/x\n>=b/y-1 # c\n@other\n");
	tree_write(&t, "etc/portage/sets/broken", "a/x\n=b/y\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	config_system(t.config, &l);
	CHECK(l.list.n == 1 && str_is(l.list.v[0].atom->cp, "a/x"));
	l.list.n = 0;
	config_profile_set(t.config, &l);
	CHECK(l.list.n == 1 && str_is(l.list.v[0].atom->cp, "b/z"));
	l.list.n = 0;
	CHECK_OK(config_set(t.config, "mine", &l, &t.e), t.e);
	CHECK(l.list.n == 3 && strcmp(l.list.v[2].set, "other") == 0);
	CHECK(!config_set(t.config, "broken", &l, &t.e));
	CHECK(strstr(t.e.message, "sets/broken:2") != NULL && l.list.n == 0);
	t.e = ERR_INIT;
	CHECK(!config_set(t.config, "../mine", &l, &t.e));
	t.e = ERR_INIT;
	CHECK_OK(config_sets(t.config, &names, &t.e), t.e);
	CHECK(names.n == 2 && strcmp(names.v[1], "mine") == 0);
	vec_fini(&l.list);
	strv_fini(&names);
	tree_free(&t);
}

TEST(config_provided_packages)
{
	struct tree t = base();
	struct arena a = ARENA_INIT;
	tree_write(&t, PROFILE "package.provided", "b/p-1\nb/q-1\n");
	tree_write(&t, "etc/portage/profile/package.provided", "-b/q-1\nb/r-2\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	struct atom *p = atom_parse(&a, STR(">=b/p-1:3[x]"), STR(""), 0, &t.e);
	struct atom *newer = atom_parse(&a, STR(">b/p-1"), STR(""), 0, &t.e);
	struct atom *q = atom_parse(&a, STR("b/q"), STR(""), 0, &t.e);
	CHECK(config_provided(t.config, p) && !config_provided(t.config, newer));
	CHECK(!config_provided(t.config, q));
	arena_fini(&a);
	tree_free(&t);
}

TEST(config_lines_that_match_nothing)
{
	struct tree t = base();
	struct strv lines = STRV_INIT;
	tree_ebuild(&t, "b/only-1", "");
	tree_write(&t, "etc/portage/package.use", "a/only x\na/x low\n*/none x\n");
	tree_write(&t, "etc/portage/package.accept_keywords", "\n=b/only-2\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_OK(config_unmatched(t.config, &lines, &t.e), t.e);
	CHECK(lines.n == 2);
	CHECK(strstr(lines.v[0], "package.use:1: a/only matches no package; did you mean b/only"));
	CHECK(strstr(lines.v[1], "keywords:2: =b/only-2 matches no version of that package"));
	strv_fini(&lines);
	tree_free(&t);
}

static bool config_fails(const char *path, const char *text, const char *message)
{
	struct tree t = base();
	tree_write(&t, path, text);
	bool failed = !tree_load(&t, NULL) && strstr(t.e.message, message) != NULL;
	if (!failed)
		printf("got: %s\n", t.e.message);
	tree_free(&t);
	return failed;
}

TEST(config_errors_have_file_and_line)
{
	CHECK(config_fails("etc/portage/make.conf", "\nUSE=\"x", "make.conf:2: "));
	CHECK(config_fails("etc/portage/make.profile/parent", "none:x\n", "no repository 'none'"));
	CHECK(config_fails("etc/portage/make.profile/parent", "main:none\n", "is no directory"));
	CHECK(config_fails("var/db/repos/main/profiles/base/parent", ".\n", "itself"));
	CHECK(config_fails(DEFAULTS, "USE=x y\n", "make.defaults:"));
}

TEST(config_accumulates_variables)
{
	struct tree t = base();
	tree_write(&t, "etc/portage/make.conf",
		"FEATURES=\"a b\"\nCONFIG_PROTECT=\"/opt\"\nMAKEOPTS=\"-j${N}\"\nX=$EPREFIX\n");
	const char *const env[] = { "FEATURES=-a c", "PATH=/x", "CFLAGS=-bad", "MAKEOPTS=-j9",
		NULL };
	CHECK_OK(tree_load(&t, env), t.e);
	CHECK_STR(config_var(t.config, "FEATURES"), "b c");
	CHECK_STR(config_var(t.config, "CONFIG_PROTECT"), "/etc /opt");
	CHECK_STR(config_var(t.config, "MAKEOPTS"), "-j9");
	CHECK_STR(config_var(t.config, "X"), t.root);
	CHECK_STR(config_var(t.config, "CFLAGS"), "");
	CHECK_STR(config_var(t.config, "PATH"), "");
	CHECK(config_has(t.config, "FEATURES", "c") && !config_has(t.config, "FEATURES", "a"));
	tree_free(&t);
}

TEST(config_features_test)
{
	struct tree t = base();
	tree_ebuild(&t, "a/t-1", "IUSE=test\n");
	tree_ebuild(&t, "a/t-2", "IUSE=test\nRESTRICT=test\n");
	tree_ebuild(&t, "a/t-3", "IUSE=-test\n");
	tree_write(&t, "etc/portage/make.conf", "FEATURES=test\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(tree_use(&t, "a/t-1"), "test");
	CHECK_STR(tree_use(&t, "a/t-2"), "");
	CHECK_STR(tree_use(&t, "a/t-3"), "");
	tree_free(&t);
}
