#ifndef CORE_FETCH_PART_H
#define CORE_FETCH_PART_H

#include "digest.h"
#include "fetch.h"

#include <stdint.h>

/*
 * The unfinished file: DISTDIR/NAME.__download__, and DISTDIR/.NAME.origin, three lines that say
 * which URI it came from and with which validators (ETag, Last-Modified), so that it can be
 * resumed. Its digests are computed while it grows.
 */
struct part {
	int dir, fd; /* dir is borrowed; fd is locked, -1: not open */
	const struct fetch_file *file;
	char *name, *side; /* relative to dir */
	char *origin, *etag, *last_modified; /* of the bytes that are there, NULL: unknown */
	uint64_t size, hashed; /* bytes in the file, bytes that digest has seen */
	struct digest *digest;
};

#define PART_NONE ((struct part){ .dir = -1, .fd = -1 })

/*
 * Open or create, and lock. *busy: another process is at it (nothing is open then, no error).
 */
bool part_open(struct part *p, int dir, const struct fetch_file *file, bool *busy, struct err *e);
/* The value for If-Range when the bytes came from this URI, NULL when there is none. */
const char *part_validator(const struct part *p, const char *uri);
/* Forget the content. */
bool part_rewind(struct part *p, struct err *e);
/* Hash what is there, so that writing can go on behind it. */
bool part_resume(struct part *p, struct err *e);
/* Remember where the bytes come from; validators may be "". */
bool part_note_origin(struct part *p, const char *uri, const char *etag, const char *modified);
/* Append. Needs part_rewind or part_resume before. */
bool part_write(struct part *p, const void *data, size_t n, struct err *e);
/*
 * Compare size and every listed digest with what the file must be. When it differs, *why (the
 * caller's own) says how, with both digests; NULL when all is right.
 */
char *part_differs(struct part *p);
/* fsync and give it its final name. The part is closed afterwards. */
bool part_commit(struct part *p, struct err *e);
/* Rename to NAME._checksum_failure_.XXXXXX; *kept is that name, the caller's own. Closes. */
bool part_set_aside(struct part *p, char **kept, struct err *e);
/* Leave it for a later run (removed when empty). Accepts PART_NONE. */
void part_close(struct part *p);

/* Rename dir/name to name._checksum_failure_.XXXXXX; *kept is that name, the caller's own. */
bool set_aside(int dir, const char *name, const char *final_name, char **kept, struct err *e);
/* Which DIGEST_ algorithms are listed for the file. */
unsigned file_algos(const struct fetch_file *file);
/* How the digests differ from what is listed, the caller's own; NULL: they do not. */
char *digests_differ(const struct fetch_file *file, struct digest *d);

#endif
