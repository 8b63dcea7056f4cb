#ifndef PMS_PKG_H
#define PMS_PKG_H

#include "dep.h"
#include "map.h"
#include "str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct repo;

/* One flag of IUSE. */
struct iuse {
	struct str name;
	char preset; /* '+' or '-' as written in IUSE, '\0' without */
	bool on; /* enabled, once the configuration was asked */
	bool forced, masked; /* by use.force and use.mask: shown as (f) and (-f) */
};

/*
 * Flags that a package may name without declaring them (IUSE_EFFECTIVE less IUSE, PMS 11.1.1): for
 * ebuilds the profile's, shared by all; for an installed package what its record says.
 */
struct implicit_use {
	struct map valid; /* flag -> non-NULL */
	struct map on; /* flag -> non-NULL: enabled */
	const struct str *prefixes; /* "elibc_": every flag that starts so is valid */
	size_t n_prefixes;
};

enum pkg_key {
	PKG_DEPEND,
	PKG_RDEPEND,
	PKG_PDEPEND,
	PKG_BDEPEND,
	PKG_IDEPEND,
	PKG_DEPS, /* the number of dependency fields */
	PKG_REQUIRED_USE = PKG_DEPS,
	PKG_LICENSE,
	PKG_PROPERTIES,
	PKG_RESTRICT,
	PKG_SRC_URI,
	PKG_DESCRIPTION,
	PKG_HOMEPAGE,
	PKG_DEFINED_PHASES,
	PKG_INHERIT,
	PKG_KEYS,
};

/* Where a package is. */
enum pkg_kind { PKG_EBUILD, PKG_RECIPE, PKG_INSTALLED };

/*
 * A package version: the view that matching, configuration and the resolver share. The name is
 * there from the directory listing; everything below `loaded` is filled by pkg_load (repo.h).
 */
struct pkg {
	struct str cp, cat, pn; /* slices; cp is "cat/pn" */
	struct str version; /* with its revision */
	struct str pf; /* "pn-version" */
	enum pkg_kind kind;
	const struct repo *repo; /* NULL: unknown, or installed */
	struct str repo_name; /* empty: unknown */

	bool from_cache; /* found in the metadata cache; whether the ebuild is there is still open
			  */
	bool loaded;
	bool broken; /* its metadata could not be had; `problem` says why */
	const char *problem;
	struct str eapi, slot, subslot; /* subslot is slot where none is given */
	struct str keywords;
	struct str meta[PKG_KEYS]; /* raw fields */
	struct iuse *iuse; /* in the order of IUSE, no duplicates */
	size_t n_iuse;
	const struct implicit_use *implicit; /* NULL: none */
	const struct dep *deps[PKG_DEPS]; /* parsed by pkg_deps, NULL before and when empty */
	uint8_t deps_parsed; /* bit i: deps[i] is there */

	bool use_done; /* iuse[].on is decided */
	const char *masked; /* why it is masked, decided by config_visible; NULL: visible */
	bool mask_done;
	bool stable; /* accepted through a stable keyword */
	void *user; /* the resolver's own */
};

/* The flag's entry in IUSE, NULL when it does not declare it. */
struct iuse *pkg_iuse(const struct pkg *p, struct str flag);
/* Does the package know the flag, declared or implicit (IUSE_EFFECTIVE)? */
bool pkg_flag_valid(const struct pkg *p, struct str flag);
/* Is the flag enabled? Asked of the package's decided USE. */
bool pkg_flag_on(const struct pkg *p, struct str flag);
/* The same two with the signature of flag_on (atom.h); ctx is the package. */
bool pkg_flag_on_cb(const void *pkg, struct str flag);
bool pkg_flag_valid_cb(const void *pkg, struct str flag);
/* Same cat/pn, then by version. */
int pkg_cmp(const struct pkg *a, const struct pkg *b);

#endif
