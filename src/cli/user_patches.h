#ifndef CLI_USER_PATCHES_H
#define CLI_USER_PATCHES_H

#include "plan.h"

/*
 * Set m->patches_digest to a digest of the user's patches for the package, below
 * EPREFIX/etc/portage/patches in the directories that lua/patch.lua applies: a build that was
 * interrupted does not go on with other patches. "" without any; a owns it. m needs category, pn,
 * pvr and slot.
 */
bool user_patches(struct arena *a, const char *eprefix, struct pkg_meta *m, struct err *e);

#endif
