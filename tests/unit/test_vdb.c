#include "vdb.h"

#include "image_tree.h"

#include <stdio.h>

static struct vdb *open_vdb(const struct world_of_test *w)
{
	struct err e = ERR_INIT;
	struct vdb *v = NULL;
	CHECK_OK(vdb_open(&v, w->root, OFFSET, &e), e);
	return v;
}

TEST(vdb_lists_what_counts_as_installed)
{
	struct world_of_test w = tree_world(
		"d|var/db/pkg/cat/foo-bar-1.2-r3|755\nd|var/db/pkg/cat/foo-10|755\n"
		"d|var/db/pkg/cat/foo-9|755\nd|var/db/pkg/cat/foo-1bar-2|755\n"
		"d|var/db/pkg/cat/-MERGING-foo-11|755\nd|var/db/pkg/cat/.hidden-1|755\n"
		"d|var/db/pkg/cat/CVS|755\nd|var/db/pkg/cat/lost+found|755\n"
		"f|var/db/pkg/cat/file-1|644|\nd|var/db/pkg/cat/noversion|755\n"
		"d|var/db/pkg/.old/x-1|755\nd|var/db/pkg/-bad/x-1|755\nd|var/db/pkg/app/z-0|755\n");
	struct vdb *v = open_vdb(&w);
	static const char *const want[] = { "app/z-0", "cat/foo-10", "cat/foo-9", "cat/foo-1bar-2",
		"cat/foo-bar-1.2-r3" };
	CHECK(vdb_count(v) == 5);
	for (size_t i = 0; i < vdb_count(v) && i < 5; i++) {
		char *got = xasprintf("%s/%s", vdb_at(v, i)->category, vdb_at(v, i)->pf);
		CHECK_STR(got, want[i]);
		free(got);
	}
	CHECK(vdb_invalid(v)->n == 1);
	CHECK_STR(vdb_invalid(v)->v[0], "cat/noversion");
	size_t n = 0;
	const struct vdb_pkg *first = vdb_of_name(v, "cat", "foo", &n);
	CHECK(n == 2 && first == vdb_at(v, 1) && strcmp(first[1].pf, "foo-9") == 0);
	CHECK(vdb_of_name(v, "cat", "fo", &n) == NULL && n == 0);
	CHECK(vdb_find(v, "cat", "foo-bar-1.2-r3") == vdb_at(v, 4));
	CHECK_STR(vdb_at(v, 4)->pvr, "1.2-r3");
	CHECK(vdb_find(v, "cat", "foo-11") == NULL);
	vdb_free(v);
	tree_world_end(&w);
}

TEST(vdb_of_an_empty_root_is_empty)
{
	struct err e = ERR_INIT;
	struct vdb *v = NULL;
	int root = -1;
	CHECK_OK(fs_open_dir(AT_FDCWD, test_dir(), &root, &e), e);
	CHECK_OK(vdb_open(&v, root, OFFSET, &e), e);
	CHECK(v != NULL && vdb_count(v) == 0);
	vdb_free(v);
	close(root);
}

TEST(vdb_reads_single_files)
{
	struct world_of_test w = tree_world("f|var/db/pkg/c/p-1/SLOT|644|  2/3 \n"
					    "f|var/db/pkg/c/p-1/COUNTER|644|17\n"
					    "f|var/db/pkg/c/q-1/SLOT|644|-\n");
	struct err e = ERR_INIT;
	CHECK_OK(fs_write(w.root, "var/db/pkg/c/p-1/RDEPEND", "a/b\n\t c/d \n", 11, 0644, &e), e);
	struct vdb *v = open_vdb(&w);
	const struct vdb_pkg *p = vdb_find(v, "c", "p-1"), *q = vdb_find(v, "c", "q-1");
	CHECK_STR(vdb_get(p, "RDEPEND"), "a/b c/d");
	CHECK_STR(vdb_get(p, "SLOT"), "2/3");
	CHECK_STR(vdb_slot(p), "2");
	CHECK_STR(vdb_get(p, "DEPEND"), "");
	CHECK_STR(vdb_repo(p), "__unknown__");
	CHECK(vdb_counter(p) == 17 && vdb_counter(q) == 0);
	CHECK_STR(vdb_slot(q), "0");
	struct buf raw = BUF_INIT;
	CHECK_OK(vdb_read(p, "RDEPEND", &raw, &e), e);
	CHECK_STR(buf_str(&raw), "a/b\n\t c/d \n");
	CHECK(!vdb_read(p, "USE", &raw, &e) && e.sys == ENOENT);
	buf_fini(&raw);
	vdb_free(v);
	tree_world_end(&w);
}

/* Write `metadata` as Portage does: body by rename, then the stamp appended. */
static void write_metadata(const struct world_of_test *w, const char *dir, long long off)
{
	struct err e = ERR_INIT;
	struct stat st;
	char *path = xasprintf("%s/metadata", dir);
	static const char body[] = "#format=1\nDEPEND=from metadata\nSLOT=5\nUSE=\n";
	CHECK_OK(fs_write(w->root, path, body, sizeof body - 1, 0644, &e), e);
	CHECK(fstatat(w->root, dir, &st, 0) == 0);
	int fd = openat(w->root, path, O_WRONLY | O_APPEND);
	dprintf(fd, "#dir_mtime=%lld\n",
		(long long)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec + off);
	close(fd);
	free(path);
}

TEST(vdb_takes_a_current_metadata_file)
{
	for (int stale = 0; stale <= 1; stale++) {
		struct world_of_test w = tree_world(
			"f|var/db/pkg/c/p-1/SLOT|644|2\nf|var/db/pkg/c/p-1/KEYWORDS|644|amd64\n"
			"f|var/db/pkg/c/p-1/INHERITED|644|x\n");
		write_metadata(&w, "var/db/pkg/c/p-1", stale);
		struct vdb *v = open_vdb(&w);
		const struct vdb_pkg *p = vdb_find(v, "c", "p-1");
		CHECK_STR(vdb_get(p, "SLOT"), stale ? "2" : "5");
		CHECK_STR(vdb_get(p, "DEPEND"), stale ? "" : "from metadata");
		CHECK_STR(vdb_get(p, "KEYWORDS"), stale ? "amd64" : "");
		CHECK_STR(vdb_get(p, "INHERITED"), "x");
		vdb_free(v);
		tree_world_end(&w);
	}
}

static void check_owner(struct vdb *v, const char *path, const char *want)
{
	struct err e = ERR_INIT;
	struct vdb_list list = { 0 };
	struct buf got = BUF_INIT;
	CHECK_OK(vdb_owners(v, path, &list, &e), e);
	for (size_t i = 0; i < list.list.n; i++)
		buf_printf(&got, "%s ", list.list.v[i]->pf);
	CHECK_STR(buf_str(&got), want);
	buf_fini(&got);
	vec_fini(&list.list);
}

TEST(vdb_knows_owners_by_any_name)
{
	struct world_of_test w =
		tree_world("l|lib64|usr/lib\nd|usr/lib|755\nl|abs|" OFFSET "/usr\n"
			   "f|var/db/pkg/c/p-1/CONTENTS|644|obj " OFFSET
			   "/lib64/a d41d8cd98f00b204e9800998ecf8427e 1\n"
			   "f|var/db/pkg/c/q-1/CONTENTS|644|dir " OFFSET "/usr/lib\n");
	struct vdb *v = open_vdb(&w);
	struct err e = ERR_INIT;
	check_owner(v, OFFSET "/usr/lib/a", "p-1 ");
	check_owner(v, OFFSET "/lib64/a", "p-1 ");
	check_owner(v, OFFSET "/abs/lib/a", "p-1 ");
	check_owner(v, OFFSET "/usr/lib", "q-1 p-1 ");
	check_owner(v, OFFSET "/usr/lib/b", "");
	check_owner(v, "/elsewhere/a", "");
	static const char *const except[] = { "p-1", NULL };
	struct image_owners o = { 0 };
	CHECK_OK(vdb_owners_begin(v, "c", except, &o, &e), e);
	CHECK(o.owner(o.ctx, STR(OFFSET "/usr/lib/a")) == NULL);
	CHECK_STR(o.owner(o.ctx, STR(OFFSET "/usr/lib")), "c/q-1");
	vdb_owners_end(&o);
	struct vdb_files files = { 0 };
	CHECK_OK(vdb_owners_by_name(v, "a", &files, &e), e);
	CHECK(files.list.n == 1 && strcmp(files.list.v[0].pkg->pf, "p-1") == 0);
	CHECK_STR(files.list.v[0].path, OFFSET "/usr/lib/a");
	vdb_files_fini(&files);
	vdb_free(v);
	tree_world_end(&w);
}

TEST(vdb_fields_have_portages_form)
{
	struct vdb_fields f = VDB_FIELDS_INIT;
	vdb_set(&f, "DESCRIPTION", " two\n words ");
	vdb_set(&f, "LICENSE", "  ");
	vdb_set(&f, "IUSE", NULL);
	vdb_set_use(&f, "zlib b c b", "zlib b");
	vdb_setf(&f, "SIZE", "%d", 12);
	vdb_set(&f, "CHOST", "gone");
	vdb_set(&f, "CHOST", "");
	static const char *const want[][2] = { { "DESCRIPTION", "two words\n" }, { "IUSE", "\n" },
		{ "SIZE", "12\n" }, { "USE", "b zlib\n" } };
	CHECK(f.list.n == 4);
	for (size_t i = 0; i < f.list.n && i < 4; i++) {
		CHECK_STR(f.list.v[i].name, want[i][0]);
		CHECK_STR(f.list.v[i].value.p, want[i][1]);
	}
	CHECK_STR(vdb_fields_get(&f, "USE"), "b zlib");
	CHECK(vdb_fields_get(&f, "LICENSE") == NULL);
	vdb_fields_fini(&f);
}

static void merge_fields(const struct world_of_test *w, const struct vdb_fields *f)
{
	struct err e = ERR_INIT;
	struct image_report report = IMAGE_REPORT_INIT;
	struct image_merge m = { .image = w->image,
		.root = w->root,
		.offset = OFFSET,
		.category = "c",
		.pf = "p-1",
		.fields = f->list.v,
		.n_fields = f->list.n,
		.no_sync = true };
	CHECK_OK(image_merge(&m, &report, &e), e);
	image_report_fini(&report);
}

static void compose(struct vdb_fields *f)
{
	struct err e = ERR_INIT;
	static const char *const env[] = { "CFLAGS=-O2 -DX=\"a$b\"", "TEXT=two\nlines", NULL };
	vdb_set(f, "SLOT", "0/1");
	vdb_set(f, "EAPI", "8");
	vdb_set(f, "IUSE", "+a b");
	vdb_set_use(f, "a", "a b");
	vdb_set(f, "DEFINED_PHASES", "-");
	vdb_set_bytes(f, "NEEDED.ELF.2", STR("X86_64;/opt/x;;;libc.so.6;x86_64\n"));
	vdb_set_bytes(f, "p-1.ebuild", STR("EAPI=8\n\n# no newline at the end"));
	CHECK_OK(vdb_set_environment(f, env, &e), e);
}

/* Everything of a record, rewritten from what was read of it. */
static void rewrite(const struct world_of_test *w, const struct world_of_test *to)
{
	struct err e = ERR_INIT;
	struct vdb_fields f = VDB_FIELDS_INIT;
	struct vdb *v = open_vdb(w);
	const struct vdb_pkg *p = vdb_find(v, "c", "p-1");
	struct contents c = CONTENTS_INIT;
	struct buf text = BUF_INIT, again = BUF_INIT;
	CHECK_OK(vdb_fields_load(&f, p, &e), e);
	CHECK_OK(vdb_contents(p, &c, &text, &e), e);
	for (size_t i = 0; i < c.list.n; i++)
		contents_format(&again, &c.list.v[i]);
	CHECK_STR(buf_str(&again), buf_str(&text));
	merge_fields(to, &f);
	contents_fini(&c);
	buf_fini(&text);
	buf_fini(&again);
	vdb_fields_fini(&f);
	vdb_free(v);
}

TEST(vdb_record_round_trip_is_exact)
{
	struct vdb_fields f = VDB_FIELDS_INIT;
	struct world_of_test w = tree_world(""), to = tree_world("");
	const char *image = "f|usr/a b|644|x\nl|usr/l|a b\nf|usr/\xff|644|y\n";
	compose(&f);
	tree_image(&w, image);
	tree_image(&to, image);
	merge_fields(&w, &f);
	rewrite(&w, &to);
	/* The journal's directory and lock files are no part of the record. */
	char *a = xasprintf("%s/var/db/pkg", w.root_path),
	     *b = xasprintf("%s/var/db/pkg", to.root_path);
	static const char *const names[] = { "c/p-1/CONTENTS", "c/p-1/COUNTER", "c/p-1/SLOT",
		"c/p-1/USE", "c/p-1/IUSE", "c/p-1/NEEDED.ELF.2", "c/p-1/p-1.ebuild",
		"c/p-1/environment.bz2", "c/p-1/DEFINED_PHASES", "c/p-1/EAPI" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct err e = ERR_INIT;
		char *x = path_join(a, names[i]), *y = path_join(b, names[i]);
		char hx[DIGEST_HEX_MAX] = "x", hy[DIGEST_HEX_MAX] = "y";
		CHECK_OK(digest_file(AT_FDCWD, x, DIGEST_MD5, hx, &e), e);
		CHECK_OK(digest_file(AT_FDCWD, y, DIGEST_MD5, hy, &e), e);
		CHECK_STR(hy, hx);
		free(x);
		free(y);
	}
	free(a);
	free(b);
	vdb_fields_fini(&f);
	tree_world_end(&w);
	tree_world_end(&to);
}

TEST(vdb_environment_is_read_back)
{
	struct err e = ERR_INIT;
	struct vdb_fields f = VDB_FIELDS_INIT;
	struct world_of_test w = tree_world("");
	compose(&f);
	tree_image(&w, "f|a|644|a\n");
	merge_fields(&w, &f);
	struct vdb *v = open_vdb(&w);
	const struct vdb_pkg *p = vdb_find(v, "c", "p-1");
	static const char *const want[][2] = { { "CFLAGS", "-O2 -DX=\"a$b\"" },
		{ "TEXT", "two\nlines" }, { "SLOT", "0/1" }, { "USE", "a" } };
	for (size_t i = 0; i < 4; i++) {
		char *got = vdb_environment_get(p, want[i][0], &e);
		CHECK_STR(got, want[i][1]);
		free(got);
	}
	CHECK(vdb_environment_get(p, "NONE", &e) == NULL && e.code == ERR_NONE);
	CHECK_OK(fs_write(w.root, "var/db/pkg/c/p-1/environment.bz2", "BZh9junk", 8, 0644, &e), e);
	CHECK(vdb_environment_get(p, "USE", &e) == NULL && strcmp(e.what, "vdb.bzip2") == 0);
	vdb_fields_fini(&f);
	vdb_free(v);
	tree_world_end(&w);
}
