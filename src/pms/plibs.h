#ifndef PMS_PLIBS_H
#define PMS_PLIBS_H

#include "vdb.h"

/*
 * Preserved libraries: when an upgrade drops a shared library that other installed packages still
 * need by its soname, the old file stays, listed by the new instance, and is written down in
 * var/lib/portage/preserved_libs_registry (portage-formats §4), until they are rebuilt.
 */

/* A merge that is about to take the place of installed instances. */
struct plibs_merge {
	const struct vdb *vdb;
	int root;
	const char *category, *pn, *pf;
	const char *slot; /* without sub-slot */
	const char *const *replaces; /* pf, NULL-terminated */
	struct str needed; /* NEEDED.ELF.2 of the new instance */
};

struct plibs {
	struct strv paths; /* CONTENTS paths that stay, sorted */
	VEC(const char *) keep; /* the same, NULL-terminated, for image_merge */
	char *registry; /* the new text of the registry; NULL: it stays as it is */
	struct image_extra extra; /* the same, for image_merge: path and text */
};

#define PLIBS_INIT ((struct plibs){ 0 })

bool plibs_plan(const struct plibs_merge *m, struct plibs *out, struct err *e);
void plibs_fini(struct plibs *p);

#endif
