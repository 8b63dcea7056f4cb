#ifndef CORE_CFGUPDATE_H
#define CORE_CFGUPDATE_H

#include "err.h"
#include "protect.h"
#include "vec.h"

/* Updates of configuration files that wait for a decision: the ._cfgNNNN_ files of merges. */

struct cfg_update {
	char *path; /* of the file, relative to the root; it need not be there */
	struct strv updates; /* of the ._cfg files beside it, oldest first; at least one */
};

struct cfg_updates {
	VEC(struct cfg_update) list; /* sorted by path */
};

#define CFG_UPDATES_INIT ((struct cfg_updates){ 0 })

/* All that lie below the protected directories of the root. */
bool cfg_find(struct cfg_updates *u, int root, const struct protect *protect, struct err *e);
/* The newest of a file's updates. */
const char *cfg_newest(const struct cfg_update *u);
/* Does the newest update hold what the file holds? */
bool cfg_same(int root, const struct cfg_update *u);
/* The newest update takes the file's place in one rename; older ones are removed. */
bool cfg_accept(int root, const struct cfg_update *u, struct err *e);
/* The updates are removed; the config memory sees to it that they are not offered again. */
bool cfg_reject(int root, const struct cfg_update *u, struct err *e);
void cfg_updates_fini(struct cfg_updates *u);

#endif
