#ifndef PMS_VDB_INT_H
#define PMS_VDB_INT_H

#include "map.h"
#include "rootmap.h"
#include "vdb.h"

/* What vdb*.c share; private to them. */

struct vdb_value {
	const char *name, *value;
};

/* What was read of one package. */
struct vdb_record {
	VEC(struct vdb_value) values; /* fields read so far */
	enum { METADATA_UNKNOWN, METADATA_NONE, METADATA_CURRENT } metadata;
};

/* One package that lists a path. */
struct vdb_owner {
	const struct vdb_pkg *pkg;
	const struct vdb_owner *next;
	struct str path; /* physical, relative to the root */
};

struct vdb {
	int root, db; /* EROOT (borrowed) and its var/db/pkg, -1: there is none */
	char *offset;
	VEC(struct vdb_pkg) pkgs; /* sorted */
	struct vdb_record *records; /* of the package with the same index */
	struct strv invalid;
	struct arena arena;

	bool indexed;
	struct map owners; /* physical path → vdb_owner */
	struct rootmap where;
	VEC(struct buf *) texts; /* of all CONTENTS; the index points into them */
};

/* Read a file of the record; *found false when it is not there. */
bool vdb_read_file(
	const struct vdb_pkg *p, const char *name, struct buf *out, bool *found, struct err *e);
void vdb_index_fini(struct vdb *v);

#endif
