#ifndef CORE_ENVD_H
#define CORE_ENVD_H

#include "err.h"
#include "str.h"
#include "vec.h"

/* What env-update did. */
struct envd_result {
	bool env_changed; /* profile.env or csh.env */
	bool ld_changed; /* ld.so.conf: ldconfig should run */
	struct strv bad; /* "FILE:LINE: why", lines that were left out */
};

#define ENVD_RESULT_INIT ((struct envd_result){ 0 })

/*
 * Read etc/env.d of the root and write etc/profile.env, etc/csh.env and etc/ld.so.conf, each only
 * when it changed. Where usr/etc is a directory of its own it gets the ld.so.conf too: there the
 * linker of a prefix looks, and falls back to the host's when it finds none.
 * Files count when their names start with two digits and do not end in "~" or ".bak". Portage's
 * rules: lists add up without doubles, of the others the last one counts; LDPATH goes to
 * ld.so.conf only. always_ld: a directory that is listed first there, or NULL.
 * Without etc/env.d nothing is done.
 */
bool envd_update(int root, const char *always_ld, struct envd_result *r, struct err *e);
/*
 * Run the root's own ldconfig (sbin or usr/sbin) if it has one; offset is EPREFIX. Fails with what
 * it printed.
 */
bool envd_ldconfig(int root, const char *offset, struct err *e);
/* envd_update(), then envd_ldconfig() if ld.so.conf changed. For after a merge, and after one that
 * was killed. */
bool envd_settle(int root, const char *offset, struct err *e);
void envd_result_fini(struct envd_result *r);

/* One assignment of an env.d file. */
struct envd_line {
	char *name, *value;
};
struct envd_file {
	VEC(struct envd_line) lines;
};
/*
 * Parse [export] NAME=value with quotes as in the shell; nothing is expanded. What is no
 * assignment is reported in *bad as "file:LINE: why" and skipped up to the end of its line.
 */
void envd_parse(struct envd_file *f, struct str text, const char *file, struct strv *bad);
void envd_file_fini(struct envd_file *f);

#endif
