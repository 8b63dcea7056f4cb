#include "resolve_int.h"

#include <stdlib.h>
#include <string.h>

static void add_line(struct strv *lines, char *line)
{
	if (strv_has(lines, line))
		free(line);
	else
		strv_own(lines, line);
}

/* Can the flag be set as the atom asks? Forced and masked flags cannot. */
static bool flag_can_change(const struct pkg *p, const struct use_dep *u)
{
	const struct iuse *flag = pkg_iuse(p, u->flag);
	return flag != NULL && !flag->forced && !flag->masked;
}

static bool use_can_change(const struct atom *atom, const struct pkg *p)
{
	for (size_t i = 0; i < atom->n_use; i++) {
		if (!flag_can_change(p, &atom->use[i]))
			return false;
	}
	return true;
}

enum grade resolve_grade(struct resolver *r, struct pkg *p)
{
	const struct resolve_opts *o = &r->in->opts;
	struct mask m = { 0 };
	config_visible(r->in->config, p, &m);
	config_use(r->in->config, p);
	if (p->broken || (m.kinds & ~(unsigned)(MASK_KEYWORD | MASK_PACKAGE | MASK_LICENSE)) != 0 ||
		((m.kinds & MASK_LICENSE) != 0 && o->keep_licenses) ||
		((m.kinds & MASK_PACKAGE) != 0 && o->keep_masks) ||
		((m.kinds & MASK_KEYWORD) != 0 && o->keep_keywords))
		return GRADE_NO;
	if (m.kinds == 0)
		return GRADE_FREE;
	return (m.kinds & MASK_PACKAGE) != 0 ? GRADE_MASK : GRADE_KEYWORD;
}

static enum grade grade_of(struct resolver *r, const struct atom *atom, struct pkg *p)
{
	enum grade grade = resolve_grade(r, p);
	if (grade == GRADE_NO || atom_match_use(atom, p))
		return grade;
	if (r->in->opts.keep_use || !use_can_change(atom, p))
		return GRADE_NO;
	return grade == GRADE_FREE ? GRADE_USE : grade;
}

/* A package of another version was taken for this slot: only that one will do. */
static bool slot_is_free(const struct resolver *r, const struct pkg *p)
{
	const struct taken *t = resolve_taken_slot(r, p);
	return t == NULL || t->item.pkg == p;
}

/* What was found and why others were not. */
struct found {
	struct pkg *pkg;
	enum grade grade;
	const char *why; /* of the best that would not do */
};

static bool search(struct resolver *r, const struct atom *atom, struct found *f, struct err *e)
{
	const struct package *all = repo_package(r->in->repos, atom->cp);
	*f = (struct found){ .grade = GRADE_NO };
	for (size_t i = 0; all != NULL && i < all->n && f->grade != GRADE_FREE; i++) {
		struct pkg *p = all->v[i];
		struct mask m = { 0 };
		if (!pkg_load(r->in->repos, p, e))
			return false;
		if (!atom_match_but_use(atom, p))
			continue;
		enum grade grade = grade_of(r, atom, p);
		if (!slot_is_free(r, p))
			f->why = "another version of it is needed by another package";
		else if (grade < f->grade)
			*f = (struct found){ p, grade, NULL };
		else if (f->why == NULL && p->broken)
			f->why = p->problem;
		else if (f->why == NULL && !config_visible(r->in->config, p, &m))
			f->why = m.text;
		else if (f->why == NULL)
			f->why = "its USE flags cannot be as asked for";
	}
	return true;
}

static const char *flags_wanted(struct resolver *r, const struct atom *atom, struct pkg *p)
{
	const char *text = "";
	for (size_t i = 0; i < atom->n_use; i++) {
		struct iuse *flag = pkg_iuse(p, atom->use[i].flag);
		struct str wanted = atom->use[i].flag;
		struct buf one = BUF_INIT;
		use_dep_print(&atom->use[i], &one);
		bool on = one.n > 0 && one.p[0] != '-';
		buf_fini(&one);
		if (flag == NULL || flag->on == on)
			continue;
		flag->on = on;
		text = arena_printf(r->a, "%s %s%.*s", text, on ? "" : "-", STR_ARG(wanted));
	}
	return text;
}

void resolve_note_use(struct resolver *r, const struct pkg *p, const char *flags)
{
	add_line(&r->out->uses, xasprintf(">=%.*s/%.*s%s", STR_ARG(p->cat), STR_ARG(p->pf), flags));
}

void resolve_note(struct resolver *r, const struct atom *atom, struct pkg *p)
{
	struct mask m = { 0 };
	if (!config_visible(r->in->config, p, &m)) {
		char *name = xasprintf("=%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
		if ((m.kinds & MASK_KEYWORD) != 0)
			add_line(&r->out->keywords, xasprintf("%s %.*s", name, STR_ARG(m.keyword)));
		if ((m.kinds & MASK_PACKAGE) != 0)
			add_line(&r->out->unmasks, xstrdup(name));
		if ((m.kinds & MASK_LICENSE) != 0)
			add_line(&r->out->licenses, xasprintf("%s %s", name, m.licenses));
		free(name);
	}
	if (!atom_match_use(atom, p)) {
		const char *flags = flags_wanted(r, atom, p);
		resolve_note_use(r, p, flags);
	}
}

/* Which versions there are, when none is as asked. */
static const char *versions_text(struct resolver *r, const struct atom *atom)
{
	const struct package *all = repo_package(r->in->repos, atom->cp);
	if (all == NULL || all->n == 0)
		return "there is no such package in any repository";
	const char *text = "the repositories have only";
	for (size_t i = 0; i < all->n && i < 8; i++)
		text = arena_printf(
			r->a, "%s%s %.*s", text, i > 0 ? "," : "", STR_ARG(all->v[i]->version));
	return all->n > 8 ? arena_printf(r->a, "%s, …", text) : text;
}

const char *resolve_why_none(struct resolver *r, const struct atom *atom)
{
	struct found f;
	struct err ignored = ERR_INIT;
	if (!search(r, atom, &f, &ignored))
		return "its metadata cannot be read";
	return f.why != NULL ? f.why : versions_text(r, atom);
}

struct pkg *resolve_find(struct resolver *r, const struct want *w, struct err *e)
{
	struct found f;
	if (!search(r, w->atom, &f, e))
		return NULL;
	if (f.pkg != NULL && (f.grade == GRADE_FREE || r->in->opts.nodeps))
		return f.pkg;
	const char *why = f.why != NULL   ? f.why
			  : f.pkg != NULL ? "the configuration does not allow it"
					  : versions_text(r, w->atom);
	if (w->parent == NULL)
		err_set(e, ERR_CONFLICT, "resolve.find", "nothing satisfies %.*s: %s",
			STR_ARG(w->atom->text), why);
	else
		err_set(e, ERR_CONFLICT, "resolve.find", "nothing satisfies %.*s: %s\nneeded by %s",
			STR_ARG(w->atom->text), why, resolve_chain_text(r));
	return NULL;
}

bool resolve_findable(struct resolver *r, const struct atom *atom, struct err *e)
{
	struct found f;
	return search(r, atom, &f, e) && f.pkg != NULL && f.grade == GRADE_FREE;
}
