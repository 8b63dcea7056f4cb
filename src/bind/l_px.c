#include "attr.h"
#include "bind.h"
#include "digest.h"
#include "elf.h"
#include "fs.h"
#include "manifest.h"
#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The module px: the primitives that the engine's Lua has. */

/* archive.unpack(file, directory, { strip =, nested =, only =, except = }) */
static int l_unpack(lua_State *L)
{
	const char *file = bind_string(L, 1), *dest = bind_string(L, 2);
	luaL_checktype(L, 3, LUA_TTABLE);
	struct unpack_opts opts = { .strip = (unsigned)bind_integer(L, 3, "strip", 0),
		.nested = bind_field(L, 3, "nested", NULL),
		.only = bind_list(L, 3, "only"),
		.except = bind_list(L, 3, "except") };
	struct err e = ERR_INIT;
	int fd = -1;
	bool ok = fs_open_dir(AT_FDCWD, dest, &fd, &e) && archive_unpack(file, fd, &opts, &e);
	if (fd >= 0)
		close(fd);
	return bind_done(L, ok, &e, 0);
}

/* digest("md5" | "sha256", text) -> hex */
static int l_digest(lua_State *L)
{
	static const char *const names[] = { "md5", "sha256", NULL };
	static const enum digest_algo algos[] = { DIGEST_MD5, DIGEST_SHA256 };
	enum digest_algo algo = algos[luaL_checkoption(L, 1, NULL, names)];
	size_t n;
	const char *text = luaL_checklstring(L, 2, &n);
	char hex[DIGEST_HEX_MAX];
	digest_bytes(text, n, algo, hex);
	lua_pushstring(L, hex);
	return 1;
}

/* Push { [name] = { size =, BLAKE2B =, … } } of the DIST entries. */
static void push_dists(lua_State *L, const struct manifest *m)
{
	lua_newtable(L);
	for (size_t i = 0; i < m->v.n; i++) {
		const struct manifest_entry *entry = &m->v.v[i];
		if (entry->tag != MANIFEST_DIST)
			continue;
		lua_createtable(L, 0, 3);
		lua_pushinteger(L, (lua_Integer)entry->size);
		lua_setfield(L, -2, "size");
		for (size_t j = 0; j < entry->n_hashes; j++)
			bind_set(L, entry->hashes[j].name, entry->hashes[j].hex);
		lua_setfield(L, -2, entry->name);
	}
}

/* manifest(path) -> the archives it lists; none when there is no such file */
static int l_manifest(lua_State *L)
{
	const char *path = bind_string(L, 1);
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	struct manifest m = { 0 };
	bool ok = fs_read(AT_FDCWD, path, &text, &e) || e.sys == ENOENT;
	if (ok) {
		e = ERR_INIT;
		ok = manifest_parse(&m, (struct str){ buf_str(&text), text.n }, path, &e);
	}
	if (ok)
		push_dists(L, &m);
	manifest_fini(&m);
	buf_fini(&text);
	return bind_done(L, ok, &e, 1);
}

/* log(fd, text): a line of our own into a build's log; fd nil or -1: nowhere. */
static int l_log(lua_State *L)
{
	size_t n;
	int fd = (int)luaL_optinteger(L, 1, -1);
	const char *text = luaL_checklstring(L, 2, &n);
	struct err e = ERR_INIT;
	return bind_done(L, fd < 0 || attr_write_line(fd, text, n, &e), &e, 0);
}

/* engine(name) -> the text of an engine file, or nil */
static int l_engine(lua_State *L)
{
	const char *name = bind_string(L, 1);
	struct buf text = BUF_INIT;
	bool found = bind_engine_text(bind_state(L), name, &text);
	if (found)
		lua_pushlstring(L, buf_str(&text), text.n);
	buf_fini(&text);
	return found ? 1 : 0;
}

/* uname() -> { sysname, machine, release } */
static int l_uname(lua_State *L)
{
	struct utsname u;
	if (uname(&u) != 0)
		memset(&u, 0, sizeof u);
	lua_createtable(L, 0, 3);
	bind_set(L, "sysname", u.sysname);
	bind_set(L, "machine", u.machine);
	bind_set(L, "release", u.release);
	return 1;
}

static const char *elf_kind(unsigned type)
{
	switch (type) {
	case ELF_REL:
		return "rel";
	case ELF_EXEC:
		return "exec";
	case ELF_DYN:
		return "dyn";
	default:
		return "other";
	}
}

static void push_elf(lua_State *L, const struct elf *elf)
{
	lua_createtable(L, 0, 9);
	bind_set(L, "type", elf_kind(elf->type));
	bind_set(L, "machine", elf_machine_name(elf->machine));
	bind_set(L, "interp", elf->interp);
	bind_set(L, "soname", elf->soname);
	bind_set(L, "rpath", elf->rpath);
	bind_set(L, "runpath", elf->runpath);
	bind_set(L, "multilib", elf_multilib(elf));
	lua_pushboolean(L, elf->dynamic);
	lua_setfield(L, -2, "dynamic");
	lua_createtable(L, (int)elf->needed.n, 0);
	for (size_t i = 0; i < elf->needed.n; i++) {
		lua_pushstring(L, elf->needed.v[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "needed");
}

/* elf(path) -> { type, machine, interp, soname, rpath, runpath, multilib, dynamic, needed }, or nil
 * for what is no ELF file, or a damaged one: no loader would take it either. */
static int l_elf(lua_State *L)
{
	const char *path = bind_string(L, 1);
	struct err e = ERR_INIT, damaged = ERR_INIT;
	struct buf text = BUF_INIT;
	struct elf elf = ELF_INIT;
	struct head head;
	bool ok = attr_head(AT_FDCWD, path, &head, &e);
	bool is_elf = ok && elf_is(head.bytes, head.n);
	ok = ok && (!is_elf || fs_read(AT_FDCWD, path, &text, &e));
	is_elf = ok && is_elf && elf_read(text.p, text.n, &elf, &damaged);
	if (is_elf)
		push_elf(L, &elf);
	elf_fini(&elf);
	buf_fini(&text);
	return bind_done(L, ok, &e, is_elf ? 1 : 0);
}

int bind_open_px(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "digest", l_digest },
		{ "manifest", l_manifest },
		{ "log", l_log },
		{ "engine", l_engine },
		{ "uname", l_uname },
		{ "elf", l_elf },
		{ "fetch", bind_fetch },
		{ "leaks", bind_leaks },
		{ NULL, NULL },
	};
	static const luaL_Reg archive[] = { { "unpack", l_unpack }, { NULL, NULL } };
	static const struct {
		const char *name;
		enum err_code code;
	} codes[] = { { "ERR_FAILED", ERR_FAILED }, { "ERR_USAGE", ERR_USAGE },
		{ "ERR_HOST", ERR_HOST }, { "ERR_SOURCE", ERR_SOURCE }, { "ERR_BUILD", ERR_BUILD },
		{ "ERR_INTERRUPTED", ERR_INTERRUPTED } };
	luaL_newlib(L, functions);
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		lua_pushinteger(L, codes[i].code);
		lua_setfield(L, -2, codes[i].name);
	}
	luaL_newlib(L, archive);
	lua_setfield(L, -2, "archive");
	bind_open_fs(L);
	lua_setfield(L, -2, "fs");
	bind_open_proc(L);
	lua_setfield(L, -2, "proc");
	return 1;
}
