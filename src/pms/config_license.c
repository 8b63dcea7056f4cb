#include "config_int.h"

#include "dep.h"

#include <stdlib.h>
#include <string.h>

/* Groups that contain each other are cut off here. */
#define MAX_GROUP_DEPTH 16

static void add_groups(struct config *c, const char *path)
{
	struct line_list lines = { 0 };
	struct err e = ERR_INIT;
	if (!lines_read(&c->arena, path, &lines, &e))
		strv_push(&c->warnings, e.message);
	for (size_t i = 0; i < lines.list.n; i++) {
		const struct line *l = &lines.list.v[i];
		struct word_list *members = map_get(&c->license_groups, l->words[0]);
		if (members == NULL) {
			members = arena_calloc(&c->arena, 1, sizeof *members);
			map_set(&c->license_groups, l->words[0], members);
		}
		for (size_t j = 1; j < l->n; j++)
			vec_push(&members->list, l->words[j]);
	}
	vec_fini(&lines.list);
}

void config_read_license_groups(struct config *c)
{
	for (size_t i = 0; i < c->repos->list.n; i++) {
		char *path = xasprintf("%s/profiles/license_groups", c->repos->list.v[i]->path);
		add_groups(c, path);
		free(path);
	}
	char *path = xasprintf("%s/license_groups", c->user_dir);
	add_groups(c, path);
	free(path);
}

static void expand(
	const struct config *c, struct str word, bool off, unsigned depth, struct word_list *out)
{
	if (!str_starts(word, "@")) {
		if (off)
			word = str_of(arena_printf(c->texts, "-%.*s", STR_ARG(word)));
		vec_push(&out->list, word);
		return;
	}
	struct str group = { word.p + 1, word.n - 1 };
	const struct word_list *members = map_get(&c->license_groups, group);
	for (size_t i = 0; members != NULL && depth > 0 && i < members->list.n; i++)
		expand(c, members->list.v[i], off, depth - 1, out);
}

void config_license_words(const struct config *c, struct str word, struct word_list *out)
{
	bool off = str_starts(word, "-");
	expand(c, (struct str){ word.p + off, word.n - off }, off, MAX_GROUP_DEPTH, out);
}

void config_license_group(const struct config *c, const char *group, struct strv *out)
{
	struct word_list words = { 0 };
	char *word = xasprintf("@%s", group);
	config_license_words(c, str_of(word), &words);
	for (size_t i = 0; i < words.list.n; i++)
		strv_own(out, xstrndup(words.list.v[i].p, words.list.v[i].n));
	vec_fini(&words.list);
	free(word);
}

/* Does a list of "x", "-x", "*" and "-*" accept the word? What is later overrides. */
static bool accepts(const struct word_list *accept, struct str word)
{
	for (size_t i = accept->list.n; i-- > 0;) {
		struct str a = accept->list.v[i];
		bool off = a.p[0] == '-';
		struct str name = { a.p + off, a.n - off };
		if (str_eq(name, word) || str_is(name, "*"))
			return !off;
	}
	return false;
}

struct check {
	const struct pkg *pkg;
	const struct word_list *accept;
	struct buf *missing;
};

/* Append the unaccepted words of a list; of an any-of all of them, or none when one is fine. */
static void check_list(const struct check *k, const struct dep *d);

static void check_one(const struct check *k, const struct dep *d)
{
	if (d->kind == DEP_WORD && !accepts(k->accept, d->text))
		buf_printf(k->missing, "%s%.*s", k->missing->n > 0 ? " " : "", STR_ARG(d->text));
	else if (d->kind == DEP_ALL ||
		 (d->kind == DEP_USE && pkg_flag_on(k->pkg, d->text) != d->negated))
		check_list(k, d->child);
	if (d->kind != DEP_ANY)
		return;
	struct buf all = BUF_INIT;
	bool fine = d->child == NULL;
	for (const struct dep *x = d->child; x != NULL && !fine; x = x->next) {
		struct buf one = BUF_INIT;
		check_one(&(struct check){ k->pkg, k->accept, &one }, x);
		fine = one.n == 0;
		buf_printf(&all, "%s%s", all.n > 0 ? " " : "", buf_str(&one));
		buf_fini(&one);
	}
	if (!fine)
		buf_printf(k->missing, "%s%s", k->missing->n > 0 ? " " : "", buf_str(&all));
	buf_fini(&all);
}

static void check_list(const struct check *k, const struct dep *d)
{
	for (; d != NULL; d = d->next)
		check_one(k, d);
}

/* The words the user accepts for the package: the global ones, then its own lines. */
static void acceptable(
	const struct config *c, const struct pkg *p, enum pkg_key key, struct word_list *out)
{
	bool license = key == PKG_LICENSE;
	const struct word_list *all = license                 ? &c->accept_license
				      : key == PKG_PROPERTIES ? &c->accept_properties
							      : &c->accept_restrict;
	const struct user_table *t = license                 ? &c->license
				     : key == PKG_PROPERTIES ? &c->properties
							     : &c->restrict_;
	struct atom_lines lines = { 0 };
	for (size_t i = 0; i < all->list.n; i++)
		vec_push(&out->list, all->list.v[i]);
	if (t->table.all.list.n > 0)
		atom_table_match(&t->table, p, &lines);
	for (size_t i = 0; i < lines.list.n; i++) {
		const struct atom_line *l = lines.list.v[i];
		for (size_t j = 0; j < l->n; j++)
			config_license_words(c, l->words[j], out);
	}
	vec_fini(&lines.list);
}

const char *config_unaccepted(const struct config *c, struct pkg *p, enum pkg_key key)
{
	if (p->meta[key].n == 0)
		return NULL;
	struct arena arena = ARENA_INIT;
	struct word_list accept = { 0 };
	struct buf missing = BUF_INIT;
	struct err e = ERR_INIT;
	const struct dep *tree;
	struct dep_parse how = { .syntax = DEP_OF_WORDS, .eapi = p->eapi };
	const char *text = NULL;
	acceptable(c, p, key, &accept);
	if (!dep_parse(&arena, p->meta[key], &how, &tree, &e))
		buf_adds(&missing, e.message);
	else
		check_list(&(struct check){ p, &accept, &missing }, tree);
	if (missing.n > 0)
		text = arena_strdup(c->texts, missing.p);
	buf_fini(&missing);
	vec_fini(&accept.list);
	arena_fini(&arena);
	return text;
}
