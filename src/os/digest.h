#ifndef OS_DIGEST_H
#define OS_DIGEST_H

#include "err.h"
#include "str.h"

#include <stddef.h>
#include <stdint.h>

/* MD5 is for CONTENTS only (portage-formats §3.5), SHA-256 for our own keys and pinned archives. */
enum digest_algo {
	DIGEST_MD5 = 1,
	DIGEST_SHA256 = 2,
	DIGEST_SHA512 = 4,
	DIGEST_BLAKE2B = 8, /* 64 bytes, unkeyed: Manifest's BLAKE2B */
};

#define DIGEST_HEX_MAX 129 /* with the NUL */

/* Several digests of one stream at once. */
struct digest;
/* algos: DIGEST_… or'ed together. Never NULL; end it with digest_free. */
struct digest *digest_new(unsigned algos);
void digest_add(struct digest *d, const void *data, size_t n);
/* Lower-case hex of one of them; the stream may not grow any more afterwards. */
void digest_hex(struct digest *d, enum digest_algo algo, char hex[DIGEST_HEX_MAX]);
void digest_free(struct digest *d);

/* One digest of a whole file, or of bytes in memory. */
bool digest_file(
	int at, const char *path, enum digest_algo algo, char hex[DIGEST_HEX_MAX], struct err *e);
void digest_bytes(const void *data, size_t n, enum digest_algo algo, char hex[DIGEST_HEX_MAX]);

#endif
