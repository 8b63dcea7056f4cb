#include "plan_graph.h"

#include "atom.h"

#include <string.h>

/* A copy of s that lives in the arena; NULL reads as empty. */
static struct str text(const char *s)
{
	return str_of(s != NULL ? s : "");
}

/* Append the flags of IUSE; on: whether its default says so. */
static void add_iuse(struct arena *a, struct str iuse, struct pkg *p)
{
	struct str word;
	p->iuse = arena_calloc(a, iuse.n / 2 + 1, sizeof *p->iuse);
	while (str_word(&iuse, &word)) {
		char preset = '\0';
		if (word.p[0] == '+' || word.p[0] == '-')
			preset = word.p[0];
		if (preset != '\0')
			word = (struct str){ word.p + 1, word.n - 1 };
		if (word.n > 0 && pkg_iuse(p, word) == NULL)
			p->iuse[p->n_iuse++] = (struct iuse){
				.name = word, .preset = preset, .on = preset == '+'
			};
	}
}

bool plan_pkg(struct arena *a, const struct pkg_meta *m, struct pkg *p, struct err *e)
{
	if (m->category == NULL || m->pn == NULL || m->pvr == NULL)
		return err_set(e, ERR_FAILED, "plan.meta", "a package without a name was found");
	struct str slot = text(m->slot), part;
	*p = (struct pkg){ .kind = PKG_RECIPE, .loaded = true, .use_done = true };
	p->cp = str_of(arena_printf(a, "%s/%s", m->category, m->pn));
	p->pf = str_of(arena_printf(a, "%s-%s", m->pn, m->pvr));
	p->cat = str_of(m->category);
	p->pn = str_of(m->pn);
	p->version = str_of(m->pvr);
	p->repo_name = text(m->repo);
	if (str_split(&slot, '/', &part))
		p->slot = p->subslot = part;
	if (slot.n > 0)
		p->subslot = slot;
	add_iuse(a, text(m->iuse), p);
	struct str use = text(m->use), flag;
	for (size_t i = 0; m->use != NULL && i < p->n_iuse; i++)
		p->iuse[i].on = false;
	while (str_word(&use, &flag)) {
		struct iuse *u = pkg_iuse(p, flag);
		if (u != NULL)
			u->on = true;
	}
	return true;
}

/* Apply one word of a package.use line. */
static void apply_flag(struct pkg *p, struct str word)
{
	bool on = word.p[0] != '-';
	struct str flag = on ? word : (struct str){ word.p + 1, word.n - 1 };
	for (size_t i = 0; i < p->n_iuse; i++) {
		if (str_eq(p->iuse[i].name, flag) || str_is(flag, "*"))
			p->iuse[i].on = on;
	}
}

static bool apply_line(struct pkg *p, const char *line, struct arena *a, struct err *e)
{
	struct str rest = str_of(line), word;
	if (!str_word(&rest, &word))
		return true;
	const struct atom *atom = atom_parse(a, word, STR(""), ATOM_USER, e);
	if (atom == NULL)
		return err_in(e, "the stage's USE line \"%s\"", line);
	if (!atom_match_but_use(atom, p))
		return true;
	while (str_word(&rest, &word))
		apply_flag(p, word);
	return true;
}

bool plan_use(const struct stage *stage, const struct pkg_meta *m, struct arena *a,
	const char **use, struct err *e)
{
	struct pkg_meta undecided = *m;
	struct pkg p = { 0 };
	struct strv on = STRV_INIT;
	struct buf all = BUF_INIT;
	undecided.use = NULL;
	bool ok = plan_pkg(a, &undecided, &p, e);
	for (size_t i = 0; ok && stage->use != NULL && stage->use[i] != NULL; i++)
		ok = apply_line(&p, stage->use[i], a, e);
	for (size_t i = 0; ok && i < p.n_iuse; i++) {
		if (p.iuse[i].on)
			strv_own(&on, xstrndup(p.iuse[i].name.p, p.iuse[i].name.n));
	}
	strv_sort(&on);
	for (size_t i = 0; i < on.n; i++)
		buf_printf(&all, "%s%s", i > 0 ? " " : "", on.v[i]);
	if (ok)
		*use = arena_strdup(a, buf_str(&all));
	buf_fini(&all);
	strv_fini(&on);
	return ok;
}
