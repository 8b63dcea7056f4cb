#ifndef CORE_FETCH_LAYOUT_H
#define CORE_FETCH_LAYOUT_H

#include "fetch.h"
#include "vec.h"

/*
 * How a mirror of GENTOO_MIRRORS arranges its files (GLEP 75): layout.conf says
 *   [structure]
 *   0=filename-hash BLAKE2B 8        NAME in a directory named by the first 8 bits of its hash
 *   1=flat                           NAME itself
 * and the first line we can follow is used. Several cut-offs ("8:16") make nested directories;
 * content-hash names the file by its own digest.
 */
enum layout_kind { LAYOUT_FLAT, LAYOUT_NAME_HASH, LAYOUT_CONTENT_HASH };
struct layout {
	enum layout_kind kind;
	unsigned algo; /* enum digest_algo */
	unsigned cutoffs[8]; /* bits, multiples of 4, ended by 0 */
};

/* The layout that this layout.conf asks for; flat when there is nothing we can follow. */
struct layout layout_parse(struct str text);
/*
 * Path of the file below the mirror's directory, percent-encoded if for_url; the caller's own.
 * NULL when the layout needs a digest that is not known.
 */
char *layout_path(const struct layout *l, const struct fetch_file *file, bool for_url);

#endif
