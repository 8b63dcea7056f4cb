#ifndef CORE_LEAK_INT_H
#define CORE_LEAK_INT_H

/* What the parts of leak share; nobody else's. */
#include "leak.h"

/* The part of an absolute path below the prefix ("" for itself), NULL: it is not below it. */
const char *leak_below(const struct leak *l, const char *path);

/* The first line of an executable, if it is a script. */
void leak_check_script(const struct leak *l, const char *path, struct str data, struct flaws *f);
void leak_check_elf(const struct leak *l, const char *path, struct str data, struct flaws *f);
void leak_check_macho(const struct leak *l, const char *path, struct str data, struct flaws *f);
/* Paths in a file that other builds read: .pc, .la, NAME-config, sysconfig and the like. */
void leak_check_text(const struct leak *l, const char *path, struct str data, struct flaws *f);

#endif
