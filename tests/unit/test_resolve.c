#include "config.h"
#include "fs.h"
#include "resolve.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A prefix with one repository of metadata, and what is installed. */
struct world {
	char *prefix;
	int fd;
	struct repo_set *repos;
	struct config *config;
	struct pkg installed[8];
	size_t n_installed;
	struct arena arena;
	struct err e;
};

static void put(struct world *w, const char *path, const char *text)
{
	char *dir = xstrdup(path), *slash = strrchr(dir, '/');
	*slash = '\0';
	CHECK_OK(fs_mkdirs(w->fd, dir, 0755, &w->e), w->e);
	CHECK_OK(fs_write(w->fd, path, text, strlen(text), 0644, &w->e), w->e);
	free(dir);
}

static void package(struct world *w, const char *cpv, const char *fields)
{
	struct buf text = BUF_INIT;
	char *path = xasprintf("r/metadata/md5-cache/%s", cpv);
	char *ebuild = xasprintf(
		"r/a/%.*s/%s.ebuild", (int)(strrchr(cpv, '-') - cpv - 2), cpv + 2, cpv + 2);
	put(w, ebuild, "");
	free(ebuild);
	buf_printf(&text, "DEFINED_PHASES=-\nEAPI=8\nKEYWORDS=amd64\nSLOT=0\n%s", fields);
	put(w, path, buf_str(&text));
	buf_fini(&text);
	free(path);
}

static void start(struct world *w)
{
	*w = (struct world){ .prefix = fs_real(test_dir(), &w->e) };
	CHECK_OK(fs_open_dir(AT_FDCWD, w->prefix, &w->fd, &w->e), w->e);
	put(w, "r/profiles/repo_name", "r\n");
	put(w, "r/profiles/categories", "a\n");
	put(w, "r/metadata/layout.conf", "masters =\n");
	put(w, "profile/make.defaults", "ARCH=\"amd64\"\nACCEPT_KEYWORDS=\"amd64\"\n");
	char *conf = xasprintf("[r]\nlocation = %s/r\n", w->prefix);
	put(w, "etc/portage/repos.conf", conf);
	free(conf);
}

static void load(struct world *w)
{
	const struct repos_options ro = { .eprefix = w->prefix, .config_root = w->prefix };
	CHECK_OK(repo_set_open(&w->repos, &ro, &w->e), w->e);
	char *profile = path_join(w->prefix, "profile");
	const struct config_options co = {
		.eprefix = w->prefix, .profile = profile, .repos = w->repos
	};
	CHECK_OK(config_load(&w->config, &co, &w->e), w->e);
	free(profile);
}

static void install(struct world *w, const char *pn, const char *version, const char *slot)
{
	struct pkg *p = &w->installed[w->n_installed++];
	*p = (struct pkg){ .kind = PKG_INSTALLED, .loaded = true, .use_done = true };
	p->cat = STR("a");
	p->pn = str_of(arena_strdup(&w->arena, pn));
	p->cp = str_of(arena_printf(&w->arena, "a/%s", pn));
	p->version = str_of(arena_strdup(&w->arena, version));
	p->pf = str_of(arena_printf(&w->arena, "%s-%s", pn, version));
	p->slot = p->subslot = str_of(arena_strdup(&w->arena, slot));
	p->eapi = STR("8");
}

/* "b-1 a-1", or "!" and the message. */
static char *solve(struct world *w, const char *request, struct resolve_opts opts)
{
	struct buf out = BUF_INIT;
	struct resolution r;
	struct err e = ERR_INIT;
	const struct atom *atom = atom_parse(&w->arena, str_of(request), STR(""), 0, &e);
	const struct resolve_input in = { w->repos, w->config, w->installed, w->n_installed, &atom,
		1, NULL, NULL, opts };
	bool ok = resolve(&in, &r, &e);
	for (size_t i = 0; ok && i < r.list.n; i++)
		buf_printf(&out, "%s%.*s", i > 0 ? " " : "", STR_ARG(r.list.v[i].pkg->pf));
	for (size_t i = 0; ok && i < r.keywords.n; i++)
		buf_printf(&out, " | %s", r.keywords.v[i]);
	for (size_t i = 0; ok && i < r.uses.n; i++)
		buf_printf(&out, " | %s", r.uses.v[i]);
	if (!ok)
		buf_printf(&out, "!%s", e.message);
	resolution_fini(&r);
	return buf_take(&out);
}

static void expect(struct world *w, const char *request, const char *want)
{
	char *got = solve(w, request, (struct resolve_opts){ 0 });
	CHECK_STR(got, want);
	free(got);
}

static void end(struct world *w)
{
	config_free(w->config);
	repo_set_free(w->repos);
	arena_fini(&w->arena);
	close(w->fd);
	free(w->prefix);
}

TEST(resolve_orders_dependencies_first)
{
	struct world w;
	start(&w);
	package(&w, "a/top-1", "DEPEND=a/build\nRDEPEND=a/run\nPDEPEND=a/post\n");
	package(&w, "a/build-1", "");
	package(&w, "a/run-1", "RDEPEND=a/top\n");
	package(&w, "a/post-1", "");
	load(&w);
	expect(&w, "a/top", "build-1 run-1 top-1 post-1");
	end(&w);
}

TEST(resolve_takes_the_highest_visible_version)
{
	struct world w;
	start(&w);
	package(&w, "a/x-1.9", "");
	package(&w, "a/x-1.10", "");
	package(&w, "a/x-2", "KEYWORDS=~amd64\n");
	load(&w);
	expect(&w, "a/x", "x-1.10");
	expect(&w, "<a/x-1.10", "x-1.9");
	end(&w);
}

TEST(resolve_keeps_what_is_installed)
{
	struct world w;
	start(&w);
	package(&w, "a/top-1", "RDEPEND=a/lib\n");
	package(&w, "a/lib-2", "");
	load(&w);
	install(&w, "lib", "1", "0");
	expect(&w, "a/top", "top-1");
	char *got = solve(&w, "a/top", (struct resolve_opts){ .update = true, .deep = true });
	CHECK_STR(got, "lib-2 top-1");
	free(got);
	end(&w);
}

TEST(resolve_prefers_the_installed_alternative_then_the_leftmost)
{
	struct world w;
	start(&w);
	package(&w, "a/top-1", "RDEPEND=|| ( a/none a/l a/r )\n");
	package(&w, "a/l-1", "");
	package(&w, "a/r-1", "");
	load(&w);
	expect(&w, "a/top", "l-1 top-1");
	install(&w, "r", "1", "0");
	expect(&w, "a/top", "top-1");
	end(&w);
}

TEST(resolve_says_what_the_configuration_lacks)
{
	struct world w;
	start(&w);
	package(&w, "a/top-1", "RDEPEND=a/new a/lib[x]\n");
	package(&w, "a/new-1", "KEYWORDS=~amd64\n");
	package(&w, "a/lib-1", "IUSE=x\n");
	load(&w);
	expect(&w, "a/top", "new-1 lib-1 top-1 | =a/new-1 ~amd64 | >=a/lib-1 x");
	end(&w);
}

TEST(resolve_explains_failures)
{
	struct world w;
	start(&w);
	package(&w, "a/top-1", "DEPEND=a/mid\n");
	package(&w, "a/mid-1", "DEPEND=a/gone\n");
	package(&w, "a/self-1", "DEPEND=a/self\n");
	package(&w, "a/one-1", "RDEPEND=!a/two a/two\n");
	package(&w, "a/two-1", "");
	load(&w);
	char *got = solve(&w, "a/top", (struct resolve_opts){ 0 });
	CHECK(strstr(got, "a/gone") != NULL && strstr(got, "a/mid-1 <- a/top-1") != NULL);
	free(got);
	got = solve(&w, "a/self", (struct resolve_opts){ 0 });
	CHECK(strstr(got, "needed to build itself") != NULL);
	free(got);
	got = solve(&w, "a/one", (struct resolve_opts){ 0 });
	CHECK(strstr(got, "cannot be beside it") != NULL);
	free(got);
	end(&w);
}
