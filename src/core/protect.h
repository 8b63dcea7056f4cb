#ifndef CORE_PROTECT_H
#define CORE_PROTECT_H

#include "err.h"
#include "str.h"
#include "vec.h"

/* CONFIG_PROTECT and CONFIG_PROTECT_MASK: files that an update puts beside the user's own. */
struct protect {
	struct strv on, off; /* normalised paths relative to the root, without leading slash */
};

#define PROTECT_INIT ((struct protect){ 0 })

/*
 * Add the words of CONFIG_PROTECT and CONFIG_PROTECT_MASK. A word is a directory or a file,
 * relative to the root; one that starts with the offset (EPREFIX) is taken relative to it.
 */
void protect_add(struct protect *p, const char *offset, struct str on, struct str off);
/* Portage's defaults (/etc but not /etc/env.d) and what etc/profile.env of the root adds. */
bool protect_load(struct protect *p, int root, const char *offset, struct err *e);
/* Is path (relative to the root) protected? The longest matching word decides. */
bool protect_has(const struct protect *p, const char *path);
void protect_fini(struct protect *p);

/*
 * The name of an update of `path` beside it, "._cfgNNNN_NAME": the newest existing one if its
 * content has this md5 (of a symlink: the md5 of its target), else the next free number.
 * path and result are relative to root; the caller owns the result. NULL with *e filled.
 */
char *protect_update_name(int root, const char *path, const char *md5, struct err *e);

/*
 * The config memory (var/lib/portage/config): the last update that was offered for a file,
 * so that it is not offered again. `path` is absolute, with EPREFIX.
 */
struct confmem_line {
	char *path, *md5;
};
struct confmem {
	VEC(struct confmem_line) lines; /* sorted by path */
};

#define CONFMEM_INIT ((struct confmem){ 0 })

/* A missing file reads as empty. */
bool confmem_read(struct confmem *m, int root, struct err *e);
/* Written aside and renamed, only when something changed. */
bool confmem_write(const struct confmem *m, int root, struct err *e);
/* Was this update (md5 NULL: any) the last one offered for path? */
bool confmem_has(const struct confmem *m, const char *path, const char *md5);
/* md5 NULL: forget it. */
void confmem_set(struct confmem *m, const char *path, const char *md5);
void confmem_fini(struct confmem *m);

#endif
