#include "mirror.h"

#include "mirror_apt.h"

#include <stdlib.h>

/* One name and what stands behind it, in order. */
struct mirror {
	char *name;
	struct mirror_urls urls;
};
struct mirrors {
	VEC(struct mirror) all;
};

void mirror_urls_fini(struct mirror_urls *u)
{
	for (size_t i = 0; i < u->n; i++) {
		free(u->v[i].url);
		free(u->v[i].proxy);
	}
	vec_fini(u);
}

struct mirrors *mirrors_new(void)
{
	return xcalloc(1, sizeof(struct mirrors));
}

void mirrors_free(struct mirrors *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < m->all.n; i++) {
		free(m->all.v[i].name);
		mirror_urls_fini(&m->all.v[i].urls);
	}
	vec_fini(&m->all);
	free(m);
}

static struct mirror *find(const struct mirrors *m, struct str name)
{
	for (size_t i = 0; m != NULL && i < m->all.n; i++) {
		if (str_is(name, m->all.v[i].name))
			return &m->all.v[i];
	}
	return NULL;
}

static struct mirror *find_or_add(struct mirrors *m, struct str name)
{
	struct mirror *found = find(m, name);
	if (found != NULL)
		return found;
	vec_push(&m->all, (struct mirror){ .name = xstrndup(name.p, name.n) });
	return &m->all.v[m->all.n - 1];
}

/* The base without trailing '/', once. */
static void add_base(struct mirror *mirror, struct str base, const char *proxy)
{
	while (base.n > 0 && base.p[base.n - 1] == '/')
		base.n--;
	if (base.n == 0)
		return;
	for (size_t i = 0; i < mirror->urls.n; i++) {
		if (str_is(base, mirror->urls.v[i].url))
			return;
	}
	vec_push(&mirror->urls, (struct mirror_url){ .url = xstrndup(base.p, base.n),
					.proxy = proxy != NULL ? xstrdup(proxy) : NULL });
}

void mirrors_add(struct mirrors *m, struct str text)
{
	struct str line, name, base;
	while (str_split(&text, '\n', &line)) {
		if (!str_word(&line, &name) || name.p[0] == '#')
			continue;
		struct mirror *mirror = find_or_add(m, name);
		while (str_word(&line, &base) && base.p[0] != '#')
			add_base(mirror, base, NULL);
	}
}

bool mirrors_add_apt(struct mirrors *m, const char *sysroot, struct err *e)
{
	struct mirror_urls bases = { 0 };
	bool ok = apt_bases(sysroot, &bases, e);
	struct mirror *debian = ok && bases.n > 0 ? find_or_add(m, STR("debian")) : NULL;
	for (size_t i = 0; debian != NULL && i < bases.n; i++)
		add_base(debian, str_of(bases.v[i].url), bases.v[i].proxy);
	mirror_urls_fini(&bases);
	return ok;
}

bool mirrors_expand(const struct mirrors *m, const char *uri, struct mirror_urls *out)
{
	struct str rest = str_of(uri), name;
	if (!str_starts(rest, "mirror://"))
		return false;
	rest = (struct str){ rest.p + 9, rest.n - 9 };
	if (!str_split(&rest, '/', &name) || rest.n == 0)
		return false;
	const struct mirror *mirror = find(m, name);
	if (mirror == NULL || mirror->urls.n == 0)
		return false;
	for (size_t i = 0; i < mirror->urls.n; i++) {
		const struct mirror_url *base = &mirror->urls.v[i];
		vec_push(out,
			(struct mirror_url){ .url = xasprintf("%s/%.*s", base->url, STR_ARG(rest)),
				.proxy = base->proxy != NULL ? xstrdup(base->proxy) : NULL });
	}
	return true;
}
