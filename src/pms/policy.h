#ifndef PMS_POLICY_H
#define PMS_POLICY_H

#include "atom_table.h"
#include "makeconf.h"
#include "use_map.h"

/*
 * What one directory of profile files says: a profile, the profiles/ of a repository, or
 * etc/portage/profile (portage-formats §5, profile).
 */
struct policy {
	const char *path; /* the arena's */
	struct str eapi;
	bool user; /* etc/portage/profile */
	struct vars make_defaults;
	struct use_map defaults; /* USE of make.defaults with its USE_EXPAND variables */
	struct use_map use_mask, use_force, use_stable_mask, use_stable_force;
	struct atom_table package_use, package_use_mask, package_use_force;
	struct atom_table package_use_stable_mask, package_use_stable_force;
	struct atom_table package_keywords, package_accept_keywords;
	struct line_list package_mask, package_unmask, packages, package_provided;
};

struct policy_how {
	struct arena *arena;
	struct vars *expand; /* variables of the layers below; make.defaults adds to them */
	struct strv *warnings;
};

/* Read what is there of path, which may be absent as a whole. Empty before: all zero. */
bool policy_read(const struct policy_how *how, const char *path, struct policy *out, struct err *e);
void policy_fini(struct policy *p);

struct repo_set;
struct profiles {
	VEC(struct policy *) list; /* parents before children; the arena's */
};
/*
 * Read a profile with all its parents (`parent` files: relative, absolute, REPO:path). A parent
 * that is not there is an error that names the file.
 */
bool profiles_read(const struct policy_how *how, const struct repo_set *repos, const char *path,
	struct profiles *out, struct err *e);
void profiles_fini(struct profiles *p);

#endif
