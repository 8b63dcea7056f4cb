#include "emerge.h"

#include <stdio.h>
#include <stdlib.h>

/* " N", " R", "U ", "UD", "NS": Portage's letters for what happens. */
static const char *action_of(const struct emerge *m, const struct resolve_item *item)
{
	const struct pkg *p = item->pkg, *old = item->replaces;
	if (old != NULL) {
		int c = pkg_cmp(old, p);
		return c == 0 ? "  R " : c < 0 ? "  U " : "  UD";
	}
	for (size_t i = 0; i < m->installed.n; i++) {
		if (str_eq(m->installed.v[i].cp, p->cp))
			return "  NS";
	}
	return "  N ";
}

static void add_flag(struct buf *b, const struct iuse *flag, const struct pkg *old)
{
	const struct iuse *before = old != NULL ? pkg_iuse(old, flag->name) : NULL;
	bool fixed = flag->forced || flag->masked;
	if (b->n > 0)
		buf_addc(b, ' ');
	buf_printf(b, "%s%s%.*s%s%s", fixed ? "(" : "", flag->on ? "" : "-", STR_ARG(flag->name),
		old != NULL && before == NULL ? "%" : "",
		before != NULL && before->on != flag->on ? "*" : "");
	if (fixed)
		buf_addc(b, ')');
}

/* USE="a -b", enabled ones first, as Portage shows them. */
static void add_use(struct buf *out, const struct resolve_item *item)
{
	struct buf flags = BUF_INIT;
	for (int on = 1; on >= 0; on--) {
		for (size_t i = 0; i < item->pkg->n_iuse; i++) {
			if (item->pkg->iuse[i].on == (on == 1))
				add_flag(&flags, &item->pkg->iuse[i], item->replaces);
		}
	}
	if (flags.n > 0)
		buf_printf(out, "  USE=\"%s\"", buf_str(&flags));
	buf_fini(&flags);
}

/* Not among the stable keywords of this architecture. */
static bool is_testing(const struct emerge *m, const struct pkg *p)
{
	const char *arch = config_var(m->engine.config, "ARCH");
	struct str rest = p->keywords, word;
	while (str_word(&rest, &word)) {
		if (str_is(word, arch))
			return false;
	}
	return true;
}

static void show_item(const struct emerge *m, const struct resolve_item *item)
{
	const struct pkg *p = item->pkg;
	struct buf line = BUF_INIT;
	buf_printf(&line, "[ebuild%s %s] %.*s/%.*s:%.*s", action_of(m, item),
		is_testing(m, p) ? "~" : " ", STR_ARG(p->cat), STR_ARG(p->pf), STR_ARG(p->slot));
	if (!str_eq(p->slot, p->subslot))
		buf_printf(&line, "/%.*s", STR_ARG(p->subslot));
	buf_printf(&line, "::%.*s", STR_ARG(p->repo_name));
	if (item->replaces != NULL && pkg_cmp(item->replaces, p) != 0)
		buf_printf(&line, " [%.*s]", STR_ARG(item->replaces->version));
	add_use(&line, item);
	puts(buf_str(&line));
	buf_fini(&line);
}

void emerge_show(const struct emerge *m)
{
	size_t fresh = 0, again = 0, other = 0;
	puts("\nThese are the packages that would be merged, in order:\n");
	for (size_t i = 0; i < m->result.list.n; i++) {
		const struct resolve_item *item = &m->result.list.v[i];
		show_item(m, item);
		if (item->replaces == NULL)
			fresh++;
		else if (pkg_cmp(item->replaces, item->pkg) == 0)
			again++;
		else
			other++;
	}
	printf("\nTotal: %zu package%s (%zu upgrade%s, %zu new, %zu reinstall%s)\n",
		m->result.list.n, m->result.list.n == 1 ? "" : "s", other, other == 1 ? "" : "s",
		fresh, again, again == 1 ? "" : "s");
}

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

static void json_item(struct buf *b, const struct emerge *m, const struct resolve_item *item)
{
	const struct pkg *p = item->pkg;
	char *cpv = cpv_of(p), *parent = item->parent != NULL ? cpv_of(item->parent) : NULL;
	char *slot = xasprintf("%.*s/%.*s", STR_ARG(p->slot), STR_ARG(p->subslot));
	buf_adds(b, "{\"action\":\"merge\"");
	json_pair(b, "cpv", str_of(cpv));
	json_pair(b, "slot", str_eq(p->slot, p->subslot) ? p->slot : str_of(slot));
	json_pair(b, "repo", p->repo_name);
	json_pair(b, "root", str_of(m->engine.eprefix));
	json_use(b, p);
	buf_adds(b, ",\"replaces\":[");
	if (item->replaces != NULL) {
		char *old = cpv_of(item->replaces);
		buf_json(b, str_of(old));
		free(old);
	}
	buf_addc(b, ']');
	json_pair(b, "reason", str_of(parent != NULL ? parent : "requested"));
	buf_addc(b, '}');
	free(slot);
	free(parent);
	free(cpv);
}

void emerge_show_json(const struct emerge *m)
{
	struct buf b = BUF_INIT;
	buf_addc(&b, '[');
	for (size_t i = 0; i < m->result.list.n; i++) {
		if (i > 0)
			buf_adds(&b, ",\n");
		json_item(&b, m, &m->result.list.v[i]);
	}
	buf_addc(&b, ']');
	puts(buf_str(&b));
	buf_fini(&b);
}

void emerge_error_json(const struct err *e)
{
	struct buf b = BUF_INIT;
	buf_adds(&b, "{\"error\":{\"kind\":");
	buf_json(&b, str_of(e->what));
	json_pair(&b, "message", str_of(e->message));
	buf_adds(&b, ",\"suggest\":[]}}");
	puts(buf_str(&b));
	buf_fini(&b);
}
