#include "attr.h"
#include "fs.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What files are: kinds, modes, times, links, first bytes. */

static int open_dir(void)
{
	struct err e = ERR_INIT;
	int fd = -1;
	CHECK_OK(fs_open_dir(AT_FDCWD, test_dir(), &fd, &e), e);
	return fd;
}

static void make(int at, const char *path, const char *text)
{
	struct err e = ERR_INIT;
	CHECK_OK(fs_write(at, path, text, strlen(text), 0644, &e), e);
}

TEST(attr_absent_is_told_by_errno)
{
	struct err e = ERR_INIT;
	struct stat st;
	int at = open_dir();
	CHECK(!attr_stat(at, "nothing", false, &st, &e));
	CHECK(e.sys == ENOENT);
	close(at);
}

TEST(attr_kinds)
{
	struct err e = ERR_INIT;
	struct stat st;
	int at = open_dir();
	make(at, "f", "x");
	CHECK_OK(fs_symlink("f", at, "l", &e), e);
	CHECK(mkfifoat(at, "p", 0600) == 0);
	CHECK_OK(attr_stat(at, "l", false, &st, &e), e);
	CHECK_STR(attr_type(st.st_mode), "link");
	CHECK_OK(attr_stat(at, "l", true, &st, &e), e);
	CHECK_STR(attr_type(st.st_mode), "file");
	CHECK_OK(attr_stat(at, "p", false, &st, &e), e);
	CHECK_STR(attr_type(st.st_mode), "fifo");
	CHECK_OK(attr_stat(at, ".", false, &st, &e), e);
	CHECK_STR(attr_type(st.st_mode), "dir");
	close(at);
}

TEST(attr_modes_and_times_are_set)
{
	struct err e = ERR_INIT;
	struct stat st;
	int at = open_dir();
	const struct timespec then = { 981173106, 5000 };
	make(at, "f", "x");
	CHECK_OK(attr_chmod(at, "f", 0751, &e), e);
	CHECK_OK(attr_utime(at, "f", &then, &e), e);
	CHECK_OK(attr_stat(at, "f", false, &st, &e), e);
	CHECK((st.st_mode & 07777) == 0751 && st.st_mtime == then.tv_sec);
	CHECK_OK(attr_utime(at, "f", NULL, &e), e);
	CHECK_OK(attr_stat(at, "f", false, &st, &e), e);
	CHECK(st.st_mtime > then.tv_sec);
	CHECK(!attr_chmod(at, "nothing", 0755, &e));
	close(at);
}

TEST(attr_links_replace)
{
	struct err e = ERR_INIT;
	struct stat a, b;
	int at = open_dir();
	make(at, "a", "x");
	make(at, "b", "other");
	CHECK_OK(attr_link(at, "a", "b", &e), e);
	CHECK_OK(attr_stat(at, "a", false, &a, &e), e);
	CHECK_OK(attr_stat(at, "b", false, &b, &e), e);
	CHECK(a.st_ino == b.st_ino && a.st_nlink == 2);
	close(at);
}

TEST(attr_head_reads_what_there_is)
{
	struct err e = ERR_INIT;
	struct head head;
	int at = open_dir();
	make(at, "short", "abc");
	CHECK_OK(attr_head(at, "short", &head, &e), e);
	CHECK(head.n == 3 && memcmp(head.bytes, "abc", 3) == 0);
	char text[200];
	memset(text, 'y', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	make(at, "long", text);
	CHECK_OK(attr_head(at, "long", &head, &e), e);
	CHECK(head.n == sizeof head.bytes);
	CHECK(!attr_head(at, "nothing", &head, &e));
	close(at);
}

TEST(attr_lines_are_whole)
{
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	int at = open_dir(), fd = openat(at, "log", O_WRONLY | O_CREAT, 0644);
	CHECK_OK(attr_write_line(fd, "one", 3, &e), e);
	CHECK_OK(attr_write_line(fd, "", 0, &e), e);
	CHECK_OK(fs_read(at, "log", &text, &e), e);
	CHECK_STR(buf_str(&text), "one\n\n");
	CHECK(!attr_write_line(-1, "x", 1, &e));
	buf_fini(&text);
	close(fd);
	close(at);
}
