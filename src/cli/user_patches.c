#include "user_patches.h"

#include "digest.h"
#include "fs.h"
#include "str.h"
#include "version.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* The patches of one directory by name; *any when there is one. */
static bool add_directory(struct digest *d, const char *dir, bool *any, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = !fs_is_dir(AT_FDCWD, dir) || fs_list(AT_FDCWD, dir, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		struct str name = str_of(names.v[i]);
		char hex[DIGEST_HEX_MAX];
		if (!str_ends(name, ".patch") && !str_ends(name, ".diff"))
			continue;
		char *path = path_join(dir, names.v[i]);
		ok = digest_file(AT_FDCWD, path, DIGEST_SHA256, hex, e);
		if (ok) {
			digest_add(d, path, strlen(path) + 1);
			digest_add(d, hex, strlen(hex) + 1);
			*any = true;
		}
		free(path);
	}
	strv_fini(&names);
	return ok;
}

bool user_patches(struct arena *a, const char *eprefix, struct pkg_meta *m, struct err *e)
{
	const char *root = arena_printf(a, "%s/etc/portage/patches/%s", eprefix, m->category);
	m->patches_digest = "";
	if (!fs_is_dir(AT_FDCWD, root))
		return true;
	struct str bare = version_base(str_of(m->pvr));
	const char *names[] = { m->pn, arena_printf(a, "%s-%.*s", m->pn, STR_ARG(bare)),
		arena_printf(a, "%s-%s", m->pn, m->pvr) };
	struct digest *d = digest_new(DIGEST_SHA256);
	char hex[DIGEST_HEX_MAX];
	bool any = false, ok = true;
	for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++) {
		const char *dir = arena_printf(a, "%s/%s", root, names[i]);
		const char *of_slot =
			arena_printf(a, "%s:%.*s", dir, (int)strcspn(m->slot, "/"), m->slot);
		ok = add_directory(d, dir, &any, e) && add_directory(d, of_slot, &any, e);
	}
	digest_hex(d, DIGEST_SHA256, hex);
	digest_free(d);
	if (any)
		m->patches_digest = arena_strdup(a, hex);
	return ok;
}
