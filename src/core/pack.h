#ifndef CORE_PACK_H
#define CORE_PACK_H

#include "err.h"

/*
 * Write a .tar.gz that depends on nothing but names, contents and exec bits: sorted by name, owner
 * 0, modes 755 or 644, one time stamp, no gzip time. `paths` (NULL-terminated, relative to at) are
 * files or directories with all below them; dot files are left out. Members are named top/path.
 * Written aside and renamed; an existing file with the same bytes is left untouched.
 */
bool archive_pack(
	const char *file, int at, const char *const *paths, const char *top, struct err *e);

#endif
