#ifndef BIND_MERGE_H
#define BIND_MERGE_H

#include "err.h"
#include "step.h"
#include "vdb.h"

/* The last phase of a step: its image and its record go into the root. */
struct merge_job {
	const struct step *step;
	const char *eprefix; /* the final prefix, which owns our state files */
	int log_fd; /* where notes go, -1: nowhere */
};

/*
 * Merge the step's image with these fields, to which SIZE, BUILD_TIME and environment.bz2 are
 * added and in which slot operators are bound to what is installed. What the same slot holds is
 * replaced; the step's state file is written just before the commit; env.d takes effect.
 */
bool merge_step(const struct merge_job *job, struct vdb_fields *fields, struct err *e);

/*
 * Append a reduced dependency string with each ":=" bound to the slot of the best installed match
 * (portage-formats §3.3), as far as something matches.
 */
void merge_bind_slots(const struct vdb *v, const char *deps, struct buf *out);

#endif
