#include "pkg.h"

#include "version.h"

struct iuse *pkg_iuse(const struct pkg *p, struct str flag)
{
	for (size_t i = 0; i < p->n_iuse; i++) {
		if (str_eq(p->iuse[i].name, flag))
			return &p->iuse[i];
	}
	return NULL;
}

static bool implicit_valid(const struct implicit_use *u, struct str flag)
{
	for (size_t i = 0; i < u->n_prefixes; i++) {
		if (str_starts(flag, u->prefixes[i].p))
			return true;
	}
	return map_get(&u->valid, flag) != NULL;
}

bool pkg_flag_valid(const struct pkg *p, struct str flag)
{
	if (pkg_iuse(p, flag) != NULL)
		return true;
	return p->implicit != NULL && implicit_valid(p->implicit, flag);
}

bool pkg_flag_on(const struct pkg *p, struct str flag)
{
	const struct iuse *own = pkg_iuse(p, flag);
	if (own != NULL)
		return own->on;
	return p->implicit != NULL && map_get(&p->implicit->on, flag) != NULL;
}

bool pkg_flag_on_cb(const void *pkg, struct str flag)
{
	return pkg_flag_on(pkg, flag);
}

bool pkg_flag_valid_cb(const void *pkg, struct str flag)
{
	return pkg_flag_valid(pkg, flag);
}

int pkg_cmp(const struct pkg *a, const struct pkg *b)
{
	int c = str_cmp(a->cp, b->cp);
	return c != 0 ? c : version_cmp(a->version, b->version);
}
