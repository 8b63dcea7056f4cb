#ifndef CORE_FETCH_STAMP_H
#define CORE_FETCH_STAMP_H

#include "fetch.h"

/* Remember that dir/NAME was just found to be what it must be. */
void stamp_add(int dir, const struct fetch_file *file);
/*
 * fetch_check in an open directory: *why says what is wrong ("absent", …; the caller's own),
 * NULL when the file is good.
 */
bool check_at(int dir, const struct fetch_file *file, char **why, struct err *e);

#endif
