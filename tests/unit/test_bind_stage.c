#include "bind_fixture.h"

#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>

/* Stage files and host facts. */

static const char one[] =
	"return function(host, opt)\n"
	"\treturn { { name = 'one', root = '$EPREFIX/tmp', broots = { '$EPREFIX' },\n"
	"\t\tpackages = { opt.package }, host_tools = true,\n"
	"\t\ttools = { path = { '/bin' }, CC = host.cc, x = { 2, 1 } } } }\n"
	"end\n";

static bool evaluate(const char *text, const char *options, struct stage_list *out, struct err *e)
{
	char *dir = fs_real(test_dir(), e), *path = path_join(dir, "s.lua");
	struct lua *lua = NULL;
	struct lua_stage_input in = {
		.which = path, .facts = "{\"cc\":\"gcc\"}", .options = options, .eprefix = "/p"
	};
	bool ok = fs_write(AT_FDCWD, path, text, strlen(text), 0644, e) && lua_new(&lua, NULL, e) &&
		  lua_stages(lua, &in, out, e);
	lua_free(lua);
	free(path);
	free(dir);
	return ok;
}

TEST(bind_stages_are_expanded)
{
	struct stage_list list = { 0 };
	struct err e = ERR_INIT;
	CHECK_OK(evaluate(one, "{\"package\":\"a/b\"}", &list, &e), e);
	CHECK(list.v.n == 1);
	const struct stage *s = &list.v.v[0];
	CHECK_STR(s->name, "one");
	CHECK_STR(s->root, "/p/tmp");
	CHECK_STR(s->broots[0], "/p");
	CHECK_STR(s->packages[0], "a/b");
	CHECK(s->packages[1] == NULL && s->use[0] == NULL && s->needs[0] == NULL);
	CHECK(s->host_tools);
	CHECK_STR(s->tools_text, "{CC=\"gcc\",path={1=\"/bin\"},x={1=2,2=1}}");
	stage_list_fini(&list);
}

static void check_refused(const char *text, const char *want)
{
	struct stage_list list = { 0 };
	struct err e = ERR_INIT;
	CHECK(!evaluate(text, NULL, &list, &e));
	if (strstr(e.message, want) == NULL)
		test_fail(__FILE__, __LINE__, "no '%s' in '%s'", want, e.message);
	stage_list_fini(&list);
}

#define STAGE(fields) "return function() return { { name = 's', " fields " } } end\n"

TEST(bind_bad_stage_files_are_refused)
{
	check_refused(STAGE("rot = '/'"), "stage s has an unknown field 'rot'");
	check_refused(STAGE("root = '/', broots = {}, packages = {}"), "stage s has no 'tools'");
	check_refused(STAGE("root = {}"), "stage s: root must be a string");
	check_refused(
		STAGE("root = '$NOPE', broots = {}, packages = {}, tools = {}"), "unknown $NOPE");
	check_refused("return function() return x.y end", "s.lua");
	check_refused("return {", "unexpected symbol near <eof>");
}

TEST(bind_embedded_stages_and_hosts_evaluate)
{
	struct err e = ERR_INIT;
	struct lua *lua = NULL;
	struct buf facts = BUF_INIT;
	struct stage_list list = { 0 };
	CHECK_OK(lua_new(&lua, NULL, &e), e);
	CHECK_OK(lua_host_facts(lua, test_dir(), "{}", &facts, &e), e);
	CHECK(strstr(buf_str(&facts), "\"arch\":") != NULL);
	struct lua_stage_input in = {
		.which = "linux", .facts = buf_str(&facts), .options = "{}", .eprefix = "/p"
	};
	CHECK_OK(lua_stages(lua, &in, &list, &e), e);
	CHECK(list.v.n >= 3);
	stage_list_fini(&list);
	buf_fini(&facts);
	lua_free(lua);
}
