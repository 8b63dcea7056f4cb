#ifndef PMS_VERIFY_H
#define PMS_VERIFY_H

#include "err.h"
#include "flaw.h"
#include "vdb.h"

#include <stdint.h>

/*
 * Is a prefix what its records say, and does it stand on its own? Each recorded file is there with
 * its digest, target and time, names nothing outside (core/leak.h), and nothing else is in the
 * prefix but state and configuration (verify_states).
 */
struct verify_opts {
	int root; /* descriptor of the prefix, borrowed */
	const char *eprefix; /* its physical path */
	bool guest; /* stands on the host's C library */
	struct vdb *vdb;
	/* The packages to check, n of them; NULL: all, and then also the compiler and what belongs
	 * to no package. */
	const struct vdb_pkg *const *packages;
	size_t n_packages;
	unsigned threads; /* 0: one */
};

struct verify_result {
	struct flaws found; /* sorted */
	size_t packages, files, symlinks, tools; /* how many were looked at */
	uint64_t bytes;
};

#define VERIFY_RESULT_INIT ((struct verify_result){ 0 })

/* False only when the check itself failed; what it finds wrong is in *r. */
bool verify_run(const struct verify_opts *o, struct verify_result *r, struct err *e);
void verify_result_fini(struct verify_result *r);

/* Does this prefix have a C library of its own among its packages? If not, it is a guest. */
bool verify_has_libc(const struct vdb *v);

/* What may lie in a prefix without belonging to a package. Ends with a NULL glob. */
struct verify_state {
	const char *glob; /* over the path; matches what is below it too */
	bool changes; /* recorded files there may differ from their record */
	const char *why;
};
extern const struct verify_state verify_states[];

#endif
