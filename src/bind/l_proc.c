#include "bind.h"
#include "proc.h"
#include "sandbox.h"

#include <stdlib.h>

/* px.proc: commands; see proc.h. */

/* The descriptors of list field keep_fds, anchored by a value left on the stack. */
static const int *descriptors(lua_State *L, int t, size_t *n)
{
	*n = 0;
	if (lua_getfield(L, t, "keep_fds") != LUA_TTABLE)
		return NULL;
	*n = lua_rawlen(L, -1);
	int *fds = lua_newuserdatauv(L, (*n + 1) * sizeof *fds, 0);
	for (size_t i = 0; i < *n; i++) {
		lua_rawgeti(L, -2, (lua_Integer)i + 1);
		fds[i] = (int)luaL_checkinteger(L, -1);
		lua_pop(L, 1);
	}
	return fds;
}

static void set_number(lua_State *L, const char *name, double value)
{
	lua_pushnumber(L, value);
	lua_setfield(L, -2, name);
}

static void set_text(lua_State *L, const char *name, const struct buf *text)
{
	lua_pushlstring(L, buf_str(text), text->n);
	lua_setfield(L, -2, name);
}

static void push_result(lua_State *L, const struct proc_result *r, const struct buf *out)
{
	lua_createtable(L, 0, 9);
	lua_pushinteger(L, r->status);
	lua_setfield(L, -2, "status");
	lua_pushinteger(L, r->signal);
	lua_setfield(L, -2, "signal");
	lua_pushboolean(L, r->timed_out);
	lua_setfield(L, -2, "timed_out");
	lua_pushinteger(L, r->maxrss_kb);
	lua_setfield(L, -2, "maxrss_kb");
	set_number(L, "wall", r->wall_s);
	set_number(L, "user", r->user_s);
	set_number(L, "sys", r->sys_s);
	set_text(L, "tail", &r->tail);
	set_text(L, "out", out);
}

static int run(lua_State *L, struct proc_spec *spec, bool capture)
{
	struct buf out = BUF_INIT;
	struct proc_result result = PROC_RESULT_INIT;
	struct err e = ERR_INIT;
	spec->out = capture ? &out : NULL;
	bool ok = proc_run(spec, &result, &e);
	spec->out = NULL;
	if (ok)
		push_result(L, &result, &out);
	proc_result_fini(&result);
	buf_fini(&out);
	return bind_done(L, ok, &e, 1);
}

/*
 * run { argv =, env = { "NAME=value", … }, cwd =, log = fd, capture =, timeout =, tail = lines,
 * sandbox = { writable directories }, keep_fds = } -> { status, signal, timed_out, out, tail, … }
 */
static int l_run(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	struct sandbox box = { .writable = bind_list(L, 1, "sandbox") };
	struct proc_spec spec = {
		.argv = bind_list(L, 1, "argv"),
		.env = bind_list(L, 1, "env"),
		.cwd = bind_field(L, 1, "cwd", NULL),
		.log_fd = (int)bind_integer(L, 1, "log", -1),
		.timeout_s = (unsigned)bind_integer(L, 1, "timeout", 0),
		.tail_lines = (size_t)bind_integer(L, 1, "tail", 0),
		.sandbox = box.writable != NULL ? &box : NULL,
	};
	luaL_argcheck(L, spec.argv != NULL && spec.env != NULL, 1, "argv and env are needed");
	spec.keep_fds = descriptors(L, 1, &spec.n_keep_fds);
	return run(L, &spec, bind_flag(L, 1, "capture"));
}

/* which(name, "dir:dir") -> path or nil */
static int l_which(lua_State *L)
{
	const char *name = bind_string(L, 1), *path = bind_string(L, 2);
	char *found = proc_which(name, path);
	lua_pushstring(L, found); /* NULL becomes nil */
	free(found);
	return 1;
}

int bind_open_proc(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "run", l_run },
		{ "which", l_which },
		{ NULL, NULL },
	};
	luaL_newlib(L, functions);
	return 1;
}
