#ifndef CORE_ROOTMAP_H
#define CORE_ROOTMAP_H

#include "map.h"
#include "mem.h"
#include "str.h"

/*
 * What the paths of one root are really called. Two packages may name one file differently where
 * a directory of the root is a symlink (lib64 -> usr/lib); ownership goes by the physical name.
 * Answers are kept, so the map is for one look at a root that does not change meanwhile.
 */
struct rootmap {
	int root;
	const char *offset; /* EPREFIX: an absolute symlink target below it is inside the root */
	struct map dirs;
	struct arena arena;
};

/* The root and the offset are borrowed. */
void rootmap_init(struct rootmap *m, int root, const char *offset);
/*
 * The physical name of path (relative to the root): symlinks in its directory resolved, its last
 * component as it is. Absolute where a symlink leads out of the root. Lives as long as the map.
 */
struct str rootmap_real(struct rootmap *m, struct str path);
/* The part of an absolute path below the offset; NULL when it is not below it. */
const char *rootmap_relative(const char *offset, const char *path);
void rootmap_fini(struct rootmap *m);

#endif
