#include "protect.h"

#include "image_tree.h"

TEST(protect_longest_word_decides)
{
	struct protect p = PROTECT_INIT;
	protect_add(&p, "/opt/e", STR("/etc /opt/e/usr/share/conf //var/x/"),
		STR("/etc/env.d /opt/e/etc/keep"));
	protect_add(&p, "/opt/e", STR("/etc/env.d/mine"), STR(""));
	static const char *const on[] = { "etc/passwd", "etc", "etc/env.dx", "usr/share/conf/a",
		"var/x/y", "etc/env.d/mine" };
	static const char *const off[] = { "etc/env.d", "etc/env.d/00x", "etc/keep",
		"usr/share/confx", "opt/e/etc/a", "usr", "var" };
	for (size_t i = 0; i < sizeof on / sizeof *on; i++)
		CHECK(protect_has(&p, on[i]));
	for (size_t i = 0; i < sizeof off / sizeof *off; i++)
		CHECK(!protect_has(&p, off[i]));
	protect_fini(&p);
}

TEST(protect_loads_profile_env)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("d|etc|755\n");
	struct protect p = PROTECT_INIT;
	static const char env[] = "export CONFIG_PROTECT='/usr/conf'\nexport CONFIG_PROTECT_MASK='"
				  "/etc/free'\n";
	CHECK_OK(fs_write(w.root, "etc/profile.env", env, sizeof env - 1, 0644, &e), e);
	CHECK_OK(protect_load(&p, w.root, OFFSET, &e), e);
	CHECK(protect_has(&p, "etc/a") && protect_has(&p, "usr/conf/b"));
	CHECK(!protect_has(&p, "etc/free/a") && !protect_has(&p, "etc/env.d/a"));
	protect_fini(&p);
	tree_world_end(&w);
}

static void check_name(const struct world_of_test *w, const char *md5, const char *want)
{
	struct err e = ERR_INIT;
	char *name = protect_update_name(w->root, "etc/a", md5, &e);
	CHECK_STR(name, want);
	free(name);
}

TEST(protect_update_takes_the_next_number_or_the_same_content)
{
	struct world_of_test w = tree_world("f|etc/a|644|x\n");
	check_name(&w, "d41d8cd98f00b204e9800998ecf8427e", "etc/._cfg0000_a");
	tree_make(w.root_path, "f|etc/._cfg0000_a|644|\nf|etc/._cfg0007_a|644|hi\n"
			       "f|etc/._cfg0009_ab|644|\nf|etc/._cfgx009_a|644|\n");
	check_name(&w, "d41d8cd98f00b204e9800998ecf8427e", "etc/._cfg0008_a");
	check_name(&w, "49f68a5c8493ec2c0bf489821c21fc3b", "etc/._cfg0007_a");
	tree_make(w.root_path, "l|etc/._cfg0008_a|hi\n");
	check_name(&w, "49f68a5c8493ec2c0bf489821c21fc3b", "etc/._cfg0008_a");
	tree_world_end(&w);
}

TEST(protect_config_memory_round_trip)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("");
	struct confmem m = CONFMEM_INIT;
	static const char text[] = "/z 1 2\n/a 3\n\n";
	CHECK_OK(fs_write(w.root, "var/lib/portage/config", text, sizeof text - 1, 0644, &e), e);
	CHECK_OK(confmem_read(&m, w.root, &e), e);
	CHECK(confmem_has(&m, "/z", "1") && !confmem_has(&m, "/z", "2"));
	CHECK(confmem_has(&m, "/z", NULL) && !confmem_has(&m, "/y", NULL));
	confmem_set(&m, "/m", "4");
	confmem_set(&m, "/a", NULL);
	confmem_set(&m, "/has blank", "5");
	CHECK_OK(confmem_write(&m, w.root, &e), e);
	struct buf got = BUF_INIT;
	CHECK_OK(fs_read(w.root, "var/lib/portage/config", &got, &e), e);
	CHECK_STR(buf_str(&got), "/m 4\n/z 1 2\n");
	buf_fini(&got);
	confmem_fini(&m);
	tree_world_end(&w);
}
