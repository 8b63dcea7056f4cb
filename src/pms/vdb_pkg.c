#include "vdb_pkg.h"

#include "repo.h"
#include "version.h"

static void name_only(struct arena *a, const struct vdb_pkg *p, struct pkg *out)
{
	const char *cp = arena_printf(a, "%s/%s", p->category, p->pn);
	*out = (struct pkg){ .cp = str_of(cp),
		.cat = str_of(p->category),
		.pn = str_of(p->pn),
		.version = str_of(p->pvr),
		.pf = str_of(p->pf),
		.kind = PKG_INSTALLED,
		.repo_name = str_of(vdb_repo(p)) };
}

static void know_flag(struct pkg *out, struct str flag, bool on)
{
	struct iuse *known = pkg_iuse(out, flag);
	if (known == NULL) {
		known = &out->iuse[out->n_iuse++];
		*known = (struct iuse){ .name = flag };
	}
	known->on = known->on || on;
}

static size_t words(struct str text)
{
	struct str word;
	size_t n = 0;
	while (str_word(&text, &word))
		n++;
	return n;
}

/* IUSE as declared is there; the record's other flags follow, and USE says which are on. */
static void decide_flags(struct arena *a, const struct vdb_pkg *p, struct pkg *out)
{
	struct str effective = str_of(vdb_get(p, "IUSE_EFFECTIVE"));
	struct str use = str_of(vdb_get(p, "USE")), word;
	struct iuse *room =
		arena_calloc(a, out->n_iuse + words(effective) + words(use) + 1, sizeof *room);
	if (out->n_iuse > 0)
		memcpy(room, out->iuse, out->n_iuse * sizeof *room);
	out->iuse = room;
	while (str_word(&effective, &word))
		know_flag(out, word, false);
	while (str_word(&use, &word))
		know_flag(out, word, true);
	out->use_done = true;
}

void vdb_pkg_view(struct arena *a, const struct vdb_pkg *p, struct pkg *out)
{
	/* Each is a file to open, of a thousand records in a run: no more than a decision rests on.
	 */
	static const char *const fields[] = { "EAPI", "SLOT", "IUSE", "DEPEND", "RDEPEND",
		"PDEPEND", "BDEPEND", "IDEPEND" };
	name_only(a, p, out);
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		pkg_set_field(a, out, str_of(fields[i]), str_of(vdb_get(p, fields[i])));
	pkg_filled(a, out);
	decide_flags(a, p, out);
}

/* The name rules most packages out before a file is opened. */
static bool name_matches(struct arena *a, const struct vdb_pkg *p, const struct atom *atom)
{
	const char *cp = arena_printf(a, "%s/%s", p->category, p->pn);
	return atom_match_name(atom, str_of(cp)) &&
	       (atom->op == ATOM_ANY || atom->wildcard || atom_match_version(atom, str_of(p->pvr)));
}

bool vdb_matches(const struct vdb_pkg *p, const struct atom *atom)
{
	struct arena a = ARENA_INIT;
	struct pkg view;
	bool ok = name_matches(&a, p, atom);
	bool bare = atom->slot.n == 0 && atom->repo.n == 0 && atom->n_use == 0 && !atom->wildcard;
	if (ok && !bare) {
		vdb_pkg_view(&a, p, &view);
		ok = atom_match(atom, &view);
	}
	arena_fini(&a);
	return ok;
}

/* What was typed, taken apart: operator, name with version, and the rest (":slot[use]"). */
struct typed {
	struct str op, name, rest;
	bool has_category, bare_version;
};

static struct typed take_apart(const char *text)
{
	struct typed t = { .op = { text, strspn(text, "<>=~!") } };
	t.name = (struct str){ text + t.op.n, strcspn(text + t.op.n, ":[") };
	t.rest = str_of(t.name.p + t.name.n);
	const char *slash = memchr(t.name.p, '/', t.name.n);
	t.has_category = slash != NULL;
	struct str pf = t.name;
	if (slash != NULL)
		pf = (struct str){ slash + 1, t.name.n - (size_t)(slash + 1 - t.name.p) };
	size_t at;
	t.bare_version = t.op.n == 0 && pf_version_at(pf, &at);
	return t;
}

/* Add what matches the text with this category ("" where the text has one). */
static bool select_in(const struct vdb *v, const struct typed *t, const char *category,
	struct vdb_list *out, struct err *e)
{
	struct arena a = ARENA_INIT;
	const char *full = arena_printf(&a, "%.*s%s%s%s%.*s%.*s", STR_ARG(t->op),
		t->bare_version ? "=" : "", category, category[0] != '\0' ? "/" : "",
		STR_ARG(t->name), STR_ARG(t->rest));
	const struct atom *atom = atom_parse(&a, str_of(full), STR(""), ATOM_USER, e);
	for (size_t i = 0; atom != NULL && i < vdb_count(v); i++) {
		if (vdb_matches(vdb_at(v, i), atom))
			vec_push(&out->list, vdb_at(v, i));
	}
	if (atom == NULL)
		e->code = ERR_USAGE;
	arena_fini(&a);
	return atom != NULL;
}

bool vdb_select(const struct vdb *v, const char *text, struct vdb_list *out, struct err *e)
{
	struct typed t = take_apart(text);
	if (t.has_category || memchr(t.name.p, '*', t.name.n) != NULL)
		return select_in(v, &t, t.has_category ? "" : "*", out, e);
	/* An operator does not go with a wildcard: each category in turn. */
	const char *last = "";
	bool ok = vdb_count(v) > 0 || select_in(v, &t, "none", out, e);
	for (size_t i = 0; ok && i < vdb_count(v); i++) {
		const char *category = vdb_at(v, i)->category;
		if (strcmp(category, last) != 0)
			ok = select_in(v, &t, category, out, e);
		last = category;
	}
	return ok;
}
