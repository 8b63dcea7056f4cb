#ifndef PMS_LINEFILE_H
#define PMS_LINEFILE_H

#include "err.h"
#include "mem.h"
#include "str.h"
#include "vec.h"

/*
 * The line files of etc/portage and of profiles (portage-formats §6): a file, or a directory whose
 * files are read in the order of their names, level by level; words between white space; a word
 * that starts with '#' ends its line.
 */
struct line {
	struct str *words; /* at least one; slices of the arena */
	size_t n;
	const char *file; /* as it was opened */
	unsigned number; /* from 1 */
};
struct line_list {
	VEC(struct line) list;
};

/* Append the lines of path, which may be absent. Everything but the list itself is the arena's. */
bool lines_read(struct arena *a, const char *path, struct line_list *out, struct err *e);
/* The lines of text; file is kept as the name. */
void lines_split(struct arena *a, struct str text, const char *file, struct line_list *out);

/*
 * The files that path stands for, in the order of reading: itself, or what is below it, leaving
 * out hidden names, those that end in '~' and version control. An absent path gives none.
 */
bool files_of(const char *path, struct strv *files, struct err *e);
/* The whole file, as the arena's slice; e->sys is ENOENT when it is not there. */
bool file_text(struct arena *a, const char *path, struct str *text, struct err *e);

#endif
