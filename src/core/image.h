#ifndef CORE_IMAGE_H
#define CORE_IMAGE_H

#include "err.h"
#include "protect.h"
#include "str.h"
#include "vec.h"

#include <stdint.h>

/*
 * The install primitive: a DESTDIR image becomes part of a root, and what a record lists leaves it.
 *
 * Everything that will be done is decided and checked before anything is touched, and written to
 * a journal (var/lib/eprefix/journal). Until the commit point files only appear under derived
 * names beside their places; behind it everything that is left can be done any number of times.
 * So image_recover() undoes or finishes whatever a kill interrupted.
 *
 * A root is a descriptor of its directory (EROOT) and its offset (EPREFIX): the physical path that
 * paths in CONTENTS start with and below which the image holds the files.
 */

/* One file of the record: "SLOT", "0\n". */
struct image_field {
	const char *name;
	struct str value;
};

/* Another file that changes together with the merge, in the same commit: path relative to root. */
struct image_extra {
	const char *path;
	struct str value;
};

/* Who owns what. A zero struct: nobody owns anything. */
struct image_owners {
	/*
	 * "cat/pf" of an installed package other than those being replaced or removed that lists
	 * path (absolute, as in CONTENTS) or something below it; NULL: none. Borrowed until the
	 * next call.
	 */
	const char *(*owner)(void *ctx, struct str path);
	void *ctx;
};

struct image_merge {
	const char *image; /* D: absolute path of the image; it is left as it is */
	int root;
	const char *offset;
	const char *category, *pf;
	/* pf of the installed instances (same category) whose place it takes; NULL-terminated, or
	 * NULL. A re-merge names itself here. */
	const char *const *replaces;
	/* CONTENTS paths of the replaced instances that stay although the image lacks them
	 * (libraries still needed): the new record lists them. NULL-terminated, or NULL. */
	const char *const *keep;
	const struct image_field *fields; /* all but COUNTER and CONTENTS, ready to be written */
	size_t n_fields;
	const struct image_extra *extras;
	size_t n_extras;
	struct image_owners owners;
	const struct protect *protect; /* NULL: nothing is protected */
	/* Called once, just before the commit; false undoes the merge. Or NULL. */
	bool (*before_commit)(void *ctx, uint64_t counter, struct err *e);
	void *ctx;
	bool no_sync; /* do not wait for the disk: a power cut may lose the merge */
	bool ignore_confmem; /* offer an update again that was offered before (--noconfmem) */
};

struct image_unmerge {
	int root;
	const char *offset;
	const char *category, *pf;
	const char *const *keep; /* as above */
	const struct image_extra *extras;
	size_t n_extras;
	struct image_owners owners;
	const struct protect *protect;
	bool no_sync;
};

/* What was done, for messages. */
struct image_report {
	uint64_t counter; /* of the record; merge only */
	size_t files, removed; /* put in place, taken away */
	uint64_t bytes; /* of the regular files put in place */
	struct strv updates; /* ._cfg files written, relative to the root */
	struct strv notes; /* one line each: kept files and why, unowned files replaced */
};

#define IMAGE_REPORT_INIT ((struct image_report){ 0 })

/*
 * Merge an image. Waits for Portage's lock on the database and recovers first if need be.
 * Fails with ERR_CONFLICT, nothing changed, on files of other packages, on file-against-directory
 * conflicts, on names that CONTENTS cannot hold, on files outside the offset, and on devices and
 * sockets. report may not be NULL.
 */
bool image_merge(const struct image_merge *m, struct image_report *report, struct err *e);
/* The same checks, changing nothing: what a merge would say. */
bool image_check(const struct image_merge *m, struct image_report *report, struct err *e);

/*
 * Remove a package by its record, by Portage's rules (portage-formats §3.5): files that others own
 * or that are under protection and changed stay, directories go when empty. The record goes last.
 */
bool image_unmerge(const struct image_unmerge *u, struct image_report *report, struct err *e);

enum image_recovery { IMAGE_CLEAN, IMAGE_UNDONE, IMAGE_FINISHED };
/*
 * Undo or finish what an interrupted merge or unmerge left in this root. *did may be NULL.
 * Call at the start of every run, for each root.
 */
bool image_recover(int root, enum image_recovery *did, struct err *e);

/*
 * The COUNTER that the next merge into this root gets (portage-formats §3.6), if no other comes
 * between: the caller sees to that.
 */
bool image_next_counter(int root, uint64_t *counter, struct err *e);

/* Bytes of all regular files of the image (the SIZE field); each hard-linked name counts. */
bool image_size(const char *image, uint64_t *bytes, struct err *e);

void image_report_fini(struct image_report *report);

#endif
