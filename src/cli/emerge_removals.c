/* What is installed and goes because the list blocks it: shown, and removed before what blocks it
 * is merged. */
#include "emerge_show.h"
#include "unmerge.h"

#include <stdio.h>
#include <stdlib.h>

bool emerge_goes_first(const struct resolve_removal *x)
{
	return x->atom->block == ATOM_STRONG_BLOCK;
}

void emerge_show_removals(const struct emerge_view *v, const struct pkg *by, bool before)
{
	const struct resolution *r = &v->m->result;
	for (size_t i = 0; i < r->removals.n; i++) {
		const struct resolve_removal *x = &r->removals.v[i];
		if (x->by != by || emerge_goes_first(x) != before)
			continue;
		struct buf line = BUF_INIT;
		buf_addc(&line, '[');
		emerge_tint(&line, v->color, TINT_RED, "uninstall");
		buf_printf(&line, "     ] %.*s/%.*s", STR_ARG(x->pkg->cat), STR_ARG(x->pkg->pf));
		puts(buf_str(&line));
		buf_fini(&line);
	}
}

void emerge_show_blocks(const struct emerge_view *v)
{
	const struct resolution *r = &v->m->result;
	for (size_t i = 0; i < r->removals.n; i++) {
		const struct resolve_removal *x = &r->removals.v[i];
		const struct pkg *of = atom_match(x->atom, x->pkg) ? x->by : x->pkg;
		struct buf line = BUF_INIT;
		buf_addc(&line, '[');
		emerge_tint(&line, v->color, TINT_RED, "blocks");
		buf_printf(&line, " b      ] %.*s (\"%.*s\" is %s blocking %.*s/%.*s)",
			STR_ARG(x->atom->cp), STR_ARG(x->atom->text),
			emerge_goes_first(x) ? "hard" : "soft", STR_ARG(of->cat), STR_ARG(of->pf));
		puts(buf_str(&line));
		buf_fini(&line);
	}
}

void emerge_json_removals(struct buf *b, const struct emerge *m, const struct pkg *by, bool before)
{
	for (size_t i = 0; i < m->result.removals.n; i++) {
		const struct resolve_removal *x = &m->result.removals.v[i];
		if (x->by != by || emerge_goes_first(x) != before)
			continue;
		char *reason = xasprintf("blocked: %.*s/%.*s and %.*s", STR_ARG(by->cat),
			STR_ARG(by->pf), STR_ARG(x->atom->text));
		const struct emerge_action action = { "unmerge", x->pkg, NULL, reason };
		buf_adds(b, b->n > 1 ? ",\n" : "");
		emerge_json_open(b, m, &action);
		buf_addc(b, '}');
		free(reason);
	}
}

bool emerge_remove_blocked(const struct emerge *m, const struct pkg *by, struct err *e)
{
	for (size_t i = 0; i < m->result.removals.n; i++) {
		const struct resolve_removal *x = &m->result.removals.v[i];
		if (x->by == by && !unmerge_one(m, (size_t)(x->pkg - m->installed.v), e))
			return false;
	}
	return true;
}
