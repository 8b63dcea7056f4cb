/* Flags that are asked about without being declared, and dependencies that nothing satisfies. */
#include "repo_check_int.h"

#include <stdlib.h>

/* One field of one package. */
struct field {
	struct checker *c;
	struct pkg *p;
	const char *name;
};

/* Flags of any profile (PMS IUSE_EFFECTIVE); the repository's profile need not be chosen here. */
static bool is_implicit(struct str flag)
{
	static const char *const prefixes[] = { "elibc_", "kernel_", "userland_", "prefix-" };
	static const char *const names[] = { "prefix", "amd64", "arm64", "x86", "arm", "riscv",
		"ppc64", "loong", "s390", "x64-macos", "arm64-macos" };
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		if (str_starts(flag, prefixes[i]))
			return true;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (str_is(flag, names[i]))
			return true;
	}
	return false;
}

static void check_flag(const struct field *f, struct str flag)
{
	if (!is_implicit(flag) && pkg_iuse(f->p, flag) == NULL)
		check_add(f->c, RFLAW_FLAG, check_cpv(f->c, f->p),
			"%s asks about the flag %.*s, which IUSE does not declare", f->name,
			STR_ARG(flag));
}

/* The first USE dependency that p cannot answer, NULL: it can answer all. */
static const struct use_dep *unknown_flag(const struct atom *atom, const struct pkg *p)
{
	for (size_t i = 0; i < atom->n_use; i++) {
		const struct use_dep *u = &atom->use[i];
		if (u->missing == '\0' && !is_implicit(u->flag) && pkg_iuse(p, u->flag) == NULL)
			return u;
	}
	return NULL;
}

/* A version that satisfies the atom; *lacks: the flag that the best version lacks otherwise. */
static bool satisfiable(struct checker *c, const struct atom *atom, const struct use_dep **lacks)
{
	const struct package *all = repo_package(c->set, atom->cp);
	*lacks = NULL;
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		struct err ignored = ERR_INIT;
		struct pkg *p = all->v[i];
		if (!pkg_load(c->set, p, &ignored) || p->broken || !atom_match_but_use(atom, p))
			continue;
		const struct use_dep *u = unknown_flag(atom, p);
		if (u == NULL)
			return true;
		*lacks = *lacks != NULL ? *lacks : u;
	}
	return false;
}

static void check_atom(const struct field *f, const struct atom *atom)
{
	const struct use_dep *lacks;
	for (size_t i = 0; i < atom->n_use; i++) {
		enum use_dep_kind kind = atom->use[i].kind;
		if (kind != USE_DEP_ON && kind != USE_DEP_OFF)
			check_flag(f, atom->use[i].flag);
	}
	if (atom->block != ATOM_NO_BLOCK || satisfiable(f->c, atom, &lacks))
		return;
	if (lacks != NULL)
		check_add(f->c, RFLAW_DEPENDENCY, check_cpv(f->c, f->p),
			"%s: %.*s: no version that matches has the flag %.*s", f->name,
			STR_ARG(atom->text), STR_ARG(lacks->flag));
	else
		check_add(f->c, RFLAW_DEPENDENCY, check_cpv(f->c, f->p),
			"%s: nothing satisfies %.*s here or in the masters", f->name,
			STR_ARG(atom->text));
}

/* Can one choice of an any-of group be had, whatever the flags? */
static bool choice_satisfiable(struct checker *c, const struct dep *d)
{
	const struct use_dep *lacks;
	bool all = true, any = d->child == NULL;
	if (d->kind == DEP_ATOM)
		return d->atom->block != ATOM_NO_BLOCK || satisfiable(c, d->atom, &lacks);
	for (const struct dep *x = d->child; x != NULL; x = x->next) {
		bool one = choice_satisfiable(c, x);
		all = all && one;
		any = any || one;
	}
	return d->kind == DEP_ANY ? any : all;
}

static void check_list(const struct field *f, const struct dep *d);

/* Of alternatives one is enough; flags are looked at in all. */
static void check_any(const struct field *f, const struct dep *any)
{
	for (const struct dep *x = any->child; x != NULL; x = x->next) {
		if (choice_satisfiable(f->c, x))
			return;
	}
	check_list(f, any->child);
}

static void check_list(const struct field *f, const struct dep *d)
{
	for (; d != NULL; d = d->next) {
		if (d->kind == DEP_USE)
			check_flag(f, d->text);
		if (d->kind == DEP_ATOM)
			check_atom(f, d->atom);
		else if (d->kind == DEP_ANY)
			check_any(f, d);
		else
			check_list(f, d->child);
	}
}

/* All flags of a tree that is not of atoms; words are flags in REQUIRED_USE. */
static void check_flags(const struct field *f, const struct dep *d, bool words)
{
	for (; d != NULL; d = d->next) {
		if (d->kind == DEP_USE || (words && d->kind == DEP_WORD))
			check_flag(f, d->text);
		check_flags(f, d->child, words);
	}
}

static void check_words(struct checker *c, struct pkg *p, enum pkg_key key, enum dep_syntax syntax)
{
	struct err e = ERR_INIT;
	const struct dep *d;
	struct field f = { c, p, pkg_key_name(key) };
	struct dep_parse how = { .syntax = syntax, .eapi = p->eapi };
	if (dep_parse(&c->report->arena, p->meta[key], &how, &d, &e))
		check_flags(&f, d, syntax == DEP_OF_FLAGS);
	else
		check_add(c, RFLAW_RECIPE, check_cpv(c, p), "%s: %s", f.name, e.message);
}

void check_metadata(struct checker *c, struct pkg *p)
{
	for (int key = PKG_DEPEND; key < PKG_DEPS; key++) {
		struct err e = ERR_INIT;
		const struct dep *d;
		struct field f = { c, p, pkg_key_name((enum pkg_key)key) };
		if (pkg_deps(&c->set->arena, p, (enum pkg_key)key, &d, &e))
			check_list(&f, d);
		else
			check_add(c, RFLAW_RECIPE, check_cpv(c, p), "%s", e.message);
	}
	check_words(c, p, PKG_REQUIRED_USE, DEP_OF_FLAGS);
	check_words(c, p, PKG_LICENSE, DEP_OF_WORDS);
	check_words(c, p, PKG_RESTRICT, DEP_OF_WORDS);
	check_words(c, p, PKG_PROPERTIES, DEP_OF_WORDS);
	check_words(c, p, PKG_SRC_URI, DEP_OF_URIS);
}
