#include "bind.h"
#include "embed.h"
#include "fs.h"
#include "lua_api.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define LOADED "eprefix.loaded" /* registry: engine modules by name */

/* Lua's allocator: running out of memory aborts, so no push can raise. */
static void *allocate(void *ud, void *p, size_t old, size_t n)
{
	(void)ud;
	(void)old;
	if (n > 0)
		return xrealloc(p, n);
	free(p);
	return NULL;
}

struct lua *bind_state(lua_State *L)
{
	return *(struct lua **)lua_getextraspace(L);
}

static bool embedded_text(const char *name, struct buf *out)
{
	for (size_t i = 0; i < n_embed_files; i++) {
		if (strcmp(embed_files[i].name, name) == 0) {
			buf_add(out, embed_files[i].data, embed_files[i].size);
			return true;
		}
	}
	return false;
}

bool bind_engine_text(const struct lua *l, const char *name, struct buf *out)
{
	if (l->dir == NULL)
		return embedded_text(name, out);
	struct err e = ERR_INIT;
	char *path = path_join(l->dir, name);
	bool ok = fs_read(AT_FDCWD, path, out, &e);
	free(path);
	return ok;
}

/* Push the function that the engine file's text is. */
static void load_module(lua_State *L, const char *file)
{
	const struct lua *l = bind_state(L);
	struct buf text = BUF_INIT;
	if (!bind_engine_text(l, file, &text))
		luaL_error(L, "no engine file %s/%s", l->dir != NULL ? l->dir : "lua", file);
	lua_pushlstring(L, buf_str(&text), text.n);
	buf_fini(&text);
	const char *chunk = lua_pushfstring(L, "@lua/%s", file);
	size_t n;
	const char *source = lua_tolstring(L, -2, &n);
	if (luaL_loadbufferx(L, source, n, chunk, "t") != LUA_OK)
		lua_error(L);
}

/* require(name): "qa.elf" is lua/qa/elf.lua, run once. */
static int l_require(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1);
	lua_settop(L, 1);
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LOADED);
	if (lua_getfield(L, 2, name) != LUA_TNIL)
		return 1;
	const char *file = luaL_gsub(L, name, ".", "/");
	load_module(L, lua_pushfstring(L, "%s.lua", file));
	lua_call(L, 0, 1);
	lua_pushvalue(L, -1);
	lua_setfield(L, 2, name);
	return 1;
}

void bind_require(lua_State *L, const char *name)
{
	lua_pushcfunction(L, l_require);
	lua_pushstring(L, name);
	lua_call(L, 1, 1);
}

void bind_function(lua_State *L, const char *module, const char *name)
{
	bind_require(L, module);
	lua_getfield(L, -1, name);
	lua_remove(L, -2);
}

static void remove_global(lua_State *L, const char *name)
{
	lua_pushnil(L);
	lua_setglobal(L, name);
}

/* Only what cannot touch the world; `require` is our own. */
static int open_libraries(lua_State *L)
{
	static const luaL_Reg libs[] = {
		{ LUA_GNAME, luaopen_base },
		{ LUA_TABLIBNAME, luaopen_table },
		{ LUA_STRLIBNAME, luaopen_string },
		{ LUA_MATHLIBNAME, luaopen_math },
		{ LUA_UTF8LIBNAME, luaopen_utf8 },
	};
	for (size_t i = 0; i < sizeof(libs) / sizeof(*libs); i++) {
		luaL_requiref(L, libs[i].name, libs[i].func, 1);
		lua_pop(L, 1);
	}
	remove_global(L, "dofile");
	remove_global(L, "loadfile");
	remove_global(L, "print");
	lua_register(L, "require", l_require);
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LOADED);
	bind_open_px(L);
	lua_setfield(L, -2, "px");
	bind_require(L, "strict");
	return 0;
}

/* Message handler: tables pass, other errors become text with where they came from. */
static int traceback(lua_State *L)
{
	if (lua_istable(L, 1))
		return 1;
	const char *text = luaL_tolstring(L, 1, NULL);
	luaL_traceback(L, L, text, 1);
	return 1;
}

static const char *error_field(lua_State *L, const char *name)
{
	lua_getfield(L, -1, name);
	const char *text = lua_tostring(L, -1);
	lua_pop(L, 1); /* the table still holds it */
	return text != NULL ? text : "";
}

/* Fill *e from the error value on top of the stack, and pop it. */
static void take_error(lua_State *L, struct err *e)
{
	if (lua_istable(L, -1)) {
		lua_getfield(L, -1, "code");
		enum err_code code = (enum err_code)lua_tointeger(L, -1);
		lua_pop(L, 1);
		const char *what = error_field(L, "what"), *message = error_field(L, "message");
		err_set(e, code != ERR_NONE ? code : ERR_FAILED, what, "%s", message);
	} else {
		err_set(e, ERR_FAILED, "lua.error", "%s", lua_tostring(L, -1));
	}
	lua_pop(L, 1);
}

bool bind_protect(struct lua *l, lua_CFunction f, void *ctx, struct err *e)
{
	lua_State *L = l->L;
	lua_pushcfunction(L, traceback);
	lua_pushcfunction(L, f);
	lua_pushlightuserdata(L, ctx);
	bool ok = lua_pcall(L, 1, 0, -3) == LUA_OK;
	if (!ok)
		take_error(L, e);
	lua_pop(L, 1);
	return ok;
}

bool lua_new(struct lua **out, const char *dir, struct err *e)
{
	struct lua *l = xcalloc(1, sizeof *l);
	l->dir = dir != NULL ? xstrdup(dir) : NULL;
	l->L = lua_newstate(allocate, NULL);
	*(struct lua **)lua_getextraspace(l->L) = l;
	if (!bind_protect(l, open_libraries, NULL, e)) {
		lua_free(l);
		return false;
	}
	*out = l;
	return true;
}

void lua_free(struct lua *l)
{
	if (l == NULL)
		return;
	lua_close(l->L);
	free(l->dir);
	free(l);
}
