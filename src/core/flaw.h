#ifndef CORE_FLAW_H
#define CORE_FLAW_H

#include "vec.h"

/* What checks of a tree find wrong, kept until it can be told in order. */

enum flaw_kind {
	FLAW_INTERP, /* an ELF file's loader */
	FLAW_NEEDED, /* a library that an object needs */
	FLAW_RUNPATH, /* a directory an object searches for libraries */
	FLAW_SCRIPT, /* a script's interpreter */
	FLAW_TEXT, /* a path in a .pc, .la or configuration script */
	FLAW_SYMLINK,
	FLAW_COMPILER, /* a search path of the compiler or linker */
	FLAW_MODE, /* set-id bits, or writable by everybody */
	FLAW_OBJECT, /* an object whose headers make no sense */
	FLAW_MISSING, /* recorded, but not there or of another type */
	FLAW_CONTENT, /* not the recorded digest or target */
	FLAW_MTIME,
	FLAW_RECORD, /* a line of a record that says nothing */
	FLAW_UNOWNED, /* belongs to no package */
	FLAW_KINDS,
};

struct flaw {
	enum flaw_kind kind;
	char *path; /* below the tree */
	char *detail; /* "needs libz.so.1, which …"; "" when the kind says all */
};

struct flaws {
	VEC(struct flaw) list;
};

#define FLAWS_INIT ((struct flaws){ 0 })

void flaws_add(struct flaws *f, enum flaw_kind kind, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Move all of *from to the end of *into. */
void flaws_move(struct flaws *into, struct flaws *from);
/* By kind, path, detail. */
void flaws_sort(struct flaws *f);
void flaws_fini(struct flaws *f);

/* For programs ("elf-needed") and for people ("libraries that are not in the prefix"). */
const char *flaw_name(enum flaw_kind kind);
const char *flaw_title(enum flaw_kind kind);

#endif
