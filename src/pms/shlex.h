#ifndef PMS_SHLEX_H
#define PMS_SHLEX_H

#include "str.h"

struct vars;

/*
 * Words as Python's shlex in POSIX mode splits them with Portage's set of word characters
 * (portage-formats §6, make.conf).
 */
struct shlex {
	struct str rest;
	unsigned line; /* of the next character, from 1 */
};

/* The next word, the caller's; NULL at the end, or with *why set when the text is malformed. */
char *shlex_next(struct shlex *s, const char **why);
/* Does nothing but blanks or a comment follow on this line? */
bool shlex_at_line_end(const struct shlex *s);

/*
 * Append value with $NAME and ${NAME} replaced; unset ones vanish. False with *why set on a bad
 * substitution.
 */
bool shlex_expand(struct str value, const struct vars *vars, struct buf *out, const char **why);

#endif
