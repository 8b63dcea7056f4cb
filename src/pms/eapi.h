#ifndef PMS_EAPI_H
#define PMS_EAPI_H

#include "str.h"

#include <stdbool.h>

/* What an EAPI allows, as far as names and dependencies go (PMS, tables of chapters 7 and 8). */
enum eapi_feature {
	EAPI_IUSE_DEFAULTS = 1 << 0, /* 1.. */
	EAPI_SLOT_DEPS = 1 << 1, /* 1.. */
	EAPI_USE_DEPS = 1 << 2, /* 2.. */
	EAPI_STRONG_BLOCKS = 1 << 3, /* 2.. */
	EAPI_SRC_URI_ARROWS = 1 << 4, /* 2.. */
	EAPI_USE_DEP_DEFAULTS = 1 << 5, /* 4.. */
	EAPI_REQUIRED_USE = 1 << 6, /* 4.. */
	EAPI_SLOT_OPERATORS = 1 << 7, /* 5.. */
	EAPI_AT_MOST_ONE_OF = 1 << 8, /* 5.. */
	EAPI_STABLE_MASK = 1 << 9, /* 5..: use.stable.mask and its kin */
	EAPI_IUSE_EFFECTIVE = 1 << 10, /* 5.. */
	EAPI_EMPTY_GROUPS_TRUE = 1 << 11, /* ..6 */
	EAPI_PROFILE_DIRS = 1 << 12, /* 7..: directories for profile files */
	EAPI_BDEPEND = 1 << 13, /* 7.. */
	EAPI_IDEPEND = 1 << 14, /* 8.. */
	EAPI_SELECTIVE_URI = 1 << 15, /* 8..: fetch+ and mirror+ in SRC_URI */
	EAPI_REPO_DEPS = 1 << 16, /* none, Portage's own extension */
	EAPI_IMPLICIT_RDEPEND = 1 << 17, /* ..3: RDEPEND defaults to DEPEND */
};

/* "0" to "9": the EAPIs this program reads. */
bool eapi_known(struct str eapi);
/*
 * Bits of enum eapi_feature. An unknown or empty EAPI gets every dependency feature, as Portage
 * does where no EAPI is at hand (command line, user configuration).
 */
unsigned eapi_features(struct str eapi);

#endif
