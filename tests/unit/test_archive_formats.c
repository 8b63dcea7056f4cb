#include "fs.h"
#include "test.h"
#include "unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* What the archives hold: a directory, a script, a link, a hard link. */
struct wish {
	const char *format, *filter; /* names libarchive knows */
	bool links; /* the format has them */
};

static void put(struct archive *a, const char *name, unsigned type, const char *text)
{
	struct archive_entry *entry = archive_entry_new();
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, type);
	archive_entry_set_perm(entry, type == AE_IFREG ? 04711 : 0755);
	archive_entry_set_mtime(entry, 1000000000, 0);
	archive_entry_set_nlink(entry, 1);
	if (type == AE_IFLNK)
		archive_entry_set_symlink(entry, text);
	archive_entry_set_size(entry, type == AE_IFREG ? (la_int64_t)strlen(text) : 0);
	CHECK(archive_write_header(a, entry) == ARCHIVE_OK);
	if (type == AE_IFREG)
		CHECK(archive_write_data(a, text, strlen(text)) == (la_ssize_t)strlen(text));
	archive_entry_free(entry);
}

static void put_hardlink(struct archive *a, const char *name, const char *target)
{
	struct archive_entry *entry = archive_entry_new();
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_hardlink(entry, target);
	CHECK(archive_write_header(a, entry) == ARCHIVE_OK);
	archive_entry_free(entry);
}

static bool write_archive(const char *file, const struct wish *w)
{
	struct archive *a = archive_write_new();
	bool ok = archive_write_set_format_by_name(a, w->format) == ARCHIVE_OK &&
		  (strcmp(w->filter, "none") == 0 ||
			  archive_write_add_filter_by_name(a, w->filter) == ARCHIVE_OK) &&
		  archive_write_open_filename(a, file) == ARCHIVE_OK;
	if (ok && strncmp(w->format, "ar", 2) != 0) {
		put(a, "p-1/dir", AE_IFDIR, NULL);
		put(a, "p-1/dir/run", AE_IFREG, "#!/bin/sh\necho run\n");
	} else if (ok) {
		put(a, "run", AE_IFREG, "#!/bin/sh\necho run\n");
	}
	if (ok && w->links)
		put(a, "p-1/link", AE_IFLNK, "dir/run");
	archive_write_free(a);
	return ok;
}

/* An open empty directory and a file name beside it. */
static int make_place(char **file, char **dir)
{
	struct err e = ERR_INIT;
	int fd = -1;
	*dir = xstrdup(test_dir());
	*file = xasprintf("%s/archive", *dir);
	char *out = path_join(*dir, "out");
	CHECK_OK(fs_mkdirs(AT_FDCWD, out, 0755, &e), e);
	CHECK_OK(fs_open_dir(AT_FDCWD, out, &fd, &e), e);
	free(out);
	return fd;
}

static bool holds(int at, const char *path, const char *text)
{
	struct buf b = BUF_INIT;
	struct err e = ERR_INIT;
	bool ok = fs_read(at, path, &b, &e) && strcmp(buf_str(&b), text) == 0;
	buf_fini(&b);
	return ok;
}

static void check_format(const struct wish *w)
{
	char *file, *dir;
	struct err e = ERR_INIT;
	struct stat st;
	static const struct unpack_opts none;
	int fd = make_place(&file, &dir);
	if (!write_archive(file, w)) {
		test_fail(__FILE__, __LINE__, "cannot write %s %s", w->format, w->filter);
	} else {
		const char *run = strncmp(w->format, "ar", 2) == 0 ? "run" : "p-1/dir/run";
		if (!archive_unpack(file, fd, &none, &e))
			test_fail(__FILE__, __LINE__, "%s %s: %s", w->format, w->filter, e.message);
		CHECK(holds(fd, run, "#!/bin/sh\necho run\n"));
		CHECK(fstatat(fd, run, &st, 0) == 0 && st.st_mtime == 1000000000);
		CHECK((st.st_mode & 07777) == 0711 || (st.st_mode & 07777) == 0755);
		if (w->links)
			CHECK(holds(fd, "p-1/link", "#!/bin/sh\necho run\n"));
	}
	close(fd);
	free(file);
	free(dir);
}

TEST(archive_reads_every_format_and_filter)
{
	static const struct wish wishes[] = {
		{ "pax", "none", true },
		{ "pax", "gzip", true },
		{ "pax", "bzip2", true },
		{ "pax", "xz", true },
		{ "pax", "lzma", true },
		{ "pax", "lzip", true },
		{ "pax", "zstd", true },
		{ "pax", "compress", true },
		{ "gnutar", "gzip", true },
		{ "ustar", "gzip", true },
		{ "v7tar", "gzip", true },
		{ "zip", "none", true },
		{ "newc", "gzip", true },
		{ "odc", "none", true },
		{ "arbsd", "none", false },
		{ "argnu", "none", false },
	};
	for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++)
		check_format(&wishes[i]);
}

/* A file's bytes as a member of a new archive. */
static void put_file(struct archive *a, const char *name, const char *file)
{
	struct buf b = BUF_INIT;
	struct err e = ERR_INIT;
	CHECK_OK(fs_read(AT_FDCWD, file, &b, &e), e);
	struct archive_entry *entry = archive_entry_new();
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (la_int64_t)b.n);
	CHECK(archive_write_header(a, entry) == ARCHIVE_OK);
	CHECK(archive_write_data(a, b.p, b.n) == (la_ssize_t)b.n);
	archive_entry_free(entry);
	buf_fini(&b);
}

TEST(archive_unpacks_a_nested_archive_in_place_of_the_outer)
{
	static const struct wish inner = { "pax", "xz", true };
	char *file, *dir;
	struct err e = ERR_INIT;
	int fd = make_place(&file, &dir);
	char *inner_file = xasprintf("%s/inner", dir);
	CHECK(write_archive(inner_file, &inner));
	struct archive *a = archive_write_new();
	CHECK(archive_write_set_format_by_name(a, "pax") == ARCHIVE_OK);
	CHECK(archive_write_add_filter_by_name(a, "gzip") == ARCHIVE_OK);
	CHECK(archive_write_open_filename(a, file) == ARCHIVE_OK);
	put(a, "gcc-14/README", AE_IFREG, "outer");
	put_file(a, "gcc-14/gcc-14.2.0.tar.xz", inner_file);
	archive_write_free(a);

	struct unpack_opts o = { .strip = 1, .nested = "*/gcc-*.tar.xz" };
	CHECK_OK(archive_unpack(file, fd, &o, &e), e);
	CHECK(holds(fd, "dir/run", "#!/bin/sh\necho run\n") && !fs_exists(fd, "README"));
	struct strv names = STRV_INIT;
	CHECK_OK(fs_list(fd, ".", &names, &e), e);
	CHECK(names.n == 2);
	strv_fini(&names);

	o.nested = "*/gcc-*.tar.bz2";
	CHECK(!archive_unpack(file, fd, &o, &e));
	CHECK(strstr(e.message, "no file that matches \"*/gcc-*.tar.bz2\"") != NULL);
	e = ERR_INIT;
	o.nested = "*/README";
	CHECK(!archive_unpack(file, fd, &o, &e));
	CHECK_STR(e.what, "archive.format");
	close(fd);
	free(inner_file);
	free(file);
	free(dir);
}

static bool note(void *ctx, const struct archive_member *m, struct err *e)
{
	(void)e;
	buf_printf(ctx, "%c %s %s %o\n", m->type, m->path, m->target != NULL ? m->target : "-",
		(unsigned)m->mode);
	return true;
}

TEST(archive_finds_the_data_of_a_deb)
{
	static const struct wish data = { "gnutar", "zstd", true };
	char *file, *dir;
	struct err e = ERR_INIT;
	int fd = make_place(&file, &dir);
	char *data_file = xasprintf("%s/data.tar.zst", dir);
	CHECK(write_archive(data_file, &data));
	struct archive *a = archive_write_new();
	CHECK(archive_write_set_format_by_name(a, "argnu") == ARCHIVE_OK);
	CHECK(archive_write_open_filename(a, file) == ARCHIVE_OK);
	put(a, "debian-binary", AE_IFREG, "2.0\n");
	put(a, "control.tar.xz", AE_IFREG, "not looked at");
	put_file(a, "data.tar.zst", data_file);
	archive_write_free(a);

	static const struct unpack_opts none;
	struct buf list = BUF_INIT;
	CHECK_OK(archive_unpack(file, fd, &none, &e), e);
	CHECK(holds(fd, "p-1/dir/run", "#!/bin/sh\necho run\n"));
	CHECK_OK(archive_list(file, note, &list, &e), e);
	CHECK_STR(buf_str(&list), "d p-1/dir/ - 755\nf p-1/dir/run - 4711\n"
				  "l p-1/link dir/run 755\n");
	buf_fini(&list);
	close(fd);
	free(data_file);
	free(file);
	free(dir);
}

TEST(archive_keeps_hard_links_of_every_format_whole)
{
	static const char *const formats[] = { "pax", "gnutar", "newc" };
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		char *file, *dir;
		struct err e = ERR_INIT;
		static const struct unpack_opts none;
		int fd = make_place(&file, &dir);
		struct archive *a = archive_write_new();
		CHECK(archive_write_set_format_by_name(a, formats[i]) == ARCHIVE_OK);
		CHECK(archive_write_open_filename(a, file) == ARCHIVE_OK);
		put(a, "one", AE_IFREG, "shared");
		if (strcmp(formats[i], "newc") != 0)
			put_hardlink(a, "two", "one");
		archive_write_free(a);
		CHECK_OK(archive_unpack(file, fd, &none, &e), e);
		CHECK(holds(fd, "one", "shared"));
		CHECK(strcmp(formats[i], "newc") == 0 || holds(fd, "two", "shared"));
		close(fd);
		free(file);
		free(dir);
	}
}

/* cpio says a hard link by equal device and inode; the last of them carries the data. */
TEST(archive_takes_the_data_of_cpio_links_from_the_last)
{
	char *file, *dir;
	struct err e = ERR_INIT;
	struct buf cpio = BUF_INIT;
	static const struct unpack_opts none;
	int fd = make_place(&file, &dir);
	static const struct {
		const char *name, *data;
		unsigned links, ino;
	} members[] = { { "one", "", 2, 7 }, { "two", "shared\n\n", 2, 7 },
		{ "TRAILER!!!", "", 1, 0 } };
	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(members[i].data), name = strlen(members[i].name) + 1;
		buf_printf(&cpio, "070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08zX%08X",
			members[i].ino, 0100644U, 0U, 0U, members[i].links, 1000000000U, n, 0U, 1U,
			0U, 0U, name, 0U);
		buf_add(&cpio, members[i].name, name);
		buf_add(&cpio, "\0\0\0", (4 - (110 + name) % 4) % 4);
		buf_add(&cpio, members[i].data, n);
	}
	CHECK_OK(fs_write(AT_FDCWD, file, cpio.p, cpio.n, 0644, &e), e);
	CHECK_OK(archive_unpack(file, fd, &none, &e), e);
	CHECK(holds(fd, "one", "shared\n\n") && holds(fd, "two", "shared\n\n"));
	struct stat st;
	CHECK(fstatat(fd, "one", &st, 0) == 0 && st.st_nlink == 2);
	buf_fini(&cpio);
	close(fd);
	free(file);
	free(dir);
}

TEST(archive_compressed_and_cut_short_is_an_error)
{
	static const struct wish wishes[] = { { "pax", "gzip", true }, { "pax", "xz", true },
		{ "pax", "bzip2", true }, { "pax", "zstd", true }, { "zip", "none", true } };
	for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
		char *file, *dir;
		struct stat st;
		static const struct unpack_opts none;
		int fd = make_place(&file, &dir);
		if (!write_archive(file, &wishes[i]) || stat(file, &st) != 0) {
			test_fail(__FILE__, __LINE__, "cannot write %s", wishes[i].filter);
		} else {
			struct err e = ERR_INIT;
			CHECK(truncate(file, st.st_size / 2) == 0);
			CHECK(!archive_unpack(file, fd, &none, &e));
			CHECK(strstr(e.message, file) != NULL);
		}
		close(fd);
		free(file);
		free(dir);
	}
}
