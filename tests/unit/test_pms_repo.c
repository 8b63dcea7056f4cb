#include "pms_tree.h"
#include "test.h"
#include "version.h"

#include <stdlib.h>

/* "1.0::main 0.9::over": the versions of a package in their order. */
static const char *versions(struct tree *t, const char *cp)
{
	static char text[256];
	const struct package *p = repo_package(t->repos, str_of(cp));
	text[0] = '\0';
	for (size_t i = 0; p != NULL && i < p->n; i++) {
		size_t n = strlen(text);
		snprintf(text + n, sizeof text - n, "%s%.*s::%.*s", n > 0 ? " " : "",
			STR_ARG(p->v[i]->version), STR_ARG(p->v[i]->repo_name));
	}
	return text;
}

static void add_overlay(struct tree *t, const char *name, const char *conf)
{
	char *path = xasprintf("etc/portage/repos.conf.d/%s", name);
	free(path);
	path = xasprintf("var/db/repos/%s/profiles/repo_name", name);
	char *text = xasprintf("%s\n", name);
	tree_write(t, path, text);
	free(path);
	free(text);
	text = xasprintf("[DEFAULT]\nmain-repo = main\n[main]\nlocation = ${EPREFIX}/var/db/repos/"
			 "main\n[%s]\nlocation = ${EPREFIX}/var/db/repos/%s\n%s",
		name, name, conf);
	tree_write(t, "etc/portage/repos.conf", text);
	free(text);
}

TEST(repo_versions_are_sorted_over_repositories)
{
	struct tree t = tree_new();
	tree_ebuild(&t, "a/x-1.0", "");
	tree_ebuild(&t, "a/x-1.10", "");
	tree_ebuild(&t, "a/x-1.9_rc1-r1", "");
	tree_ebuild(&t, "a/x-y-3", "");
	add_overlay(&t, "over", "");
	tree_write(&t, "var/db/repos/over/a/x/x-1.10.ebuild", "");
	tree_write(&t, "var/db/repos/over/a/x/x-2.lua", "");
	tree_write(&t, "var/db/repos/over/a/x/x.ebuild", "");
	tree_write(&t, "var/db/repos/over/a/x/y-1.ebuild", "");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(versions(&t, "a/x"), "2::over 1.10::over 1.10::main 1.9_rc1-r1::main 1.0::main");
	CHECK_STR(versions(&t, "a/x-y"), "3::main");
	CHECK(repo_package(t.repos, STR("a/nothing")) == NULL);
	CHECK(repo_package(t.repos, STR("c/x")) == NULL);
	CHECK(repo_package(t.repos, STR("../x")) == NULL);
	CHECK(repo_package(t.repos, STR("noslash")) == NULL);
	tree_free(&t);
}

TEST(repo_priority_decides_between_equal_versions)
{
	struct tree t = tree_new();
	tree_ebuild(&t, "a/x-1", "");
	add_overlay(&t, "over", "priority = -2000\naliases = other\n");
	tree_write(&t, "var/db/repos/over/a/x/x-1.ebuild", "");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_STR(versions(&t, "a/x"), "1::main 1::over");
	CHECK(repo_find(t.repos, STR("other")) == repo_find(t.repos, STR("over")));
	CHECK(repo_find(t.repos, STR("none")) == NULL);
	tree_free(&t);
}

TEST(repo_listing_of_a_category_agrees_with_directories)
{
	struct tree t = tree_new();
	for (int i = 0; i < 30; i++) {
		char *cpv = xasprintf("a/p%d-1.%d", i, i);
		tree_ebuild(&t, cpv, "");
		free(cpv);
	}
	tree_ebuild(&t, "a/p2-extra-7", "");
	tree_write(&t, "var/db/repos/main/metadata/md5-cache/a/gone-1", "SLOT=0\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	for (int i = 29; i >= 0; i--) {
		char *cp = xasprintf("a/p%d", i), *want = xasprintf("1.%d::main", i);
		CHECK_STR(versions(&t, cp), want);
		free(cp);
		free(want);
	}
	CHECK_STR(versions(&t, "a/p2-extra"), "7::main");
	CHECK(tree_pkg(&t, "a/p3-1.3") != NULL && !tree_pkg(&t, "a/p3-1.3")->broken);
	/* A cache entry without its ebuild is no package to install. */
	CHECK(tree_pkg(&t, "a/gone-1")->broken);
	tree_free(&t);
}

TEST(repo_metadata_of_a_package)
{
	struct tree t = tree_new();
	tree_ebuild(&t, "a/x-1",
		"SLOT=1/2\nIUSE=+p -m n +n\nRDEPEND=a/y n? ( a/z )\nDESCRIPTION=a=b\nodd\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	struct pkg *p = tree_pkg(&t, "a/x-1");
	const struct dep *d;
	CHECK(str_is(p->slot, "1") && str_is(p->subslot, "2"));
	CHECK(p->n_iuse == 3 && p->iuse[0].preset == '+' && p->iuse[1].preset == '-');
	CHECK(str_is(p->iuse[2].name, "n") && p->iuse[2].preset == '+');
	CHECK(str_is(p->meta[PKG_DESCRIPTION], "a=b"));
	CHECK_OK(pkg_deps(&t.repos->arena, p, PKG_RDEPEND, &d, &t.e), t.e);
	CHECK(d->kind == DEP_ATOM && d->next->kind == DEP_USE);
	CHECK_OK(pkg_deps(&t.repos->arena, p, PKG_DEPEND, &d, &t.e), t.e);
	CHECK(d == NULL);
	tree_free(&t);
}

TEST(repo_broken_packages_say_why)
{
	struct tree t = tree_new();
	tree_write(&t, "var/db/repos/main/a/nocache/nocache-1.ebuild", "");
	tree_ebuild(&t, "a/new-1", "EAPI=99\n");
	tree_ebuild(&t, "a/bad-1", "RDEPEND=|| ( a/x\n");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK(strstr(tree_mask(&t, "a/nocache-1"), "md5-cache/a/nocache-1 is missing") != NULL);
	CHECK(strstr(tree_mask(&t, "a/new-1"), "EAPI 99") != NULL);
	struct pkg *p = tree_pkg(&t, "a/bad-1");
	const struct dep *d;
	CHECK(!pkg_deps(&t.repos->arena, p, PKG_RDEPEND, &d, &t.e));
	CHECK(p->broken && strstr(p->problem, "a/bad-1: RDEPEND: ") != NULL);
	tree_free(&t);
}

static bool fails(struct tree *t, const char *message)
{
	t->e = ERR_INIT;
	bool failed = !tree_load(t, NULL) && t->e.code == ERR_USAGE &&
		      strstr(t->e.message, message) != NULL;
	if (!failed)
		printf("got: %s\n", t->e.message);
	return failed;
}

TEST(repo_errors_of_repos_conf)
{
	struct tree t = tree_new();
	tree_write(&t, "etc/portage/repos.conf", "[x]\nauto-sync = no\n");
	CHECK(fails(&t, "repos.conf:1: [x] has no location"));
	tree_write(&t, "etc/portage/repos.conf", "\n[x]\nlocation = relative\n");
	CHECK(fails(&t, "repos.conf:2: the location of [x] is no absolute path"));
	tree_write(&t, "etc/portage/repos.conf", "[x]\nlocation = ${EPREFIX}/none\n");
	CHECK(fails(&t, "none is not there"));
	tree_write(&t, "etc/portage/repos.conf", "[x]\nlocation = ${EPREFIX}/etc\n");
	CHECK(fails(&t, "etc/profiles/repo_name is missing"));
	tree_write(&t, "etc/portage/repos.conf", "nonsense\n");
	CHECK(fails(&t, "repos.conf:1: "));
	tree_write(&t, "twin/profiles/repo_name", "main\n");
	tree_write(&t, "etc/portage/repos.conf",
		"[main]\nlocation = ${EPREFIX}/var/db/repos/main\n[b]\nlocation = $EPREFIX/twin\n");
	CHECK(fails(&t, "two repositories are called main"));
	tree_free(&t);
}

TEST(repo_short_names_and_whole_scans)
{
	struct tree t = tree_new();
	struct strv names = STRV_INIT;
	struct package_list all = { 0 };
	tree_ebuild(&t, "a/x-1", "");
	tree_ebuild(&t, "b/x-1", "");
	tree_ebuild(&t, "b/y-1", "");
	CHECK_OK(tree_load(&t, NULL), t.e);
	CHECK_OK(repo_short_name(t.repos, STR("x"), &names, &t.e), t.e);
	CHECK(names.n == 2 && strcmp(names.v[0], "a/x") == 0 && strcmp(names.v[1], "b/x") == 0);
	CHECK_OK(repo_all(t.repos, &all, &t.e), t.e);
	CHECK(all.list.n == 3 && str_is(all.list.v[2]->cp, "b/y"));
	vec_fini(&all.list);
	strv_fini(&names);
	tree_free(&t);
}

/* A stand-in for Lua: counts evaluations, one library with a settable digest. */
struct recipes {
	unsigned evaluated;
	const char *library;
	bool fail;
};

static bool library_md5(void *ctx, const struct repo *r, struct str name, char hex[33])
{
	struct recipes *x = ctx;
	CHECK(strcmp(r->name, "over") == 0);
	snprintf(hex, 33, "%s", x->library);
	return str_is(name, "lib");
}

static bool evaluate_recipe(
	void *ctx, const struct pkg *p, const char *path, struct buf *out, struct err *e)
{
	struct recipes *x = ctx;
	x->evaluated++;
	if (x->fail)
		return err_set(e, ERR_FAILED, "recipe", "%s: does not load", path);
	CHECK(strstr(path, "/over/a/x/x-2.lua") != NULL && str_is(p->pn, "x"));
	buf_printf(out, "EAPI=8\nSLOT=7\nKEYWORDS=amd64\n_eclasses_=lib\t%s\n", x->library);
	return true;
}

static struct recipes recipe_run(struct tree *t, const char *library, bool fail)
{
	struct recipes x = { 0, library, fail };
	CHECK_OK(tree_load(t, NULL), t->e);
	t->repos->recipes = (struct recipe_source){ library_md5, evaluate_recipe, &x };
	struct pkg *p = tree_pkg(t, "a/x-2");
	CHECK(p != NULL && p->broken == fail && (fail || str_is(p->slot, "7")));
	config_free(t->config);
	repo_set_free(t->repos);
	t->config = NULL;
	t->repos = NULL;
	return x;
}

TEST(repo_recipe_metadata_is_cached_by_content)
{
	struct tree t = tree_new();
	add_overlay(&t, "over", "");
	tree_write(&t, "var/db/repos/over/profiles/categories", "a\n");
	tree_write(&t, "var/db/repos/over/a/x/x-2.lua", "return 1\n");
	CHECK(recipe_run(&t, "0123", true).evaluated == 1);
	CHECK(recipe_run(&t, "0123", false).evaluated == 1);
	CHECK(recipe_run(&t, "0123", false).evaluated == 0);
	CHECK(recipe_run(&t, "4567", false).evaluated == 1); /* the library changed */
	CHECK(recipe_run(&t, "4567", false).evaluated == 0);
	tree_write(&t, "var/db/repos/over/a/x/x-2.lua", "return 2\n");
	CHECK(recipe_run(&t, "4567", false).evaluated == 1);
	tree_free(&t);
}
