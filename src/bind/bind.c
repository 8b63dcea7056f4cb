#include "bind.h"

int bind_raise(lua_State *L, const struct err *e)
{
	lua_createtable(L, 0, 3);
	bind_set(L, "what", e->what);
	bind_set(L, "message", e->message);
	lua_pushinteger(L, e->code);
	lua_setfield(L, -2, "code");
	return lua_error(L);
}

int bind_done(lua_State *L, bool ok, const struct err *e, int n)
{
	return ok ? n : bind_raise(L, e);
}

void bind_set(lua_State *L, const char *name, const char *value)
{
	if (value == NULL)
		return;
	lua_pushstring(L, value);
	lua_setfield(L, -2, name);
}

void bind_push_strv(lua_State *L, const struct strv *v)
{
	lua_createtable(L, (int)v->n, 0);
	for (size_t i = 0; i < v->n; i++) {
		lua_pushstring(L, v->v[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

const char *const *bind_list(lua_State *L, int t, const char *name)
{
	t = lua_absindex(L, t);
	if (lua_getfield(L, t, name) == LUA_TNIL) {
		lua_pushnil(L);
		return NULL;
	}
	luaL_argcheck(L, lua_istable(L, -1), t, name);
	lua_Integer n = luaL_len(L, -1);
	const char **list = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *list, 0);
	for (lua_Integer i = 0; i < n; i++) {
		lua_rawgeti(L, -2, i + 1);
		luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, t, name);
		list[i] = lua_tostring(L, -1);
		lua_pop(L, 1); /* the list in the field still holds it */
	}
	list[n] = NULL;
	return list;
}

const char *bind_field(lua_State *L, int t, const char *name, const char *fallback)
{
	lua_getfield(L, t, name);
	const char *text = lua_tostring(L, -1);
	lua_pop(L, 1);
	return text != NULL ? text : fallback;
}

lua_Integer bind_integer(lua_State *L, int t, const char *name, lua_Integer fallback)
{
	lua_getfield(L, t, name);
	lua_Integer n = luaL_optinteger(L, -1, fallback);
	lua_pop(L, 1);
	return n;
}

bool bind_flag(lua_State *L, int t, const char *name)
{
	lua_getfield(L, t, name);
	bool on = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return on;
}
