#include "image.h"

#include "image_tree.h"

static const struct image_field fields[] = {
	{ "SLOT", { "0\n", 2 } },
	{ "EAPI", { "8\n", 2 } },
};

static struct image_merge spec(const struct world_of_test *w, const char *pf)
{
	return (struct image_merge){ .image = w->image,
		.root = w->root,
		.offset = OFFSET,
		.category = "cat",
		.pf = pf,
		.fields = fields,
		.n_fields = 2,
		.no_sync = true };
}

/* Merge and say how it went; notes go to *notes when that is not NULL. */
static bool do_merge(const struct image_merge *m, struct err *e, char **notes)
{
	struct image_report report = IMAGE_REPORT_INIT;
	bool ok = image_merge(m, &report, e);
	if (notes != NULL)
		*notes = xstrdup(report.notes.n > 0 ? report.notes.v[0] : "");
	image_report_fini(&report);
	return ok;
}

static bool do_unmerge(const struct world_of_test *w, const char *pf, struct err *e)
{
	struct image_report report = IMAGE_REPORT_INIT;
	struct image_unmerge u = {
		.root = w->root, .offset = OFFSET, .category = "cat", .pf = pf, .no_sync = true
	};
	bool ok = image_unmerge(&u, &report, e);
	image_report_fini(&report);
	return ok;
}

static char *content(const struct world_of_test *w, const char *path)
{
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	if (!fs_read(w->root, path, &text, &e))
		buf_printf(&text, "(%s)", e.message);
	return buf_take(&text);
}

static void check_content(const struct world_of_test *w, const char *path, const char *want)
{
	char *got = content(w, path);
	CHECK_STR(got, want);
	free(got);
}

TEST(image_record_is_portages)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("");
	tree_image(&w, "f|usr/bin/a b|755|hi\nl|usr/bin/c|a b\nd|usr/share/empty|755\np|usr/p\n");
	struct image_merge m = spec(&w, "foo-1");
	CHECK_OK(do_merge(&m, &e, NULL), e);
	check_content(&w, "var/db/pkg/cat/foo-1/COUNTER", "0");
	check_content(&w, "var/db/pkg/cat/foo-1/SLOT", "0\n");
	check_content(&w, "var/cache/edb/counter", "0");
	char *contents = content(&w, "var/db/pkg/cat/foo-1/CONTENTS");
	CHECK(strstr(contents,
		      "dir /opt/pre fix/usr\ndir /opt/pre fix/usr/bin\n"
		      "obj /opt/pre fix/usr/bin/a b 49f68a5c8493ec2c0bf489821c21fc3b 15") ==
		contents);
	CHECK(strstr(contents, "\nsym /opt/pre fix/usr/bin/c -> a b 15") != NULL);
	CHECK(strstr(contents, "\nfif /opt/pre fix/usr/p\n") != NULL);
	CHECK(strstr(contents, "\ndir /opt/pre fix/usr/share/empty\n") != NULL);
	CHECK(!fs_exists(w.root, "var/lib/eprefix/journal"));
	CHECK(!fs_exists(w.root, "var/db/pkg/cat/-MERGING-foo-1"));
	free(contents);
	tree_world_end(&w);
}

TEST(image_keeps_modes_times_and_links)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("");
	tree_image(&w, "f|bin/s|4755|x\nh|bin/t|bin/s\nf|bin/ro|444|r\nf|closed/in|600|y\n"
		       "d|closed|555\nl|lib64|lib\nf|lib/z|644|\n");
	char *start = xasprintf("%s%s", w.image, OFFSET);
	char *want = tree_text(start, NULL);
	struct image_merge m = spec(&w, "foo-1");
	CHECK_OK(do_merge(&m, &e, NULL), e);
	const char *const skip[] = { "var", NULL };
	char *got = tree_text(w.root_path, skip);
	CHECK_STR(got, want);
	free(start);
	free(want);
	free(got);
	tree_world_end(&w);
}

TEST(image_counter_is_above_all_others)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("f|var/cache/edb/counter|644|7\n"
					    "f|var/db/pkg/x/y-1/COUNTER|644|41\n"
					    "f|var/db/pkg/x/z-1/metadata|644|#format=1\n");
	tree_image(&w, "f|a|644|a\n");
	struct image_merge m = spec(&w, "foo-1");
	CHECK_OK(do_merge(&m, &e, NULL), e);
	check_content(&w, "var/db/pkg/cat/foo-1/COUNTER", "42");
	/* The only copy may be in the consolidated file. */
	tree_make(w.root_path, "f|var/db/pkg/x/z-1/metadata|644|x\n");
	CHECK_OK(fs_write(w.root, "var/db/pkg/x/z-1/metadata", "#format=1\nCOUNTER=90\n", 21, 0644,
			 &e),
		e);
	m.pf = "bar-1";
	tree_image(&w, "f|b|644|b\n");
	CHECK_OK(do_merge(&m, &e, NULL), e);
	check_content(&w, "var/db/pkg/cat/bar-1/COUNTER", "91");
	tree_world_end(&w);
}

static const char *other_owner(void *ctx, struct str path)
{
	return str_is(path, ctx) ? "app/other-2" : NULL;
}

static void refused(const char *root, const char *image, const char *owned, const char *says)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world(root);
	tree_image(&w, image);
	char *before = tree_text(w.root_path, NULL);
	struct image_merge m = spec(&w, "foo-1");
	char *path = xasprintf("%s/%s", OFFSET, owned);
	m.owners = (struct image_owners){ other_owner, path };
	CHECK(!do_merge(&m, &e, NULL));
	CHECK(e.code == ERR_CONFLICT);
	if (strstr(e.message, says) == NULL)
		test_fail(__FILE__, __LINE__, "\"%s\" is not in: %s", says, e.message);
	char *after = tree_text(w.root_path, NULL);
	CHECK_STR(after, before);
	free(before);
	free(after);
	free(path);
	tree_world_end(&w);
}

TEST(image_refuses_before_touching)
{
	refused("f|bin/x|755|old\n", "f|bin/x|755|new\nf|bin/y|755|y\n", "bin/x",
		"bin/x belongs to app/other-2");
	refused("d|a/b|755\nf|a/b/c|644|\n", "f|a/b|644|file\n", "none",
		"but a directory in the root");
	refused("d|a/b|755\n", "l|a/b|c\n", "a/b", "a directory of app/other-2");
	refused("f|a|644|file\n", "f|a/b|644|x\n", "none", "no package owns");
	refused("f|a|644|file\n", "f|a/b|644|x\n", "a", "a file of app/other-2");
	refused("l|a|nowhere\n", "f|a/b|644|x\n", "none", "no package owns");
	refused("l|lib64|lib\nd|lib|755\n", "f|lib/x|644|1\nf|lib64/x|644|2\n", "none",
		"one place in the root");
}

TEST(image_refuses_what_contents_cannot_hold)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("");
	tree_image(&w, "f|ok|644|x\n");
	char *start = xasprintf("%s%s", w.image, OFFSET);
	char *before = tree_text(w.root_path, NULL);
	char *bad = xasprintf("%s/a\nb", start), *link = xasprintf("%s/link", start);
	struct image_merge m = spec(&w, "foo-1");
	CHECK_OK(fs_write(AT_FDCWD, bad, "x", 1, 0644, &e), e);
	CHECK(!do_merge(&m, &e, NULL) && e.code == ERR_CONFLICT);
	CHECK(strstr(e.message, "a\\nb") != NULL);
	e = ERR_INIT;
	CHECK(unlink(bad) == 0 && symlink("x\ry", link) == 0);
	CHECK(!do_merge(&m, &e, NULL) && e.code == ERR_CONFLICT);
	e = ERR_INIT;
	CHECK(unlink(link) == 0 && symlink("x -> y", link) == 0);
	CHECK(!do_merge(&m, &e, NULL) && e.code == ERR_CONFLICT);
	char *after = tree_text(w.root_path, NULL);
	CHECK_STR(after, before);
	free(start);
	free(before);
	free(after);
	free(bad);
	free(link);
	tree_world_end(&w);
}

TEST(image_refuses_files_outside_the_prefix)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("");
	tree_image(&w, "f|ok|644|x\n");
	tree_make(w.image, "f|usr/bin/stray|755|x\n");
	struct image_merge m = spec(&w, "foo-1");
	CHECK(!do_merge(&m, &e, NULL) && e.code == ERR_CONFLICT);
	CHECK(strstr(e.message, "/usr in the image is not below /opt/pre fix") != NULL);
	tree_world_end(&w);
}

TEST(image_without_files_has_a_record)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("");
	tree_make(w.image, "");
	struct image_merge m = spec(&w, "virtual-0");
	CHECK_OK(do_merge(&m, &e, NULL), e);
	check_content(&w, "var/db/pkg/cat/virtual-0/CONTENTS", "");
	CHECK_OK(do_unmerge(&w, "virtual-0", &e), e);
	CHECK(!fs_exists(w.root, "var/db/pkg/cat"));
	CHECK(!do_unmerge(&w, "virtual-0", &e) && strcmp(e.what, "image.absent") == 0);
	tree_world_end(&w);
}

TEST(image_notes_unowned_files_it_replaces)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("f|bin/x|755|mine\n");
	tree_image(&w, "f|bin/x|755|theirs\n");
	char *notes = NULL;
	struct image_merge m = spec(&w, "foo-1");
	CHECK_OK(do_merge(&m, &e, &notes), e);
	CHECK_STR(notes, "1 files that no package owned are replaced: bin/x");
	check_content(&w, "bin/x", "theirs");
	free(notes);
	tree_world_end(&w);
}

TEST(image_upgrade_drops_what_is_no_longer_listed)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("l|lib64|usr/lib\nd|usr/lib|755\n");
	const char *const old[] = { "foo-1", NULL };
	tree_image(&w, "f|lib64/a|644|1\nf|lib64/gone|644|1\nf|etc/b|644|1\nf|was/file|644|1\n");
	struct image_merge m = spec(&w, "foo-1");
	CHECK_OK(do_merge(&m, &e, NULL), e);
	/* The same file by its other name; a file that becomes a directory. */
	tree_image(&w, "f|usr/lib/a|644|2\nf|was/file/now/dir|644|2\n");
	m.pf = "foo-2";
	m.replaces = old;
	CHECK_OK(do_merge(&m, &e, NULL), e);
	check_content(&w, "usr/lib/a", "2");
	check_content(&w, "was/file/now/dir", "2");
	CHECK(!fs_exists(w.root, "usr/lib/gone") && !fs_exists(w.root, "etc"));
	CHECK(fs_is_dir(w.root, "lib64") && !fs_exists(w.root, "var/db/pkg/cat/foo-1"));
	check_content(&w, "var/db/pkg/cat/foo-2/COUNTER", "1");
	tree_world_end(&w);
}

TEST(image_merges_again_over_itself)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("");
	const char *const self[] = { "foo-1", NULL };
	tree_image(&w, "f|bin/x|755|x\nh|bin/y|bin/x\nl|bin/z|x\n");
	struct image_merge m = spec(&w, "foo-1");
	m.replaces = self;
	CHECK_OK(do_merge(&m, &e, NULL), e);
	char *first = tree_text(w.root_path, tree_state);
	/* The image still shares its files with the root. */
	CHECK_OK(do_merge(&m, &e, NULL), e);
	char *second = tree_text(w.root_path, tree_state);
	CHECK_STR(second, first);
	check_content(&w, "var/db/pkg/cat/foo-1/COUNTER", "1");
	free(first);
	free(second);
	tree_world_end(&w);
}

static bool refuse(void *ctx, uint64_t counter, struct err *e)
{
	*(uint64_t *)ctx = counter;
	return err_set(e, ERR_FAILED, "test.no", "no");
}

TEST(image_hook_can_take_the_merge_back)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world("f|var/cache/edb/counter|644|5\nf|bin/x|755|old\n");
	tree_image(&w, "f|bin/x|755|new\nf|sub/dir/y|644|y\n");
	uint64_t seen = 0;
	char *before = tree_text(w.root_path, NULL);
	struct image_merge m = spec(&w, "foo-1");
	m.before_commit = refuse;
	m.ctx = &seen;
	CHECK(!do_merge(&m, &e, NULL) && strcmp(e.what, "test.no") == 0 && seen == 6);
	char *after = tree_text(w.root_path, NULL);
	CHECK_STR(after, before);
	free(before);
	free(after);
	tree_world_end(&w);
}
