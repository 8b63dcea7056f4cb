#ifndef CORE_MIRROR_H
#define CORE_MIRROR_H

#include "err.h"
#include "str.h"
#include "vec.h"

/*
 * What stands behind mirror://NAME/path. Lists come from profiles/thirdpartymirrors and the
 * user's etc/portage/mirrors (portage(5): "NAME URL…" a line); mirror://debian/ also from the
 * host's own apt sources, so that no registry has to be named anywhere.
 */

/* One address; both strings are owned by the vector that holds it. */
struct mirror_url {
	char *url;
	char *proxy; /* "" is none, NULL: as the environment says */
};
struct mirror_urls {
	struct mirror_url *v;
	size_t n, cap;
};
void mirror_urls_fini(struct mirror_urls *u);

struct mirrors;
struct mirrors *mirrors_new(void);
void mirrors_free(struct mirrors *m); /* accepts NULL */

/* Add the lists in text behind those already known: add the user's file first. */
void mirrors_add(struct mirrors *m, struct str text);

/*
 * Add to "debian" what apt on this host is told to use: sysroot/etc/apt/sources.list and
 * sources.list.d, with the proxies of apt.conf. sysroot is "" outside tests. Absent files are
 * no error: then nothing is added.
 */
bool mirrors_add_apt(struct mirrors *m, const char *sysroot, struct err *e);

/*
 * Append the addresses of "mirror://NAME/path" in order. False when NAME is not known (nothing
 * is appended). m may be NULL: no name is known.
 */
bool mirrors_expand(const struct mirrors *m, const char *uri, struct mirror_urls *out);

#endif
