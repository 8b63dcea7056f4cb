#include "resolve_int.h"

#include "required_use.h"

/* "nls -debug": the flags of p as they are, for who must change them. */
static const char *flags_of(struct resolver *r, const struct pkg *p)
{
	const char *text = "";
	for (size_t i = 0; i < p->n_iuse; i++)
		text = arena_printf(r->a, "%s%s%s%.*s", text, i > 0 ? " " : "",
			p->iuse[i].on ? "" : "-", STR_ARG(p->iuse[i].name));
	return text;
}

static bool check(struct resolver *r, const struct resolve_item *item, struct err *e)
{
	const struct pkg *p = item->pkg;
	const struct dep_parse syntax = { .syntax = DEP_OF_FLAGS, .eapi = p->eapi };
	const struct dep *tree;
	if (!dep_parse(r->a, p->meta[PKG_REQUIRED_USE], &syntax, &tree, e))
		return err_in(e, "%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
	const struct required_use how = { .on = pkg_flag_on_cb,
		.on_ctx = p,
		.empty_any_is_false = p->eapi.n > 1 || (p->eapi.n == 1 && p->eapi.p[0] > '6') };
	struct buf part = BUF_INIT;
	bool satisfied = false, ok = required_use_check(tree, &how, &satisfied, &part, e);
	if (ok && !satisfied)
		ok = err_set(e, ERR_CONFLICT, "resolve.required_use",
			"%.*s/%.*s does not allow the USE flags it would have: %s\n"
			"of its REQUIRED_USE this does not hold: %s\n"
			"change them by a line of package.use: %.*s FLAG -FLAG…",
			STR_ARG(p->cat), STR_ARG(p->pf), flags_of(r, p), buf_str(&part),
			STR_ARG(p->cp));
	buf_fini(&part);
	return ok;
}

bool resolve_check_required(struct resolver *r, struct pkg **bad, struct err *e)
{
	for (size_t i = 0; i < r->out->list.n; i++) {
		const struct resolve_item *item = &r->out->list.v[i];
		if (item->pkg->meta[PKG_REQUIRED_USE].n > 0 && !check(r, item, e)) {
			*bad = item->pkg;
			return false;
		}
	}
	return true;
}
