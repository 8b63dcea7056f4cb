#include "fs.h"
#include "place.h"
#include "test.h"
#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* One ustar header made by hand, because a well-behaved writer refuses what is tested here. */
struct member {
	const char *name, *link, *data;
	char type; /* 0: a file */
	unsigned mode; /* 0: 0644 */
	long long mtime; /* 0: 1000000000 */
};

static void octal(char *field, size_t n, unsigned long long v)
{
	/* Digits from the right; what does not fit is cut, as tar writers do. */
	for (size_t i = n - 1; i-- > 0; v /= 8)
		field[i] = (char)('0' + v % 8);
}

static void add_member(struct buf *tar, const struct member *m)
{
	char h[512] = { 0 }, zero[512] = { 0 };
	size_t n = m->data != NULL ? strlen(m->data) : 0;
	unsigned sum = 0;
	memcpy(h, m->name, strnlen(m->name, 100));
	octal(h + 100, 8, m->mode != 0 ? m->mode : 0644);
	octal(h + 108, 8, 65002); /* an owner nobody has */
	octal(h + 116, 8, 65003);
	octal(h + 124, 12, n);
	octal(h + 136, 12, (unsigned long long)(m->mtime != 0 ? m->mtime : 1000000000));
	h[156] = m->type != 0 ? m->type : '0';
	if (m->link != NULL)
		memcpy(h + 157, m->link, strnlen(m->link, 100));
	memcpy(h + 257, "ustar\00000", 8);
	memset(h + 148, ' ', 8);
	for (size_t i = 0; i < sizeof h; i++)
		sum += (unsigned char)h[i];
	octal(h + 148, 7, sum);
	buf_add(tar, h, sizeof h);
	buf_add(tar, m->data, n);
	buf_add(tar, zero, (512 - n % 512) % 512);
}

/* A directory with the archive "a.tar" beside an empty "out"; dest is out's descriptor. */
struct place_of_test {
	char *dir, *file;
	int dest;
	struct err e;
};

static struct place_of_test begin(const struct buf *bytes)
{
	struct place_of_test t = { .dir = xstrdup(test_dir()) };
	int at;
	CHECK(fs_open_dir(AT_FDCWD, t.dir, &at, &t.e));
	CHECK_OK(fs_write(at, "a.tar", bytes->p, bytes->n, 0644, &t.e), t.e);
	CHECK_OK(fs_write(at, "outside", "safe", 4, 0644, &t.e), t.e);
	CHECK_OK(fs_mkdirs(at, "out", 0755, &t.e), t.e);
	CHECK_OK(fs_open_dir(at, "out", &t.dest, &t.e), t.e);
	close(at);
	t.file = path_join(t.dir, "a.tar");
	return t;
}

static void end(struct place_of_test *t)
{
	close(t->dest);
	free(t->dir);
	free(t->file);
}

static struct buf tar_of(const struct member *members, size_t n)
{
	struct buf tar = BUF_INIT;
	char zero[1024] = { 0 };
	for (size_t i = 0; i < n; i++)
		add_member(&tar, &members[i]);
	buf_add(&tar, zero, sizeof zero);
	return tar;
}

/* Unpack these members; the caller looks at the result and calls end(). */
static bool unpack(struct place_of_test *t, const struct member *members, size_t n,
	const struct unpack_opts *o)
{
	static const struct unpack_opts none;
	struct buf tar = tar_of(members, n);
	*t = begin(&tar);
	buf_fini(&tar);
	return archive_unpack(t->file, t->dest, o != NULL ? o : &none, &t->e);
}

static bool holds(int at, const char *path, const char *text)
{
	struct buf b = BUF_INIT;
	struct err e = ERR_INIT;
	bool ok = fs_read(at, path, &b, &e) && strcmp(buf_str(&b), text) == 0;
	buf_fini(&b);
	return ok;
}

static unsigned mode_of(int at, const char *path)
{
	struct stat st = { 0 };
	(void)fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW);
	return st.st_mode & 07777;
}

static long long mtime_of(int at, const char *path)
{
	struct stat st = { 0 };
	(void)fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW);
	return st.st_mtime;
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

TEST(archive_unpacks_a_tree_as_it_was)
{
	static const struct member m[] = {
		{ .name = "p-1/", .type = '5', .mode = 0555, .mtime = 1000000001 },
		{ .name = "p-1/configure", .data = "#!/bin/sh\n", .mode = 0755 },
		{ .name = "p-1/sub/deep/file", .data = "x", .mode = 0400 },
		{ .name = "p-1/link", .type = '2', .link = "sub/deep/file" },
		{ .name = "p-1/hard", .type = '1', .link = "p-1/configure" },
	};
	struct place_of_test t;
	mode_t old = umask(077);
	CHECK_OK(unpack(&t, m, COUNT(m), NULL), t.e);
	umask(old);
	CHECK(holds(t.dest, "p-1/configure", "#!/bin/sh\n"));
	CHECK(holds(t.dest, "p-1/link", "x"));
	CHECK(holds(t.dest, "p-1/hard", "#!/bin/sh\n"));
	CHECK(mode_of(t.dest, "p-1") == 0755);
	CHECK(mode_of(t.dest, "p-1/sub") == 0755);
	CHECK(mode_of(t.dest, "p-1/configure") == 0755);
	CHECK(mode_of(t.dest, "p-1/sub/deep/file") == 0600);
	CHECK(mtime_of(t.dest, "p-1/configure") == 1000000000);
	CHECK(mtime_of(t.dest, "p-1") == 1000000001);
	CHECK(mtime_of(t.dest, "p-1/link") == 1000000000);
	struct stat a, b;
	CHECK(fstatat(t.dest, "p-1/configure", &a, 0) == 0);
	CHECK(fstatat(t.dest, "p-1/hard", &b, 0) == 0);
	CHECK(a.st_ino == b.st_ino && a.st_uid == geteuid());
	end(&t);
}

TEST(archive_strips_leading_components)
{
	static const struct member m[] = {
		{ .name = "./p-1/", .type = '5' },
		{ .name = "./p-1/a/b", .data = "1" },
		{ .name = "top", .data = "left out" },
		{ .name = "p-1/h", .type = '1', .link = "./p-1/a/b" },
	};
	struct unpack_opts o = { .strip = 1 };
	struct place_of_test t;
	CHECK_OK(unpack(&t, m, COUNT(m), &o), t.e);
	CHECK(holds(t.dest, "a/b", "1") && holds(t.dest, "h", "1"));
	CHECK(!fs_exists(t.dest, "p-1") && !fs_exists(t.dest, "top"));
	end(&t);
}

TEST(archive_takes_only_what_is_asked_for)
{
	static const struct member m[] = {
		{ .name = "p/include/x.h", .data = "h" },
		{ .name = "p/include/sub/y.h", .data = "h" },
		{ .name = "p/src/a.c", .data = "c" },
		{ .name = "p/src/gen/b.c", .data = "c" },
	};
	const char *const only[] = { "include", "src/*", NULL }, *const except[] = { "src/gen",
		NULL };
	struct unpack_opts o = { .strip = 1, .only = only, .except = except };
	struct place_of_test t;
	CHECK_OK(unpack(&t, m, COUNT(m), &o), t.e);
	CHECK(fs_exists(t.dest, "include/sub/y.h") && fs_exists(t.dest, "src/a.c"));
	CHECK(!fs_exists(t.dest, "src/gen"));
	end(&t);
	const char *const none[] = { "nothing", NULL };
	o.only = none;
	CHECK(!unpack(&t, m, COUNT(m), &o));
	CHECK_STR(t.e.what, "archive.format");
	CHECK(strstr(t.e.message, "all of its 4 members") != NULL);
	end(&t);
}

/* Each of these must fail as unsafe and leave what is outside the target as it was. */
static void check_refused(const struct member *m, size_t n, const char *message)
{
	struct place_of_test t;
	CHECK(!unpack(&t, m, n, NULL));
	CHECK_STR(t.e.what, "archive.unsafe");
	if (strstr(t.e.message, message) == NULL)
		test_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"", t.e.message, message);
	CHECK(strstr(t.e.message, "a.tar") != NULL);
	int at;
	struct err e = ERR_INIT;
	struct strv names = STRV_INIT;
	CHECK(fs_open_dir(AT_FDCWD, t.dir, &at, &e));
	CHECK(holds(at, "outside", "safe"));
	CHECK(fs_list(at, ".", &names, &e) && names.n == 3);
	strv_fini(&names);
	close(at);
	end(&t);
}

TEST(archive_refuses_names_that_lead_outside)
{
	static const char *const names[] = { "../outside", "a/../../outside", "/tmp/eprefix-pwn",
		"..", "a/..", "./../outside", "//tmp/eprefix-pwn" };
	for (size_t i = 0; i < COUNT(names); i++) {
		struct member m = { .name = names[i], .data = "pwned" };
		check_refused(&m, 1, names[i]);
	}
}

TEST(archive_never_writes_through_a_symlink)
{
	static const struct member up[] = {
		{ .name = "d", .type = '2', .link = ".." },
		{ .name = "d/outside", .data = "pwned" },
	};
	check_refused(up, COUNT(up), "through the symlink \"d\"");
	static const struct member deep[] = {
		{ .name = "a/b", .type = '2', .link = "../.." },
		{ .name = "a/b/c/outside", .data = "pwned" },
	};
	check_refused(deep, COUNT(deep), "through the symlink \"a/b\"");
	static const struct member inside[] = {
		{ .name = "real/", .type = '5' },
		{ .name = "alias", .type = '2', .link = "real" },
		{ .name = "alias/x/", .type = '5' },
	};
	check_refused(inside, COUNT(inside), "through the symlink \"alias\"");
	static const struct member mode[] = {
		{ .name = "d", .type = '2', .link = ".." },
		{ .name = "d/x", .type = '2', .link = "y" },
	};
	check_refused(mode, COUNT(mode), "through the symlink");
}

TEST(archive_refuses_hard_links_to_what_is_no_file_below)
{
	static const struct member dotdot[] = {
		{ .name = "x", .type = '1', .link = "../outside" }
	};
	check_refused(dotdot, 1, "..");
	static const struct member absolute[] = {
		{ .name = "x", .type = '1', .link = "/etc/passwd" }
	};
	check_refused(absolute, 1, "absolute");
	static const struct member through[] = {
		{ .name = "d", .type = '2', .link = ".." },
		{ .name = "x", .type = '1', .link = "d/outside" },
	};
	check_refused(through, COUNT(through), "through the symlink");
	static const struct member symlink[] = {
		{ .name = "s", .type = '2', .link = "../outside" },
		{ .name = "x", .type = '1', .link = "s" },
		{ .name = "x", .data = "pwned" },
	};
	check_refused(symlink, COUNT(symlink), "no file in the target");
	static const struct member absent[] = { { .name = "x", .type = '1', .link = "nowhere" } };
	check_refused(absent, 1, "no file in the target");
}

TEST(archive_refuses_devices_and_fifos)
{
	static const char types[] = { '3', '4', '6' };
	for (size_t i = 0; i < sizeof types; i++) {
		struct member m = { .name = "special", .type = types[i] };
		check_refused(&m, 1, "device, fifo or socket");
	}
}

TEST(archive_later_members_replace_earlier_ones)
{
	static const struct member m[] = {
		{ .name = "a", .data = "old" },
		{ .name = "b", .type = '1', .link = "a" },
		{ .name = "a", .data = "new" },
		{ .name = "s", .type = '2', .link = "../outside" },
		{ .name = "s", .data = "plain" },
		{ .name = "d", .type = '2', .link = ".." },
		{ .name = "d/", .type = '5' },
		{ .name = "d/outside", .data = "inside" },
		{ .name = "e/", .type = '5' },
		{ .name = "e", .data = "file" },
		{ .name = "self", .data = "self" },
		{ .name = "self", .type = '1', .link = "self" },
	};
	struct place_of_test t;
	CHECK_OK(unpack(&t, m, COUNT(m), NULL), t.e);
	CHECK(holds(t.dest, "a", "new") && holds(t.dest, "b", "old"));
	CHECK(holds(t.dest, "s", "plain") && holds(t.dest, "../outside", "safe"));
	CHECK(holds(t.dest, "d/outside", "inside") && holds(t.dest, "e", "file"));
	CHECK(holds(t.dest, "self", "self"));
	end(&t);
}

TEST(archive_does_not_write_through_what_was_there_before)
{
	static const struct member m[] = { { .name = "f", .data = "new" } };
	struct buf tar = tar_of(m, 1);
	struct place_of_test t = begin(&tar);
	static const struct unpack_opts none;
	CHECK(symlinkat("../outside", t.dest, "f") == 0);
	CHECK_OK(archive_unpack(t.file, t.dest, &none, &t.e), t.e);
	CHECK(holds(t.dest, "f", "new") && holds(t.dest, "../outside", "safe"));
	CHECK_OK(fs_unlink(t.dest, "f", &t.e), t.e);
	CHECK_OK(fs_mkdirs(t.dest, "f/full", 0755, &t.e), t.e);
	CHECK(!archive_unpack(t.file, t.dest, &none, &t.e));
	CHECK(strstr(t.e.message, "member \"f\": a directory with content") != NULL);
	buf_fini(&tar);
	end(&t);
}

TEST(archive_drops_set_id_bits_and_clamps_the_future)
{
	static const struct member m[] = {
		{ .name = "suid", .data = "x", .mode = 06777, .mtime = 4102444800 },
		{ .name = "dir/", .type = '5', .mode = 07777, .mtime = 4102444800 },
		{ .name = "none", .data = "x", .mode = 01 },
		{ .name = "link", .type = '2', .link = "none", .mtime = 4102444800 },
	};
	struct place_of_test t;
	time_t before = time(NULL);
	CHECK_OK(unpack(&t, m, COUNT(m), NULL), t.e);
	CHECK(mode_of(t.dest, "suid") == 0755 && mode_of(t.dest, "dir") == 0755);
	CHECK(mode_of(t.dest, "none") == 0601);
	const char *const late[] = { "suid", "dir", "link" };
	for (size_t i = 0; i < COUNT(late); i++) {
		long long got = mtime_of(t.dest, late[i]);
		CHECK(got >= before && got <= time(NULL));
	}
	end(&t);
}

TEST(archive_takes_odd_names)
{
	char name[101], deep[101];
	memset(name, 'n', 100);
	name[100] = '\0';
	for (size_t i = 0; i < 100; i++)
		deep[i] = i % 2 ? '/' : 'd';
	deep[99] = 'e';
	deep[100] = '\0';
	struct member m[] = {
		{ .name = name, .data = "1" },
		{ .name = deep, .data = "2" },
		{ .name = "new\nline and \033[31m", .data = "3" },
		{ .name = "\xff\xfe latin-1 \xe4", .data = "4" },
		{ .name = "-rf", .data = "5" },
	};
	struct place_of_test t;
	CHECK_OK(unpack(&t, m, COUNT(m), NULL), t.e);
	CHECK(holds(t.dest, name, "1"));
	CHECK(holds(t.dest, "new\nline and \033[31m", "3"));
	CHECK(holds(t.dest, "\xff\xfe latin-1 \xe4", "4"));
	CHECK(holds(t.dest, "-rf", "5"));
	end(&t);
	struct member bad[] = { { .name = "new\nline\033[31m", .type = '6' } };
	check_refused(bad, 1, "\"new?line?[31m\"");
}

TEST(archive_reads_pax_names_of_any_length_and_encoding)
{
	struct buf record = BUF_INIT, tar = BUF_INIT;
	char name[600];
	for (size_t i = 0; i < sizeof name; i++)
		name[i] = i % 100 == 99 ? '/' : 'x';
	memcpy(name, "\xc3\xa4", 2);
	name[599] = '\0';
	buf_printf(&record, "%zu path=%s\n", strlen(name) + 10, name);
	struct member m[] = { { .name = "PaxHeader", .type = 'x', .data = buf_str(&record) },
		{ .name = "short", .data = "pax" } };
	tar = tar_of(m, 2);
	struct place_of_test t = begin(&tar);
	static const struct unpack_opts none;
	CHECK_OK(archive_unpack(t.file, t.dest, &none, &t.e), t.e);
	CHECK(holds(t.dest, name, "pax"));
	end(&t);
	buf_fini(&record);
	buf_fini(&tar);
}

TEST(archive_cut_short_is_an_error_that_names_the_member)
{
	static const struct member m[] = { { .name = "first", .data = "1" },
		{ .name = "second", .data = "a longer text" } };
	struct buf tar = tar_of(m, 2);
	size_t second = 512 + 512;
	for (size_t n = second + 512 + 1; n < second + 512 + 13; n++) {
		struct buf cut = { .p = tar.p, .n = n, .cap = tar.cap };
		struct place_of_test t = begin(&cut);
		static const struct unpack_opts none;
		CHECK(!archive_unpack(t.file, t.dest, &none, &t.e));
		CHECK_STR(t.e.what, "archive.corrupt");
		CHECK(strstr(t.e.message, "a.tar: member \"second\"") != NULL);
		end(&t);
	}
	tar.p[second] ^= 0x55; /* its header's checksum is wrong now */
	struct place_of_test t = begin(&tar);
	static const struct unpack_opts none;
	CHECK(!archive_unpack(t.file, t.dest, &none, &t.e));
	CHECK_STR(t.e.what, "archive.corrupt");
	end(&t);
	buf_fini(&tar);
}

TEST(archive_that_is_none_is_an_error)
{
	static const char *const texts[] = { "<html>login</html>", "", "plain text, and not short",
		"\x1f\x8b\x08" };
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct buf b = BUF_INIT;
		buf_adds(&b, texts[i]);
		buf_add(&b, "", 0);
		struct place_of_test t = begin(&b);
		static const struct unpack_opts none;
		CHECK(!archive_unpack(t.file, t.dest, &none, &t.e));
		CHECK(strstr(t.e.message, "a.tar") != NULL);
		end(&t);
		buf_fini(&b);
	}
	struct err e = ERR_INIT;
	static const struct unpack_opts none;
	CHECK(!archive_unpack("/nonexistent/a.tar", AT_FDCWD, &none, &e));
	CHECK(e.sys == ENOENT && strstr(e.message, "/nonexistent/a.tar") != NULL);
}

TEST(archive_limits_hold)
{
	static const struct member m[] = { { .name = "a", .data = "0123456789" },
		{ .name = "b", .data = "0123456789" }, { .name = "c", .data = "0123456789" } };
	struct unpack_opts o = { .max_entries = 2 };
	struct place_of_test t;
	CHECK(!unpack(&t, m, COUNT(m), &o));
	CHECK_STR(t.e.what, "archive.limit");
	CHECK(strstr(t.e.message, "more than 2 members") != NULL);
	end(&t);
	o = (struct unpack_opts){ .max_bytes = 25 };
	CHECK(!unpack(&t, m, COUNT(m), &o));
	CHECK_STR(t.e.what, "archive.limit");
	end(&t);
	/* A sparse file of a terabyte costs the archive nothing, and must not be made. */
	struct member sparse[] = {
		{ .name = "pax",
			.type = 'x',
			.data = "33 GNU.sparse.size=1099511627776\n"
				"26 GNU.sparse.numblocks=1\n22 GNU.sparse.map=0,2\n" },
		{ .name = "big", .data = "0\n" },
	};
	o.max_bytes = 1 << 30;
	CHECK(!unpack(&t, sparse, 2, &o));
	CHECK_STR(t.e.what, "archive.limit");
	end(&t);
}
