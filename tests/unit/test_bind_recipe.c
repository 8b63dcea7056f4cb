#include "bind_fixture.h"

#include <stdlib.h>

/* Recipes: what they print, what is refused and how it is said. */

static const char full[] =
	"local kit = lib 'kit'\n"
	"return kit.tool {\n"
	"\tDESCRIPTION = 'A  thing', LICENSE = 'MIT', KEYWORDS = 'amd64', IUSE = '+nls doc',\n"
	"\tSLOT = '0/$MAJOR.$MINOR', DEPEND = { 'a/b:$SLOT', use.nls 'c/d' }, BDEPEND = 'e/f',\n"
	"\tRDEPEND = { any { 'a/b', { 'c/d', 'e/f' } } }, REQUIRED_USE = { use.doc 'nls' },\n"
	"\tmem = 700,\n"
	"\tsources = { any { 'x://h/a.tar.gz', 'y://h/$PN-$PV.tgz -> b.tar.gz' } },\n"
	"\toptions = { '--prefix=$EPREFIX', enable 'nls' },\n"
	"}\n";

static const char kit[] =
	"local kit = {}\n"
	"function kit.tool(spec)\n"
	"\treturn cmake(defaults(spec, { HOMEPAGE = 'https://h', BDEPEND = 'k/k' }))\n"
	"end\n"
	"return kit\n";

static void check_meta(const char *recipe, const char *want)
{
	struct bind_fixture f;
	struct recipe_meta meta = { 0 };
	struct err e = ERR_INIT;
	bind_fixture_open(&f, recipe);
	bind_fixture_write(&f, "lib/kit.lua", kit);
	CHECK_OK(lua_recipe_meta(f.lua, &f.ref, &meta, &e), e);
	if (strstr(buf_str(&meta.text), want) == NULL)
		test_fail(__FILE__, __LINE__, "no '%s' in\n%s", want, buf_str(&meta.text));
	recipe_meta_fini(&meta);
	bind_fixture_close(&f);
}

TEST(bind_metadata_prints_as_md5_cache)
{
	check_meta(full, "BDEPEND=dev-build/cmake dev-build/ninja k/k e/f\n");
	check_meta(full, "DEPEND=a/b:0/1.2 nls? ( c/d )\n");
	check_meta(full, "RDEPEND=|| ( a/b ( c/d e/f ) )\nREQUIRED_USE=doc? ( nls )\nSLOT=0/1.2\n");
	check_meta(full, "SRC_URI=x://h/a.tar.gz y://h/thing-1.2.tgz -> b.tar.gz\n");
	check_meta(full, "INHERIT=cmake kit\n");
	check_meta(full, "_mem_=700\n");
	check_meta(full, "DESCRIPTION=A thing\nEAPI=8\nHOMEPAGE=https://h\n");
}

/* The recipe must fail to load with `want` in the message, behind the recipe's path. */
static void check_refused(const char *recipe, const char *want)
{
	struct bind_fixture f;
	struct recipe_meta meta = { 0 };
	struct err e = ERR_INIT;
	bind_fixture_open(&f, recipe);
	CHECK(!lua_recipe_meta(f.lua, &f.ref, &meta, &e));
	if (strstr(e.message, "/app-misc/thing/thing-1.2.lua:") == NULL ||
		strstr(e.message, want) == NULL)
		test_fail(__FILE__, __LINE__, "no '%s' in '%s'", want, e.message);
	recipe_meta_fini(&meta);
	bind_fixture_close(&f);
}

#define HEAD "return plain {\n\tDESCRIPTION = 'd', LICENSE = 'l',\n"

TEST(bind_bad_recipes_are_refused_with_file_and_line)
{
	check_refused(HEAD "\tDESCRIPTON = 'x',\n}\n", ":3: unknown field 'DESCRIPTON'");
	check_refused(HEAD "\tDEPEND = { use.nls 'a/b' },\n}\n",
		":3: DEPEND asks about the flag 'nls', which is not in IUSE");
	check_refused(HEAD "\tsubdir = '$NOPE',\n}\n", ":3: subdir: unknown $NOPE");
	check_refused(HEAD "\toptions = { '--x=$NOPE' },\n}\n", ":3: options: unknown $NOPE");
	check_refused(HEAD "\tsources = { 'x://h/c.tar.gz' },\n}\n",
		":3: source c.tar.gz has no DIST line in");
	check_refused(HEAD "\tmem = 'much',\n}\n", ":3: mem must be a number, not string");
	check_refused("return plain {\n\tLICENSE = 'l',\n}\n", "DESCRIPTION is missing");
	check_refused("return 1\n", "a recipe returns a build system");
	check_refused("return plain {", "unexpected symbol near <eof>");
}

TEST(bind_recipes_cannot_touch_the_world)
{
	check_refused("io.open('/etc/passwd')\n", ":1: 'io' is not known to recipes");
	check_refused("os.execute('true')\n", ":1: 'os' is not known to recipes");
	check_refused("x = 1\n", ":1: recipes have no global variables: write 'local x'");
	check_refused("require('px')\n", ":1: 'require' is not known to recipes");
	check_refused("load('return 1')\n", ":1: 'load' is not known to recipes");
	check_refused("return string.dump(print)\n", ":1:");
	check_refused("getmetatable('').__index.rep = nil\n", ":1: 'getmetatable' is not known");
	check_refused("lib '../x'\n", ":1: lib wants a name");
	check_refused("\033Lua", "attempt to load a binary chunk");
}

TEST(bind_the_digest_follows_the_recipe_and_what_it_uses)
{
	struct bind_fixture f;
	struct recipe_meta before = { 0 }, after = { 0 };
	struct err e = ERR_INIT;
	bind_fixture_open(&f, HEAD "\tpatches = { 'a.patch' },\n}\n");
	bind_fixture_write(&f, "app-misc/thing/files/a.patch", "one");
	CHECK_OK(lua_recipe_meta(f.lua, &f.ref, &before, &e), e);
	bind_fixture_write(&f, "app-misc/thing/files/other", "unused");
	CHECK_OK(lua_recipe_meta(f.lua, &f.ref, &after, &e), e);
	CHECK_STR(after.digest, before.digest);
	recipe_meta_fini(&after);
	bind_fixture_write(&f, "app-misc/thing/files/a.patch", "two");
	CHECK_OK(lua_recipe_meta(f.lua, &f.ref, &after, &e), e);
	CHECK(strcmp(after.digest, before.digest) != 0);
	recipe_meta_fini(&after);
	recipe_meta_fini(&before);
	bind_fixture_close(&f);
}

TEST(bind_sources_carry_what_the_manifest_says)
{
	struct bind_fixture f;
	struct source_list list;
	struct err e = ERR_INIT;
	bind_fixture_open(&f, HEAD "\tIUSE = 'doc', sources = { any { 'x://1/a.tar.gz', "
				   "'x://2/a.tar.gz', 'x://b.tar.gz' },"
				   " use.doc 'x://b.tar.gz' },\n}\n");
	CHECK_OK(lua_recipe_sources(f.lua, &f.ref, "", &list, &e), e);
	CHECK(list.v.n == 1 && list.v.v[0].alternatives.n == 2);
	const struct source_file *a = &list.v.v[0].alternatives.v[0];
	CHECK_STR(a->name, "a.tar.gz");
	CHECK(a->size == 5 && a->uris.n == 2);
	CHECK_STR(a->uris.v[1], "x://2/a.tar.gz");
	CHECK_STR(a->blake2b, "aa");
	CHECK_STR(a->sha512, "bb");
	CHECK(a[1].blake2b == NULL);
	source_list_fini(&list);
	CHECK_OK(lua_recipe_sources(f.lua, &f.ref, "doc", &list, &e), e);
	CHECK(list.v.n == 2);
	source_list_fini(&list);
	bind_fixture_close(&f);
}
