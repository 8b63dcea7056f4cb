#ifndef CORE_MACHO_H
#define CORE_MACHO_H

#include "err.h"
#include "vec.h"

#include <stddef.h>
#include <stdint.h>

/* What dyld will look at in one architecture of a Mach-O file. Strings are borrowed. */
struct macho_slice {
	uint32_t cpu, subtype; /* CPU_TYPE_…, CPU_SUBTYPE_… without its capability bits */
	uint32_t filetype; /* MH_OBJECT 1, MH_EXECUTE 2, MH_DYLIB 6, MH_BUNDLE 8, … */
	bool is64;
	const char *dylinker; /* LC_LOAD_DYLINKER, NULL: none */
	const char *id; /* LC_ID_DYLIB: the install name, NULL: not a library */
	VEC(const char *) needed; /* LC_LOAD_DYLIB and its weak, lazy, upward, re-export kin */
	VEC(const char *) rpaths; /* LC_RPATH */
};

/*
 * A thin file has one slice, a fat ("universal") one several; those of a universal static library
 * are archives and left out. Empty value: MACHO_INIT.
 */
struct macho {
	VEC(struct macho_slice) slices;
};

#define MACHO_INIT ((struct macho){ 0 })

/* Do the bytes start as a Mach-O file does? A Java class, which shares fat's magic, does not. */
bool macho_is(const void *data, size_t n);
/*
 * Read the load commands of every slice (<mach-o/loader.h>, <mach-o/fat.h>). False with
 * "macho.corrupt" when something points outside the bytes. *m must be empty; give it to
 * macho_fini in either case. The bytes must outlive it.
 */
bool macho_read(const void *data, size_t n, struct macho *m, struct err *e);
void macho_fini(struct macho *m);

/* "x86_64", "arm64", …; NULL: unknown. */
const char *macho_arch(const struct macho_slice *slice);

#endif
