#ifndef PMS_VERIFY_INT_H
#define PMS_VERIFY_INT_H

/* What the parts of verify share; nobody else's. */
#include "leak.h"
#include "rootmap.h"
#include "verify.h"

#include <sys/types.h>

/* A recorded regular file whose bytes have to be read. */
struct verify_file {
	const char *path; /* physical, relative to the prefix */
	const struct contents_entry *entry; /* its line in the record */
	mode_t mode;
	off_t size;
	bool compare; /* its digest */
};

/* The text and the entries of one record. */
struct verify_record {
	struct contents contents;
	struct buf text;
};

struct verify {
	const struct verify_opts *o;
	struct verify_result *r;
	struct leak leak;
	struct rootmap map; /* owns the paths */
	struct map owned; /* physical paths of what is recorded, and of the directories above */
	struct verify_record *records;
	size_t n_records;
	VEC(struct verify_file) files;
};

/* The state entry that covers a path, or NULL. */
const struct verify_state *verify_state_of(const char *path);
/* Read every file of v->files in threads. */
void verify_read_files(struct verify *v);
/* Find what is in the prefix and not in v->owned. */
bool verify_find_unowned(struct verify *v, struct err *e);

#endif
