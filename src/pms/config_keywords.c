#include "config_int.h"

#include <string.h>

static size_t find(const struct word_list *l, struct str word)
{
	size_t i = 0;
	while (i < l->list.n && !str_eq(l->list.v[i], word))
		i++;
	return i;
}

static void stack(struct word_list *l, struct str word)
{
	if (str_is(word, "-*")) {
		l->list.n = 0;
		return;
	}
	bool off = word.p[0] == '-';
	struct str name = { word.p + off, word.n - off };
	size_t at = find(l, name);
	if (off && at < l->list.n) {
		l->list.n--;
		memmove(&l->list.v[at], &l->list.v[at + 1], (l->list.n - at) * sizeof *l->list.v);
	} else if (!off && at == l->list.n) {
		vec_push(&l->list, name);
	}
}

/* KEYWORDS of the package with what package.keywords of the profiles does to them. */
static void package_keywords(const struct config *c, const struct pkg *p, struct word_list *out)
{
	struct str rest = p->keywords, word;
	while (str_word(&rest, &word)) {
		if (!str_is(word, "-*"))
			vec_push(&out->list, word);
	}
	for (size_t i = 0; i < c->profiles.list.n; i++) {
		const struct atom_table *t = &c->profiles.list.v[i]->package_keywords;
		struct atom_lines lines = { 0 };
		if (t->all.list.n == 0)
			continue;
		atom_table_match(t, p, &lines);
		for (size_t j = 0; j < lines.list.n; j++) {
			for (size_t k = 0; k < lines.list.v[j]->n; k++)
				stack(out, lines.list.v[j]->words[k]);
		}
		vec_fini(&lines.list);
	}
}

/* Words of one line; a line without any accepts ~K for each stable K that is accepted. */
static void accept_line(const struct config *c, const struct atom_line *l, struct word_list *out)
{
	const struct word_list *testing = &c->testing_keywords;
	const struct str *words = l->n > 0 ? l->words : testing->list.v;
	size_t n = l->n > 0 ? l->n : testing->list.n;
	for (size_t i = 0; i < n; i++)
		vec_push(&out->list, words[i]);
}

static void accept_table(const struct config *c, const struct atom_table *t, const struct pkg *p,
	struct word_list *out)
{
	struct atom_lines lines = { 0 };
	if (t->all.list.n == 0)
		return;
	atom_table_match(t, p, &lines);
	for (size_t i = 0; i < lines.list.n; i++)
		accept_line(c, lines.list.v[i], out);
	vec_fini(&lines.list);
}

/* What is accepted for the package: the global words, then its own lines, then the environment's.
 */
static void accepted(const struct config *c, const struct pkg *p, struct word_list *out)
{
	struct word_list own = { 0 };
	for (size_t i = 0; i < c->profiles.list.n; i++)
		accept_table(c, &c->profiles.list.v[i]->package_accept_keywords, p, &own);
	accept_table(c, &c->keywords.table, p, &own);
	for (size_t i = 0; i < c->accept_keywords.list.n; i++)
		vec_push(&out->list, c->accept_keywords.list.v[i]);
	for (size_t i = 0; i < own.list.n; i++)
		stack(out, own.list.v[i]);
	for (size_t i = 0; i < c->env_keywords.list.n; i++)
		stack(out, c->env_keywords.list.v[i]);
	vec_fini(&own.list);
}

static bool has(const struct word_list *l, const char *word)
{
	return find(l, str_of(word)) < l->list.n;
}

static bool any_testing(const struct word_list *l)
{
	for (size_t i = 0; i < l->list.n; i++) {
		if (l->list.v[i].p[0] == '~')
			return true;
	}
	return false;
}

/* The rule of portage-formats §6, package.accept_keywords. */
static bool visible(const struct word_list *have, const struct word_list *accept)
{
	bool stable = false, testing = false;
	for (size_t i = 0; i < have->list.n; i++) {
		struct str k = have->list.v[i];
		bool tilde_star = str_is(k, "~*");
		if (str_is(k, "*") || (tilde_star && any_testing(accept)))
			return true;
		if (!tilde_star && find(accept, k) < accept->list.n)
			return true;
		testing |= k.p[0] == '~';
		stable |= k.p[0] != '~' && k.p[0] != '-';
	}
	return (testing && has(accept, "~*")) || (stable && has(accept, "*")) || has(accept, "**");
}

/* Which keyword would make it visible: one of the profile's architecture, else "**". */
static struct str needed(const struct config *c, const struct word_list *have)
{
	const char *arch = config_var(c, "ARCH");
	for (size_t i = 0; i < have->list.n; i++) {
		struct str k = have->list.v[i];
		bool tilde = k.p[0] == '~';
		if (str_is((struct str){ k.p + tilde, k.n - tilde }, arch))
			return k;
	}
	return STR("**");
}

bool config_keyword_missing(const struct config *c, const struct pkg *p, struct str *which)
{
	struct word_list have = { 0 }, accept = { 0 };
	package_keywords(c, p, &have);
	accepted(c, p, &accept);
	bool missing = !visible(&have, &accept);
	if (missing && which != NULL)
		*which = needed(c, &have);
	vec_fini(&have.list);
	vec_fini(&accept.list);
	return missing;
}

/* Visible, but not if all its keywords were testing ones (Portage's isStable). */
bool config_is_stable(const struct config *c, const struct pkg *p)
{
	struct word_list have = { 0 }, accept = { 0 }, testing = { 0 };
	struct strv texts = STRV_INIT;
	package_keywords(c, p, &have);
	accepted(c, p, &accept);
	for (size_t i = 0; i < have.list.n; i++) {
		struct str k = have.list.v[i];
		strv_own(&texts, xasprintf("%s%.*s", k.p[0] == '~' ? "" : "~", STR_ARG(k)));
		vec_push(&testing.list, str_of(texts.v[i]));
	}
	bool stable = visible(&have, &accept) && !visible(&testing, &accept);
	strv_fini(&texts);
	vec_fini(&testing.list);
	vec_fini(&have.list);
	vec_fini(&accept.list);
	return stable;
}
