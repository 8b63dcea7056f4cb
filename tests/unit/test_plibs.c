#include "plibs.h"

#include "image_tree.h"

#define NEEDED(pf, path, soname, needed)                                                           \
	"f|var/db/pkg/c/" pf "/NEEDED.ELF.2|644|X86_64;" OFFSET path ";" soname ";;" needed        \
	";x86_64\n"
#define LIB1 OFFSET "/lib/libx.so.1"

/* c/x-1 has libx.so.1 by a symlink and liby.so.1; c/user needs the former. */
static void install_old(const struct world_of_test *w)
{
	struct err e = ERR_INIT;
	struct image_report report = IMAGE_REPORT_INIT;
	static const char needed[] =
		"X86_64;" OFFSET "/lib/libx.so.1.5;libx.so.1;;libc.so.6;x86_64\n"
		"X86_64;" OFFSET "/lib/liby.so.1;liby.so.1;;;x86_64\n";
	const struct image_field fields[] = { { "NEEDED.ELF.2", STR(needed) } };
	struct image_merge m = { .image = w->image,
		.root = w->root,
		.offset = OFFSET,
		.category = "c",
		.pf = "x-1",
		.fields = fields,
		.n_fields = 1,
		.no_sync = true };
	tree_image(
		w, "f|lib/libx.so.1.5|755|1\nl|lib/libx.so.1|libx.so.1.5\nf|lib/liby.so.1|755|1\n");
	CHECK_OK(image_merge(&m, &report, &e), e);
	image_report_fini(&report);
}

/* Replace old by pf, whose only library has this soname; the text of the registry is *registry. */
static void upgrade(
	const struct world_of_test *w, const char *old, const char *pf, const char *soname)
{
	struct err e = ERR_INIT;
	struct plibs plan = PLIBS_INIT;
	struct vdb *v = NULL;
	struct image_report report = IMAGE_REPORT_INIT;
	const char *const replaces[] = { old, NULL };
	char *image = xasprintf("f|lib/%s|755|2\n", soname);
	char *needed = xasprintf("X86_64;" OFFSET "/lib/%s;%s;;;x86_64\n", soname, soname);
	const struct image_field fields[] = { { "NEEDED.ELF.2", str_of(needed) } };
	tree_image(w, image);
	CHECK_OK(vdb_open(&v, w->root, OFFSET, &e), e);
	struct plibs_merge what = { v, w->root, "c", "x", pf, "0", replaces, str_of(needed) };
	CHECK_OK(plibs_plan(&what, &plan, &e), e);
	struct image_merge m = { .image = w->image,
		.root = w->root,
		.offset = OFFSET,
		.category = "c",
		.pf = pf,
		.replaces = replaces,
		.keep = plan.keep.v,
		.fields = fields,
		.n_fields = 1,
		.extras = &plan.extra,
		.n_extras = plan.registry != NULL,
		.no_sync = true };
	CHECK_OK(image_merge(&m, &report, &e), e);
	image_report_fini(&report);
	plibs_fini(&plan);
	vdb_free(v);
	free(image);
	free(needed);
}

static void check_registry(const struct world_of_test *w, const char *want)
{
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	CHECK_OK(fs_read(w->root, "var/lib/portage/preserved_libs_registry", &text, &e), e);
	CHECK_STR(buf_str(&text), want);
	buf_fini(&text);
}

TEST(plibs_keep_what_others_still_need)
{
	struct world_of_test w =
		tree_world(NEEDED("user-1", "/bin/user", "", "libx.so.1,libc.so.6"));
	tree_make(w.root_path, "d|var/db/pkg/c/user-1|755\n");
	install_old(&w);
	upgrade(&w, "x-1", "x-2", "libx.so.2");
	CHECK(fs_exists(w.root, "lib/libx.so.1") && fs_exists(w.root, "lib/libx.so.1.5"));
	CHECK(fs_exists(w.root, "lib/libx.so.2") && !fs_exists(w.root, "lib/liby.so.1"));
	static const char want[] = "{\n\t\"c/x:0\": [\n\t\t\"c/x-2\",\n\t\t\"1\",\n\t\t[\n"
				   "\t\t\t\"" LIB1 "\",\n\t\t\t\"" LIB1 ".5\"\n\t\t]\n\t]\n}";
	check_registry(&w, want);
	/* Still needed at the next upgrade: the record of x-2 lists them. */
	upgrade(&w, "x-2", "x-3", "libx.so.3");
	CHECK(fs_exists(w.root, "lib/libx.so.1.5") && !fs_exists(w.root, "lib/libx.so.2"));
	/* Its user is built anew: the next upgrade lets go of them. */
	tree_make(w.root_path, NEEDED("user-1", "/bin/user", "", "libx.so.3"));
	upgrade(&w, "x-3", "x-4", "libx.so.3");
	CHECK(!fs_exists(w.root, "lib/libx.so.1") && !fs_exists(w.root, "lib/libx.so.1.5"));
	check_registry(&w, "{}");
	tree_world_end(&w);
}

TEST(plibs_let_go_what_the_new_version_provides)
{
	struct world_of_test w = tree_world(NEEDED("user-1", "/bin/user", "", "libx.so.1"));
	install_old(&w);
	upgrade(&w, "x-1", "x-2", "libx.so.1");
	CHECK(!fs_exists(w.root, "lib/libx.so.1.5") && fs_exists(w.root, "lib/libx.so.1"));
	CHECK(!fs_exists(w.root, "var/lib/portage/preserved_libs_registry"));
	tree_world_end(&w);
}

TEST(plibs_keep_the_entries_of_others)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world(NEEDED("user-1", "/bin/user", "", "libx.so.1"));
	static const char old[] = "{\"z/z:1\": [\"z/z-1\", \"7\", [\"/p\"]]}";
	CHECK_OK(fs_write(w.root, "var/lib/portage/preserved_libs_registry", old, sizeof old - 1,
			 0644, &e),
		e);
	install_old(&w);
	upgrade(&w, "x-1", "x-2", "libx.so.2");
	static const char want[] =
		"{\n\t\"c/x:0\": [\n\t\t\"c/x-2\",\n\t\t\"1\",\n\t\t[\n"
		"\t\t\t\"" LIB1 "\",\n\t\t\t\"" LIB1 ".5\"\n\t\t]\n\t],\n"
		"\t\"z/z:1\": [\n\t\t\"z/z-1\",\n\t\t\"7\",\n\t\t[\n\t\t\t\"/p\"\n"
		"\t\t]\n\t]\n}";
	check_registry(&w, want);
	tree_world_end(&w);
}
