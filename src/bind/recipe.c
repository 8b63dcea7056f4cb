#include "bind.h"
#include "lua_api.h"

#include <stdlib.h>
#include <string.h>

/* Ask lua/recipe.lua, lua/meta.lua and lua/sources.lua. */

struct request {
	const struct recipe_ref *ref;
	const char *use;
	struct recipe_meta *meta;
	struct source_list *sources;
};

/* Push recipe.load(ref). */
static void load(lua_State *L, const struct recipe_ref *ref)
{
	bind_function(L, "recipe", "load");
	lua_createtable(L, 0, 4);
	bind_set(L, "repo_path", ref->repo_path);
	bind_set(L, "category", ref->category);
	bind_set(L, "pn", ref->pn);
	bind_set(L, "pvr", ref->pvr);
	lua_pushboolean(L, ref->unlisted);
	lua_setfield(L, -2, "unlisted");
	lua_call(L, 1, 1);
}

/* Push module.name(recipe), the recipe being at index r. */
static const char *ask(lua_State *L, const char *module, const char *name, int r)
{
	bind_function(L, module, name);
	lua_pushvalue(L, r);
	lua_call(L, 1, 1);
	return luaL_checkstring(L, -1);
}

static int p_meta(lua_State *L)
{
	struct request *q = lua_touserdata(L, 1);
	load(L, q->ref);
	const char *text = ask(L, "meta", "text", 2);
	const char *digest = ask(L, "meta", "digest", 2);
	lua_getfield(L, 2, "spec");
	q->meta->mem_mb = (unsigned)bind_integer(L, -1, "mem", 0);
	buf_adds(&q->meta->text, text);
	memcpy(q->meta->digest, digest, strnlen(digest, sizeof q->meta->digest - 1));
	return 0;
}

bool lua_recipe_meta(
	struct lua *l, const struct recipe_ref *ref, struct recipe_meta *out, struct err *e)
{
	struct request q = { .ref = ref, .meta = out };
	*out = (struct recipe_meta){ 0 };
	return bind_protect(l, p_meta, &q, e);
}

void recipe_meta_fini(struct recipe_meta *m)
{
	buf_fini(&m->text);
}

static char *own_field(lua_State *L, const char *name)
{
	const char *text = bind_field(L, -1, name, NULL);
	return text != NULL ? xstrdup(text) : NULL;
}

/* The file described by the table on top of the stack. */
static struct source_file take_file(lua_State *L)
{
	struct source_file file = { .name = own_field(L, "name"),
		.size = (uint64_t)bind_integer(L, -1, "size", 0),
		.blake2b = own_field(L, "BLAKE2B"),
		.sha512 = own_field(L, "SHA512") };
	lua_getfield(L, -1, "uris");
	for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
		strv_push(&file.uris, lua_tostring(L, -1));
		lua_pop(L, 1);
	}
	lua_pop(L, 2);
	return file;
}

/* The source whose alternatives are the list on top of the stack. */
static struct source take_source(lua_State *L)
{
	struct source source = { 0 };
	for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) {
		vec_push(&source.alternatives, take_file(L));
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	return source;
}

static int p_sources(lua_State *L)
{
	struct request *q = lua_touserdata(L, 1);
	bind_function(L, "sources", "for_fetch");
	load(L, q->ref);
	lua_pushstring(L, q->use);
	lua_call(L, 2, 1);
	luaL_checkstack(L, 16, NULL);
	for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) {
		vec_push(&q->sources->v, take_source(L));
		lua_pop(L, 1);
	}
	return 0;
}

bool lua_recipe_sources(struct lua *l, const struct recipe_ref *ref, const char *use,
	struct source_list *out, struct err *e)
{
	struct request q = { .ref = ref, .use = use, .sources = out };
	*out = (struct source_list){ 0 };
	if (bind_protect(l, p_sources, &q, e))
		return true;
	source_list_fini(out);
	return false;
}

static void source_fini(struct source *source)
{
	for (size_t i = 0; i < source->alternatives.n; i++) {
		struct source_file *file = &source->alternatives.v[i];
		free(file->name);
		free(file->blake2b);
		free(file->sha512);
		strv_fini(&file->uris);
	}
	vec_fini(&source->alternatives);
}

void source_list_fini(struct source_list *s)
{
	for (size_t i = 0; i < s->v.n; i++)
		source_fini(&s->v.v[i]);
	vec_fini(&s->v);
}
