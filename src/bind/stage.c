#include "bind.h"
#include "lua_api.h"

#include <string.h>

/* Ask lua/stage.lua and lua/host.lua. */

struct request {
	const struct lua_stage_input *in;
	struct stage_list *out;
	const char *workdir, *options;
	struct buf *json;
};

/* Push the value of a JSON text, an empty table for none. */
static void push_json(lua_State *L, const char *text)
{
	bind_function(L, "json", "decode");
	lua_pushstring(L, text != NULL ? text : "{}");
	lua_call(L, 1, 1);
	if (lua_isnil(L, -1)) {
		lua_pop(L, 1);
		lua_newtable(L);
	}
}

static const char *copy_field(lua_State *L, struct arena *a, const char *name)
{
	return arena_strdup(a, bind_field(L, -1, name, ""));
}

static const char *const *copy_list(lua_State *L, struct arena *a, const char *name)
{
	const char *const *list = bind_list(L, -1, name);
	size_t n = 0;
	while (list != NULL && list[n] != NULL)
		n++;
	const char **copy = arena_calloc(a, n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = arena_strdup(a, list[i]);
	lua_pop(L, 2);
	return copy;
}

/* The stage described by the table on top of the stack. */
static struct stage take_stage(lua_State *L, struct arena *a)
{
	return (struct stage){
		.name = copy_field(L, a, "name"),
		.root = copy_field(L, a, "root"),
		.broots = copy_list(L, a, "broots"),
		.packages = copy_list(L, a, "packages"),
		.use = copy_list(L, a, "use"),
		.needs = copy_list(L, a, "needs"),
		.host_tools = bind_flag(L, -1, "host_tools"),
		.tools_text = copy_field(L, a, "tools_text"),
	};
}

static int p_stages(lua_State *L)
{
	struct request *q = lua_touserdata(L, 1);
	bind_function(L, "stage", "list");
	lua_pushstring(L, q->in->which);
	push_json(L, q->in->facts);
	push_json(L, q->in->options);
	lua_pushstring(L, q->in->eprefix);
	lua_call(L, 4, 1);
	for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) {
		vec_push(&q->out->v, take_stage(L, &q->out->arena));
		lua_pop(L, 1);
	}
	return 0;
}

bool lua_stages(
	struct lua *l, const struct lua_stage_input *in, struct stage_list *out, struct err *e)
{
	struct request q = { .in = in, .out = out };
	*out = (struct stage_list){ 0 };
	if (bind_protect(l, p_stages, &q, e))
		return true;
	stage_list_fini(out);
	return false;
}

void stage_list_fini(struct stage_list *s)
{
	vec_fini(&s->v);
	arena_fini(&s->arena);
}

static int p_host_facts(lua_State *L)
{
	struct request *q = lua_touserdata(L, 1);
	bind_function(L, "json", "encode");
	bind_function(L, "host", "facts");
	lua_pushstring(L, q->workdir);
	push_json(L, q->options);
	lua_call(L, 2, 1);
	lua_call(L, 1, 1);
	buf_adds(q->json, luaL_checkstring(L, -1));
	return 0;
}

bool lua_host_facts(
	struct lua *l, const char *workdir, const char *options, struct buf *json, struct err *e)
{
	struct request q = { .workdir = workdir, .options = options, .json = json };
	return bind_protect(l, p_host_facts, &q, e);
}
