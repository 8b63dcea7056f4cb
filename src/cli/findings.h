#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "cli.h"
#include "hostcheck.h"

#include <stdio.h>

/* Print findings from `least` on, the worst first, each with its remedy. */
void cli_print_findings(FILE *to, const struct hostcheck *h, enum severity least, bool color);

/*
 * The start of a bootstrap: check the host for a prefix in o->eprefix, print warnings and errors to
 * stderr. False with ERR_HOST when it is unfit. *h is filled in either case and is the caller's to
 * end.
 */
bool cli_preflight(
	const struct cli *c, const struct hostcheck_opts *o, struct hostcheck *h, struct err *e);

#endif
