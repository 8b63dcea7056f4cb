#include "bind.h"
#include "lua_api.h"

#include <stdio.h>
#include <string.h>

/* The runner of tests/lua/ files. */

struct request {
	const char *path;
	unsigned failed;
};

/* equal(got, want): fails unless both print the same. */
static int l_equal(lua_State *L)
{
	const char *got = luaL_tolstring(L, 1, NULL), *want = luaL_tolstring(L, 2, NULL);
	if (strcmp(got, want) != 0)
		return luaL_error(L, "got  %s\n\twant %s", got, want);
	return 0;
}

/* Run the function on top of the stack; a raised error is a failed test. */
static bool run_one(lua_State *L, const char *path, const char *name)
{
	if (lua_pcall(L, 0, 0, 0) == LUA_OK)
		return true;
	if (lua_istable(L, -1))
		lua_getfield(L, -1, "message");
	fprintf(stderr, "%s: %s: %s\n", path, name, luaL_tolstring(L, -1, NULL));
	return false;
}

static int p_tests(lua_State *L)
{
	struct request *q = lua_touserdata(L, 1);
	if (luaL_loadfilex(L, q->path, "t") != LUA_OK)
		return lua_error(L);
	lua_pushcfunction(L, l_equal);
	lua_call(L, 1, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	for (lua_pushnil(L); lua_next(L, 2) != 0; lua_settop(L, 3)) {
		const char *name = luaL_checkstring(L, 3);
		q->failed += run_one(L, q->path, name) ? 0 : 1;
	}
	return 0;
}

bool lua_run_tests(struct lua *l, const char *path, unsigned *failed, struct err *e)
{
	struct request q = { .path = path };
	bool ok = bind_protect(l, p_tests, &q, e);
	*failed = q.failed;
	return ok;
}
