#ifndef PMS_VDB_H
#define PMS_VDB_H

#include "contents.h"
#include "err.h"
#include "image.h"
#include "str.h"
#include "vec.h"

#include <stdint.h>

/*
 * The installed packages of one root: var/db/pkg, Portage's own (portage-formats §3). Opening it
 * lists names only; fields are read when asked for and kept. Not for use by two threads.
 */
struct vdb;

/* One record. Strings are borrowed from the database. */
struct vdb_pkg {
	const char *category, *pn, *pvr, *pf; /* from the directory names, which rule */
	struct vdb *vdb;
	size_t index; /* in vdb_at() */
};

/* root: descriptor of EROOT, kept open by the caller while the vdb lives; offset: EPREFIX. */
bool vdb_open(struct vdb **out, int root, const char *offset, struct err *e);
void vdb_free(struct vdb *v);

/* Packages, sorted by category, name and pf (bytes). */
size_t vdb_count(const struct vdb *v);
const struct vdb_pkg *vdb_at(const struct vdb *v, size_t i);
const struct vdb_pkg *vdb_find(const struct vdb *v, const char *category, const char *pf);
/* The first package of that category and name; *n of them lie behind each other: p[0] to
 * p[*n - 1]. NULL: none. */
const struct vdb_pkg *vdb_of_name(
	const struct vdb *v, const char *category, const char *pn, size_t *n);

/* "cat/entry" of directories in the database that are no records (portage-formats §3.1). */
const struct strv *vdb_invalid(const struct vdb *v);

/*
 * A one-line field, its white space normalised; "" when absent. From the consolidated `metadata`
 * where that is current (§3.4), else from the field's file. Unreadable counts as absent.
 */
const char *vdb_get(const struct vdb_pkg *p, const char *field);
/* Without the sub-slot; "0" when missing or illegal. */
const char *vdb_slot(const struct vdb_pkg *p);
/* repository, "__unknown__" when missing. */
const char *vdb_repo(const struct vdb_pkg *p);
uint64_t vdb_counter(const struct vdb_pkg *p);
/* The bytes of a field's file, appended to *out; false with e->sys ENOENT when it is not there. */
bool vdb_read(const struct vdb_pkg *p, const char *field, struct buf *out, struct err *e);
/* CONTENTS; *text owns the bytes the entries point to. A missing file reads as empty. */
bool vdb_contents(const struct vdb_pkg *p, struct contents *c, struct buf *text, struct err *e);

/*
 * Packages that list path (absolute with EPREFIX), also by another name through symlinked
 * directories of the root. The index over all CONTENTS is built by the first call.
 * Appends borrowed pointers to *out.
 */
struct vdb_list {
	VEC(const struct vdb_pkg *) list;
};
bool vdb_owners(struct vdb *v, const char *path, struct vdb_list *out, struct err *e);
/* What a package lists; path is absolute, the caller's own string. */
struct vdb_file {
	const struct vdb_pkg *pkg;
	char *path;
};
struct vdb_files {
	VEC(struct vdb_file) list;
};
/* Everything with that last name, anywhere, sorted by path. */
bool vdb_owners_by_name(struct vdb *v, const char *name, struct vdb_files *out, struct err *e);
void vdb_files_fini(struct vdb_files *files);

/*
 * For image_merge and image_unmerge: who owns a path, leaving out the packages of `category` whose
 * pf is in `except` (NULL-terminated). Builds the index. Free with vdb_owners_end.
 */
bool vdb_owners_begin(struct vdb *v, const char *category, const char *const *except,
	struct image_owners *out, struct err *e);
void vdb_owners_end(struct image_owners *o);

/* The fields of a new record. Owns everything in it. */
struct vdb_fields {
	VEC(struct image_field) list; /* sorted by name: give it to image_merge */
	struct arena arena;
};

#define VDB_FIELDS_INIT ((struct vdb_fields){ 0 })

/*
 * Set a one-line field in Portage's form: white space normalised, a newline behind it. An empty
 * value leaves the field out, except for those that Portage always writes (USE, IUSE).
 * COUNTER and CONTENTS are image_merge's own and may not be set.
 */
void vdb_set(struct vdb_fields *f, const char *name, const char *value);
void vdb_setf(struct vdb_fields *f, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Set a field to just these bytes (NEEDED, NEEDED.ELF.2, <pf>.ebuild, …); none: left out. */
void vdb_set_bytes(struct vdb_fields *f, const char *name, struct str bytes);
/* USE: the flags of `use` that are in iuse_effective (both space separated), sorted. */
void vdb_set_use(struct vdb_fields *f, const char *use, const char *iuse_effective);
/*
 * environment.bz2: one "declare -x NAME=\"value\"" line for each "NAME=value" of env
 * (NULL-terminated), then the variables of the record itself, compressed.
 */
bool vdb_set_environment(struct vdb_fields *f, const char *const *env, struct err *e);
/* A value that was set, without its newline, or NULL. */
const char *vdb_fields_get(const struct vdb_fields *f, const char *name);
/* All files of an installed record but COUNTER, CONTENTS and metadata, byte for byte. */
bool vdb_fields_load(struct vdb_fields *f, const struct vdb_pkg *p, struct err *e);
void vdb_fields_fini(struct vdb_fields *f);

/*
 * The value that a variable has in environment.bz2 of an installed package, the caller's own
 * string; NULL when it is not there.
 */
char *vdb_environment_get(const struct vdb_pkg *p, const char *name, struct err *e);

#endif
