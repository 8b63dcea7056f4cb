#ifndef CORE_STARTPREFIX_H
#define CORE_STARTPREFIX_H

#include "str.h"

/*
 * The script EPREFIX/startprefix, which enters the prefix with a clean environment: what belongs to
 * the session (terminal, display, agent, proxies) stays, everything else is the prefix's own, from
 * etc/profile.env. eprefix: physical path; the preflight has refused all characters that a shell
 * would take for more than themselves. Appends to *out.
 */
void startprefix_script(const char *eprefix, struct buf *out);

#endif
