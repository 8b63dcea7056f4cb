#include "repo_int.h"

#include "eapi.h"
#include "fs.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define KEY(name)                                                                                  \
	{                                                                                          \
		name, sizeof(name) - 1                                                             \
	}
static const struct str key_names[PKG_KEYS] = {
	[PKG_DEPEND] = KEY("DEPEND"),
	[PKG_RDEPEND] = KEY("RDEPEND"),
	[PKG_PDEPEND] = KEY("PDEPEND"),
	[PKG_BDEPEND] = KEY("BDEPEND"),
	[PKG_IDEPEND] = KEY("IDEPEND"),
	[PKG_REQUIRED_USE] = KEY("REQUIRED_USE"),
	[PKG_LICENSE] = KEY("LICENSE"),
	[PKG_PROPERTIES] = KEY("PROPERTIES"),
	[PKG_RESTRICT] = KEY("RESTRICT"),
	[PKG_SRC_URI] = KEY("SRC_URI"),
	[PKG_DESCRIPTION] = KEY("DESCRIPTION"),
	[PKG_HOMEPAGE] = KEY("HOMEPAGE"),
	[PKG_DEFINED_PHASES] = KEY("DEFINED_PHASES"),
	[PKG_INHERIT] = KEY("INHERIT"),
};

const char *pkg_key_name(enum pkg_key key)
{
	return key_names[key].p;
}

void pkg_broken(struct arena *a, struct pkg *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	p->broken = true;
	p->problem = arena_strdup(a, text);
	free(text);
}

/* Add a flag of IUSE; one that is listed twice keeps its last preset. */
static void add_iuse(struct pkg *p, struct str word)
{
	bool preset = word.p[0] == '+' || word.p[0] == '-';
	struct iuse flag = { 0 };
	if (preset)
		flag.preset = word.p[0];
	flag.name = (struct str){ word.p + preset, word.n - preset };
	struct iuse *twin = pkg_iuse(p, flag.name);
	if (twin == NULL)
		p->iuse[p->n_iuse++] = flag;
	else if (preset)
		twin->preset = flag.preset;
}

static void set_iuse(struct arena *a, struct pkg *p, struct str value)
{
	struct str rest = value, word;
	size_t n = 0;
	while (str_word(&rest, &word))
		n++;
	p->iuse = arena_calloc(a, n, sizeof *p->iuse);
	p->n_iuse = 0;
	while (str_word(&value, &word))
		add_iuse(p, word);
}

void pkg_set_field(struct arena *a, struct pkg *p, struct str key, struct str value)
{
	for (size_t i = 0; i < PKG_KEYS; i++) {
		if (str_eq(key, key_names[i])) {
			p->meta[i] = value;
			return;
		}
	}
	if (str_is(key, "EAPI"))
		p->eapi = value;
	else if (str_is(key, "SLOT"))
		p->slot = value;
	else if (str_is(key, "KEYWORDS"))
		p->keywords = value;
	else if (str_is(key, "IUSE"))
		set_iuse(a, p, value);
}

void pkg_filled(struct arena *a, struct pkg *p)
{
	(void)a;
	if (p->eapi.n == 0)
		p->eapi = STR("0");
	struct str slot = p->slot, rest = slot, sub;
	bool valid = str_split(&rest, '/', &p->slot) && name_slot(p->slot);
	sub = rest.p != NULL ? rest : p->slot;
	bool has_sub = rest.p != NULL;
	valid = valid && name_slot(sub);
	valid = valid && (!has_sub || (eapi_features(p->eapi) & EAPI_SLOT_OPERATORS));
	p->slot = valid ? p->slot : STR("0");
	p->subslot = valid ? sub : STR("0");
	unsigned features = eapi_features(p->eapi);
	if ((features & EAPI_BDEPEND) == 0)
		p->meta[PKG_BDEPEND] = STR("");
	if ((features & EAPI_IDEPEND) == 0)
		p->meta[PKG_IDEPEND] = STR("");
	if ((features & EAPI_REQUIRED_USE) == 0)
		p->meta[PKG_REQUIRED_USE] = STR("");
	p->loaded = true;
}

void pkg_fill(struct arena *a, struct pkg *p, struct str text)
{
	struct str line, key;
	while (str_split(&text, '\n', &line)) {
		struct str value = line;
		if (str_split(&value, '=', &key) && value.p != NULL)
			pkg_set_field(a, p, key, value);
	}
	pkg_filled(a, p);
}

/* Is the ebuild of a cache entry still there? */
static bool ebuild_exists(const struct pkg *p)
{
	struct buf path = BUF_INIT;
	buf_add_str(&path, p->cp);
	buf_addc(&path, '/');
	buf_add_str(&path, p->pf);
	buf_adds(&path, ".ebuild");
	bool there = fs_exists(p->repo->fd, buf_str(&path));
	buf_fini(&path);
	return there;
}

/* REPO/metadata/md5-cache/<cat>/<pf>. */
static bool ebuild_metadata(struct repo_set *s, struct pkg *p, struct str *text, struct err *e)
{
	struct buf path = BUF_INIT, content = BUF_INIT;
	buf_add_str(&path, p->cat);
	buf_addc(&path, '/');
	buf_add_str(&path, p->pf);
	int at = p->repo->cache_fd;
	bool ok = at >= 0 && fs_read(at, buf_str(&path), &content, e);
	if (!ok && (at < 0 || e->sys == ENOENT)) {
		*e = ERR_INIT;
		ok = true;
		pkg_broken(&s->arena, p,
			"%s/metadata/md5-cache/%s is missing; Portage makes it (egencache "
			"--update)",
			p->repo->path, buf_str(&path));
	}
	char *copy = arena_alloc(&s->arena, content.n + 1);
	memcpy(copy, buf_str(&content), content.n);
	copy[content.n] = '\0';
	*text = (struct str){ copy, content.n };
	buf_fini(&content);
	buf_fini(&path);
	return ok;
}

bool pkg_load(struct repo_set *s, struct pkg *p, struct err *e)
{
	if (p->loaded)
		return true;
	struct str text = { NULL, 0 };
	bool ok = p->kind == PKG_RECIPE ? recipe_metadata(s, p, &text, e)
					: ebuild_metadata(s, p, &text, e);
	if (!ok)
		return false;
	pkg_fill(&s->arena, p, text);
	if (p->broken)
		return true;
	if (p->from_cache && !ebuild_exists(p))
		pkg_broken(&s->arena, p, "its ebuild is gone from %s", p->repo->path);
	else if (!eapi_known(p->eapi))
		pkg_broken(&s->arena, p, "its EAPI %.*s is not known", STR_ARG(p->eapi));
	return true;
}

bool pkg_deps(
	struct arena *a, struct pkg *p, enum pkg_key key, const struct dep **out, struct err *e)
{
	unsigned bit = 1U << key;
	if (!(p->deps_parsed & bit)) {
		struct dep_parse how = { .syntax = DEP_OF_ATOMS, .eapi = p->eapi };
		/* Records keep the repository and the build's own choices in their atoms. */
		if (p->kind == PKG_INSTALLED)
			how.atom_flags = ATOM_REPO;
		else if (p->repo != NULL && a == &p->repo->set->arena && eapi_known(p->eapi))
			how.atoms = &p->repo->set->atoms[p->eapi.p[0] - '0'];
		if (!dep_parse(a, p->meta[key], &how, &p->deps[key], e)) {
			err_in(e, "%.*s-%.*s: %s", STR_ARG(p->cp), STR_ARG(p->version),
				key_names[key].p);
			pkg_broken(a, p, "%s", e->message);
			return false;
		}
		p->deps_parsed = (uint8_t)(p->deps_parsed | bit);
	}
	*out = p->deps[key];
	return true;
}
