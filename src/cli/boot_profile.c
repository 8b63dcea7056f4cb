#include "boot.h"

#include "fs.h"
#include "json_in.h"

#include <fcntl.h>
#include <stdlib.h>

#define LINK "etc/portage/make.profile"

/* The profile of this kind of machine, relative to etc/portage, the boot's own; NULL: none. */
static const char *profile_of(struct boot *b, struct err *e)
{
	struct json *doc = json_parse((struct str){ b->facts.p, b->facts.n }, e);
	if (doc == NULL)
		return NULL;
	struct str os = json_string(json_get(doc, "os")), arch = json_string(json_get(doc, "arch"));
	const char *name = arena_printf(&b->arena, "var/db/repos/gentoo-prefix/profiles/%.*s/%.*s",
		STR_ARG(os), STR_ARG(arch));
	json_free(doc);
	return name;
}

bool boot_profile(struct boot *b, struct err *e)
{
	const char *link = boot_path(b, LINK);
	if (cli_has(b->cli, "pretend") || fs_exists(AT_FDCWD, link))
		return true;
	const char *profile = profile_of(b, e);
	if (profile == NULL || !fs_is_dir(AT_FDCWD, boot_path(b, profile)))
		return e->code == ERR_NONE;
	return fs_symlink(arena_printf(&b->arena, "../../%s", profile), AT_FDCWD, link, e);
}
