#ifndef PMS_VERSION_H
#define PMS_VERSION_H

#include "str.h"

/*
 * Package versions (PMS chapter 3): N(.N)*[a-z]?(_(alpha|beta|pre|rc|p)N?)*(-rN)?, numbers of
 * any length. A version is kept as its text; nothing here allocates.
 */

bool version_valid(struct str v);
/* <0, 0, >0 by PMS algorithms 3.1 to 3.7. Both versions must be valid. */
int version_cmp(struct str a, struct str b);
/* Without "-rN". */
struct str version_base(struct str v);
/* The digits of "-rN"; empty when there is no revision. */
struct str version_revision(struct str v);
/*
 * Does v match "=pattern*"? As Portage's glob: a prefix of the text that ends at a boundary
 * between version parts (1* does not match 10), leading zeros of the first number ignored.
 */
bool version_glob(struct str pattern, struct str v);

/* "cat/pn-ver" in its parts, all slices of the text. */
struct cpv {
	struct str cat; /* empty when the text has no "/" */
	struct str pn;
	struct str cp; /* "cat/pn"; just pn without a category */
	struct str version; /* with its revision */
	struct str pf; /* "pn-ver" */
};

/* Split "[cat/]pn-ver[-rN]"; false when it is not one (pn may not end in a version). */
bool cpv_split(struct str s, struct cpv *out);
/* Split "pn-ver" without looking at the characters of pn: *at is the index of the hyphen. */
bool pf_version_at(struct str pf, size_t *at);

bool name_category(struct str s);
/* A package name: no version at its end. */
bool name_package(struct str s);
/* A slot or a sub-slot. */
bool name_slot(struct str s);
/* A repository: also a package name (PMS 3.1.5). */
bool name_repo(struct str s);
bool name_flag(struct str s);

#endif
