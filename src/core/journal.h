#ifndef CORE_JOURNAL_H
#define CORE_JOURNAL_H

#include "err.h"
#include "mem.h"
#include "str.h"
#include "vec.h"

#include <stdbool.h>

/*
 * What a change of a root is going to do, written down before it is done. Nothing here knows what
 * a package is. The file is var/lib/eprefix/journal: a header line, one line for each operation
 * (verb, NUL, path, NUL, other), and "commit" as last line once all that is new lies ready.
 * Names with newlines cannot be in it; whoever makes one refuses them.
 */
enum journal_verb {
	/* Before the commit the first three make things ready; behind it they make them final. */
	JOURNAL_ASIDE = 'B', /* path stood in the way: renamed to other, removed at the end */
	JOURNAL_MKDIR = 'M', /* path was made, with the mode `other` (octal) */
	JOURNAL_PLACE = 'F', /* other lies ready beside path: renamed over it */
	JOURNAL_RECORD = 'N', /* the directory `other` lies ready: renamed to path */
	/* Only behind the commit. */
	JOURNAL_REMOVE = 'R', /* path, not a directory, goes */
	JOURNAL_RMDIR = 'D', /* path goes if it is empty */
	JOURNAL_MEMORY = 'K', /* config memory: path has the md5 `other`; "" forgets it */
	JOURNAL_WRITE = 'W', /* path gets the text `other` (one line) */
	JOURNAL_RETIRE = 'O', /* the directory path is renamed to other, then removed */
	JOURNAL_TOUCH = 'T', /* the directory path gets the time of now */
	/* path is made writable for us before anything else, and gets the mode `other` (octal) at
	 * the end, whichever way it ends. */
	JOURNAL_MODE = 'P',
};

struct journal_op {
	char verb;
	const char *path, *other; /* relative to the root; other is "" where it has no meaning */
};

/* Operations in the order in which they are done. */
struct journal {
	VEC(struct journal_op) ops;
	bool committed;
	bool no_sync; /* do not wait for the disk: a power cut may lose all of it */
	struct arena arena; /* owns the strings that were read */
};

#define JOURNAL_INIT ((struct journal){ 0 })

/* Add an operation; the strings must live as long as the journal (or lie in its arena). */
void journal_add(struct journal *j, enum journal_verb verb, const char *path, const char *other);

/* Write it to the disk, committed or not as j->committed says. */
bool journal_save(const struct journal *j, int root, struct err *e);
/* Mark it as committed, on the disk too. */
bool journal_commit(struct journal *j, int root, struct err *e);
/* *found: false when there is none. A damaged one is an error that names the file. */
bool journal_load(struct journal *j, int root, bool *found, struct err *e);

/* Make the directories of JOURNAL_MODE writable: first of all, before and behind the commit. */
bool journal_open_up(const struct journal *j, int root, struct err *e);
/* Take back all that was made ready, and remove the journal. */
bool journal_undo(const struct journal *j, int root, struct err *e);
/* Do all that is left behind the commit, and remove the journal. */
bool journal_finish(const struct journal *j, int root, struct err *e);

void journal_fini(struct journal *j);

/* Replace a small file: written aside, waited for if sync, renamed. */
bool journal_put(int root, const char *path, struct str text, bool sync, struct err *e);

#endif
