#ifndef CORE_UNPACK_H
#define CORE_UNPACK_H

#include "err.h"

#include <stdint.h>
#include <sys/types.h>

/* (Not called archive.h: that is libarchive's own header, and bare names share one search path.) */

/* What to take out of an archive. All zero: everything as it is, with the default limits. */
struct unpack_opts {
	unsigned strip; /* leading path components taken off; members with no more are left out */
	/*
	 * Glob over member paths (before strip): the first member that matches is an archive, and
	 * is unpacked in place of this one. NULL: none. A .deb's data.tar is found without it.
	 */
	const char *nested;
	/* NULL-terminated globs over member paths after strip; NULL: all, none. A glob that
	 * matches a directory takes what is below it; "*" does not match "/". */
	const char *const *only, *const *except;
	uint64_t max_bytes, max_entries; /* 0: 64 GiB, two million */
};

/*
 * Unpack a tar (any dialect), zip, .deb, ar or cpio archive, compressed by gzip, bzip2, xz, lzma,
 * lzip, zstd or compress, below the directory dest.
 *
 * Nothing lands outside dest, whatever the archive says: absolute names, "..", and members that
 * would go through a symlink or link to something that is no file below dest fail the whole
 * ("archive.unsafe"), as devices, fifos and sockets do. Owners, ACLs, extended attributes and
 * the set-id and sticky bits are dropped; modes become u+rw (directories u+rwx) without group's and
 * others' write; times are kept, those of the future become now. A later member of the same name
 * replaces the earlier one.
 *
 * Fails with "archive.format" (no archive known here), "archive.corrupt" (damaged or cut short),
 * "archive.limit" (larger than allowed) or a system error; the message names the archive and the
 * member. What was unpacked until then stays: dest is the caller's to remove.
 */
bool archive_unpack(const char *file, int dest, const struct unpack_opts *o, struct err *e);

/* One member. Strings are borrowed for the call. */
struct archive_member {
	const char *path; /* as it is in the archive */
	char type; /* 'f' file, 'd' directory, 'l' symlink, 'h' hard link, '?' other */
	const char *target; /* of links, else NULL */
	uint64_t size; /* bytes, of files */
	mode_t mode; /* with the set-id bits */
};
typedef bool archive_visit(void *ctx, const struct archive_member *member, struct err *e);

/* Visit the members of an archive (of a .deb: of its data.tar). False when visit says so. */
bool archive_list(const char *file, archive_visit *visit, void *ctx, struct err *e);

#endif
