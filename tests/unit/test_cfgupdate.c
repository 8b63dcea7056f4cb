#include "cfgupdate.h"

#include "image_tree.h"

#define ROOT                                                                                       \
	"f|etc/a|644|mine\nf|etc/._cfg0000_a|644|1\nf|etc/._cfg0010_a|600|2\n"                     \
	"f|etc/sub/._cfg0000_new|644|n\nf|etc/._cfg000_no|644|x\nf|etc/same|644|s\n"               \
	"f|etc/._cfg0000_same|644|s\nf|usr/._cfg0000_x|644|x\nf|opt/one|644|o\n"                   \
	"f|opt/._cfg0000_one|644|p\nf|opt/._cfg0000_two|644|p\n"

TEST(cfgupdate_finds_decides_and_cleans_up)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world(ROOT);
	struct protect protect = PROTECT_INIT;
	struct cfg_updates u = CFG_UPDATES_INIT;
	protect_add(&protect, OFFSET, STR("/etc /etc/sub /opt/one /none/file"), STR(""));
	CHECK_OK(cfg_find(&u, w.root, &protect, &e), e);
	static const char *const want[] = { "etc/a", "etc/same", "etc/sub/new", "opt/one" };
	CHECK(u.list.n == 4);
	for (size_t i = 0; i < u.list.n && i < 4; i++)
		CHECK_STR(u.list.v[i].path, want[i]);
	CHECK(u.list.v[0].updates.n == 2 && u.list.v[2].updates.n == 1);
	CHECK_STR(cfg_newest(&u.list.v[0]), "etc/._cfg0010_a");
	CHECK(!cfg_same(w.root, &u.list.v[0]) && cfg_same(w.root, &u.list.v[1]));
	CHECK(!cfg_same(w.root, &u.list.v[2]));
	CHECK_OK(cfg_accept(w.root, &u.list.v[0], &e), e);
	CHECK_OK(cfg_accept(w.root, &u.list.v[2], &e), e);
	CHECK_OK(cfg_reject(w.root, &u.list.v[3], &e), e);
	struct buf text = BUF_INIT;
	CHECK_OK(fs_read(w.root, "etc/a", &text, &e), e);
	CHECK_OK(fs_read(w.root, "etc/sub/new", &text, &e), e);
	CHECK_OK(fs_read(w.root, "opt/one", &text, &e), e);
	CHECK_STR(buf_str(&text), "2no");
	cfg_updates_fini(&u);
	CHECK_OK(cfg_find(&u, w.root, &protect, &e), e);
	CHECK(u.list.n == 1);
	buf_fini(&text);
	cfg_updates_fini(&u);
	protect_fini(&protect);
	tree_world_end(&w);
}
