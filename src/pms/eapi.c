#include "eapi.h"

bool eapi_known(struct str eapi)
{
	return eapi.n == 1 && chr_digit(eapi.p[0]);
}

unsigned eapi_features(struct str eapi)
{
	static const struct {
		unsigned char first, last;
		unsigned features;
	} since[] = {
		{ 0, 3, EAPI_IMPLICIT_RDEPEND },
		{ 0, 6, EAPI_EMPTY_GROUPS_TRUE },
		{ 1, 9, EAPI_IUSE_DEFAULTS | EAPI_SLOT_DEPS },
		{ 2, 9, EAPI_USE_DEPS | EAPI_STRONG_BLOCKS | EAPI_SRC_URI_ARROWS },
		{ 4, 9, EAPI_USE_DEP_DEFAULTS | EAPI_REQUIRED_USE },
		{ 5, 9,
			EAPI_SLOT_OPERATORS | EAPI_AT_MOST_ONE_OF | EAPI_STABLE_MASK |
				EAPI_IUSE_EFFECTIVE },
		{ 7, 9, EAPI_PROFILE_DIRS | EAPI_BDEPEND },
		{ 8, 9, EAPI_IDEPEND | EAPI_SELECTIVE_URI },
	};
	if (!eapi_known(eapi))
		return ~(unsigned)(EAPI_EMPTY_GROUPS_TRUE | EAPI_IMPLICIT_RDEPEND |
				   EAPI_PROFILE_DIRS | EAPI_IUSE_EFFECTIVE);
	unsigned number = (unsigned)(eapi.p[0] - '0'), features = 0;
	for (size_t i = 0; i < sizeof since / sizeof *since; i++) {
		if (number >= since[i].first && number <= since[i].last)
			features |= since[i].features;
	}
	return features;
}
