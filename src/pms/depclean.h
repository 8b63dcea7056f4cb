#ifndef PMS_DEPCLEAN_H
#define PMS_DEPCLEAN_H

#include "atom.h"
#include "config.h"
#include "err.h"
#include "pkg.h"
#include "vec.h"

/*
 * What of the installed packages nothing needs, and what a removal would break. Dependencies are
 * those of the records: with them the packages were built.
 */

/* What it works on; everything is borrowed. Packages are meant by their index. */
struct removal_input {
	struct pkg *installed; /* vdb_pkg_view() of each record */
	size_t n_installed;
	const struct config *config; /* for package.provided; NULL: nothing is provided */
	struct arena *arena; /* takes the parsed dependencies; outlives every answer */
	bool build_deps; /* DEPEND and BDEPEND count, too */
	/*
	 * A field of a record as it is written, "" when absent: PROVIDES, REQUIRES and what
	 * masks rest on are asked for. NULL: libraries are not looked at.
	 */
	const char *(*field)(void *ctx, size_t i, const char *name);
	/*
	 * The repository's package of the same version, NULL: none. Where a record has another
	 * slot than that has now, both satisfy a dependency. NULL: only records are looked at.
	 */
	const struct pkg *(*ebuild)(void *ctx, size_t i);
	void *ctx;
};

/* A dependency of an installed package. */
struct removal_dep {
	size_t of; /* whose it is */
	enum pkg_key key;
	const struct dep *node; /* an atom or a group; its siblings are not meant */
};
struct removal_deps {
	VEC(struct removal_dep) list;
};
/* Append it as written: "dev-libs/a:0=" or "|| ( a/b a/c )". */
void removal_dep_print(const struct removal_dep *d, struct buf *out);

/* What to keep whatever depends on it. */
struct depclean_request {
	const struct atom *const *needed; /* of each atom the highest match stays: @world */
	size_t n_needed;
	const bool *stay; /* those that are not to be removed, by index; NULL: none */
};

/* Why a package stays. */
struct depclean_link {
	size_t from, to;
	const struct dep *node; /* NULL: a library of `to` is what it needs */
};

/* Empty value: all zero. */
struct depclean {
	bool *kept; /* by index */
	VEC(size_t)
	remove; /* in an order in which nobody loses what it still needs, if there is
		 * one */
	VEC(struct depclean_link) links; /* among those that stay */
	struct removal_deps unmet; /* run-time dependencies of kept packages that nothing
				    * satisfies even now */
};

/*
 * All that can go: not needed by the request, nor by the dependencies of what stays. Of an any-of
 * group what stays anyway is enough; else the leftmost alternative that is wholly installed stays.
 * A package whose library another one is linked with stays where no other provides it.
 * False with *e filled when a record's dependencies do not parse.
 */
bool depclean(const struct removal_input *in, const struct depclean_request *request,
	struct depclean *out, struct err *e);
void depclean_fini(struct depclean *d);

/* Dependencies of the others that hold now, and will not when the packages `gone` are removed. */
bool removal_breaks(
	const struct removal_input *in, const bool *gone, struct removal_deps *out, struct err *e);

/* Dependencies that do not hold, of the packages from index `first` on, in their order. */
bool removal_unmet(
	const struct removal_input *in, size_t first, struct removal_deps *out, struct err *e);

#endif
