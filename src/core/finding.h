#ifndef CORE_FINDING_H
#define CORE_FINDING_H

#include "vec.h"

/* What checks of a tree find wrong, kept until it can be told in order. */

enum finding_kind {
	FIND_INTERP, /* an ELF file's loader */
	FIND_NEEDED, /* a library that an object needs */
	FIND_RUNPATH, /* a directory an object searches for libraries */
	FIND_SCRIPT, /* a script's interpreter */
	FIND_TEXT, /* a path in a .pc, .la or configuration script */
	FIND_SYMLINK,
	FIND_COMPILER, /* a search path of the compiler or linker */
	FIND_MODE, /* set-id bits, or writable by everybody */
	FIND_OBJECT, /* an object whose headers make no sense */
	FIND_MISSING, /* recorded, but not there or of another type */
	FIND_CONTENT, /* not the recorded digest or target */
	FIND_MTIME,
	FIND_RECORD, /* a line of a record that says nothing */
	FIND_UNOWNED, /* belongs to no package */
	FIND_KINDS,
};

struct finding {
	enum finding_kind kind;
	char *path; /* below the tree */
	char *detail; /* "needs libz.so.1, which …"; "" when the kind says all */
};

struct findings {
	VEC(struct finding) list;
};

#define FINDINGS_INIT ((struct findings){ 0 })

void findings_add(struct findings *f, enum finding_kind kind, const char *path, const char *fmt,
	...) __attribute__((format(printf, 4, 5)));
/* Move all of *from to the end of *into. */
void findings_move(struct findings *into, struct findings *from);
/* By kind, path, detail. */
void findings_sort(struct findings *f);
void findings_fini(struct findings *f);

/* For programs ("elf-needed") and for people ("libraries that are not in the prefix"). */
const char *finding_name(enum finding_kind kind);
const char *finding_title(enum finding_kind kind);

#endif
