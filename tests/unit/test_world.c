#include "world.h"

#include "image_tree.h"

TEST(world_reads_atoms_and_sets_and_drops_the_rest)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("f|var/lib/portage/world_sets|644|@mine\n");
	static const char text[] = "z/z\na/b:2\n\n# note\na/b:2\nnot an atom\n!x/y\na/c::repo\n";
	CHECK_OK(fs_write(w.root, "var/lib/portage/world", text, sizeof text - 1, 0644, &e), e);
	struct world world = WORLD_INIT;
	CHECK_OK(world_read(&world, w.root, &e), e);
	CHECK(world.atoms.n == 3 && world.sets.n == 1 && world.bad.n == 2);
	CHECK_STR(world.bad.v[0], "not an atom");
	CHECK(world_add(&world, "dev-libs/new") && !world_add(&world, "dev-libs/new"));
	CHECK(world_add(&world, "@other") && !world_add(&world, "no-category"));
	CHECK(world_remove(&world, "z/z") && !world_remove(&world, "z/z"));
	CHECK(world_remove(&world, "@mine"));
	CHECK_OK(world_write(&world, w.root, &e), e);
	world_fini(&world);
	struct buf got = BUF_INIT;
	CHECK_OK(fs_read(w.root, "var/lib/portage/world", &got, &e), e);
	CHECK_STR(buf_str(&got), "a/b:2\na/c::repo\ndev-libs/new\n");
	buf_clear(&got);
	CHECK_OK(fs_read(w.root, "var/lib/portage/world_sets", &got, &e), e);
	CHECK_STR(buf_str(&got), "@other\n");
	buf_fini(&got);
	tree_world_end(&w);
}

TEST(world_of_nothing_makes_no_files)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("");
	struct world world = WORLD_INIT;
	CHECK_OK(world_read(&world, w.root, &e), e);
	CHECK_OK(world_write(&world, w.root, &e), e);
	CHECK(!fs_exists(w.root, "var/lib/portage/world"));
	/* An emptied one stays, empty. */
	CHECK(world_add(&world, "a/b"));
	CHECK_OK(world_write(&world, w.root, &e), e);
	CHECK(world_remove(&world, "a/b"));
	CHECK_OK(world_write(&world, w.root, &e), e);
	struct buf got = BUF_INIT;
	CHECK_OK(fs_read(w.root, "var/lib/portage/world", &got, &e), e);
	CHECK(got.n == 0);
	buf_fini(&got);
	world_fini(&world);
	tree_world_end(&w);
}
