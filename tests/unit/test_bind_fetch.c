#include "fs.h"
#include "lua_api.h"
#include "mem.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>

/* px.fetch, called by a Lua file that is written for the test. */

static void put(const char *dir, const char *name, const char *text)
{
	struct err e = ERR_INIT;
	char *path = path_join(dir, name);
	CHECK_OK(fs_write(AT_FDCWD, path, text, strlen(text), 0644, &e), e);
	free(path);
}

/* Run the body of a test function; DIR in it is a directory that holds the file "abc". */
static void run_lua(const char *body)
{
	struct err e = ERR_INIT;
	struct lua *lua = NULL;
	unsigned failed = 1;
	const char *dir = test_dir();
	char *path = path_join(dir, "test.lua");
	char *text = xasprintf("local equal = ...\nlocal px = require(\"px\")\nlocal DIR = %c%s%c\n"
			       "return { test = function()\n%s\nend }\n",
		'"', dir, '"', body);
	put(dir, "abc", "abc");
	put(dir, "test.lua", text);
	CHECK_OK(lua_new(&lua, NULL, &e), e);
	CHECK_OK(lua_run_tests(lua, path, &failed, &e), e);
	CHECK(failed == 0);
	lua_free(lua);
	free(text);
	free(path);
}

#define SHA256_OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

TEST(bind_fetch_returns_the_names_that_are_there)
{
	run_lua("local names = px.fetch({ distdir = DIR .. '/dist', offline = true }, {\n"
		" { { name = 'other', size = 4, uris = {} },\n"
		"   { name = 'got', size = 3, SHA256 = '" SHA256_OF_ABC
		"', uris = { 'file://' .. DIR .. '/abc' } } } })\n"
		"equal(#names, 1)\nequal(names[1], 'got')\nequal(px.fs.read(DIR .. '/dist/got'), "
		"'abc')");
}

TEST(bind_fetch_raises_what_could_not_be_had)
{
	run_lua("local ok, e = pcall(px.fetch, { distdir = DIR, offline = true },\n"
		" { { { name = 'x', size = 9, uris = { 'http://host.invalid/x' } } } })\n"
		"equal(ok, false)\nequal(e.what, 'fetch.source')\n"
		"equal(e.message:find('x (9 bytes)', 1, true) ~= nil, true)");
}

TEST(bind_fetch_refuses_wrong_arguments)
{
	run_lua("equal(pcall(px.fetch, {}, {}), false)\n"
		"equal(pcall(px.fetch, { distdir = DIR }, { {} , 1 }), false)\n"
		"equal(pcall(px.fetch, { distdir = DIR }, { { { name = 'a/b' } } }), false)");
}
