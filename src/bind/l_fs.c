#include "attr.h"
#include "bind.h"
#include "fs.h"
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* px.fs: files by absolute path. Nothing here decides anything; see fs.h and attr.h. */

static bool is_absent(const struct err *e)
{
	return e->sys == ENOENT || e->sys == ENOTDIR;
}

/* read(path) -> text, or nil when there is no such file. */
static int l_read(lua_State *L)
{
	const char *path = bind_string(L, 1);
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	bool ok = fs_read(AT_FDCWD, path, &text, &e);
	if (ok)
		lua_pushlstring(L, buf_str(&text), text.n);
	buf_fini(&text);
	if (ok)
		return 1;
	return is_absent(&e) ? 0 : bind_raise(L, &e);
}

/* write(path, text, mode) */
static int l_write(lua_State *L)
{
	size_t n;
	const char *path = bind_string(L, 1), *text = luaL_checklstring(L, 2, &n);
	mode_t mode = (mode_t)luaL_checkinteger(L, 3);
	struct err e = ERR_INIT;
	return bind_done(L, fs_write(AT_FDCWD, path, text, n, mode & 07777, &e), &e, 0);
}

static int l_exists(lua_State *L)
{
	lua_pushboolean(L, fs_exists(AT_FDCWD, bind_string(L, 1)));
	return 1;
}

static int l_is_dir(lua_State *L)
{
	lua_pushboolean(L, fs_is_dir(AT_FDCWD, bind_string(L, 1)));
	return 1;
}

static void set_integer(lua_State *L, const char *name, lua_Integer value)
{
	lua_pushinteger(L, value);
	lua_setfield(L, -2, name);
}

static void push_stat(lua_State *L, const struct stat *st)
{
	struct timespec mtime = place_mtime(st);
	lua_createtable(L, 0, 7);
	bind_set(L, "type", attr_type(st->st_mode));
	set_integer(L, "mode", st->st_mode & 07777);
	set_integer(L, "size", st->st_size);
	set_integer(L, "ino", (lua_Integer)st->st_ino);
	set_integer(L, "mtime", mtime.tv_sec);
	set_integer(L, "mtime_ns", mtime.tv_nsec);
}

static int stat_path(lua_State *L, bool follow)
{
	struct stat st;
	struct err e = ERR_INIT;
	if (!attr_stat(AT_FDCWD, bind_string(L, 1), follow, &st, &e))
		return is_absent(&e) ? 0 : bind_raise(L, &e);
	push_stat(L, &st);
	return 1;
}

/* stat(path) -> { type, mode, size, ino, mtime, mtime_ns } of the name itself, or nil. */
static int l_stat(lua_State *L)
{
	return stat_path(L, false);
}

/* The same of what a symlink leads to. */
static int l_stat_follow(lua_State *L)
{
	return stat_path(L, true);
}

static int l_mkdirs(lua_State *L)
{
	struct err e = ERR_INIT;
	return bind_done(L, fs_mkdirs(AT_FDCWD, bind_string(L, 1), 0755, &e), &e, 0);
}

static int l_remove(lua_State *L)
{
	struct err e = ERR_INIT;
	return bind_done(L, fs_remove_tree(AT_FDCWD, bind_string(L, 1), &e), &e, 0);
}

static int l_rename(lua_State *L)
{
	const char *from = bind_string(L, 1), *to = bind_string(L, 2);
	struct err e = ERR_INIT;
	return bind_done(L, fs_rename(AT_FDCWD, from, to, &e), &e, 0);
}

/* symlink(target, path) */
static int l_symlink(lua_State *L)
{
	const char *target = bind_string(L, 1), *path = bind_string(L, 2);
	struct err e = ERR_INIT;
	return bind_done(L, fs_symlink(target, AT_FDCWD, path, &e), &e, 0);
}

static int push_owned(lua_State *L, char *text, const struct err *e)
{
	if (text == NULL)
		return bind_raise(L, e);
	lua_pushstring(L, text);
	free(text);
	return 1;
}

static int l_readlink(lua_State *L)
{
	struct err e = ERR_INIT;
	return push_owned(L, fs_readlink(AT_FDCWD, bind_string(L, 1), &e), &e);
}

static int l_real(lua_State *L)
{
	struct err e = ERR_INIT;
	return push_owned(L, fs_real(bind_string(L, 1), &e), &e);
}

static int l_clean(lua_State *L)
{
	char *clean = path_clean(bind_string(L, 1));
	lua_pushstring(L, clean);
	free(clean);
	return 1;
}

/* copy(from, to): a regular file with mode and time; not synced, for trees that can be made again.
 */
static int l_copy(lua_State *L)
{
	const char *from = bind_string(L, 1), *to = bind_string(L, 2);
	const struct place p = { .from_at = AT_FDCWD, .to_at = AT_FDCWD, .from = from, .to = to };
	struct err e = ERR_INIT;
	return bind_done(L, place_copy(&p, &e), &e, 0);
}

/* head(path) -> its first 64 bytes, fewer when it is shorter. */
static int l_head(lua_State *L)
{
	const char *path = bind_string(L, 1);
	struct head head;
	struct err e = ERR_INIT;
	if (!attr_head(AT_FDCWD, path, &head, &e))
		return bind_raise(L, &e);
	lua_pushlstring(L, head.bytes, head.n);
	return 1;
}

/* link(from, to): `to` becomes another name of `from`. */
static int l_link(lua_State *L)
{
	const char *from = bind_string(L, 1), *to = bind_string(L, 2);
	struct err e = ERR_INIT;
	return bind_done(L, attr_link(AT_FDCWD, from, to, &e), &e, 0);
}

static int l_chmod(lua_State *L)
{
	const char *path = bind_string(L, 1);
	mode_t mode = (mode_t)luaL_checkinteger(L, 2);
	struct err e = ERR_INIT;
	return bind_done(L, attr_chmod(AT_FDCWD, path, mode, &e), &e, 0);
}

/* utime(path [, seconds [, nanoseconds]]): without a time, now. */
static int l_utime(lua_State *L)
{
	const char *path = bind_string(L, 1);
	bool now = lua_isnoneornil(L, 2);
	struct timespec t = { .tv_sec = luaL_optinteger(L, 2, 0),
		.tv_nsec = luaL_optinteger(L, 3, 0) };
	struct err e = ERR_INIT;
	return bind_done(L, attr_utime(AT_FDCWD, path, now ? NULL : &t, &e), &e, 0);
}

/* list(path) -> names, sorted */
static int l_list(lua_State *L)
{
	const char *path = bind_string(L, 1);
	struct strv names = STRV_INIT;
	struct err e = ERR_INIT;
	bool ok = fs_list(AT_FDCWD, path, &names, &e);
	if (ok)
		bind_push_strv(L, &names);
	strv_fini(&names);
	return bind_done(L, ok, &e, 1);
}

static bool visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	lua_State *L = ctx;
	(void)e;
	push_stat(L, &entry->st);
	bind_set(L, "path", entry->path);
	lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
	return true;
}

/* walk(path) -> { { path, type, mode, … }, … }, parents before children, sorted. */
static int l_walk(lua_State *L)
{
	const char *path = bind_string(L, 1);
	struct err e = ERR_INIT;
	luaL_checkstack(L, 8, NULL);
	lua_newtable(L);
	return bind_done(L, fs_walk(AT_FDCWD, path, visit, L, &e), &e, 1);
}

int bind_open_fs(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "read", l_read },
		{ "write", l_write },
		{ "exists", l_exists },
		{ "is_dir", l_is_dir },
		{ "stat", l_stat },
		{ "stat_follow", l_stat_follow },
		{ "mkdirs", l_mkdirs },
		{ "remove", l_remove },
		{ "rename", l_rename },
		{ "symlink", l_symlink },
		{ "readlink", l_readlink },
		{ "real", l_real },
		{ "clean", l_clean },
		{ "head", l_head },
		{ "copy", l_copy },
		{ "link", l_link },
		{ "chmod", l_chmod },
		{ "utime", l_utime },
		{ "list", l_list },
		{ "walk", l_walk },
		{ NULL, NULL },
	};
	luaL_newlib(L, functions);
	return 1;
}
