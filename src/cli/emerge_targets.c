#include "emerge.h"

#include <stdlib.h>

#define PREFIX "amdgpu_targets_"

/* Is the package compiled for targets at all, and for this one? */
static bool has_targets(const struct pkg *p)
{
	for (size_t i = 0; i < p->n_iuse; i++) {
		if (str_starts(p->iuse[i].name, PREFIX))
			return true;
	}
	return false;
}

static bool has_target(struct emerge *m, const struct pkg *p, struct str target)
{
	const char *flag = arena_printf(&m->arena, PREFIX "%.*s", STR_ARG(target));
	return pkg_iuse(p, str_of(flag)) != NULL;
}

/* The newest other version that can be compiled for it, or NULL. */
static const struct pkg *who_has(struct emerge *m, const struct pkg *p, struct str target)
{
	const struct package *all = repo_package(m->engine.repos, p->cp);
	struct err ignored = ERR_INIT;
	for (size_t i = 0; all != NULL && i < all->n; i++) {
		if (pkg_load(m->engine.repos, all->v[i], &ignored) && !all->v[i]->broken &&
			has_target(m, all->v[i], target))
			return all->v[i];
	}
	return NULL;
}

static void warn_target(struct emerge *m, struct str target)
{
	for (size_t i = 0; i < m->result.list.n; i++) {
		const struct pkg *p = m->result.list.v[i].pkg;
		if (!has_targets(p) || has_target(m, p, target))
			continue;
		const struct pkg *other = who_has(m, p, target);
		if (other != NULL)
			cli_warn("AMDGPU_TARGETS has %.*s, which %.*s is not compiled for; %.*s "
				 "still is",
				STR_ARG(target), STR_ARG(p->pf), STR_ARG(other->pf));
		else
			cli_warn("AMDGPU_TARGETS has %.*s, which no version of %.*s can be "
				 "compiled for; `eprefix doctor` tells what the cards here are",
				STR_ARG(target), STR_ARG(p->cp));
		return;
	}
}

void emerge_warn_targets(struct emerge *m)
{
	const char *value = config_var(m->engine.config, "AMDGPU_TARGETS");
	struct str rest = str_of(value != NULL ? value : ""), target;
	while (str_word(&rest, &target))
		warn_target(m, target);
}
