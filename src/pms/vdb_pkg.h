#ifndef PMS_VDB_PKG_H
#define PMS_VDB_PKG_H

#include "atom.h"
#include "pkg.h"
#include "vdb.h"

/*
 * An installed package as matching and the resolver see it: its slot and dependencies, no other
 * field (each is a file to be opened), and its flags decided by the record's USE. Flags that it
 * knows without declaring them (IUSE_EFFECTIVE) follow those of IUSE in out->iuse. Slices are the
 * database's or the arena's.
 */
void vdb_pkg_view(struct arena *a, const struct vdb_pkg *p, struct pkg *out);

/* Does the atom match the installed package? Reads no more fields than the atom asks about. */
bool vdb_matches(const struct vdb_pkg *p, const struct atom *atom);

/*
 * What a user means by text: an atom, with or without its category, wildcards and all, or
 * "[cat/]pn-version" without operator. Appends the installed packages that match, in the order of
 * the database; none is no error. False with *e filled (ERR_USAGE) when text is no such thing.
 */
bool vdb_select(const struct vdb *v, const char *text, struct vdb_list *out, struct err *e);

#endif
