#ifndef PMS_WORLD_H
#define PMS_WORLD_H

#include "err.h"
#include "vec.h"

/* What the user asked for: var/lib/portage/world and world_sets (portage-formats §4). */
struct world {
	struct strv atoms; /* "cat/pkg", "cat/pkg:slot", optionally "::repo"; sorted, no doubles */
	struct strv sets; /* "@name" */
	struct strv bad; /* lines that are neither; dropped by the next write */
};

#define WORLD_FILE "var/lib/portage/world"

#define WORLD_INIT ((struct world){ 0 })

/* root: descriptor of EROOT. Missing files read as empty. */
bool world_read(struct world *w, int root, struct err *e);
/* Sorted, written aside and renamed, under Portage's lock; files that do not change are left. */
bool world_write(struct world *w, int root, struct err *e);
/* Add or remove one atom or @set; false when there was nothing to do. */
bool world_add(struct world *w, const char *entry);
bool world_remove(struct world *w, const char *entry);
void world_fini(struct world *w);

#endif
