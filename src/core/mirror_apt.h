#ifndef CORE_MIRROR_APT_H
#define CORE_MIRROR_APT_H

#include "mirror.h"

/*
 * The addresses below which apt on this host finds pool/, best first: those of a Debian archive
 * before others. sysroot as in mirrors_add_apt.
 */
bool apt_bases(const char *sysroot, struct mirror_urls *out, struct err *e);

/* One archive of a sources.list or *.sources file, as written (sources.list(5)). */
struct apt_source {
	char *uri; /* without trailing '/' */
	bool main; /* has a component "main", and a suite that is no plain path */
};
struct apt_sources {
	struct apt_source *v;
	size_t n, cap;
};
void apt_sources_fini(struct apt_sources *s);
/* Append what the one-line style says ("deb [options] URI suite component…"). */
void apt_parse_list(struct str text, struct apt_sources *out);
/* Append what the deb822 style says (stanzas with Types, URIs, Suites, Components, Enabled). */
void apt_parse_sources(struct str text, struct apt_sources *out);

/*
 * apt.conf(5) as a flat list of "scope::name" (lower case) and value, in order; a later value
 * wins.
 */
struct apt_setting {
	char *name, *value;
};
struct apt_conf {
	struct apt_setting *v;
	size_t n, cap;
};
void apt_conf_parse(struct str text, struct apt_conf *out);
/* The value of a setting whose name is given in lower case, NULL when it is not set. */
const char *apt_conf_get(const struct apt_conf *c, const char *name);
void apt_conf_fini(struct apt_conf *c);

#endif
