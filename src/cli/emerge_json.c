#include "emerge.h"

#include <stdio.h>
#include <stdlib.h>

static void lines(const char *file, const char *why, const struct strv *list)
{
	if (list->n == 0)
		return;
	fprintf(stderr,
		"\nThe following %s changes are necessary to proceed (in etc/portage/%s):\n", why,
		file);
	for (size_t i = 0; i < list->n; i++)
		fprintf(stderr, "%s\n", list->v[i]);
}

void emerge_show_lines(const struct emerge *m)
{
	lines("package.accept_keywords", "keyword", &m->result.keywords);
	lines("package.use", "USE", &m->result.uses);
	lines("package.unmask", "mask", &m->result.unmasks);
	lines("package.license", "license", &m->result.licenses);
}

static void json_pair(struct buf *b, const char *key, struct str value)
{
	buf_printf(b, ",\"%s\":", key);
	buf_json(b, value);
}

static void json_use(struct buf *b, const struct pkg *p)
{
	buf_adds(b, ",\"use\":{");
	for (size_t i = 0; i < p->n_iuse; i++) {
		if (i > 0)
			buf_addc(b, ',');
		buf_json(b, p->iuse[i].name);
		buf_adds(b, p->iuse[i].on ? ":true" : ":false");
	}
	buf_addc(b, '}');
}

static char *cpv_of(const struct pkg *p)
{
	return xasprintf("%.*s/%.*s", STR_ARG(p->cat), STR_ARG(p->pf));
}

void emerge_json_open(struct buf *b, const struct emerge *m, const struct emerge_action *a)
{
	const struct pkg *p = a->pkg;
	char *cpv = cpv_of(p),
	     *slot = xasprintf("%.*s/%.*s", STR_ARG(p->slot), STR_ARG(p->subslot));
	buf_printf(b, "{\"action\":\"%s\"", a->name);
	json_pair(b, "cpv", str_of(cpv));
	json_pair(b, "slot", str_eq(p->slot, p->subslot) ? p->slot : str_of(slot));
	json_pair(b, "repo", p->repo_name);
	json_pair(b, "root", str_of(m->engine.eprefix));
	json_use(b, p);
	buf_adds(b, ",\"replaces\":[");
	if (a->replaces != NULL) {
		char *old = cpv_of(a->replaces);
		buf_json(b, str_of(old));
		free(old);
	}
	buf_addc(b, ']');
	json_pair(b, "reason", str_of(a->reason));
	free(slot);
	free(cpv);
}

static void json_item(struct buf *b, const struct emerge *m, const struct resolve_item *item)
{
	char *parent = item->parent != NULL ? cpv_of(item->parent) : NULL;
	const struct emerge_action action = { "merge", item->pkg, item->replaces,
		parent != NULL ? parent : "requested" };
	emerge_json_open(b, m, &action);
	buf_addc(b, '}');
	free(parent);
}

void emerge_show_json(const struct emerge *m)
{
	struct buf b = BUF_INIT;
	buf_addc(&b, '[');
	for (size_t i = 0; i < m->result.list.n; i++) {
		const struct resolve_item *item = &m->result.list.v[i];
		emerge_json_removals(&b, m, item->pkg, true);
		buf_adds(&b, b.n > 1 ? ",\n" : "");
		json_item(&b, m, item);
		emerge_json_removals(&b, m, item->pkg, false);
	}
	buf_addc(&b, ']');
	puts(buf_str(&b));
	buf_fini(&b);
}

void emerge_error_json(const struct emerge *m, const struct err *e)
{
	struct buf b = BUF_INIT;
	buf_adds(&b, "{\"error\":{\"kind\":");
	buf_json(&b, str_of(e->what));
	json_pair(&b, "message", str_of(e->message));
	buf_adds(&b, ",\"suggest\":");
	emerge_json_suggestions(&b, m);
	buf_adds(&b, "}}");
	puts(buf_str(&b));
	buf_fini(&b);
}
