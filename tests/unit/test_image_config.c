/* Configuration files, kept files, and what unmerge leaves behind. */
#include "image_tree.h"

static const char *const first_version[] = { "foo-1", NULL };

struct run {
	struct world_of_test w;
	struct protect protect;
	struct image_report report;
	struct image_merge m;
};

static void start(struct run *r, const char *root)
{
	*r = (struct run){ .w = tree_world(root) };
	protect_add(&r->protect, OFFSET, STR("/etc"), STR("/etc/env.d"));
	r->m = (struct image_merge){ .image = r->w.image,
		.root = r->w.root,
		.offset = OFFSET,
		.category = "cat",
		.pf = "foo-1",
		.protect = &r->protect,
		.no_sync = true };
}

static void merge(struct run *r, const char *image)
{
	struct err e = ERR_INIT;
	tree_image(&r->w, image);
	image_report_fini(&r->report);
	CHECK_OK(image_merge(&r->m, &r->report, &e), e);
}

static void upgrade(struct run *r, const char *image)
{
	r->m.pf = "foo-2";
	r->m.replaces = first_version;
	merge(r, image);
}

static void unmerge(struct run *r, const char *pf, const char *const *keep)
{
	struct err e = ERR_INIT;
	struct image_unmerge u = { .root = r->w.root,
		.offset = OFFSET,
		.category = "cat",
		.pf = pf,
		.protect = &r->protect,
		.keep = keep,
		.no_sync = true };
	image_report_fini(&r->report);
	CHECK_OK(image_unmerge(&u, &r->report, &e), e);
}

static void finish(struct run *r)
{
	image_report_fini(&r->report);
	protect_fini(&r->protect);
	tree_world_end(&r->w);
}

static void check_content(const struct run *r, const char *path, const char *want)
{
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	if (!fs_read(r->w.root, path, &text, &e))
		buf_printf(&text, "(%s)", e.message);
	CHECK_STR(buf_str(&text), want);
	buf_fini(&text);
}

static bool noted(const struct run *r, const char *part)
{
	for (size_t i = 0; i < r->report.notes.n; i++) {
		if (strstr(r->report.notes.v[i], part) != NULL)
			return true;
	}
	return false;
}

TEST(image_config_changed_by_the_user_gets_an_update_beside)
{
	struct run r;
	start(&r, "");
	merge(&r, "f|etc/conf|644|1\nf|etc/env.d/50x|644|1\nf|usr/x|644|1\n");
	tree_make(r.w.root_path, "f|etc/conf|644|mine\nf|etc/env.d/50x|644|mine\n");
	upgrade(&r, "f|etc/conf|644|2\nf|etc/env.d/50x|644|2\nf|usr/x|644|2\n");
	check_content(&r, "etc/conf", "mine");
	check_content(&r, "etc/._cfg0000_conf", "2");
	check_content(&r, "etc/env.d/50x", "2");
	CHECK(r.report.updates.n == 1);
	CHECK_STR(r.report.updates.v[0], "etc/._cfg0000_conf");
	/* The same update again uses the same name, another one the next. */
	r.m.pf = "foo-3";
	r.m.replaces = (const char *const[]){ "foo-2", NULL };
	merge(&r, "f|etc/conf|644|2\n");
	CHECK(!fs_exists(r.w.root, "etc/._cfg0001_conf"));
	r.m.pf = "foo-4";
	r.m.replaces = (const char *const[]){ "foo-3", NULL };
	merge(&r, "f|etc/conf|644|3\n");
	check_content(&r, "etc/._cfg0001_conf", "3");
	finish(&r);
}

TEST(image_config_unowned_file_is_never_overwritten)
{
	struct run r;
	start(&r, "f|etc/conf|644|mine\nl|etc/link|mine\n");
	merge(&r, "f|etc/conf|644|1\nl|etc/link|theirs\n");
	check_content(&r, "etc/conf", "mine");
	check_content(&r, "etc/._cfg0000_conf", "1");
	CHECK(fs_exists(r.w.root, "etc/._cfg0000_link"));
	finish(&r);
}

TEST(image_config_removed_by_the_user_comes_back_as_an_offer)
{
	struct run r;
	start(&r, "");
	merge(&r, "f|etc/conf|644|1\n");
	CHECK(unlinkat(r.w.root, "etc/conf", 0) == 0);
	upgrade(&r, "f|etc/conf|644|1\n");
	CHECK(!fs_exists(r.w.root, "etc/conf"));
	check_content(&r, "etc/._cfg0000_conf", "1");
	finish(&r);
}

/* A root whose offset has no blank, so that the memory can hold its paths. */
#define PLAIN "/opt/plain"

static void plain_image(struct run *r, const char *text)
{
	struct err e = ERR_INIT;
	char *start = xasprintf("%s" PLAIN, r->w.image);
	CHECK_OK(fs_remove_tree(AT_FDCWD, r->w.image, &e), e);
	tree_make(start, text);
	free(start);
	image_report_fini(&r->report);
	CHECK_OK(image_merge(&r->m, &r->report, &e), e);
}

TEST(image_config_offered_once_is_not_offered_again)
{
	struct run r;
	start(&r, "f|etc/conf|644|mine\n");
	r.m.offset = PLAIN;
	plain_image(&r, "f|etc/conf|644|hi\n");
	check_content(
		&r, "var/lib/portage/config", PLAIN "/etc/conf 49f68a5c8493ec2c0bf489821c21fc3b\n");
	CHECK(unlinkat(r.w.root, "etc/._cfg0000_conf", 0) == 0);
	r.m.replaces = first_version;
	plain_image(&r, "f|etc/conf|644|hi\n");
	CHECK(!fs_exists(r.w.root, "etc/._cfg0000_conf"));
	CHECK(noted(&r, "offered before"));
	r.m.ignore_confmem = true;
	plain_image(&r, "f|etc/conf|644|hi\n");
	check_content(&r, "etc/._cfg0000_conf", "hi");
	/* Accepted: forgotten. */
	tree_make(r.w.root_path, "f|etc/conf|644|hi\n");
	plain_image(&r, "f|etc/conf|644|hi\n");
	check_content(&r, "var/lib/portage/config", "");
	finish(&r);
}

TEST(image_unmerge_keeps_changed_configuration)
{
	struct run r;
	start(&r, "");
	merge(&r, "f|etc/same|644|1\nf|etc/text|644|1\nf|etc/time|644|1\nl|etc/link|same\n"
		  "f|usr/changed|644|1\np|etc/pipe\n");
	tree_make(r.w.root_path, "f|etc/text|644|2\nf|usr/changed|644|2\n");
	CHECK(utimensat(r.w.root, "etc/time", NULL, 0) == 0);
	unmerge(&r, "foo-1", NULL);
	CHECK(!fs_exists(r.w.root, "etc/same") && !fs_exists(r.w.root, "etc/link"));
	CHECK(!fs_exists(r.w.root, "usr"));
	check_content(&r, "etc/text", "2");
	check_content(&r, "etc/time", "1");
	CHECK(fs_exists(r.w.root, "etc/pipe"));
	CHECK(noted(&r, "etc/text stays") && noted(&r, "etc/time stays"));
	finish(&r);
}

TEST(image_unmerge_keeps_what_it_is_told)
{
	static const char *const keep[] = { OFFSET "/lib/libx.so.1", NULL };
	struct run r;
	start(&r, "");
	merge(&r, "f|lib/libx.so.1|755|1\nf|lib/liby.so.1|755|1\n");
	r.m.keep = keep;
	upgrade(&r, "f|lib/libx.so.2|755|2\n");
	check_content(&r, "lib/libx.so.1", "1");
	CHECK(!fs_exists(r.w.root, "lib/liby.so.1") && noted(&r, "libx.so.1 stays"));
	/* It belongs to the new instance now, and goes with it. */
	unmerge(&r, "foo-2", NULL);
	CHECK(!fs_exists(r.w.root, "lib"));
	finish(&r);
}

static const char *shared(void *ctx, struct str path)
{
	(void)ctx;
	return str_is(path, OFFSET "/usr/shared") || str_is(path, OFFSET "/link") ? "cat/bar-1"
										  : NULL;
}

TEST(image_unmerge_keeps_what_others_list)
{
	struct err e = ERR_INIT;
	struct run r;
	start(&r, "");
	merge(&r, "f|usr/shared|644|1\nf|usr/mine|644|1\nl|link|usr\n");
	struct image_unmerge u = { .root = r.w.root,
		.offset = OFFSET,
		.category = "cat",
		.pf = "foo-1",
		.owners = { shared, NULL },
		.no_sync = true };
	CHECK_OK(image_unmerge(&u, &r.report, &e), e);
	CHECK(fs_exists(r.w.root, "usr/shared") && !fs_exists(r.w.root, "usr/mine"));
	CHECK(fs_exists(r.w.root, "link/shared"));
	finish(&r);
}

TEST(image_unmerge_spares_what_has_become_something_else)
{
	struct run r;
	start(&r, "");
	merge(&r, "f|a|644|1\nf|d/x|644|1\nd|e|755\n");
	CHECK(unlinkat(r.w.root, "a", 0) == 0 && mkdirat(r.w.root, "a", 0755) == 0);
	CHECK(renameat(r.w.root, "d", r.w.root, "moved") == 0);
	CHECK(symlinkat("moved", r.w.root, "d") == 0);
	CHECK(unlinkat(r.w.root, "e", AT_REMOVEDIR) == 0);
	tree_make(r.w.root_path, "f|e|644|now a file\n");
	unmerge(&r, "foo-1", NULL);
	CHECK(fs_is_dir(r.w.root, "a") && noted(&r, "a stays"));
	check_content(&r, "e", "now a file");
	/* The file goes through the user's symlink; the symlink is the user's. */
	CHECK(fs_is_dir(r.w.root, "moved") && !fs_exists(r.w.root, "moved/x"));
	CHECK(fs_exists(r.w.root, "d"));
	finish(&r);
}

TEST(image_unmerge_stays_inside_the_prefix)
{
	struct run r;
	start(&r, "f|outside|644|x\n");
	merge(&r, "f|a|644|1\n");
	struct err e = ERR_INIT;
	static const char bad[] =
		"obj /outside d41d8cd98f00b204e9800998ecf8427e 1\n"
		"dir " OFFSET "\nobj " OFFSET "x/a d41d8cd98f00b204e9800998ecf8427e "
		"1\nobj " OFFSET "/a d41d8cd98f00b204e9800998ecf8427e 1\nrubbish\n";
	CHECK_OK(fs_write(r.w.root, "var/db/pkg/cat/foo-1/CONTENTS", bad, sizeof bad - 1, 0644, &e),
		e);
	unmerge(&r, "foo-1", NULL);
	CHECK(fs_exists(r.w.root, "outside") && !fs_exists(r.w.root, "a"));
	CHECK(noted(&r, "outside the prefix") && noted(&r, "1 lines are no entries"));
	finish(&r);
}

TEST(image_copies_where_it_cannot_link)
{
	struct run r;
	struct stat here, there;
	start(&r, "");
	char other[] = "/dev/shm/eprefix-unit.XXXXXX";
	if (mkdtemp(other) == NULL || stat(other, &there) != 0 || fstat(r.w.root, &here) != 0 ||
		here.st_dev == there.st_dev) {
		test_skip("no second file system at hand");
		finish(&r);
		return;
	}
	struct err e = ERR_INIT;
	char *image = xasprintf("%s/image", other), *begin = xasprintf("%s%s", image, OFFSET);
	tree_make(begin, "f|s|4755|content\nh|t|s\nf|e|600|\nl|l|s\np|p\nd|ro|555\n");
	char *want = tree_text(begin, NULL);
	r.m.image = image;
	CHECK_OK(image_merge(&r.m, &r.report, &e), e);
	static const char *const skip[] = { "var", NULL };
	char *got = tree_text(r.w.root_path, skip);
	CHECK_STR(got, want);
	CHECK_OK(fs_remove_tree(AT_FDCWD, other, &e), e);
	free(got);
	free(want);
	free(image);
	free(begin);
	finish(&r);
}
