#include "boot.h"

#include "fetch_setup.h"
#include "fs.h"
#include "makeconf.h"

#include <fcntl.h>
#include <stdlib.h>

static bool read_make_conf(struct boot *b, struct vars *out, struct err *e)
{
	struct vars expand = VARS_INIT;
	struct strv warnings = STRV_INIT;
	vars_set(&expand, "EPREFIX", b->eprefix);
	const struct makeconf m = { .arena = &b->arena,
		.expand = &expand,
		.out = out,
		.warnings = &warnings,
		.sourcing = true };
	bool ok = makeconf_read(&m, boot_path(b, "etc/portage/make.conf"), e);
	for (size_t i = 0; i < warnings.n; i++)
		cli_warn("%s", warnings.v[i]);
	strv_fini(&warnings);
	vars_fini(&expand);
	return ok;
}

bool boot_distdir(struct boot *b, struct err *e)
{
	struct vars conf = VARS_INIT;
	bool ok = read_make_conf(b, &conf, e);
	const char *wish = cli_value(b->cli, "distdir", vars_get(&conf, "DISTDIR"));
	free(b->distdir);
	b->distdir = NULL;
	if (ok && wish != NULL)
		b->distdir = fs_is_dir(AT_FDCWD, wish) ? fs_real(wish, e) : path_clean(wish);
	else
		b->distdir = path_join(b->eprefix, "var/cache/distfiles");
	vars_fini(&conf);
	if (ok && wish != NULL && b->distdir != NULL && b->distdir[0] != '/')
		return err_set(e, ERR_USAGE, "boot.distdir",
			"--distdir %s: there is no such directory", wish);
	return ok && b->distdir != NULL;
}

static const char *conf_value(const void *ctx, const char *name)
{
	return vars_get(ctx, name);
}

bool boot_fetch(struct boot *b, struct err *e)
{
	struct vars conf = VARS_INIT;
	const struct fetch_setup setup = { .eprefix = b->eprefix,
		.repos = (const char *const *)b->repos.v,
		.n_repos = b->repos.n,
		.var = conf_value,
		.ctx = &conf,
		.arena = &b->arena };
	bool ok = read_make_conf(b, &conf, e) && fetch_set_up(&setup, &b->fetch, &b->mirrors, e);
	b->fetch.distdir = b->distdir;
	b->fetch.offline = cli_has(b->cli, "offline");
	vars_fini(&conf);
	return ok;
}
