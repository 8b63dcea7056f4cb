#include "pms_answer.h"

#include "atom.h"
#include "pkg.h"
#include "version.h"

/* A package from a request. */
struct candidate {
	struct pkg pkg;
	struct str text; /* as the request has it */
	bool bare; /* neither slot nor flags are stated: any of them match */
};

/* "a,-b": IUSE with the state of each flag. */
static void candidate_use(const struct request *r, struct str use, struct pkg *p)
{
	struct str rest = use, one;
	p->iuse = arena_calloc(r->arena, use.n + 1, sizeof *p->iuse);
	while (str_split(&rest, ',', &one)) {
		bool off = str_starts(one, "-"), plus = str_starts(one, "+");
		struct str name = { one.p + (off || plus), one.n - (off || plus) };
		p->iuse[p->n_iuse++] = (struct iuse){ .name = name, .on = !off };
	}
}

static void split_slot(struct str slot, struct pkg *p)
{
	struct str rest = slot;
	if (!str_split(&rest, '/', &p->slot))
		return;
	p->subslot = rest.n > 0 ? rest : p->slot;
}

/* Length of s up to the first of ":" and "[". */
static size_t part_length(struct str s)
{
	size_t n = 0;
	while (n < s.n && s.p[n] != ':' && s.p[n] != '[')
		n++;
	return n;
}

/* Take one of ":slot[/sub]", "::repo" and "[flags]" off *rest. */
static bool candidate_part(const struct request *r, struct str *rest, struct pkg *p)
{
	bool use = rest->p[0] == '[', repo = str_starts(*rest, "::");
	size_t skip = repo ? 2 : 1;
	struct str part = { rest->p + skip, rest->n - skip };
	const char *end = use ? memchr(part.p, ']', part.n) : NULL;
	if (use && end == NULL)
		return false;
	part.n = use ? (size_t)(end - part.p) : part_length(part);
	if (use)
		candidate_use(r, part, p);
	else if (repo)
		p->repo_name = part;
	else
		split_slot(part, p);
	skip += part.n + use;
	*rest = (struct str){ rest->p + skip, rest->n - skip };
	return true;
}

/* "cat/pn-ver[:slot[/sub]][[flags]][::repo]". */
static bool parse_candidate(
	const struct request *r, struct str text, struct candidate *c, struct err *e)
{
	*c = (struct candidate){ .text = text };
	struct str rest = { text.p + part_length(text), text.n - part_length(text) };
	struct cpv cpv;
	bool ok = cpv_split((struct str){ text.p, part_length(text) }, &cpv) && cpv.cat.n > 0;
	while (ok && rest.n > 0)
		ok = (rest.p[0] == ':' || rest.p[0] == '[') && candidate_part(r, &rest, &c->pkg);
	if (!ok)
		return err_set(e, ERR_USAGE, "pms.request",
			"'%.*s' is no package (cat/pn-1.0:slot/sub[flag,-flag]::repo)",
			STR_ARG(text));
	c->pkg.cp = cpv.cp;
	c->pkg.cat = cpv.cat;
	c->pkg.pn = cpv.pn;
	c->pkg.version = cpv.version;
	c->bare = c->pkg.slot.n == 0 && c->pkg.iuse == NULL;
	return true;
}

/* The form of the cases: {"cpv":…, "slot":…, "sub_slot":…, "repo":…, "iuse":[…], "use":[…]}. */
static bool object_candidate(
	const struct request *r, const struct json *j, struct candidate *c, struct err *e)
{
	if (!parse_candidate(r, json_string(json_get(j, "cpv")), c, e))
		return false;
	struct str slot = json_string(json_get(j, "slot"));
	if (slot.n > 0) {
		struct str sub = json_string(json_get(j, "sub_slot"));
		c->pkg.slot = slot;
		c->pkg.subslot = sub.n > 0 ? sub : slot;
	}
	struct str repo = json_string(json_get(j, "repo"));
	if (repo.n > 0)
		c->pkg.repo_name = repo;
	struct flag_list iuse = request_strings(r, json_get(j, "iuse"));
	struct flag_list use = request_strings(r, json_get(j, "use"));
	c->pkg.iuse = arena_calloc(r->arena, iuse.n + 1, sizeof *c->pkg.iuse);
	for (c->pkg.n_iuse = 0; c->pkg.n_iuse < iuse.n; c->pkg.n_iuse++) {
		struct iuse *flag = &c->pkg.iuse[c->pkg.n_iuse];
		flag->name = iuse.v[c->pkg.n_iuse];
		flag->on = flag_list_has(&use, flag->name);
	}
	c->bare = json_get(j, "iuse") == NULL;
	return true;
}

static bool any_candidate(
	const struct request *r, const struct json *j, struct candidate *c, struct err *e)
{
	return json_is_object(j) ? object_candidate(r, j, c, e)
				 : parse_candidate(r, json_string(j), c, e);
}

static const struct atom *user_atom(const struct request *r, struct str text, struct err *e)
{
	return atom_parse(r->arena, text, STR(""), ATOM_USER, e);
}

/* {"atoms":[…], "pkg":…}: the atom that fits the package most closely, or null. */
static bool answer_best(const struct request *r, const struct json *atoms, struct err *e)
{
	struct candidate c;
	if (!any_candidate(r, json_get(r->json, "pkg"), &c, e))
		return false;
	struct flag_list texts = request_strings(r, atoms);
	const struct atom **v = arena_alloc(r->arena, (texts.n + 1) * sizeof(void *));
	for (size_t i = 0; i < texts.n; i++) {
		v[i] = user_atom(r, texts.v[i], e);
		if (v[i] == NULL)
			return false;
	}
	size_t best = atom_best_match(v, texts.n, &c.pkg);
	if (best < texts.n)
		buf_json(r->out, texts.v[best]);
	else
		buf_adds(r->out, "null");
	return true;
}

bool pms_answer_match(const struct request *r, struct err *e)
{
	const struct json *atoms = json_get(r->json, "atoms"), *list = json_get(r->json, "cpvs");
	if (list == NULL)
		list = json_get(r->json, "candidates");
	if (json_is_array(atoms) && list == NULL)
		return answer_best(r, atoms, e);
	if (!json_is_array(list))
		return request_lacks(e, "cpvs");
	const struct atom *a = user_atom(r, json_string(json_get(r->json, "atom")), e);
	if (a == NULL)
		return false;
	size_t found = 0;
	buf_addc(r->out, '[');
	for (const struct json *j = json_at(list, 0); j != NULL; j = json_next(j)) {
		struct candidate c;
		if (!any_candidate(r, j, &c, e))
			return false;
		if (!atom_match_but_use(a, &c.pkg) || (!c.bare && !atom_match_use(a, &c.pkg)))
			continue;
		buf_adds(r->out, found++ > 0 ? ", " : "");
		buf_json(r->out, c.text);
	}
	buf_addc(r->out, ']');
	return true;
}

bool pms_answer_intersect(const struct request *r, struct err *e)
{
	struct flag_list vals = request_strings(r, json_get(r->json, "vals"));
	bool versions = str_is(json_string(json_get(r->json, "kind")), "version"), all = true;
	const struct atom **v = arena_alloc(r->arena, (vals.n + 1) * sizeof(void *));
	for (size_t i = 0; i < vals.n; i++) {
		size_t op = strspn(vals.v[i].p, "<>=~");
		const char *eq = op == 0 ? "=" : "";
		struct str text = vals.v[i];
		if (versions)
			text = str_of(arena_printf(
				r->arena, "%s%.*sa/b-%s", eq, (int)op, text.p, text.p + op));
		v[i] = user_atom(r, text, e);
		if (v[i] == NULL)
			return false;
		for (size_t j = 0; j < i; j++)
			all = all && atom_intersects(v[j], v[i]);
	}
	buf_adds(r->out, all ? "true" : "false");
	return true;
}
