#include "engine.h"

#include "fetch_setup.h"

static const char *config_value(const void *ctx, const char *name)
{
	return config_var(ctx, name);
}

bool downloads_open(struct downloads *d, const struct engine *g, struct err *e)
{
	*d = (struct downloads){ 0 };
	size_t n = g->repos->list.n;
	const char **repos = arena_calloc(&d->arena, n + 1, sizeof *repos);
	/* The highest priority first. */
	for (size_t i = 0; i < n; i++)
		repos[i] = g->repos->list.v[n - 1 - i]->path;
	const struct fetch_setup setup = { .eprefix = g->eprefix,
		.repos = repos,
		.n_repos = n,
		.var = config_value,
		.ctx = g->config,
		.arena = &d->arena };
	if (!fetch_set_up(&setup, &d->opts, &d->mirrors, e))
		return false;
	const char *distdir = config_var(g->config, "DISTDIR");
	d->opts.distdir = distdir[0] != '\0'
				  ? distdir
				  : arena_printf(&d->arena, "%s/var/cache/distfiles", g->eprefix);
	return true;
}

void downloads_close(struct downloads *d)
{
	mirrors_free(d->mirrors);
	arena_fini(&d->arena);
	*d = (struct downloads){ 0 };
}
