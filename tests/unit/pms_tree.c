#include "pms_tree.h"

#include "fs.h"
#include "test.h"
#include "version.h"

#include <fcntl.h>
#include <stdlib.h>

#define MAIN "var/db/repos/main/"

void tree_write(struct tree *t, const char *path, const char *text)
{
	char *full = path_join(t->root, path);
	char *dir = xstrndup(full, (size_t)(strrchr(full, '/') - full));
	CHECK_OK(fs_mkdirs(AT_FDCWD, dir, 0755, &t->e), t->e);
	/* Not fs_write: a test's tree needs no fsync, and there are many files. */
	FILE *f = fopen(full, "w");
	CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
	free(dir);
	free(full);
}

struct tree tree_new(void)
{
	struct tree t = { .root = xstrdup(test_dir()) };
	tree_write(&t, "etc/portage/repos.conf",
		"[DEFAULT]\nmain-repo = main\n[main]\nlocation = ${EPREFIX}/var/db/repos/main\n");
	tree_write(&t, MAIN "profiles/repo_name", "main\n");
	tree_write(&t, MAIN "profiles/categories", "a\nb\n");
	tree_write(&t, MAIN "metadata/layout.conf", "masters =\n");
	tree_write(&t, MAIN "profiles/base/eapi", "8\n");
	tree_write(&t, "etc/portage/make.profile/parent", "main:base\n");
	tree_write(&t, "etc/portage/make.profile/eapi", "8\n");
	return t;
}

void tree_ebuild(struct tree *t, const char *cpv, const char *more)
{
	struct cpv parts;
	CHECK(cpv_split(str_of(cpv), &parts));
	char *ebuild = xasprintf(MAIN "%.*s/%.*s.ebuild", STR_ARG(parts.cp), STR_ARG(parts.pf));
	char *cache = xasprintf(MAIN "metadata/md5-cache/%s", cpv);
	char *text = xasprintf("EAPI=8\nSLOT=0\nKEYWORDS=amd64\nLICENSE=MIT\n%s", more);
	tree_write(t, ebuild, "EAPI=8\n");
	tree_write(t, cache, text);
	free(ebuild);
	free(cache);
	free(text);
}

bool tree_load(struct tree *t, const char *const *env)
{
	struct repos_options repos = { .eprefix = t->root, .config_root = t->root };
	if (!repo_set_open(&t->repos, &repos, &t->e))
		return false;
	struct config_options config = { .eprefix = t->root, .env = env, .repos = t->repos };
	return config_load(&t->config, &config, &t->e);
}

struct pkg *tree_pkg(struct tree *t, const char *cpv)
{
	struct cpv parts;
	if (!cpv_split(str_of(cpv), &parts))
		return NULL;
	const struct package *p = repo_package(t->repos, parts.cp);
	for (size_t i = 0; p != NULL && i < p->n; i++) {
		if (!str_eq(p->v[i]->version, parts.version))
			continue;
		CHECK_OK(pkg_load(t->repos, p->v[i], &t->e), t->e);
		config_use(t->config, p->v[i]);
		return p->v[i];
	}
	return NULL;
}

const char *tree_use(struct tree *t, const char *cpv)
{
	static char text[512];
	struct pkg *p = tree_pkg(t, cpv);
	text[0] = '\0';
	for (size_t i = 0; p != NULL && i < p->n_iuse; i++) {
		size_t n = strlen(text);
		if (p->iuse[i].on)
			snprintf(text + n, sizeof text - n, "%s%.*s", n > 0 ? " " : "",
				STR_ARG(p->iuse[i].name));
	}
	return p != NULL ? text : NULL;
}

const char *tree_mask(struct tree *t, const char *cpv)
{
	struct pkg *p = tree_pkg(t, cpv);
	struct mask m = { .text = NULL };
	if (p != NULL)
		config_visible(t->config, p, &m);
	return m.text;
}

void tree_free(struct tree *t)
{
	config_free(t->config);
	repo_set_free(t->repos);
	free(t->root);
	*t = (struct tree){ 0 };
}
