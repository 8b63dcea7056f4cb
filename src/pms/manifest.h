#ifndef PMS_MANIFEST_H
#define PMS_MANIFEST_H

#include "digest.h"
#include "err.h"
#include "mem.h"
#include "str.h"
#include "vec.h"

#include <stdint.h>

/*
 * A package's Manifest (GLEP 74): lines "TAG name size HASH hex [HASH hex]…". DIST says what a
 * source archive must be; EBUILD, AUX (below files/) and MISC what a file of the package must be.
 * DATA is GLEP 74's newer word for the latter three.
 */
enum manifest_tag {
	MANIFEST_AUX,
	MANIFEST_DATA,
	MANIFEST_DIST,
	MANIFEST_EBUILD,
	MANIFEST_MISC,
};

struct manifest_hash {
	const char *name, *hex; /* "BLAKE2B", lower-case hex */
};
struct manifest_entry {
	enum manifest_tag tag;
	const char *name; /* decoded: \xNN, \uNNNN and \UNNNNNNNN are undone */
	uint64_t size;
	const struct manifest_hash *hashes;
	size_t n_hashes;
};

/* Strings are owned by the arena. Empty value: all zero. */
struct manifest {
	struct arena arena;
	VEC(struct manifest_entry) v;
};

/*
 * Add the entries of text. Lines with other words in front (signatures, IGNORE, …) are passed over,
 * as Portage does; a line that begins as ours and does not go on so, and two lines that contradict
 * each other, are errors naming path and line.
 */
bool manifest_parse(struct manifest *m, struct str text, const char *path, struct err *e);
void manifest_fini(struct manifest *m);

/* NULL when there is none. */
const struct manifest_entry *manifest_find(
	const struct manifest *m, enum manifest_tag tag, const char *name);
/* The hex of the hash of that name, NULL when it is not listed. */
const char *manifest_hash(const struct manifest_entry *entry, const char *name);

/* Add or replace the entry of that tag and name; all strings are copied. */
void manifest_set(struct manifest *m, const struct manifest_entry *entry);
/*
 * The same for a file of the package (or, DIST, of DISTDIR): its size, BLAKE2B and SHA512
 * (Portage's default manifest-hashes) are computed. at is the directory that name, or files/name
 * for AUX, is relative to.
 */
bool manifest_set_file(
	struct manifest *m, enum manifest_tag tag, const char *name, int at, struct err *e);
/* Keep only the entries that keep() wants. */
void manifest_filter(
	struct manifest *m, bool (*keep)(void *ctx, const struct manifest_entry *entry), void *ctx);

/* Append the lines as Portage writes them: by tag, then name; hashes by name. */
void manifest_format(const struct manifest *m, struct buf *out);

/*
 * Is the file what the entry says: size first, then every hash we know; at least one must be
 * known. *why (the caller's own) says what differs, NULL when it is right. False only when it
 * cannot be read; an absent file is a difference.
 */
bool manifest_verify_file(
	const struct manifest_entry *entry, int at, const char *path, char **why, struct err *e);
/*
 * Check the files of a package directory against its entries (not DIST): each listed file must be
 * right, and, when any file is listed at all (the Manifest is not thin), each file must be listed;
 * dot-files and the Manifest itself aside. Appends one line per difference to *report.
 */
bool manifest_verify_package(const struct manifest *m, int at, struct strv *report, struct err *e);

#endif
