#include "emerge_show.h"
#include "term.h"
#include "unmerge.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Versions of one name: those that go, or those that stay. */
static char *versions(const struct unmerge *u, struct str cp, bool chosen)
{
	struct buf out = BUF_INIT;
	for (size_t i = 0; i < u->m->installed.n; i++) {
		const struct pkg *p = &u->m->installed.v[i];
		if (str_eq(p->cp, cp) && u->chosen[i] == chosen)
			buf_printf(&out, "%.*s ", STR_ARG(p->version));
	}
	if (out.n == 0)
		buf_adds(&out, "none ");
	return buf_take(&out);
}

static bool is_first_of_name(const struct unmerge *u, size_t at)
{
	const struct pkg *all = u->m->installed.v;
	for (size_t k = 0; k < at; k++) {
		if (str_eq(all[u->order.v[k]].cp, all[u->order.v[at]].cp))
			return false;
	}
	return true;
}

static void show_name(const struct unmerge *u, struct str cp, bool color)
{
	struct buf name = BUF_INIT, line = BUF_INIT;
	char *go = versions(u, cp, true), *stay = versions(u, cp, false);
	buf_add_str(&name, cp);
	buf_adds(&line, "\n ");
	emerge_tint(&line, color, "1", buf_str(&name));
	buf_adds(&line, "\n    selected: ");
	emerge_tint(&line, color, TINT_RED, go);
	buf_adds(&line, "\n   protected: none \n     omitted: ");
	emerge_tint(&line, color, TINT_GREEN, stay);
	puts(buf_str(&line));
	buf_fini(&name);
	buf_fini(&line);
	free(go);
	free(stay);
}

void unmerge_show(const struct unmerge *u)
{
	bool color = term_use_color(STDOUT_FILENO, u->m->cli->color);
	const struct pkg *all = u->m->installed.v;
	printf("\n>>> These are the packages that would be unmerged:\n");
	for (size_t k = 0; !u->m->cli->quiet && k < u->order.n; k++) {
		if (is_first_of_name(u, k))
			show_name(u, all[u->order.v[k]].cp, color);
	}
	printf("\nAll selected packages:");
	for (size_t k = 0; k < u->order.n; k++) {
		const struct pkg *p = &all[u->order.v[k]];
		printf(" =%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
	}
	printf("\n\n>>> 'Selected' packages are slated for removal.\n"
	       ">>> 'Protected' and 'omitted' packages will not be removed.\n");
	fflush(stdout);
}

static void warn_breaks(const struct unmerge *u)
{
	if (u->breaks.list.n == 0)
		return;
	fprintf(stderr, "\n!!! These installed packages need what would be removed:\n");
	for (size_t i = 0; i < u->breaks.list.n; i++) {
		const struct removal_dep *d = &u->breaks.list.v[i];
		const struct pkg *p = &u->m->installed.v[d->of];
		struct buf text = BUF_INIT;
		removal_dep_print(d, &text);
		fprintf(stderr, "!!!   %.*s/%.*s needs %s (%s)\n", STR_ARG(p->cat), STR_ARG(p->pf),
			buf_str(&text), pkg_key_name(d->key));
		buf_fini(&text);
	}
	fprintf(stderr, "!!! `eprefix emerge --depclean ATOM` removes only what nothing needs.\n");
}

void unmerge_warn(const struct unmerge *u)
{
	bool any = false;
	warn_breaks(u);
	for (size_t i = 0; i < u->order.n; i++) {
		const struct pkg *p = &u->m->installed.v[u->order.v[i]];
		if (!u->of_system[u->order.v[i]])
			continue;
		fprintf(stderr, "%s!!! '%.*s' is part of your system profile.\n", any ? "" : "\n",
			STR_ARG(p->cp));
		any = true;
	}
	if (any)
		fprintf(stderr, "!!! Unmerging it may be damaging to your system.\n");
}

void unmerge_show_counts(const struct unmerge *u, bool done)
{
	printf("\nPackages installed:   %zu\nPackages in world:    %zu\nPackages in system:   %zu\n"
	       "Required packages:    %zu\nNumber %-15s%zu\n",
		u->m->installed.n, u->n_world, u->n_system, u->m->installed.n - u->order.n,
		done ? "removed: " : "to remove:", u->order.n);
}

void unmerge_show_needed(const struct unmerge *u, const bool *targets)
{
	const struct pkg *all = u->m->installed.v;
	for (size_t i = 0; i < u->m->installed.n; i++) {
		if (!targets[i] || !u->clean.kept[i])
			continue;
		printf("\n  %.*s/%.*s pulled in by:\n", STR_ARG(all[i].cat), STR_ARG(all[i].pf));
		if (u->of_system[i])
			puts("    @system");
		for (size_t k = 0; k < u->clean.links.n; k++) {
			const struct depclean_link *l = &u->clean.links.v[k];
			struct buf text = BUF_INIT;
			if (l->to != i)
				continue;
			const struct removal_dep d = { .of = l->from, .node = l->node };
			if (l->node != NULL)
				removal_dep_print(&d, &text);
			else
				buf_adds(&text, "a library of it");
			printf("    %.*s/%.*s requires %s\n", STR_ARG(all[l->from].cat),
				STR_ARG(all[l->from].pf), buf_str(&text));
			buf_fini(&text);
		}
	}
	fflush(stdout);
}

/* Does the dependency speak of the package? */
static bool speaks_of(const struct dep *d, const struct pkg *p)
{
	if (d->kind == DEP_ATOM)
		return atom_match(d->atom, p);
	for (const struct dep *inner = d->child; inner != NULL; inner = inner->next) {
		if (speaks_of(inner, p))
			return true;
	}
	return false;
}

static void json_breaks(const struct unmerge *u, const struct pkg *p, struct buf *out)
{
	size_t n = 0;
	buf_adds(out, ",\"breaks\":[");
	for (size_t i = 0; i < u->breaks.list.n; i++) {
		const struct removal_dep *d = &u->breaks.list.v[i];
		const struct pkg *of = &u->m->installed.v[d->of];
		struct buf text = BUF_INIT;
		if (!speaks_of(d->node, p))
			continue;
		removal_dep_print(d, &text);
		buf_printf(out,
			"%s{\"cpv\":\"%.*s/%.*s\",\"kind\":\"%s\",\"atom\":", n++ > 0 ? "," : "",
			STR_ARG(of->cat), STR_ARG(of->pf), pkg_key_name(d->key));
		buf_json(out, (struct str){ buf_str(&text), text.n });
		buf_addc(out, '}');
		buf_fini(&text);
	}
	buf_addc(out, ']');
}

void unmerge_show_json(const struct unmerge *u)
{
	struct buf out = BUF_INIT;
	buf_addc(&out, '[');
	for (size_t k = 0; k < u->order.n; k++) {
		const struct pkg *p = &u->m->installed.v[u->order.v[k]];
		const struct emerge_action action = { .name = "unmerge",
			.pkg = p,
			.reason = u->depclean ? "unneeded" : "requested" };
		buf_adds(&out, k > 0 ? ",\n" : "");
		emerge_json_open(&out, u->m, &action);
		json_breaks(u, p, &out);
		buf_addc(&out, '}');
	}
	buf_addc(&out, ']');
	puts(buf_str(&out));
	fflush(stdout);
	buf_fini(&out);
}
