#ifndef CORE_FETCH_SNIFF_H
#define CORE_FETCH_SNIFF_H

#include "str.h"

/* Enough of a file's beginning to tell a web page. */
enum { SNIFF_BYTES = 2048 };

/* Do these first bytes begin an HTML document? */
bool sniff_is_page(struct str begin);
/* May a file of this name rightly be a web page (.html, .xml, …)? */
bool sniff_page_is_fine(const char *name);
/* The text of <title>, borrowed from begin; empty when there is none. */
struct str sniff_title(struct str begin);

#endif
