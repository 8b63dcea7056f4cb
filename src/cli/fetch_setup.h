#ifndef CLI_FETCH_SETUP_H
#define CLI_FETCH_SETUP_H

#include "fetch.h"
#include "mem.h"
#include "mirror.h"

/* Where a prefix's settings about downloads come from. */
struct fetch_setup {
	const char *eprefix;
	const char *const *repos; /* directories, in the order in which their mirrors are tried */
	size_t n_repos;
	const char *(*var)(const void *ctx, const char *name); /* NULL or "": not set */
	const void *ctx;
	struct arena *arena; /* owns what *out points to */
};

/*
 * Fill *out but for distdir and offline, and *mirrors, which *out borrows and the caller frees
 * (also after a failure). Mirrors of mirror://NAME/: the user's (etc/portage/mirrors) first, then
 * each repository's, then what the host's apt is told.
 */
bool fetch_set_up(const struct fetch_setup *s, struct fetch_opts *out, struct mirrors **mirrors,
	struct err *e);

#endif
