#include "contents.h"

#include "test.h"

static struct contents_entry one(const char *line)
{
	struct contents c = CONTENTS_INIT;
	struct contents_entry entry = { 0 };
	contents_parse(&c, str_of(line));
	if (c.list.n == 1 && c.bad == 0)
		entry = c.list.v[0];
	contents_fini(&c);
	return entry;
}

static void check_same(const char *line)
{
	struct contents_entry entry = one(line);
	struct buf out = BUF_INIT;
	if (entry.type != 0)
		contents_format(&out, &entry);
	CHECK_STR(buf_str(&out), line);
	buf_fini(&out);
}

TEST(contents_round_trip)
{
	check_same("dir /usr/share/a b  c\n");
	check_same("obj /usr/bin/x y d41d8cd98f00b204e9800998ecf8427e 1700000000\n");
	check_same("obj /obj /a 0 d41d8cd98f00b204e9800998ecf8427e 0\n");
	check_same("sym /lib64 -> usr/lib 1700000000\n");
	check_same("sym /a -> b -> c 1\n");
	check_same("sym /a -> t 12 34\n");
	check_same("fif /run/p\n");
	check_same("dev /dev/null\n");
	check_same("obj /bytes\xff\xfe\t d41d8cd98f00b204e9800998ecf8427e 18446744073709551600\n");
}

TEST(contents_symlink_splits_at_the_last_arrow)
{
	struct contents_entry e = one("sym /a -> b -> c 7\n");
	CHECK(str_is(e.path, "/a -> b") && str_is(e.target, "c") && e.mtime == 7);
}

TEST(contents_reads_old_stat_tuples)
{
	struct contents_entry e = one(
		"sym /bin/sh -> bash (41471, 130L, 2L, 1, 0, 0, 4, 1100000001, 1100000002, 3)\n");
	CHECK(str_is(e.path, "/bin/sh") && str_is(e.target, "bash") && e.mtime == 1100000002);
}

TEST(contents_skips_what_is_no_entry)
{
	struct contents c = CONTENTS_INIT;
	static const char text[] =
		"dir /a\n\nobj /b\nobj /b x\nsym /c 7\nsym /c ->  7\nfoo /d\n"
		"dir d\ndir /n\0ul\nobj /e f00 x\nsym /f -> g (1, 2)\nsym /h -> i";
	contents_parse(&c, (struct str){ text, sizeof text - 1 });
	CHECK(c.list.n == 1 && c.bad == 10 && c.first_bad == 3);
	contents_fini(&c);
}
