#include "bind_fixture.h"

#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>

/* The tests written in Lua, tests/lua/, found from this file's own place. */
TEST(bind_engine_tests_in_lua)
{
	struct err e = ERR_INIT;
	struct lua *lua = NULL;
	struct strv names = STRV_INIT;
	char *dir = xstrdup(__FILE__), *slash = strstr(dir, "unit/test_bind_lua.c");
	unsigned failed = 0;
	if (slash != NULL)
		memcpy(slash, "lua", sizeof "lua");
	if (slash == NULL || !fs_list(AT_FDCWD, dir, &names, &e))
		test_skip("tests/lua is not where it was compiled");
	CHECK_OK(lua_new(&lua, NULL, &e), e);
	for (size_t i = 0; i < names.n; i++) {
		char *path = path_join(dir, names.v[i]);
		CHECK_OK(lua_run_tests(lua, path, &failed, &e), e);
		if (failed > 0)
			test_fail(path, 1, "%u tests failed", failed);
		free(path);
	}
	lua_free(lua);
	strv_fini(&names);
	free(dir);
}
