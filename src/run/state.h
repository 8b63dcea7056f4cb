#ifndef RUN_STATE_H
#define RUN_STATE_H

#include "err.h"
#include "plan.h"
#include "step.h"

/*
 * What is finished. EPREFIX/var/lib/eprefix/steps/<root>/<cat>/<pf> is written just before a
 * record appears in the database of installed packages (VDB):
 *
 *	stage=stage3
 *	key=<SHA-256 hex of the step>
 *	counter=<the record's COUNTER>
 *	before=stage2 <key>	what other stages had finished in this place before
 *
 * A step is finished iff the record exists, has that COUNTER, and the file names the step's stage
 * and key, be it in `before`: a later stage or emerge replaces a package on purpose.
 */

/* "prefix" for EPREFIX, "tmp" for EPREFIX/tmp: the directory below steps/. */
const char *state_root_name(const char *eprefix, const char *root);

/* What a state file says. */
struct step_state {
	struct strv keys; /* "stage key": [0] is the present one */
	unsigned long counter;
};

/* Read one. An absent file is an empty state. */
bool state_read(const char *eprefix, const char *root, const char *cat_pf, struct step_state *s,
	struct err *e);
void state_fini(struct step_state *s);

/*
 * Note that the record of s, about to appear, has this COUNTER. Keys of other stages in the same
 * place (also of versions the new one replaces) are kept as `before`.
 */
bool state_write(const char *eprefix, const struct step *s, unsigned long counter, struct err *e);

/* Is the step finished, or why not? Never REASON_REDO. */
bool state_reason(
	const char *eprefix, const struct step *s, enum step_reason *reason, struct err *e);

/*
 * Set info[].reason of every step. redo: "cat/pn" or "stage:cat/pn" of steps to run again though
 * they are finished; one that names no step fails with ERR_USAGE.
 */
bool plan_reasons(struct plan *p, const struct strv *redo, struct err *e);

#endif
