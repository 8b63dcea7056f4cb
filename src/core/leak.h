#ifndef CORE_LEAK_H
#define CORE_LEAK_H

#include "err.h"
#include "flaw.h"
#include "str.h"
#include "vec.h"

#include <sys/types.h>

/*
 * Does a prefix stand on its own? What its files name must be in the prefix and not in its tmp,
 * which the bootstrap removes. What else may be named is one table, leak_exceptions.
 */
struct leak {
	int root; /* descriptor of the prefix, borrowed */
	const char *eprefix; /* its physical path, borrowed */
	bool guest; /* stands on the host's C library (--libc=host) */
	struct strv forbidden; /* directories that may not be named though they are in the prefix */
	struct strv library_dirs; /* absolute, where the loader looks by itself */
};

/*
 * Learn where the loader of this prefix looks: usr/lib, lib and their 64-bit kin, and, when
 * etc/ld.so.cache says that ldconfig has run, the directories of etc/ld.so.conf. Forbids
 * EPREFIX/tmp.
 */
void leak_init(struct leak *l, int root, const char *eprefix, bool guest);
/* Let dir (absolute, a build directory say) not be named either. */
void leak_forbid(struct leak *l, const char *dir);
void leak_fini(struct leak *l);

/*
 * Look at one regular file: loader, needed libraries and search paths of ELF and Mach-O objects,
 * the interpreter of an executable script, paths in .pc, .la and configuration files. path is
 * relative to the prefix. Touches nothing of *l: threads may share it.
 */
void leak_check_file(
	const struct leak *l, const char *path, mode_t mode, struct str data, struct flaws *f);
void leak_check_symlink(
	const struct leak *l, const char *path, const char *target, struct flaws *f);
/*
 * Look at a tree that is to be merged into the prefix: scripts, symlinks, paths in text, and mode
 * bits that let others in. Not at objects, whose libraries may be either there or here. image:
 * descriptor of what will be the prefix's top directory.
 */
bool leak_check_image(const struct leak *l, int image, struct flaws *f, struct err *e);
/*
 * Ask the prefix's own gcc, g++ and ld where they look (gcc -v, -print-search-dirs, ld --verbose).
 * A prefix without them, or a guest, has nothing to ask. *asked: how many were there. False when
 * one could not be run.
 */
bool leak_check_tools(const struct leak *l, size_t *asked, struct flaws *f, struct err *e);

/* What may be named though it is outside. Ends with an entry whose value is NULL. */
struct leak_exception {
	enum flaw_kind kind;
	bool guest_only;
	const char *path; /* glob over the file that names it, relative to the prefix */
	const char *value; /* glob over what is named; "*" spans "/" */
	const char *why;
};
extern const struct leak_exception leak_exceptions[];

/* Is this absolute path one that such a file may name? */
bool leak_allows(const struct leak *l, enum flaw_kind kind, const char *file, const char *value);

#endif
