#ifndef OS_SANDBOX_H
#define OS_SANDBOX_H

#include "err.h"

#include <stddef.h>

/* What a build may do: write below these directories (and /dev/null, ptys, …), network or not. */
struct sandbox {
	const char *const *writable; /* NULL-terminated absolute paths */
	bool network;
};

/* What this kernel grants an ordinary user; found by trying in a child, each run anew. */
struct sandbox_support {
	bool files; /* Landlock (Linux), sandbox-exec (macOS) */
	bool network; /* user + network namespace, or Landlock's TCP rules */
	char files_how[96]; /* "Landlock ABI 6", or why not */
	char network_how[96];
};
void sandbox_probe(struct sandbox_support *s);

/* Confine the calling process (a child between fork and exec) for good. */
bool sandbox_enter(const struct sandbox *s, const struct sandbox_support *support, struct err *e);

#endif
