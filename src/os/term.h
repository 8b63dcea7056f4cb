#ifndef OS_TERM_H
#define OS_TERM_H

#include <stdbool.h>

enum term_color { TERM_AUTO, TERM_ALWAYS, TERM_NEVER };

/* Is the descriptor a terminal that can do a live view (TERM not "dumb")? */
bool term_is_live(int fd);
/* Columns, 80 when unknown. */
int term_width(int fd);
/* Colour for this descriptor? auto: a terminal, and NO_COLOR unset. */
bool term_use_color(int fd, enum term_color wish);

#endif
