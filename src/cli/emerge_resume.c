/*
 * The list of a run that failed or was stopped, var/lib/eprefix/resume: a line "oneshot",
 * "favorite ATOM" and "set @NAME" as they were asked for, "merge =CAT/PF::REPO" for each package
 * that is left, in order, each followed by "remove =CAT/PF BLOCKER" for what goes before it is
 * merged.
 */
#include "emerge.h"

#include "depclean.h"
#include "fs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define RESUME_FILE "var/lib/eprefix/resume"

static void write_removals(const struct emerge *m, const struct pkg *by, struct buf *text)
{
	for (size_t i = 0; i < m->result.removals.n; i++) {
		const struct resolve_removal *x = &m->result.removals.v[i];
		if (x->by == by)
			buf_printf(text, "remove =%.*s/%.*s %.*s\n", STR_ARG(x->pkg->cat),
				STR_ARG(x->pkg->pf), STR_ARG(x->atom->text));
	}
}

bool emerge_resume_write(const struct emerge *m, const bool *done, struct err *e)
{
	struct buf text = BUF_INIT;
	size_t left = 0;
	if (m->oneshot)
		buf_adds(&text, "oneshot\n");
	for (size_t i = 0; i < m->favorites.n; i++)
		buf_printf(&text, "favorite %.*s\n", STR_ARG(m->favorites.v[i]->text));
	for (size_t i = 0; i < m->sets.n; i++)
		buf_printf(&text, "set %s\n", m->sets.v[i]);
	for (size_t i = 0; i < m->result.list.n; i++) {
		const struct pkg *p = m->result.list.v[i].pkg;
		if (done[i])
			continue;
		buf_printf(&text, "merge =%.*s/%.*s::%.*s\n", STR_ARG(p->cat), STR_ARG(p->pf),
			STR_ARG(p->repo_name));
		write_removals(m, p, &text);
		left++;
	}
	bool ok = left == 0 ? fs_unlink(m->root, RESUME_FILE, e)
			    : fs_write(m->root, RESUME_FILE, text.p, text.n, 0644, e);
	buf_fini(&text);
	return ok;
}

/* The instance that leaves the slot of p. */
static const struct pkg *in_slot(const struct emerge *m, const struct pkg *p)
{
	for (size_t i = 0; i < m->installed.n; i++) {
		const struct pkg *old = &m->installed.v[i];
		if (str_eq(old->cp, p->cp) && str_eq(old->slot, p->slot))
			return old;
	}
	return NULL;
}

/* The package of a line, loaded, its USE decided. */
static struct pkg *find_package(struct emerge *m, const struct atom *atom, struct err *e)
{
	const struct package *all = repo_package(m->engine.repos, atom->cp);
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		struct pkg *p = all->v[i];
		struct mask mask = { 0 };
		if (!pkg_load(m->engine.repos, p, e))
			return NULL;
		if (!atom_match_but_use(atom, p))
			continue;
		config_use(m->engine.config, p);
		if (config_visible(m->engine.config, p, &mask))
			return p;
		err_set(e, ERR_CONFLICT, "resume.masked",
			"%.*s of the list to resume is masked now (%s); leave it out with "
			"--skipfirst or give the request anew",
			STR_ARG(atom->text), mask.text);
		return NULL;
	}
	err_set(e, ERR_CONFLICT, "resume.gone",
		"%.*s of the list to resume is in no repository any more; give the request anew",
		STR_ARG(atom->text));
	return NULL;
}

/* "=CAT/PF BLOCKER" of the last package of the list; gone already: nothing is to be done. */
static bool take_removal(struct emerge *m, const char *value, struct err *e)
{
	struct str rest = str_of(value), what, block;
	if (m->result.list.n == 0)
		return true; /* it was skipped */
	if (!str_word(&rest, &what) || !str_word(&rest, &block))
		return err_set(e, ERR_CONFLICT, "resume.remove",
			RESUME_FILE ": \"remove %s\" names no package and blocker", value);
	const struct atom *atom = atom_parse(&m->arena, what, STR(""), ATOM_REPO, e);
	const struct atom *by = atom_parse(&m->arena, block, STR(""), ATOM_REPO, e);
	if (atom == NULL || by == NULL)
		return err_in(e, RESUME_FILE);
	const struct pkg *last = m->result.list.v[m->result.list.n - 1].pkg;
	for (size_t i = 0; i < m->installed.n; i++) {
		if (atom_match(atom, &m->installed.v[i]))
			vec_push(&m->result.removals,
				(struct resolve_removal){ &m->installed.v[i], last, by });
	}
	return true;
}

static bool take_line(struct emerge *m, struct str line, struct err *e)
{
	struct str word, rest = line;
	if (!str_word(&rest, &word))
		return true;
	const char *value = arena_strndup(&m->arena, str_trim(rest).p, str_trim(rest).n);
	if (str_is(word, "oneshot")) {
		m->oneshot = true;
		return true;
	}
	if (str_is(word, "set")) {
		strv_push(&m->sets, value);
		return true;
	}
	if (str_is(word, "remove"))
		return take_removal(m, value, e);
	const struct atom *atom = atom_parse(&m->arena, str_of(value), STR(""), ATOM_REPO, e);
	if (atom == NULL)
		return err_in(e, RESUME_FILE);
	if (str_is(word, "favorite")) {
		vec_push(&m->favorites, atom);
		return true;
	}
	if (m->skip_first) {
		fprintf(stderr, ">>> Skipping %s\n", value);
		m->skip_first = false;
		return true;
	}
	struct pkg *p = find_package(m, atom, e);
	if (p == NULL)
		return false;
	vec_push(&m->result.list,
		(struct resolve_item){ .pkg = p, .replaces = in_slot(m, p), .atom = atom });
	return true;
}

static bool is_replaced(const struct resolution *r, const struct pkg *old)
{
	for (size_t k = 0; k < r->list.n; k++) {
		if (r->list.v[k].replaces == old)
			return true;
	}
	return false;
}

/* Drop from the list what lacks a dependency that neither the list nor the prefix has. */
static bool drop_once(struct emerge *m, bool *again, struct err *e)
{
	struct resolution *r = &m->result;
	struct removal_deps unmet = { 0 };
	struct pkg *all = xcalloc(m->installed.n + r->list.n + 1, sizeof *all);
	size_t n = 0, first, left = 0;
	for (size_t i = 0; i < m->installed.n; i++) {
		if (!is_replaced(r, &m->installed.v[i]))
			all[n++] = m->installed.v[i];
	}
	first = n;
	for (size_t i = 0; i < r->list.n; i++)
		all[n++] = *r->list.v[i].pkg;
	const struct removal_input in = { .installed = all,
		.n_installed = n,
		.config = m->engine.config,
		.arena = &m->engine.repos->arena,
		.build_deps = true };
	bool ok = removal_unmet(&in, first, &unmet, e);
	for (size_t i = 0, at = 0; ok && i < r->list.n; i++) {
		while (at < unmet.list.n && unmet.list.v[at].of < first + i)
			at++;
		if (at == unmet.list.n || unmet.list.v[at].of > first + i) {
			r->list.v[left++] = r->list.v[i];
			continue;
		}
		struct buf text = BUF_INIT;
		removal_dep_print(&unmet.list.v[at], &text);
		fprintf(stderr, ">>> Leaving out %.*s: it needs %s\n",
			STR_ARG(r->list.v[i].atom->text), buf_str(&text));
		buf_fini(&text);
	}
	*again = ok && left < r->list.n;
	if (ok)
		r->list.n = left;
	vec_fini(&unmet.list);
	free(all);
	return ok;
}

/* Without what was skipped, packages that need it cannot be built: they are left out, too. */
static bool drop_unmet(struct emerge *m, struct err *e)
{
	bool ok = true, again = true;
	while (ok && again)
		ok = drop_once(m, &again, e);
	return ok;
}

bool emerge_resume_read(struct emerge *m, struct err *e)
{
	struct buf text = BUF_INIT;
	if (!fs_exists(m->root, RESUME_FILE)) {
		fprintf(stderr, ">>> It seems we have nothing to resume...\n");
		return true;
	}
	bool ok = fs_read(m->root, RESUME_FILE, &text, e), skipped = cli_has(m->cli, "skipfirst");
	m->skip_first = skipped;
	struct str rest = { buf_str(&text), text.n }, line;
	while (ok && str_split(&rest, '\n', &line))
		ok = take_line(m, line, e);
	buf_fini(&text);
	return ok && (!skipped || drop_unmet(m, e));
}
