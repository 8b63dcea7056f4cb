#include "vdb_pkg.h"

#include "image_tree.h"

#define ROOT                                                                                       \
	"f|var/db/pkg/a/foo-1.2/SLOT|644|1/3\nf|var/db/pkg/a/foo-1.2/IUSE|644|+x y\n"              \
	"f|var/db/pkg/a/foo-1.2/USE|644|x amd64\nf|var/db/pkg/a/foo-1.2/repository|644|r\n"        \
	"f|var/db/pkg/a/foo-1.2/EAPI|644|8\nf|var/db/pkg/a/foo-1.2/COUNTER|644|5\n"                \
	"f|var/db/pkg/a/foo-2/SLOT|644|2\nf|var/db/pkg/b/foo-1.2/SLOT|644|0\n"                     \
	"f|var/db/pkg/b/foobar-3-r1/SLOT|644|0\n"                                                  \
	"f|var/db/pkg/a/foo-1.2/IUSE_EFFECTIVE|644|amd64 kernel_linux x y\n"

static void check(const struct vdb *v, const char *text, const char *want)
{
	struct err e = ERR_INIT;
	struct vdb_list list = { 0 };
	struct buf got = BUF_INIT;
	CHECK_OK(vdb_select(v, text, &list, &e), e);
	for (size_t i = 0; i < list.list.n; i++)
		buf_printf(&got, "%s/%s ", list.list.v[i]->category, list.list.v[i]->pf);
	if (strcmp(buf_str(&got), want) != 0)
		test_fail(__FILE__, __LINE__, "%s gives \"%s\", not \"%s\"", text, buf_str(&got),
			want);
	buf_fini(&got);
	vec_fini(&list.list);
}

TEST(vdb_select_takes_what_users_type)
{
	struct err e = ERR_INIT;
	struct vdb *v = NULL;
	struct world_of_test w = tree_world(ROOT);
	CHECK_OK(vdb_open(&v, w.root, OFFSET, &e), e);
	static const char *const cases[][2] = {
		{ "foo", "a/foo-1.2 a/foo-2 b/foo-1.2 " },
		{ "a/foo", "a/foo-1.2 a/foo-2 " },
		{ "foo-1.2", "a/foo-1.2 b/foo-1.2 " },
		{ "a/foo-2", "a/foo-2 " },
		{ ">foo-1.2", "a/foo-2 " },
		{ "=a/foo-1*", "a/foo-1.2 " },
		{ "~b/foobar-3", "b/foobar-3-r1 " },
		{ "foo:2", "a/foo-2 " },
		{ "foo:1/3", "a/foo-1.2 " },
		{ "foo::r", "a/foo-1.2 " },
		{ "a/foo[x,-y]", "a/foo-1.2 " },
		{ "a/foo[y]", "" },
		{ "a/foo[kernel_linux(-)]", "" },
		{ "foo*", "a/foo-1.2 a/foo-2 b/foo-1.2 b/foobar-3-r1 " },
		{ "b/*", "b/foo-1.2 b/foobar-3-r1 " },
		{ "nothing", "" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check(v, cases[i][0], cases[i][1]);
	struct vdb_list none = { 0 };
	CHECK(!vdb_select(v, "a b", &none, &e) && e.code == ERR_USAGE);
	vec_fini(&none.list);
	vdb_free(v);
	tree_world_end(&w);
}

TEST(vdb_pkg_view_has_the_records_flags)
{
	struct err e = ERR_INIT;
	struct vdb *v = NULL;
	struct arena a = ARENA_INIT;
	struct pkg p;
	struct world_of_test w = tree_world(ROOT);
	CHECK_OK(vdb_open(&v, w.root, OFFSET, &e), e);
	vdb_pkg_view(&a, vdb_find(v, "a", "foo-1.2"), &p);
	CHECK(str_is(p.slot, "1") && str_is(p.subslot, "3"));
	CHECK(p.n_iuse == 4 && str_is(p.iuse[0].name, "x") && p.iuse[0].preset == '+');
	CHECK(pkg_flag_on(&p, STR("x")) && pkg_flag_on(&p, STR("amd64")));
	CHECK(!pkg_flag_on(&p, STR("y")) && !pkg_flag_on(&p, STR("kernel_linux")));
	CHECK(pkg_flag_valid(&p, STR("kernel_linux")) && !pkg_flag_valid(&p, STR("z")));
	arena_fini(&a);
	vdb_free(v);
	tree_world_end(&w);
}
