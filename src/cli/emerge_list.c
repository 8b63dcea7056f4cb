/* The merge list as a whole: its order on the screen, and what it comes to. */
#include "emerge_show.h"
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void add_part(struct buf *out, size_t n, const char *what, bool plural)
{
	if (n > 0)
		buf_printf(out, "%s%zu %s%s", out->n > 0 ? ", " : "", n, what,
			plural && n != 1 ? "s" : "");
}

/* "Total: 3 packages (1 upgrade, 2 new), Size of downloads: 1,234 KiB" */
static void show_total(const struct emerge_view *v)
{
	struct emerge_counts n = { 0 };
	struct buf parts = BUF_INIT, line = BUF_INIT;
	emerge_count(v->m, &n);
	add_part(&parts, n.of[EMERGE_UPGRADE], "upgrade", true);
	add_part(&parts, n.of[EMERGE_DOWNGRADE], "downgrade", true);
	add_part(&parts, n.of[EMERGE_NEW], "new", false);
	add_part(&parts, n.of[EMERGE_NEW_SLOT],
		n.of[EMERGE_NEW_SLOT] == 1 ? "in new slot" : "in new slots", false);
	add_part(&parts, n.of[EMERGE_AGAIN], "reinstall", true);
	add_part(&parts, v->m->result.removals.n, "uninstall", true);
	buf_printf(&line, "\nTotal: %zu package%s", n.all, n.all == 1 ? "" : "s");
	if (parts.n > 0)
		buf_printf(&line, " (%s)", buf_str(&parts));
	if (v->sizes != NULL) {
		buf_adds(&line, ", Size of downloads: ");
		emerge_add_kib(&line, v->sizes->total);
	}
	if (v->m->result.removals.n > 0)
		buf_printf(&line, "\nConflict: %zu block%s", v->m->result.removals.n,
			v->m->result.removals.n == 1 ? "" : "s");
	puts(buf_str(&line));
	buf_fini(&parts);
	buf_fini(&line);
}

/* --tree: a package above those that are merged for it. */
struct tree {
	const struct emerge_view *v;
	bool *shown; /* by the place in the list */
};

static void show_branch(struct tree *t, size_t at, size_t depth)
{
	const struct resolution *r = &t->v->m->result;
	const struct resolve_item *item = &r->list.v[at];
	t->shown[at] = true;
	emerge_show_removals(t->v, item->pkg, true);
	emerge_show_item(t->v, item, depth);
	emerge_show_removals(t->v, item->pkg, false);
	for (size_t i = r->list.n; i-- > 0;) {
		if (!t->shown[i] && r->list.v[i].parent == item->pkg)
			show_branch(t, i, depth + 1);
	}
}

static bool parent_is_listed(const struct resolution *r, const struct resolve_item *item)
{
	for (size_t i = 0; item->parent != NULL && i < r->list.n; i++) {
		if (r->list.v[i].pkg == item->parent)
			return true;
	}
	return false;
}

/* A parent that is installed and stays is shown, too, or one would not see why. */
static size_t show_staying(const struct resolve_item *item)
{
	const struct pkg *p = item->parent;
	if (p == NULL)
		return 0;
	printf("[nomerge       ] %.*s/%.*s\n", STR_ARG(p->cat), STR_ARG(p->pf));
	return 1;
}

static void show_tree(const struct emerge_view *v)
{
	const struct resolution *r = &v->m->result;
	struct tree t = { v, xcalloc(r->list.n + 1, sizeof(bool)) };
	for (size_t i = r->list.n; i-- > 0;) {
		const struct resolve_item *item = &r->list.v[i];
		if (!t.shown[i] && !parent_is_listed(r, item))
			show_branch(&t, i, show_staying(item));
	}
	/* What is left hangs on a circle of parents. */
	for (size_t i = r->list.n; i-- > 0;) {
		if (!t.shown[i])
			show_branch(&t, i, 0);
	}
	free(t.shown);
}

void emerge_show(const struct emerge *m)
{
	struct emerge_sizes sizes = { 0 };
	struct err ignored = ERR_INIT;
	struct emerge_view v = { .m = m, .color = term_use_color(STDOUT_FILENO, m->cli->color) };
	bool tree = cli_has(m->cli, "tree"), quiet = m->cli->quiet;
	if (m->cli->verbose > 0 && emerge_sizes_open(&sizes, m, &ignored))
		v.sizes = &sizes;
	if (!quiet)
		printf("\nThese are the packages that would be %s, in %sorder:\n\n",
			cli_has(m->cli, "fetchonly") ? "fetched" : "merged",
			tree ? "reverse " : "");
	if (tree)
		show_tree(&v);
	for (size_t i = 0; !tree && i < m->result.list.n; i++) {
		emerge_show_removals(&v, m->result.list.v[i].pkg, true);
		emerge_show_item(&v, &m->result.list.v[i], 0);
		emerge_show_removals(&v, m->result.list.v[i].pkg, false);
	}
	emerge_show_blocks(&v);
	if (!quiet)
		show_total(&v);
	emerge_sizes_close(&sizes);
}
