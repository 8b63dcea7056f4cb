#ifndef PMS_REPO_CHECK_INT_H
#define PMS_REPO_CHECK_INT_H

#include "repo_check.h"

/* One check in progress. */
struct checker {
	struct repo_set *set;
	const struct repo *repo;
	struct repo_report *report;
	VEC(struct pkg *) pkgs; /* of the repository, loaded, not broken */
};

void check_add(struct checker *c, enum repo_flaw_kind kind, const char *place, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* "cat/pf" in the report's arena. */
const char *check_cpv(struct checker *c, const struct pkg *p);

/* The best version of any repository that the atom matches, USE dependencies aside; NULL: none. */
struct pkg *check_match(struct checker *c, const struct atom *atom);

/* repo_check_deps.c: flags and dependencies of one package. */
void check_metadata(struct checker *c, struct pkg *p);
/* repo_check_files.c: Manifest and files of all versions of one name, at "cat/pn". */
bool check_files(struct checker *c, struct pkg *const *versions, size_t n, struct err *e);
/* repo_check_cycle.c: all of c->pkgs. */
void check_cycles(struct checker *c);

#endif
