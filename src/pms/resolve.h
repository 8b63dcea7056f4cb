#ifndef PMS_RESOLVE_H
#define PMS_RESOLVE_H

#include "atom.h"
#include "config.h"
#include "err.h"
#include "pkg.h"
#include "repo.h"
#include "vec.h"

/*
 * From a request to an ordered list of packages. If a list exists it is found: of all lists the one
 * that needs the fewest lines in etc/portage, and among those the one that a walk from the
 * requests, depth first, prefers at each step in turn: what is installed unless an update is asked
 * for, the highest version, of alternatives one that is installed and else the leftmost.
 */

/* When is what needs a package to be built, built again with it? */
enum rebuild_if {
	REBUILD_NEVER,
	REBUILD_IF_MERGED,
	REBUILD_IF_NEW_REVISION,
	REBUILD_IF_NEW_VERSION
};

struct resolve_opts {
	bool update; /* take the highest version, also where the installed one would do */
	/* How many steps from a request the dependencies of what stays installed are looked at,
	 * too; 0: not at all, UINT_MAX: all. */
	unsigned deep;
	bool newuse; /* take anew what is installed with other USE flags, or with other IUSE */
	bool changed_use; /* take anew what has other flags enabled */
	bool noreplace; /* leave requested packages alone that are installed */
	bool nodeps; /* the requested packages only */
	bool onlydeps; /* all but the requested packages */
	bool onlydeps_no_rdeps; /* of those, what they need to be built only … */
	bool onlydeps_ideps; /* … and what their installation needs */
	bool keep_keywords, keep_masks, keep_use,
		keep_licenses; /* lines that are not to be asked for */
	bool ignore_world; /* what is installed may break */
	bool test_deps; /* what the test suites of requested packages need, too */
	enum rebuild_if rebuild_if; /* what is built with something that is merged is built again */
	struct strv exclude; /* "cat/pn" or "pn": never taken anew while installed */
};

struct resolve_atoms {
	VEC(const struct atom *) list;
};

/* What it works on; everything is borrowed. */
struct resolve_input {
	struct repo_set *repos;
	struct config *config;
	struct pkg *installed; /* vdb_pkg_view() of each record */
	size_t n_installed;
	const struct atom *const *requests;
	size_t n_requests;
	/* The atoms of @world, asked for when something installed may have to go; NULL: none. */
	bool (*world)(void *ctx, struct resolve_atoms *out, struct err *e);
	void *ctx;
	struct resolve_opts opts;
};

/* One package to be merged. */
struct resolve_item {
	struct pkg *pkg;
	const struct pkg *replaces; /* what leaves its slot, or NULL */
	const struct pkg *parent; /* who needs it, NULL: requested */
	const struct atom *atom; /* by which atom */
	bool requested;
	bool rebuild; /* taken because it was built against what changes */
};

/* An installed package that has to go because one of the list blocks it. */
struct resolve_removal {
	const struct pkg *pkg;
	const struct pkg *by; /* of the list */
	const struct atom *atom; /* the blocker; "!!": it goes before, else afterwards */
};

/* Empty value: all zero. */
struct resolution {
	struct arena arena; /* owns what the items point to, beside the packages themselves */
	VEC(struct resolve_item) list; /* in the order of merging */
	VEC(struct resolve_removal) removals;
	/* Lines that etc/portage lacks for this list to be allowed, each once, in order. */
	struct strv keywords, uses, unmasks, licenses;
};

/*
 * False with *e filled (ERR_CONFLICT) when there is no such list; the message names the request,
 * the chain that led there, and the facts. True with lines in keywords, uses, unmasks or
 * licenses: the list holds once they are added to package.accept_keywords, package.use,
 * package.unmask and package.license.
 */
bool resolve(const struct resolve_input *in, struct resolution *out, struct err *e);
void resolution_fini(struct resolution *r);

#endif
