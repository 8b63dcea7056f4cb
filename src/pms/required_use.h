#ifndef PMS_REQUIRED_USE_H
#define PMS_REQUIRED_USE_H

#include "dep.h"

/* What a REQUIRED_USE is checked against. */
struct required_use {
	flag_on *on; /* enabled flags */
	const void *on_ctx;
	flag_on *valid; /* flags of IUSE_EFFECTIVE; NULL: any */
	const void *valid_ctx;
	bool empty_any_is_false; /* EAPI 7 on */
};

/*
 * Is the tree (syntax DEP_OF_FLAGS) satisfied? When it is not and `unsatisfied` is not NULL, the
 * part that is not is appended to it, as Portage shows it. False with *e filled when a flag is not
 * valid.
 */
bool required_use_check(const struct dep *d, const struct required_use *how, bool *satisfied,
	struct buf *unsatisfied, struct err *e);

#endif
