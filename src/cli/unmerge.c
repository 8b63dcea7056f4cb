/* eprefix emerge --unmerge, --depclean: which packages go. */
#include "unmerge.h"

#include "vdb_pkg.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

/* PROVIDES and REQUIRES of a record; the index is that of the database. */
static const char *record_field(void *ctx, size_t i, const char *name)
{
	const struct emerge *m = ctx;
	return vdb_get(vdb_at(m->vdb, i), name);
}

/* The repository's package of the installed version, loaded. */
static const struct pkg *ebuild_of(void *ctx, size_t i)
{
	const struct emerge *m = ctx;
	const struct pkg *p = &m->installed.v[i];
	const struct package *all = repo_package(m->engine.repos, p->cp);
	struct err ignored = ERR_INIT;
	for (size_t k = 0; all != NULL && k < all->n; k++) {
		if (str_eq(all->v[k]->version, p->version) &&
			pkg_load(m->engine.repos, all->v[k], &ignored) && !all->v[k]->broken)
			return all->v[k];
	}
	return NULL;
}

/* What the atoms behind the first `from` requests match; only the highest of each, or all. */
static void mark_requests(const struct unmerge *u, size_t from, bool all, bool *marks)
{
	const struct emerge *m = u->m;
	for (size_t r = from; r < m->requests.n; r++) {
		size_t best = SIZE_MAX;
		for (size_t i = 0; i < m->installed.n; i++) {
			const struct pkg *p = &m->installed.v[i];
			if (!atom_match(m->requests.v[r], p))
				continue;
			marks[i] = marks[i] || all;
			if (best == SIZE_MAX || pkg_cmp(&m->installed.v[best], p) < 0)
				best = i;
		}
		if (best != SIZE_MAX)
			marks[best] = true;
	}
}

/* A short name that two categories have is nothing to remove anything by. */
static bool ambiguous(const char *text, const struct vdb_list *found, struct err *e)
{
	struct buf names = BUF_INIT;
	size_t n = 0;
	const struct vdb_pkg *last = NULL;
	for (size_t i = 0; i < found->list.n; i++) {
		const struct vdb_pkg *p = found->list.v[i];
		if (last == NULL || strcmp(p->category, last->category) != 0 ||
			strcmp(p->pn, last->pn) != 0)
			buf_printf(&names, "%s%s/%s", n++ > 0 ? ", " : "", p->category, p->pn);
		last = p;
	}
	bool bad = n > 1 && strpbrk(text, "/*") == NULL;
	if (bad)
		err_set(e, ERR_CONFLICT, "unmerge.name",
			"the short name %s is ambiguous; say one of %s", text, buf_str(&names));
	buf_fini(&names);
	return bad;
}

/* Mark what an operand means among the installed packages. */
static bool take_operand(struct unmerge *u, const char *text, bool *marks, struct err *e)
{
	struct emerge *m = u->m;
	size_t from = m->requests.n, before = m->favorites.n;
	if (text[0] == '@') {
		bool ok = emerge_request(m, text, e);
		mark_requests(u, from, true, marks);
		m->requests.n = from;
		m->favorites.n = before;
		return ok;
	}
	struct vdb_list found = { 0 };
	bool ok = vdb_select(m->vdb, text, &found, e) && !ambiguous(text, &found, e);
	for (size_t i = 0; ok && i < found.list.n; i++)
		marks[found.list.v[i]->index] = true;
	if (ok && found.list.n == 0)
		cli_warn("couldn't find '%s' to unmerge: nothing installed matches it", text);
	vec_fini(&found.list);
	return ok;
}

static bool take_operands(struct unmerge *u, char **argv, bool *marks, struct err *e)
{
	bool ok = true;
	for (size_t i = 0; ok && argv[i] != NULL; i++)
		ok = take_operand(u, argv[i], marks, e);
	return ok;
}

/* The atoms of @system, and which installed packages satisfy them. */
static bool find_system(struct unmerge *u, struct err *e)
{
	size_t from = u->m->requests.n;
	bool ok = emerge_set(u->m, "system", e);
	u->n_system = u->m->requests.n - from;
	mark_requests(u, from, false, u->of_system);
	u->m->requests.n = from;
	return ok;
}

static bool take_exclude(struct unmerge *u, bool *stay, struct err *e)
{
	struct strv names = cli_values(u->m->cli, "exclude");
	bool ok = true;
	for (size_t i = 0; ok && i < names.n; i++) {
		struct vdb_list found = { 0 };
		ok = vdb_select(u->m->vdb, names.v[i], &found, e);
		for (size_t k = 0; ok && k < found.list.n; k++)
			stay[found.list.v[k]->index] = true;
		vec_fini(&found.list);
	}
	strv_fini(&names);
	return ok;
}

static bool refuse_unmet(const struct unmerge *u, struct err *e)
{
	struct buf text = BUF_INIT;
	const struct removal_deps *unmet = &u->clean.unmet;
	for (size_t i = 0; i < unmet->list.n && i < 8; i++) {
		const struct pkg *p = &u->m->installed.v[unmet->list.v[i].of];
		buf_adds(&text, "\n  ");
		removal_dep_print(&unmet->list.v[i], &text);
		buf_printf(&text, " pulled in by %.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
	}
	if (unmet->list.n > 8)
		buf_printf(&text, "\n  and %zu more", unmet->list.n - 8);
	err_set(e, ERR_CONFLICT, "depclean.unmet",
		"these dependencies of installed packages are not installed, so that what is "
		"needed cannot be told:%s\nrun `eprefix emerge --update --deep --newuse "
		"--with-bdeps=y @world` first, or remove the packages that need them",
		buf_str(&text));
	buf_fini(&text);
	return false;
}

/* Without any root everything would go. */
static bool check_roots(const struct unmerge *u, struct err *e)
{
	if (u->targets || u->n_world + u->n_system > 0 || cli_has(u->m->cli, "force"))
		return true;
	return err_set(e, ERR_CONFLICT, "depclean.world",
		"neither @system nor the world file names a package, so that everything would be "
		"removed; name what you want to keep: eprefix emerge --noreplace PACKAGE…");
}

/* Packages whose removal nothing but the world file forbids: what was named is not in the world
 * any more, but for the sets in it. */
static bool find_roots(struct unmerge *u, struct err *e)
{
	struct world w = WORLD_INIT;
	bool ok = emerge_set(u->m, "system", e) && emerge_set(u->m, "profile", e);
	if (ok && !u->targets) {
		ok = emerge_set(u->m, "selected", e);
	} else {
		ok = ok && world_read(&w, u->m->root, e);
		for (size_t i = 0; ok && i < w.sets.n; i++)
			ok = emerge_set(u->m, w.sets.v[i] + 1, e);
	}
	world_fini(&w);
	return ok;
}

static bool count_world(struct unmerge *u, struct err *e)
{
	struct world w = WORLD_INIT;
	bool ok = world_read(&w, u->m->root, e);
	u->n_world = w.atoms.n + w.sets.n;
	world_fini(&w);
	return ok;
}

static bool run_depclean(struct unmerge *u, char **argv, struct err *e)
{
	size_t n = u->m->installed.n;
	bool *targets = xcalloc(n + 1, sizeof *targets), *stay = xcalloc(n + 1, sizeof *stay);
	u->targets = argv[0] != NULL;
	bool ok = take_operands(u, argv, targets, e) && take_exclude(u, stay, e) &&
		  check_roots(u, e) && find_roots(u, e);
	for (size_t i = 0; u->targets && i < n; i++)
		stay[i] = stay[i] || !targets[i];
	const struct depclean_request request = { u->m->requests.v, u->m->requests.n, stay };
	ok = ok && depclean(&u->in, &request, &u->clean, e);
	if (ok && !u->targets && u->clean.unmet.list.n > 0)
		ok = refuse_unmet(u, e);
	for (size_t i = 0; ok && i < u->clean.remove.n; i++) {
		u->chosen[u->clean.remove.v[i]] = true;
		vec_push(&u->order, u->clean.remove.v[i]);
	}
	if (ok && u->targets && !u->m->cli->json)
		unmerge_show_needed(u, targets);
	free(targets);
	free(stay);
	return ok;
}

static bool run_unmerge(struct unmerge *u, char **argv, struct err *e)
{
	if (argv[0] == NULL)
		return err_set(e, ERR_USAGE, "unmerge.operand",
			"--unmerge needs to be told what: a package, an atom or a @set");
	u->targets = true;
	if (!take_operands(u, argv, u->chosen, e) ||
		!removal_breaks(&u->in, u->chosen, &u->breaks, e))
		return false;
	for (size_t i = 0; i < u->m->installed.n; i++) {
		if (u->chosen[i])
			vec_push(&u->order, i);
	}
	return true;
}

/* Is everything that satisfies an atom of @system among what goes? */
static bool hits_system(const struct unmerge *u)
{
	for (size_t i = 0; i < u->order.n; i++) {
		if (u->of_system[u->order.v[i]])
			return true;
	}
	return false;
}

static bool agreed(const struct unmerge *u, struct err *e)
{
	if (cli_has(u->m->cli, "ask")) {
		if (emerge_ask("Would you like to unmerge these packages?"))
			return true;
		return err_set(
			e, ERR_INTERRUPTED, "unmerge.ask", "nothing was removed, as you wished");
	}
	if (u->depclean || !hits_system(u) || cli_has(u->m->cli, "force"))
		return true;
	return err_set(e, ERR_CONFLICT, "unmerge.system",
		"packages of @system are not removed without a question: give --ask, or --force "
		"if you are sure");
}

static bool carry_out(struct unmerge *u, struct err *e)
{
	struct cli *c = u->m->cli;
	bool pretend = cli_has(c, "pretend");
	if (c->json)
		unmerge_show_json(u);
	else if (u->order.n > 0)
		unmerge_show(u);
	if (!c->json || !pretend)
		unmerge_warn(u);
	if (u->order.n == 0) {
		fprintf(stderr, "\n>>> No packages selected for removal by %s\n",
			u->depclean ? "depclean" : "unmerge");
		if (!u->depclean)
			return err_set(
				e, ERR_FAILED, "unmerge.none", "there is nothing to unmerge");
	} else if (!pretend && (!agreed(u, e) || !unmerge_run(u, e))) {
		return false;
	}
	if (u->depclean && !c->json && !c->quiet)
		unmerge_show_counts(u, !pretend);
	return true;
}

bool emerge_unmerge(struct emerge *m, char **argv, struct err *e)
{
	struct unmerge u = { .m = m, .depclean = cli_has(m->cli, "depclean") };
	u.in = (struct removal_input){ .installed = m->installed.v,
		.n_installed = m->installed.n,
		.config = m->engine.config,
		.arena = &m->arena,
		.build_deps = cli_yes(m->cli, "with-bdeps", u.depclean),
		.field = record_field,
		.ebuild = ebuild_of,
		.ctx = m };
	u.chosen = xcalloc(m->installed.n + 1, sizeof *u.chosen);
	u.of_system = xcalloc(m->installed.n + 1, sizeof *u.of_system);
	bool ok = find_system(&u, e) && count_world(&u, e) &&
		  (u.depclean ? run_depclean(&u, argv, e) : run_unmerge(&u, argv, e)) &&
		  carry_out(&u, e);
	vec_fini(&u.order);
	vec_fini(&u.breaks.list);
	depclean_fini(&u.clean);
	free(u.chosen);
	free(u.of_system);
	return ok;
}
