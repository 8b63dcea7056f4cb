#include "rootmap.h"

#include "image_tree.h"

static void check(struct rootmap *m, const char *path, const char *want)
{
	struct str real = rootmap_real(m, str_of(path));
	if (!str_is(real, want))
		test_fail(
			__FILE__, __LINE__, "%s is really %.*s, not %s", path, STR_ARG(real), want);
}

TEST(rootmap_resolves_the_directory_but_not_the_name)
{
	struct world_of_test w =
		tree_world("d|usr/lib|755\nl|lib64|usr/lib\nl|usr/lib64|lib\nl|abs|" OFFSET "/usr\n"
			   "l|out|/var/elsewhere\nl|up|../beside\nl|loop|loop/"
			   "x\nl|a|b\nl|b|a\nl|usr/lib/top|..\n");
	struct rootmap m;
	rootmap_init(&m, w.root, OFFSET);
	check(&m, "x", "x");
	check(&m, "lib64", "lib64");
	check(&m, "lib64/x", "usr/lib/x");
	check(&m, "usr/lib64/d/x", "usr/lib/d/x");
	check(&m, "abs/lib64/x", "usr/lib/x");
	check(&m, "out/x", "/var/elsewhere/x");
	check(&m, "up/x", "../beside/x");
	check(&m, "lib64/top/x", "usr/x");
	check(&m, "no/such/x", "no/such/x");
	/* Loops end somewhere; nothing can lie there. */
	rootmap_real(&m, STR("loop/x"));
	rootmap_real(&m, STR("a/x"));
	CHECK(rootmap_relative("/p", "/p") == NULL && rootmap_relative("/p", "/px/a") == NULL);
	CHECK(rootmap_relative("/p", "/p/") == NULL);
	CHECK_STR(rootmap_relative("/p", "/p/a"), "a");
	CHECK_STR(rootmap_relative("", "/a"), "a");
	rootmap_fini(&m);
	tree_world_end(&w);
}
