#ifndef PMS_INI_H
#define PMS_INI_H

#include "err.h"
#include "mem.h"
#include "str.h"
#include "vec.h"

/*
 * repos.conf and its like, as Python's ConfigParser reads them: "[section]", "key = value" or
 * "key: value", indented lines continue a value, '#' and ';' start a comment line.
 */
struct ini_entry {
	struct str section, key, value; /* key in lower case */
	const char *file;
	unsigned line;
};
struct ini {
	VEC(struct ini_entry)
	list; /* in the order of the files; a section's start has an empty key */
};

/* Append what text says; everything but the list is the arena's. Errors name file and line. */
bool ini_parse(struct arena *a, struct str text, const char *file, struct ini *out, struct err *e);

#endif
