/* What may have been meant, and what would help: for people in the message, for programs in
 * "suggest". */
#include "emerge.h"

#include <stdlib.h>
#include <string.h>

/* Names to compare with: "cat/pn", or "pn" where the operand has no category. */
struct candidates {
	const struct package_list *all;
	struct arena *arena;
	bool full;
};

static struct str cp_of(const struct candidates *c, size_t i)
{
	return c->all->list.v[i]->v[0]->cp;
}

static const char *candidate(const void *ctx, size_t i)
{
	const struct candidates *c = ctx;
	if (i >= c->all->list.n)
		return NULL;
	struct str cp = cp_of(c, i);
	size_t from = 0;
	while (!c->full && from < cp.n && cp.p[from++] != '/')
		;
	return arena_strndup(c->arena, cp.p + from, cp.n - from);
}

/* The same name in another category comes before a similar name. */
static const char *elsewhere(const struct candidates *c, struct str pn)
{
	for (size_t i = 0; i < c->all->list.n; i++) {
		const struct pkg *p = c->all->list.v[i]->v[0];
		if (str_eq(p->pn, pn))
			return arena_strndup(c->arena, p->cp.p, p->cp.n);
	}
	return NULL;
}

const char *emerge_near(struct emerge *m, struct str name)
{
	struct package_list all = { 0 };
	struct err ignored = ERR_INIT;
	const char *slash = memchr(name.p, '/', name.n);
	struct candidates c = { &all, &m->arena, slash != NULL };
	const char *found = NULL;
	if (repo_all(m->engine.repos, &all, &ignored)) {
		struct str pn = name;
		if (slash != NULL)
			pn = (struct str){ slash + 1, name.n - (size_t)(slash + 1 - name.p) };
		found = elsewhere(&c, pn);
		if (found == NULL) {
			const char *near = cli_nearest(
				arena_strndup(&m->arena, name.p, name.n), candidate, &c);
			found = near != NULL && !c.full ? elsewhere(&c, str_of(near)) : near;
		}
	}
	vec_fini(&all.list);
	if (found != NULL)
		strv_push(&m->suggestions, found);
	return found;
}

static void add_lines(struct buf *b, bool *any, const char *file, const struct strv *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		char *text = xasprintf("etc/portage/%s: %s", file, lines->v[i]);
		buf_adds(b, *any ? "," : "");
		buf_json(b, str_of(text));
		*any = true;
		free(text);
	}
}

void emerge_json_suggestions(struct buf *b, const struct emerge *m)
{
	const struct resolution *r = &m->result;
	bool any = false;
	buf_addc(b, '[');
	for (size_t i = 0; i < m->suggestions.n; i++) {
		buf_adds(b, any ? "," : "");
		buf_json(b, str_of(m->suggestions.v[i]));
		any = true;
	}
	add_lines(b, &any, "package.accept_keywords", &r->keywords);
	add_lines(b, &any, "package.use", &r->uses);
	add_lines(b, &any, "package.unmask", &r->unmasks);
	add_lines(b, &any, "package.license", &r->licenses);
	buf_addc(b, ']');
}
