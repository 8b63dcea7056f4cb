#include "bind.h"
#include "fetch.h"

/* px.fetch: source archives into a directory; see fetch.h. */

/* The list at index t, which must be one; its length. */
static size_t list_length(lua_State *L, int t, const char *what)
{
	luaL_argcheck(L, lua_istable(L, t), 2, what);
	return (size_t)luaL_len(L, t);
}

/* The file described by the table on top of the stack, which stays there with what it owns. */
static struct fetch_file take_file(lua_State *L)
{
	int t = lua_gettop(L);
	luaL_argcheck(L, lua_istable(L, t), 2, "a file is a table");
	struct fetch_file file = {
		.name = bind_field(L, t, "name", NULL),
		.size = (uint64_t)bind_integer(L, t, "size", 0),
		.blake2b = bind_field(L, t, "BLAKE2B", NULL),
		.sha512 = bind_field(L, t, "SHA512", NULL),
		.sha256 = bind_field(L, t, "SHA256", NULL),
		.uris = bind_list(L, t, "uris"),
	};
	luaL_argcheck(L, file.name != NULL && strchr(file.name, '/') == NULL, 2, "name");
	while (file.uris != NULL && file.uris[file.n_uris] != NULL)
		file.n_uris++;
	return file;
}

/* The alternatives on top of the stack as a job; all stays on the stack. */
static struct fetch_job take_job(lua_State *L)
{
	int t = lua_gettop(L);
	size_t n = list_length(L, t, "a source is a list of files");
	struct fetch_file *files = lua_newuserdatauv(L, (n + 1) * sizeof *files, 0);
	luaL_checkstack(L, (int)n * 3 + 8, "too many files");
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(L, t, (lua_Integer)i + 1);
		files[i] = take_file(L);
	}
	return (struct fetch_job){ .alternatives = files, .n_alternatives = n };
}

static struct fetch_opts take_options(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	struct fetch_opts o = {
		.distdir = bind_field(L, 1, "distdir", NULL),
		.offline = bind_flag(L, 1, "offline"),
		.tries = (unsigned)bind_integer(L, 1, "tries", 0),
		.budget_s = (unsigned)bind_integer(L, 1, "budget", 0),
		.http_proxy = bind_field(L, 1, "http_proxy", NULL),
		.https_proxy = bind_field(L, 1, "https_proxy", NULL),
		.no_proxy = bind_field(L, 1, "no_proxy", NULL),
		.ca_file = bind_field(L, 1, "ca_file", NULL),
		.mirrors = bind_list(L, 1, "mirrors"),
	};
	luaL_argcheck(L, o.distdir != NULL, 1, "distdir");
	while (o.mirrors != NULL && o.mirrors[o.n_mirrors] != NULL)
		o.n_mirrors++;
	return o;
}

/*
 * fetch({ distdir =, mirrors = {…}, offline =, tries =, budget = seconds, http_proxy =, … }, {
 *   { { name =, size =, BLAKE2B =, SHA512 =, SHA256 =, uris = {…} }, alternative… }, source… })
 * -> names of the files that are in distdir now, verified, one for each source
 */
int bind_fetch(lua_State *L)
{
	struct err e = ERR_INIT;
	struct fetch_opts o = take_options(L);
	size_t n = list_length(L, 2, "a list of sources");
	struct fetch_job *jobs = lua_newuserdatauv(L, (n + 1) * sizeof *jobs, 0);
	for (size_t i = 0; i < n; i++) {
		luaL_checkstack(L, 8, "too many sources");
		lua_rawgeti(L, 2, (lua_Integer)i + 1);
		jobs[i] = take_job(L);
	}
	if (!fetch_all(&o, jobs, n, &e))
		return bind_raise(L, &e);
	luaL_checkstack(L, 4, "too many sources");
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushstring(L, jobs[i].alternatives[jobs[i].chosen].name);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}
