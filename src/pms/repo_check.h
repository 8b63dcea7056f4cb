#ifndef PMS_REPO_CHECK_H
#define PMS_REPO_CHECK_H

#include "repo.h"

/* What can be wrong with a repository before anything of it is built. */
enum repo_flaw_kind {
	RFLAW_RECIPE, /* does not load, or its metadata do not parse */
	RFLAW_CATEGORY, /* packages below a directory that is no category */
	RFLAW_FLAG, /* a USE flag that IUSE does not declare */
	RFLAW_DEPENDENCY, /* nothing in the repository and its masters satisfies it */
	RFLAW_CYCLE, /* packages that wait for each other to be built */
	RFLAW_CHECKSUM, /* a line of a Manifest */
	RFLAW_SOURCE, /* a source without a DIST line */
	RFLAW_UNUSED, /* a file or DIST line that no recipe names */
	RFLAW_KINDS,
};

struct repo_flaw {
	enum repo_flaw_kind kind;
	const char *place; /* relative to the repository; where a package: cat/pf */
	const char *text; /* what is wrong, and what to do */
};

/* Strings are owned by the arena. Empty value: all zero. */
struct repo_report {
	struct arena arena;
	VEC(struct repo_flaw) list; /* in the order of the packages */
	size_t packages; /* versions looked at */
};

/*
 * Look at all of one repository of the set; flaws are appended to *out. Dependencies may be
 * satisfied by any repository of the set. False with *e filled when the world fails (I/O), not for
 * flaws. Uses pkg.user of the set's packages.
 */
bool repo_check(struct repo_set *s, const struct repo *r, struct repo_report *out, struct err *e);
void repo_report_fini(struct repo_report *out);

/* "checksum", for --json and tests. */
const char *repo_flaw_name(enum repo_flaw_kind kind);

#endif
