#ifndef CORE_CONTENTS_H
#define CORE_CONTENTS_H

#include "err.h"
#include "str.h"
#include "vec.h"

#include <stdint.h>

/* The list of what a package put into a root (CONTENTS, portage-formats §3.5). */

enum contents_type {
	CONTENTS_DIR = 'd',
	CONTENTS_OBJ = 'o',
	CONTENTS_SYM = 's',
	CONTENTS_FIF = 'f',
	CONTENTS_DEV = 'b',
};

struct contents_entry {
	enum contents_type type;
	struct str path; /* absolute, with EPREFIX, without ROOT */
	struct str target; /* of a symlink */
	struct str md5; /* of a file: 32 hex digits, in old records upper case */
	uint64_t mtime; /* of files and symlinks, seconds */
};

/* Entries in the order of the file; their slices point into the text given to contents_parse. */
struct contents {
	VEC(struct contents_entry) list;
	size_t bad; /* lines that are no entry, skipped */
	size_t first_bad; /* the number of the first of them, from 1 */
};

#define CONTENTS_INIT ((struct contents){ 0 })

/*
 * Add the entries of text to *c. Lines that cannot be parsed, or that hold a NUL, are counted and
 * skipped, as Portage does. The patterns are greedy: spaces in paths are fine, a symlink line
 * splits at its last " -> ". Very old "sym" lines end in a stat tuple of Python.
 */
void contents_parse(struct contents *c, struct str text);
/* Append the line of one entry, with its newline. */
void contents_format(struct buf *out, const struct contents_entry *entry);
/* "dir", "obj", "sym", "fif", "dev". */
const char *contents_word(enum contents_type type);
void contents_fini(struct contents *c);

#endif
