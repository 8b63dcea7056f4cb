#include "emerge_show.h"
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void emerge_tint(struct buf *out, bool color, const char *sgr, const char *text)
{
	if (color && text[0] != '\0' && text[0] != ' ')
		buf_printf(out, "\033[%sm%s\033[0m", sgr, text);
	else
		buf_adds(out, text);
}

const struct iuse *emerge_declared(
	const struct emerge *m, const struct pkg *installed, struct str flag)
{
	const struct pkg *all = m->installed.v;
	const struct iuse *found = pkg_iuse(installed, flag);
	if (found == NULL || installed < all || installed >= all + m->installed.n)
		return found;
	const struct vdb_pkg *record = vdb_at(m->vdb, (size_t)(installed - all));
	struct str rest = str_of(vdb_get(record, "IUSE")), word;
	while (str_word(&rest, &word)) {
		bool preset = word.p[0] == '+' || word.p[0] == '-';
		if (str_eq((struct str){ word.p + preset, word.n - preset }, flag))
			return found;
	}
	return NULL;
}

static bool is_installed_elsewhere(const struct emerge *m, const struct pkg *p)
{
	for (size_t i = 0; i < m->installed.n; i++) {
		if (str_eq(m->installed.v[i].cp, p->cp))
			return true;
	}
	return false;
}

static enum emerge_act act_of(const struct emerge *m, const struct resolve_item *item)
{
	if (item->replaces == NULL)
		return is_installed_elsewhere(m, item->pkg) ? EMERGE_NEW_SLOT : EMERGE_NEW;
	int c = pkg_cmp(item->replaces, item->pkg);
	return c == 0 ? EMERGE_AGAIN : c < 0 ? EMERGE_UPGRADE : EMERGE_DOWNGRADE;
}

/* Portage's mark of a package that only package.accept_keywords lets in: "~", "*", or " ". */
static const char *keyword_mark(const struct emerge *m, const struct pkg *p)
{
	const struct config *c = m->engine.config;
	struct str rest = p->keywords, word;
	const char *mark = "*";
	if (config_has(c, "ACCEPT_KEYWORDS", "**"))
		return " ";
	while (str_word(&rest, &word)) {
		char *keyword = xstrndup(word.p, word.n);
		bool testing = word.p[0] == '~', minus = word.p[0] == '-';
		const char *any = testing ? "~*" : "*";
		bool accepted = config_has(c, "ACCEPT_KEYWORDS", keyword) ||
				(!minus && config_has(c, "ACCEPT_KEYWORDS", any));
		if (testing && config_has(c, "ACCEPT_KEYWORDS", keyword + 1))
			mark = "~";
		free(keyword);
		if (accepted)
			return " ";
	}
	return mark;
}

/* Does the reduced PROPERTIES or RESTRICT of the package hold the word? */
static bool has_word(const struct pkg *p, enum pkg_key key, const char *word)
{
	struct arena a = ARENA_INIT;
	struct err ignored = ERR_INIT;
	const struct dep *tree = NULL;
	struct rlist *list = NULL;
	const struct dep_parse how = { .syntax = DEP_OF_WORDS, .eapi = p->eapi };
	const struct reduce reduce = { .on = pkg_flag_on_cb, .on_ctx = p, .flat = true };
	bool found = false;
	if (p->meta[key].n > 0 && dep_parse(&a, p->meta[key], &how, &tree, &ignored) &&
		dep_reduce(&a, tree, &reduce, &list, &ignored)) {
		for (size_t i = 0; list != NULL && i < list->n; i++)
			found = found || str_is(list->v[i].token, word);
	}
	arena_fini(&a);
	return found;
}

/* The seven letters of Portage: interactive, new or to be built again, replaced or new slot, fetch,
 * up, down, mask. */
static void add_letters(
	const struct emerge_view *v, struct buf *out, const struct resolve_item *item)
{
	const struct pkg *p = item->pkg;
	enum emerge_act act = act_of(v->m, item);
	bool fresh = act == EMERGE_NEW || act == EMERGE_NEW_SLOT;
	bool other = act == EMERGE_UPGRADE || act == EMERGE_DOWNGRADE, c = v->color;
	emerge_tint(out, c, TINT_YELLOW, has_word(p, PKG_PROPERTIES, "interactive") ? "I" : " ");
	if (item->rebuild)
		emerge_tint(out, c, TINT_RED, "r");
	else
		emerge_tint(out, c, TINT_GREEN, fresh ? "N" : " ");
	emerge_tint(out, c, act == EMERGE_AGAIN ? TINT_YELLOW : TINT_GREEN,
		act == EMERGE_AGAIN      ? "R"
		: act == EMERGE_NEW_SLOT ? "S"
					 : " ");
	emerge_tint(out, c, TINT_RED, has_word(p, PKG_RESTRICT, "fetch") ? "F" : " ");
	emerge_tint(out, c, TINT_TURQUOISE, other ? "U" : " ");
	emerge_tint(out, c, TINT_BLUE, act == EMERGE_DOWNGRADE ? "D" : " ");
	emerge_tint(out, c, TINT_RED, keyword_mark(v->m, p));
}

static void add_slot(struct buf *out, const struct pkg *p)
{
	buf_printf(out, ":%.*s", STR_ARG(p->slot));
	if (!str_eq(p->slot, p->subslot))
		buf_printf(out, "/%.*s", STR_ARG(p->subslot));
}

static bool same_slot(const struct pkg *a, const struct pkg *b)
{
	return str_eq(a->slot, b->slot) && str_eq(a->subslot, b->subslot);
}

static void add_old(struct buf *out, const struct pkg *old, const struct pkg *p)
{
	buf_printf(out, "%s%.*s", out->n > 0 ? ", " : "", STR_ARG(old->version));
	if (!same_slot(old, p))
		add_slot(out, old);
	if (old->repo_name.n > 0)
		buf_printf(out, "::%.*s", STR_ARG(old->repo_name));
}

/* " [1.0::repo]": what it takes the place of, or what stays beside it; false: neither. */
static bool add_replaced(
	const struct emerge_view *v, struct buf *out, const struct resolve_item *item)
{
	const struct pkg *p = item->pkg;
	struct buf old = BUF_INIT;
	for (size_t i = 0; item->replaces == NULL && i < v->m->installed.n; i++) {
		if (str_eq(v->m->installed.v[i].cp, p->cp))
			add_old(&old, &v->m->installed.v[i], p);
	}
	if (item->replaces != NULL &&
		(act_of(v->m, item) != EMERGE_AGAIN || !same_slot(item->replaces, p)))
		add_old(&old, item->replaces, p);
	if (old.n > 0) {
		char *text = xasprintf("[%s]", buf_str(&old));
		buf_addc(out, ' ');
		emerge_tint(out, v->color, TINT_BLUE, text);
		free(text);
	}
	bool any = old.n > 0;
	buf_fini(&old);
	return any;
}

/* --columns: name, new version and old one each in their column. */
static void add_columns(const struct emerge_view *v, struct buf *out,
	const struct resolve_item *item, size_t indent)
{
	const struct pkg *p = item->pkg;
	size_t width = (size_t)term_width(STDOUT_FILENO), old_at = width > 90 ? width - 30 : 60;
	struct buf version = BUF_INIT;
	buf_printf(out, "%*s%.*s", (int)indent, "", STR_ARG(p->cp));
	size_t at = 17 + indent + p->cp.n;
	buf_printf(&version, "[%.*s", STR_ARG(p->version));
	add_slot(&version, p);
	buf_printf(&version, "::%.*s]", STR_ARG(p->repo_name));
	buf_printf(out, "%*s", at < old_at - 30 ? (int)(old_at - 30 - at) : 1, "");
	at = at < old_at - 30 ? old_at - 30 : at + 1;
	emerge_tint(out, v->color, TINT_BLUE, buf_str(&version));
	at += version.n;
	buf_printf(out, "%*s", at + 1 < old_at ? (int)(old_at - at - 1) : 0, "");
	buf_fini(&version);
}

static void add_name(const struct emerge_view *v, struct buf *out, const struct resolve_item *item,
	size_t indent)
{
	struct buf name = BUF_INIT;
	buf_printf(&name, "%.*s/%.*s", STR_ARG(item->pkg->cat), STR_ARG(item->pkg->pf));
	add_slot(&name, item->pkg);
	buf_printf(&name, "::%.*s", STR_ARG(item->pkg->repo_name));
	buf_printf(out, "%*s", (int)indent, "");
	emerge_tint(out, v->color, item->requested ? TINT_GREEN : TINT_DARK_GREEN, buf_str(&name));
	buf_fini(&name);
}

void emerge_show_item(const struct emerge_view *v, const struct resolve_item *item, size_t indent)
{
	struct buf line = BUF_INIT;
	buf_adds(&line, "[ebuild ");
	add_letters(v, &line, item);
	buf_adds(&line, "] ");
	if (cli_has(v->m->cli, "columns"))
		add_columns(v, &line, item, indent);
	else
		add_name(v, &line, item, indent);
	bool replaced = add_replaced(v, &line, item);
	if (!v->m->cli->quiet) {
		struct buf use = BUF_INIT;
		emerge_add_use(v, &use, item);
		if (use.n > 0)
			buf_printf(&line, "%s%s", replaced ? "" : " ", buf_str(&use));
		buf_fini(&use);
	}
	if (v->sizes != NULL) {
		buf_addc(&line, ' ');
		emerge_add_kib(&line, emerge_size(v->sizes, item->pkg));
	}
	puts(buf_str(&line));
	buf_fini(&line);
}

void emerge_count(const struct emerge *m, struct emerge_counts *n)
{
	for (size_t i = 0; i < m->result.list.n; i++) {
		n->of[act_of(m, &m->result.list.v[i])]++;
		n->all++;
	}
}
