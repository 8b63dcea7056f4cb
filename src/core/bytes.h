#ifndef CORE_BYTES_H
#define CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Bounds-checked reading of a binary format. Reading outside yields 0 and marks the reader as
 * broken, so that a parser may read a whole structure and ask once.
 */
struct bytes {
	const unsigned char *p;
	size_t n;
	bool big; /* big-endian */
	bool broken; /* something was read outside */
};

/* Is the range inside? An overflowing sum is not. */
static inline bool bytes_have(const struct bytes *b, uint64_t off, uint64_t len)
{
	return off <= b->n && len <= b->n - off;
}

/* The unsigned number of width bytes (1 to 8) at off. */
static inline uint64_t bytes_uint(struct bytes *b, uint64_t off, unsigned width)
{
	uint64_t value = 0;
	if (!bytes_have(b, off, width)) {
		b->broken = true;
		return 0;
	}
	for (unsigned i = 0; i < width; i++) {
		unsigned at = b->big ? i : width - 1 - i;
		value = value << 8 | b->p[off + at];
	}
	return value;
}

static inline uint16_t bytes_u16(struct bytes *b, uint64_t off)
{
	return (uint16_t)bytes_uint(b, off, 2);
}

static inline uint32_t bytes_u32(struct bytes *b, uint64_t off)
{
	return (uint32_t)bytes_uint(b, off, 4);
}

static inline uint64_t bytes_u64(struct bytes *b, uint64_t off)
{
	return bytes_uint(b, off, 8);
}

/* The NUL-terminated string at off that ends before limit, borrowed; NULL (and broken) if none. */
static inline const char *bytes_str(struct bytes *b, uint64_t off, uint64_t limit)
{
	if (limit > b->n || off >= limit || memchr(b->p + off, '\0', limit - off) == NULL) {
		b->broken = true;
		return NULL;
	}
	return (const char *)b->p + off;
}

#endif
