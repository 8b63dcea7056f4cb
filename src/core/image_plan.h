#ifndef CORE_IMAGE_PLAN_H
#define CORE_IMAGE_PLAN_H

#include "contents.h"
#include "fs.h"
#include "image.h"
#include "journal.h"
#include "map.h"
#include "protect.h"
#include "rootmap.h"

/* What image_*.c share; private to them. */

/* One thing of the image. */
struct node {
	const char *path; /* relative to image/offset and to the root */
	struct str real; /* its physical name in the root */
	enum contents_type type;
	struct stat st;
	const char *target; /* of a symlink */
	const char *md5; /* of a file's content or a symlink's target */
	const char *final; /* where it goes: path, or a ._cfg name; NULL: it is not put in place */
	const char *temp; /* its name aside, in the directory of final */
	bool absent; /* the root has nothing there */
	bool blocked; /* a directory whose place a file of the replaced package takes */
};

/* What a replaced package listed. */
struct old_record {
	const char *dir; /* of the record, relative to the root */
	struct buf text;
	struct contents contents;
};

/* A directory that gets this mode at the end. */
struct dir_mode {
	const char *path;
	mode_t mode;
};

/* A merge or an unmerge being thought through. */
struct plan {
	int root;
	const char *offset;
	const char *name; /* "cat/pf" */
	const char *category, *pf;
	struct image_owners owners;
	const struct protect *protect;
	const char *const *keep;
	struct image_report *report;

	VEC(struct node *) nodes; /* parents before children */
	struct map by_real; /* physical path → node */
	VEC(struct old_record *) old;
	struct map old_by_real; /* physical path → contents_entry */
	VEC(const struct contents_entry *) kept; /* of them, what stays because of `keep` */
	struct rootmap where;
	struct confmem memory;
	struct journal journal;
	struct map dirs_seen; /* directories that plan_open_dir_of has looked at */
	VEC(struct dir_mode) modes;
	struct map made; /* directories with a JOURNAL_MKDIR */
	struct buf problems; /* what forbids the merge, one line each */
	size_t n_problems;
	struct arena arena;
};

/* image_plan.c */
void plan_init(struct plan *p, int root, const char *offset);
void image_plan_fini(struct plan *p);
/* A copy in the plan's arena. */
const char *plan_path(struct plan *p, struct str path);
/* The name aside of a path: in the same directory, derived from package and path. */
const char *plan_temp(struct plan *p, const char *path);
/* "cat/pf" of another package that lists the path, or NULL. */
const char *plan_owner(struct plan *p, const char *path);
void plan_note(struct plan *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void plan_problem(struct plan *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Fails with ERR_CONFLICT when there was a problem. */
bool plan_verdict(const struct plan *p, struct err *e);
/* See that the directory of path can be written to; it gets its mode back at the end. */
void plan_open_dir_of(struct plan *p, const char *path);
void plan_mode(struct plan *p, const char *path, mode_t mode);
/* Move the modes to the journal, deepest first. */
void plan_modes_to_journal(struct plan *p);
/* The record of a replaced or removed package. */
bool plan_read_old(struct plan *p, const char *pf, struct err *e);

/* image_scan.c: the image into nodes; refuses what no record can hold. */
bool plan_scan(struct plan *p, const char *image, struct err *e);

/* image_check.c: what the root has in each place, and what that means. */
bool plan_check(struct plan *p, bool ignore_confmem, struct err *e);

/* image_remove.c: what of the old records goes. */
void plan_removals(struct plan *p);

/* image_record.c */
/* Where the new record is made. */
const char *record_aside(struct plan *p);
/* Adds the operations around the records: retire the old, publish the new if there is one. */
void plan_records(struct plan *p, bool publish, uint64_t counter);
/* Write a file whose final name it gets later; the disk is waited for once for all. */
bool record_write_file(int dir, const char *name, struct str value, struct err *e);
/* Write the new record under its name aside, with COUNTER and CONTENTS. */
bool record_write(struct plan *p, const struct image_merge *m, uint64_t counter, struct err *e);

/* image_stage.c */
/* Adds the directories that lead to path and are missing to the journal. */
void plan_mkdirs(struct plan *p, const char *path);
/* Adds the operations of the nodes and extras to the journal. */
void plan_places(struct plan *p, const struct image_extra *extras, size_t n);
/* Do what has to lie ready before the commit; the journal is on the disk. */
bool stage_all(struct plan *p, const struct image_merge *m, struct err *e);
bool stage_dirs(const struct plan *p, struct err *e);
bool stage_extras(struct plan *p, const struct image_extra *extras, size_t n, struct err *e);

#endif
