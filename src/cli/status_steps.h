#ifndef CLI_STATUS_STEPS_H
#define CLI_STATUS_STEPS_H

#include "err.h"
#include "str.h"

/*
 * Append a table of what each step took, in the order in which steps began: wall and CPU seconds in
 * all and of each phase (the last run of it), from timings.tsv of the prefix.
 */
bool status_steps(const char *prefix, struct buf *out, struct err *e);

#endif
