#include "journal.h"

#include "image_tree.h"

#define FILE_NAME "var/lib/eprefix/journal"

static void check_damaged(const struct world_of_test *w, struct str text)
{
	struct err e = ERR_INIT;
	struct journal j = JOURNAL_INIT;
	bool found;
	CHECK_OK(fs_write(w->root, FILE_NAME, text.p, text.n, 0644, &e), e);
	CHECK(!journal_load(&j, w->root, &found, &e) && strcmp(e.what, "journal.damaged") == 0);
	journal_fini(&j);
}

TEST(journal_reads_what_it_wrote)
{
	struct err e = ERR_INIT;
	struct journal j = JOURNAL_INIT, back = JOURNAL_INIT;
	struct world_of_test w = tree_world("");
	bool found = true;
	CHECK_OK(journal_load(&back, w.root, &found, &e), e);
	CHECK(!found);
	journal_add(&j, JOURNAL_PLACE, "a \xff\tb", "t\"m p");
	journal_add(&j, JOURNAL_RMDIR, "d", "");
	CHECK_OK(journal_save(&j, w.root, &e), e);
	CHECK_OK(journal_load(&back, w.root, &found, &e), e);
	CHECK(found && !back.committed && back.ops.n == 2);
	CHECK_STR(back.ops.v[0].path, "a \xff\tb");
	CHECK_STR(back.ops.v[0].other, "t\"m p");
	CHECK(back.ops.v[1].verb == 'D' && back.ops.v[1].other[0] == '\0');
	journal_fini(&back);
	CHECK_OK(journal_commit(&j, w.root, &e), e);
	CHECK_OK(journal_load(&back, w.root, &found, &e), e);
	CHECK(back.committed);
	journal_fini(&back);
	journal_fini(&j);
	tree_world_end(&w);
}

TEST(journal_refuses_what_is_not_whole)
{
	struct world_of_test w = tree_world("");
	check_damaged(&w, STR(""));
	check_damaged(&w, STR("eprefix journal 2\nend 0\n"));
	check_damaged(&w, STR("eprefix journal 1\nD\0a\0\n"));
	check_damaged(&w, STR("eprefix journal 1\nD\0a\0\nend 2\n"));
	check_damaged(&w, STR("eprefix journal 1\nX\0a\0\nend 1\n"));
	check_damaged(&w, STR("eprefix journal 1\nD\0\0\nend 1\n"));
	tree_world_end(&w);
}

TEST(journal_half_a_commit_is_none)
{
	struct err e = ERR_INIT;
	struct journal j = JOURNAL_INIT;
	struct world_of_test w = tree_world("f|tmp|644|new\nf|a|644|old\n");
	bool found;
	static const char text[] = "eprefix journal 1\nF\0a\0tmp\nend 1\ncomm";
	CHECK_OK(fs_write(w.root, FILE_NAME, text, sizeof text - 1, 0644, &e), e);
	CHECK_OK(journal_load(&j, w.root, &found, &e), e);
	CHECK(found && !j.committed);
	CHECK_OK(journal_undo(&j, w.root, &e), e);
	CHECK(!fs_exists(w.root, "tmp") && !fs_exists(w.root, FILE_NAME));
	journal_fini(&j);
	tree_world_end(&w);
}
