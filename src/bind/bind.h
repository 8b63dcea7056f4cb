#ifndef BIND_BIND_H
#define BIND_BIND_H

#include "err.h"
#include "str.h"
#include "vec.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

/*
 * For the bindings only. Rules (docs/internals.md, "The engine"): a binding checks its arguments,
 * calls one C function, pushes the result. Argument checks raise, so they come before anything that
 * must be freed; pushing does not raise, because the state's allocator aborts when memory is out.
 */

struct lua {
	lua_State *L;
	char *dir; /* engine files on disk, NULL: those built in */
};

/* The state's own struct lua. */
struct lua *bind_state(lua_State *L);

/* Raise *e as a table { what, code, message }. */
int bind_raise(lua_State *L, const struct err *e);
/* Raise unless ok; returns n, the number of results. */
int bind_done(lua_State *L, bool ok, const struct err *e, int n);
/* The argument at index i as a path or text. */
#define bind_string(L, i) luaL_checkstring(L, i)

/* Call f in protected mode with ctx as its light userdata; a raised error fills *e. */
bool bind_protect(struct lua *l, lua_CFunction f, void *ctx, struct err *e);

/* Push the engine module of that name ("recipe"), loading it first. Raises. */
void bind_require(lua_State *L, const char *name);
/* Push module.function. */
void bind_function(lua_State *L, const char *module, const char *name);

/* Source text of an engine file ("systems/make.lua"), in *out. False when there is none. */
bool bind_engine_text(const struct lua *l, const char *name, struct buf *out);

/* Push the strings as a list. */
void bind_push_strv(lua_State *L, const struct strv *v);
/* Field `name` of the table at t as a list of strings: NULL-terminated array, anchored by two
 * values left on the stack. NULL (two nils) when the field is absent. */
const char *const *bind_list(lua_State *L, int t, const char *name);
/* Fields of the table at t. The string is anchored by the table. */
const char *bind_field(lua_State *L, int t, const char *name, const char *fallback);
lua_Integer bind_integer(lua_State *L, int t, const char *name, lua_Integer fallback);
bool bind_flag(lua_State *L, int t, const char *name);

/* Set string field (NULL: left out) of the table on top of the stack. */
void bind_set(lua_State *L, const char *name, const char *value);

/* Each leaves its table of functions on the stack. */
int bind_open_fs(lua_State *L);
int bind_open_proc(lua_State *L);
int bind_open_px(lua_State *L);

/* l_fetch.c: px.fetch */
int bind_fetch(lua_State *L);
/* l_leak.c: px.leaks */
int bind_leaks(lua_State *L);

#endif
