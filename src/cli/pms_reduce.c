#include "pms_answer.h"

#include "required_use.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

static bool has_slash(struct str s)
{
	return memchr(s.p, '/', s.n) != NULL;
}

/*
 * What the words of a string are: "tokens" of the request says "atoms", "words" or "uris". Left
 * out, a string with "://" or "->" is a SRC_URI; else the words are atoms where the EAPI is 8 or
 * any of them has a slash, and plain words (LICENSE, RESTRICT) otherwise.
 */
static enum dep_syntax token_kind(const struct request *r, struct str dep, struct str eapi)
{
	struct str tokens = json_string(json_get(r->json, "tokens"));
	if (tokens.n > 0)
		return str_is(tokens, "atoms")  ? DEP_OF_ATOMS
		       : str_is(tokens, "uris") ? DEP_OF_URIS
						: DEP_OF_WORDS;
	bool uris = json_true(json_get(r->json, "is_src_uri"));
	if (uris || strstr(dep.p, "://") != NULL || strstr(dep.p, "->") != NULL)
		return DEP_OF_URIS;
	return str_is(eapi, "8") || has_slash(dep) ? DEP_OF_ATOMS : DEP_OF_WORDS;
}

/* The flags that may be asked for: a list, or anything where the request says none. */
static flag_on *valid_flags(const struct request *r, const char *name, struct flag_list *l)
{
	const struct json *j = json_get(r->json, name);
	*l = request_strings(r, j);
	return json_is_array(j) ? flag_list_on : NULL;
}

static bool after_eapi_6(struct str eapi)
{
	return eapi.n == 0 || str_cmp(eapi, STR("6")) > 0;
}

bool pms_answer_reduce(const struct request *r, struct err *e)
{
	const struct json *j = r->json;
	struct str dep = json_string(json_get(j, "dep")), eapi = json_string(json_get(j, "eapi"));
	if (!json_is_string(json_get(j, "dep")))
		return request_lacks(e, "dep");
	struct flag_list use = request_strings(r, json_get(j, "use")), iuse;
	struct reduce how = { .on = flag_list_on, .on_ctx = &use };
	how.valid = valid_flags(r, "iuse", &iuse);
	how.valid_ctx = &iuse;
	how.masked = request_strings(r, json_get(j, "mask"));
	how.excluded = request_strings(r, json_get(j, "excludeall"));
	how.matchall = json_true(json_get(j, "matchall"));
	how.matchnone = json_true(json_get(j, "matchnone"));
	how.flat = json_true(json_get(j, "flat"));
	how.opconvert = json_true(json_get(j, "opconvert"));
	how.empty_any_is_false = after_eapi_6(eapi);
	struct dep_parse syntax = { .syntax = token_kind(r, dep, eapi), .eapi = eapi };
	if (eapi.n == 0)
		syntax.atom_flags = ATOM_REPO | ATOM_BUILD_ID;
	const struct dep *tree;
	struct rlist *list;
	if (!dep_parse(r->arena, dep, &syntax, &tree, e) ||
		!dep_reduce(r->arena, tree, &how, &list, e))
		return false;
	rlist_json(list, r->out);
	return true;
}

/* Collect the flags a REQUIRED_USE names, each once. */
static void named_flags(const struct dep *d, struct strv *names)
{
	for (; d != NULL; d = d->next) {
		named_flags(d->child, names);
		if (d->kind != DEP_WORD && d->kind != DEP_USE)
			continue;
		char *flag = xstrndup(d->text.p, d->text.n);
		if (strv_has(names, flag))
			free(flag);
		else
			strv_own(names, flag);
	}
}

static void answer_flags(const struct request *r, const struct dep *d)
{
	struct strv names = STRV_INIT;
	named_flags(d, &names);
	strv_sort(&names);
	buf_addc(r->out, '[');
	for (size_t i = 0; i < names.n; i++) {
		buf_adds(r->out, i > 0 ? ", " : "");
		buf_json(r->out, str_of(names.v[i]));
	}
	buf_addc(r->out, ']');
	strv_fini(&names);
}

/*
 * true or false; with "explain": true an object that also has the unsatisfied part; without "use"
 * the list of the flags that the string names.
 */
bool pms_answer_required_use(const struct request *r, struct err *e)
{
	const struct json *j = r->json;
	if (!json_is_string(json_get(j, "required_use")))
		return request_lacks(e, "required_use");
	struct str eapi = json_string(json_get(j, "eapi"));
	struct dep_parse syntax = { .syntax = DEP_OF_FLAGS, .eapi = eapi };
	const struct dep *tree;
	struct str text = json_string(json_get(j, "required_use"));
	if (!dep_parse(r->arena, text, &syntax, &tree, e))
		return false;
	if (json_get(j, "use") == NULL) {
		answer_flags(r, tree);
		return true;
	}
	struct flag_list use = request_strings(r, json_get(j, "use")), iuse;
	struct required_use how = { .on = flag_list_on, .on_ctx = &use };
	how.valid = valid_flags(r, "iuse", &iuse);
	how.valid_ctx = &iuse;
	how.empty_any_is_false = after_eapi_6(eapi);
	struct buf why = BUF_INIT;
	bool satisfied = false, ok = required_use_check(tree, &how, &satisfied, &why, e);
	const char *word = satisfied ? "true" : "false";
	bool explain = json_true(json_get(j, "explain"));
	buf_adds(r->out, explain ? "{\"result\": " : "");
	buf_adds(r->out, word);
	if (explain) {
		buf_adds(r->out, ", \"unsatisfied\": ");
		buf_json(r->out, str_of(buf_str(&why)));
		buf_addc(r->out, '}');
	}
	buf_fini(&why);
	return ok;
}
