#ifndef CORE_FETCH_PLAN_H
#define CORE_FETCH_PLAN_H

#include "fetch_layout.h"
#include "mirror.h"

/* Where one file may be had, in the order of design §8. */

/* One entry of GENTOO_MIRRORS. */
struct site {
	char *base; /* without trailing '/', a path for file:// and directories */
	bool local;
	bool known; /* layout was read (or could not be) */
	bool found; /* the mirror has a layout.conf */
	struct layout layout;
};
struct sites {
	VEC(struct site) all;
};
/* Take over the list; the layouts of local ones are read now. */
void sites_init(struct sites *s, const struct fetch_opts *o);
void sites_fini(struct sites *s);
/* The URL (or path) of its layout.conf, the caller's own. */
char *site_layout_url(const struct site *s);

/*
 * Append every address of the file: GENTOO_MIRRORS, its own URIs, those behind mirror://. An
 * unknown mirror name stays as it is, so that the report can name it.
 */
void plan_urls(const struct fetch_opts *o, const struct sites *s, const struct fetch_file *file,
	struct mirror_urls *out);

#endif
