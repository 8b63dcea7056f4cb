/* eprefix query --available: list, meta, uses, depends and rdepends of what the repositories have.
 */
#include "query.h"

#include "vdb_pkg.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

/* Load, decide its flags, and remember; broken metadata is shown as such. */
static bool add_package(struct query *q, struct pkg *p, struct err *e)
{
	if (!pkg_load(q->engine.repos, p, e))
		return false;
	config_use(q->engine.config, p);
	vec_push(&q->available, p);
	return true;
}

static bool add_matches(
	struct query *q, const struct package *all, const struct atom *atom, struct err *e)
{
	bool ok = true;
	for (size_t i = all != NULL ? all->n : 0; ok && i-- > 0;) {
		struct pkg *p = all->v[i];
		bool slots = atom != NULL && (atom->slot.n > 0 || atom->wildcard);
		if (atom != NULL && !atom->wildcard && !atom_match_version(atom, p->version))
			continue;
		ok = !slots || pkg_load(q->engine.repos, p, e);
		if (ok && (atom == NULL || atom_match_but_use(atom, p)))
			ok = add_package(q, p, e);
	}
	return ok;
}

static bool add_all(struct query *q, const struct atom *atom, struct err *e)
{
	struct package_list all = { 0 };
	bool ok = repo_all(q->engine.repos, &all, e);
	for (size_t i = 0; ok && i < all.list.n; i++) {
		if (atom == NULL || atom_match_name(atom, all.list.v[i]->cp))
			ok = add_matches(q, all.list.v[i], atom, e);
	}
	vec_fini(&all.list);
	return ok;
}

static bool add_atom(struct query *q, const char *text, struct err *e)
{
	const struct atom *atom = atom_parse(&q->arena, str_of(text), STR(""), ATOM_USER, e);
	if (atom == NULL) {
		e->code = ERR_USAGE;
		return false;
	}
	if (atom->wildcard)
		return add_all(q, atom, e);
	return add_matches(q, repo_package(q->engine.repos, atom->cp), atom, e);
}

/* "gcc", "gcc-14.2.0", ">=gcc-14": with each category that has such a package. */
static bool add_short(struct query *q, const char *text, struct err *e)
{
	size_t op = strspn(text, "<>=~"), n = strcspn(text + op, ":[");
	const char *named = arena_printf(&q->arena, "x/%.*s", (int)n, text + op);
	struct strv names = STRV_INIT;
	struct cpv parts;
	bool version = cpv_split(str_of(named), &parts);
	struct str pn = version ? parts.pn : (struct str){ text + op, n };
	bool ok = repo_short_name(q->engine.repos, pn, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		size_t category = strcspn(names.v[i], "/") + 1;
		ok = add_atom(q,
			arena_printf(&q->arena, "%s%.*s%.*s%s", version && op == 0 ? "=" : "",
				(int)op, text, (int)category, names.v[i], text + op),
			e);
	}
	strv_fini(&names);
	return ok;
}

static bool add_operand(struct query *q, const char *text, struct err *e)
{
	struct cpv parts;
	size_t before = q->available.n;
	bool bare = strchr("<>=~", text[0]) == NULL && cpv_split(str_of(text), &parts);
	bool ok = strpbrk(text, "/*") == NULL ? add_short(q, text, e)
		  : bare                      ? add_atom(q, arena_printf(&q->arena, "=%s", text), e)
					      : add_atom(q, text, e);
	if (ok && q->available.n == before)
		return err_set(e, ERR_FAILED, "query.none", "no repository has a package %s", text);
	return ok;
}

bool query_available(struct query *q, struct err *e)
{
	bool ok = engine_open(&q->engine, q->cli, e);
	if (ok && q->operands[0] == NULL)
		return add_all(q, NULL, e);
	for (char **text = q->operands; ok && *text != NULL; text++)
		ok = add_operand(q, *text, e);
	return ok;
}

static const struct vdb_pkg *installed_as(const struct query *q, const struct pkg *p)
{
	char *category = xstrndup(p->cat.p, p->cat.n), *pf = xstrndup(p->pf.p, p->pf.n);
	const struct vdb_pkg *found = vdb_find(q->vdb, category, pf);
	free(category);
	free(pf);
	return found;
}

static const char *mask_of(const struct query *q, struct pkg *p)
{
	struct mask m = { 0 };
	if (p->broken)
		return p->problem;
	return config_visible(q->engine.config, p, &m) ? "" : m.text;
}

void query_begin(struct query *q, const struct pkg *p, const char *behind)
{
	char *cpv = xasprintf("%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
	if (q->cli->json) {
		buf_adds(&q->out, q->n++ > 0 ? ",\n{\"cpv\": " : "{\"cpv\": ");
		buf_json(&q->out, str_of(cpv));
		query_member(q, "repo", p->repo->name);
	} else {
		buf_printf(&q->out, "%s%s", cpv, behind);
	}
	free(cpv);
}

static void member(struct query *q, const char *name, struct str value)
{
	buf_printf(&q->out, ", \"%s\": ", name);
	buf_json(&q->out, value);
}

/* "1" or "1/1.2", the arena's. */
static struct str slot_of(struct query *q, const struct pkg *p)
{
	if (str_eq(p->slot, p->subslot))
		return p->slot;
	return str_of(arena_printf(&q->arena, "%.*s/%.*s", STR_ARG(p->slot), STR_ARG(p->subslot)));
}

bool query_list_available(struct query *q, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < q->available.n; i++) {
		struct pkg *p = q->available.v[i];
		bool installed = installed_as(q, p) != NULL;
		const char *mask = mask_of(q, p);
		query_begin(q, p, "");
		if (q->cli->json) {
			member(q, "slot", slot_of(q, p));
			member(q, "masked", str_of(mask));
			buf_printf(&q->out, ", \"installed\": %s}", installed ? "true" : "false");
			continue;
		}
		if (q->cli->verbose > 0)
			buf_printf(&q->out, ":%.*s::%s", STR_ARG(slot_of(q, p)), p->repo->name);
		buf_adds(&q->out, installed ? " (installed)" : "");
		if (mask[0] != '\0')
			buf_printf(&q->out, " (masked: %s)", mask);
		buf_addc(&q->out, '\n');
	}
	return true;
}

bool query_meta_available(struct query *q, struct err *e)
{
	static const struct {
		const char *name;
		enum pkg_key key;
	} fields[] = { { "description", PKG_DESCRIPTION }, { "homepage", PKG_HOMEPAGE },
		{ "license", PKG_LICENSE }, { "required_use", PKG_REQUIRED_USE },
		{ "restrict", PKG_RESTRICT }, { "properties", PKG_PROPERTIES },
		{ "src_uri", PKG_SRC_URI } };
	(void)e;
	for (size_t i = 0; i < q->available.n; i++) {
		struct pkg *p = q->available.v[i];
		const struct str more[] = { slot_of(q, p), p->keywords, p->eapi,
			str_of(mask_of(q, p)), str_of(p->repo->name) };
		static const char *const names[] = { "slot", "keywords", "eapi", "masked",
			"repository" };
		query_begin(q, p, "\n");
		for (size_t k = 0; k < 7 + 5; k++) {
			const char *name = k < 7 ? fields[k].name : names[k - 7];
			struct str value = k < 7 ? p->meta[fields[k].key] : more[k - 7];
			if (q->cli->json)
				member(q, name, value);
			else if (value.n > 0)
				buf_printf(&q->out, "  %-13s %.*s\n", name, STR_ARG(value));
		}
		buf_adds(&q->out, q->cli->json ? "}" : "");
	}
	return true;
}

static void use_member(struct query *q, const struct iuse *f, bool follows)
{
	buf_adds(&q->out, follows ? ", " : "");
	buf_json(&q->out, f->name);
	buf_adds(&q->out, f->on ? ": true" : ": false");
}

static void use_word(struct query *q, const struct iuse *f)
{
	bool fixed = f->forced || f->masked;
	buf_printf(&q->out, " %s%s%.*s%s", fixed ? "(" : "", f->on ? "+" : "-", STR_ARG(f->name),
		fixed ? ")" : "");
}

bool query_uses_available(struct query *q, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < q->available.n; i++) {
		const struct pkg *p = q->available.v[i];
		query_begin(q, p, ":");
		buf_adds(&q->out, q->cli->json ? ", \"use\": {" : "");
		for (size_t k = 0; k < p->n_iuse; k++) {
			if (q->cli->json)
				use_member(q, &p->iuse[k], k > 0);
			else
				use_word(q, &p->iuse[k]);
		}
		buf_adds(&q->out, q->cli->json ? "}}" : "\n");
	}
	return true;
}
