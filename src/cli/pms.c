#include "commands.h"

#include "atom.h"
#include "pms_answer.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Plumbing for tests and scripts: one request a line from stdin, one answer a line, and a request
 * that makes no sense is answered "invalid".
 */

bool request_lacks(struct err *e, const char *member)
{
	return err_set(e, ERR_USAGE, "pms.request", "the request lacks \"%s\"", member);
}

struct flag_list request_strings(const struct request *r, const struct json *array)
{
	struct flag_list l = { NULL, 0 };
	if (!json_is_array(array))
		return l;
	struct str *v = arena_alloc(r->arena, json_count(array) * sizeof *v);
	const struct json *j = json_at(array, 0);
	for (; j != NULL; j = json_next(j))
		v[l.n++] = json_string(j);
	l.v = v;
	return l;
}

static void json_member(struct buf *out, const char *name, struct str value)
{
	if (value.n == 0)
		return;
	buf_adds(out, out->n > 1 ? ", " : "");
	buf_json(out, str_of(name));
	buf_adds(out, ": ");
	buf_json(out, value);
}

static bool answer_vercmp(const struct request *r, struct err *e)
{
	struct str rest = r->line, v[2], more;
	bool two = str_word(&rest, &v[0]) && str_word(&rest, &v[1]) && !str_word(&rest, &more);
	if (!two)
		return err_set(e, ERR_USAGE, "pms.request", "a request is two versions");
	for (int i = 0; i < 2; i++) {
		if (!version_valid(v[i]))
			return err_set(
				e, ERR_USAGE, "pms.version", "'%.*s' is no version", STR_ARG(v[i]));
	}
	int c = version_cmp(v[0], v[1]);
	buf_adds(r->out, c < 0 ? "<" : c > 0 ? ">" : "=");
	return true;
}

static void json_use_deps(const struct atom *a, struct buf *out)
{
	if (a->n_use == 0)
		return;
	buf_adds(out, ", \"use\": [");
	struct buf one = BUF_INIT;
	for (size_t i = 0; i < a->n_use; i++) {
		buf_clear(&one);
		use_dep_print(&a->use[i], &one);
		buf_adds(out, i > 0 ? ", " : "");
		buf_json(out, (struct str){ one.p, one.n });
	}
	buf_fini(&one);
	buf_addc(out, ']');
}

/* The parts of an atom; what it does not have is left out. "version" starts with its operator. */
static void json_atom(const struct atom *a, struct buf *out)
{
	static const char *const blocks[] = { "", "!", "!!" };
	struct buf version = BUF_INIT, part = BUF_INIT;
	atom_print_version(a, &version);
	buf_addc(&part, '{');
	json_member(&part, "blocker", str_of(blocks[a->block]));
	json_member(&part, "category", a->cat);
	json_member(&part, "package", a->pn);
	json_member(&part, "version", (struct str){ version.p, version.n });
	json_member(&part, "revision", version_revision(a->version));
	json_member(&part, "slot", a->slot);
	json_member(&part, "subslot", a->subslot);
	json_member(&part, "slot_op", (struct str){ &a->slot_op, a->slot_op != '\0' });
	json_member(&part, "repo", a->repo);
	json_use_deps(a, &part);
	buf_addc(&part, '}');
	buf_add_str(out, (struct str){ part.p, part.n });
	buf_fini(&part);
	buf_fini(&version);
}

static bool answer_atom(const struct request *r, struct err *e)
{
	struct str text = r->json != NULL ? json_string(json_get(r->json, "atom")) : r->line;
	struct str eapi = json_string(json_get(r->json, "eapi"));
	unsigned flags = ATOM_PMS | (eapi.n == 0 ? ATOM_REPO : 0);
	const struct atom *a = atom_parse(r->arena, text, eapi, flags, e);
	if (a != NULL)
		json_atom(a, r->out);
	return a != NULL;
}

static const struct verb {
	const char *name;
	pms_answer *answer;
	bool object; /* a request is a JSON object */
} verbs[] = {
	{ "vercmp", answer_vercmp, false },
	{ "atom", answer_atom, false },
	{ "match", pms_answer_match, true },
	{ "use-reduce", pms_answer_reduce, true },
	{ "required-use", pms_answer_required_use, true },
	{ "intersect", pms_answer_intersect, true },
};

/* Let the verb answer, with the JSON document where the line is one. */
static bool answer_line(const struct verb *v, struct request *r, struct err *e)
{
	struct json *doc = NULL;
	struct str line = str_trim(r->line);
	if (v->object || str_starts(line, "{") || str_starts(line, "\"")) {
		doc = json_parse(line, e);
		if (doc == NULL)
			return false;
	}
	if (json_is_string(doc))
		r->line = json_string(doc);
	else
		r->json = doc;
	bool ok = v->object && !json_is_object(doc)
			  ? err_set(e, ERR_USAGE, "pms.request", "a request is a JSON object")
			  : v->answer(r, e);
	json_free(doc);
	return ok;
}

/* Print the answer to one line; why a request is invalid goes to stderr with --verbose. */
static void one_request(const struct cli *c, const struct verb *v, struct str line)
{
	struct arena arena = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct err e = ERR_INIT;
	struct request r = { .line = line, .arena = &arena, .out = &out };
	bool ok = answer_line(v, &r, &e);
	if (!ok && c->verbose > 0)
		cli_warn("%s", e.message);
	puts(ok ? buf_str(&out) : "invalid");
	buf_fini(&out);
	arena_fini(&arena);
}

static int run(struct cli *c, int argc, char **argv)
{
	(void)argc;
	const struct verb *v = NULL;
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		if (strcmp(argv[0], verbs[i].name) == 0)
			v = &verbs[i];
	}
	if (v == NULL)
		return cli_usage(c, "'%s' is no kind of request", argv[0]);
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	while ((n = getline(&line, &cap, stdin)) >= 0) {
		size_t length = (size_t)n;
		if (length > 0 && line[length - 1] == '\n')
			line[--length] = '\0';
		one_request(c, v, (struct str){ line, length });
		fflush(stdout);
	}
	free(line);
	return 0;
}

static const struct cli_verb verb_help[] = {
	{ "vercmp", "", "\"A B\": < or = or >" },
	{ "atom", "", "an atom: its parts as JSON" },
	{ "match", "", "{\"atom\":…, \"cpvs\":[…]}: the packages that match" },
	{ "use-reduce", "", "{\"dep\":…, \"use\":[…], …}: the string reduced, as JSON" },
	{ "required-use", "", "{\"required_use\":…, \"use\":[…], \"iuse\":[…]}: true or false" },
	{ "intersect", "", "{\"kind\":\"atom\"|\"version\", \"vals\":[…]}: true or false" },
	{ NULL, NULL, NULL },
};

const struct cli_command cmd_pms = {
	.name = "pms",
	.summary = "answer questions about versions, atoms and dependencies, one a line",
	.usage = "REQUEST",
	.details =
		"Reads one request per line from standard input and prints one answer per line; a "
		"request that makes no sense is answered \"invalid\" and the next one is read. "
		"With "
		"--verbose the reason goes to standard error.\n\n"
		"A package is written cat/pn-1.0:slot/sub[flag,-flag]::repo; slot, flags and "
		"repository may be left out. `atom` also takes {\"atom\":…, \"eapi\":…}. "
		"`use-reduce` takes \"mask\", \"excludeall\", \"matchall\", \"matchnone\", "
		"\"flat\", \"opconvert\", \"eapi\" and \"tokens\" (atoms, words or uris); "
		"`required-use` takes \"eapi\" and \"explain\".",
	.verbs = verb_help,
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
