#ifndef CORE_ENVD_H
#define CORE_ENVD_H

#include "err.h"
#include "vec.h"

/* What env-update did. */
struct envd_result {
	bool env_changed; /* profile.env or csh.env */
	bool ld_changed; /* ld.so.conf: ldconfig should run */
	struct strv bad; /* "FILE:LINE: why", lines that were left out */
};

#define ENVD_RESULT_INIT ((struct envd_result){ 0 })

/*
 * Read etc/env.d of the root and write etc/profile.env, etc/csh.env and etc/ld.so.conf (the last
 * also as usr/etc/ld.so.conf, which is where the linker of a prefix looks), each only when it
 * changed. Files count when their names start with two digits and do not end in "~" or ".bak".
 * Portage's rules: path-like variables add up, the others are the last one's. `offset` is
 * EPREFIX: always_ld is a directory below it that belongs into ld.so.conf first, or NULL.
 */
bool envd_update(int root, const char *always_ld, struct envd_result *r, struct err *e);
/* Run the root's own ldconfig (sbin or usr/sbin) if it has one; offset is EPREFIX. */
bool envd_ldconfig(int root, const char *offset, struct err *e);
void envd_result_fini(struct envd_result *r);

#endif
