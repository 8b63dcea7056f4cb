#ifndef TESTS_UNIT_MAKE_ELF_H
#define TESTS_UNIT_MAKE_ELF_H

#include "str.h"

#include <stddef.h>

#include <stdint.h>

/* What a small 64-bit little-endian program or library says. NULL: does not say it. */
struct made_elf {
	const char *interp, *soname, *runpath, *rpath, *needed[4];
};

static inline void made_put(char *at, unsigned width, uint64_t v)
{
	for (unsigned i = 0; i < width; i++)
		at[i] = (char)(v >> 8 * i);
}

static inline void made_segment(char *at, uint32_t type, uint64_t off, uint64_t size)
{
	made_put(at, 4, type);
	made_put(at + 8, 8, off);
	made_put(at + 16, 8, off);
	made_put(at + 32, 8, size);
}

static inline void made_dyn(char *file, unsigned *n, uint64_t tag, uint64_t value)
{
	made_put(file + 512 + 16 * *n, 8, tag);
	made_put(file + 512 + 16 * *n + 8, 8, value);
	++*n;
}

/* Header at 0, program headers at 64, loader's name at 256, dynamic section at 512, strings 1024.
 */
static inline void make_elf(struct buf *out, const struct made_elf *want)
{
	static const struct {
		uint64_t tag;
		size_t where;
	} strings[] = {
		{ 14, offsetof(struct made_elf, soname) },
		{ 29, offsetof(struct made_elf, runpath) },
		{ 15, offsetof(struct made_elf, rpath) },
		{ 1, offsetof(struct made_elf, needed[0]) },
		{ 1, offsetof(struct made_elf, needed[1]) },
		{ 1, offsetof(struct made_elf, needed[2]) },
		{ 1, offsetof(struct made_elf, needed[3]) },
	};
	char file[4096] = { 0 };
	unsigned n = 0;
	size_t end = 1025;
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
		const char *s = *(const char *const *)((const char *)want + strings[i].where);
		if (s == NULL)
			continue;
		made_dyn(file, &n, strings[i].tag, end - 1024);
		memcpy(file + end, s, strlen(s) + 1);
		end += strlen(s) + 1;
	}
	made_dyn(file, &n, 5, 1024);
	made_dyn(file, &n, 10, end - 1024);
	memcpy(file, "\177ELF\2\1\1", 7);
	made_put(file + 16, 2, 3);
	made_put(file + 18, 2, 62);
	made_put(file + 32, 8, 64);
	made_put(file + 54, 2, 56);
	made_put(file + 56, 2, 3);
	made_segment(file + 64, 1, 0, end);
	made_segment(file + 120, 2, 512, 16 * (n + 1));
	made_segment(file + 176, 3, 256, want->interp != NULL ? strlen(want->interp) + 1 : 0);
	if (want->interp != NULL)
		memcpy(file + 256, want->interp, strlen(want->interp) + 1);
	buf_add(out, file, end);
}

#endif
