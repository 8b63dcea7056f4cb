#include "fs.h"
#include "mem.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int dir_fd(void)
{
	return open(test_dir(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool put(int at, const char *path, const char *text)
{
	struct err e = ERR_INIT;
	return fs_write(at, path, text, strlen(text), 0644, &e);
}

static void check_file(int at, const char *path, const char *want)
{
	struct err e = ERR_INIT;
	struct buf b = BUF_INIT;
	CHECK_OK(fs_read(at, path, &b, &e), e);
	CHECK_STR(buf_str(&b), want);
	buf_fini(&b);
}

static size_t count_entries(int at, const char *path)
{
	struct err e = ERR_INIT;
	struct strv names = STRV_INIT;
	CHECK_OK(fs_list(at, path, &names, &e), e);
	size_t n = names.n;
	strv_fini(&names);
	return n;
}

TEST(path_clean_is_lexical)
{
	static const char *const cases[][2] = {
		{ "/a/b", "/a/b" },
		{ "/a//b/", "/a/b" },
		{ "/a/./b/.", "/a/b" },
		{ "/a/../b", "/b" },
		{ "/..", "/" },
		{ "/../../x", "/x" },
		{ "a/..", "." },
		{ "", "." },
		{ "./a", "a" },
		{ "../a", "../a" },
		{ "../../a/..", "../.." },
		{ "a/../../b", "../b" },
		{ "//", "/" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got = path_clean(cases[i][0]);
		CHECK_STR(got, cases[i][1]);
		free(got);
	}
}

static void check_own(char *got, const char *want)
{
	CHECK_STR(got, want);
	free(got);
}

TEST(path_parts)
{
	check_own(path_join("a", "b"), "a/b");
	check_own(path_join("a/", "b"), "a/b");
	check_own(path_join("/", "b"), "/b");
	check_own(path_join("a", "/b"), "/b");
	check_own(path_join("", "b"), "b");
	check_own(path_join("a", ""), "a");
	check_own(path_dir("/a/b"), "/a");
	check_own(path_dir("/a"), "/");
	check_own(path_dir("a"), ".");
	check_own(path_dir("/a//b"), "/a");
	CHECK_STR(path_base("/a/b"), "b");
	CHECK_STR(path_base("b"), "b");
}

TEST(fs_write_replaces_whole_and_leaves_nothing)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	struct stat st;
	CHECK(put(at, "f", "one"));
	CHECK_OK(fs_write(at, "f", "two", 3, 0600, &e), e);
	check_file(at, "f", "two");
	CHECK(fstatat(at, "f", &st, 0) == 0 && (st.st_mode & 07777) == 0600);
	CHECK(count_entries(at, ".") == 1);
	close(at);
}

TEST(fs_write_ignores_umask)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	struct stat st;
	mode_t old = umask(077);
	CHECK_OK(fs_write(at, "f", "x", 1, 0644, &e), e);
	umask(old);
	CHECK(fstatat(at, "f", &st, 0) == 0 && (st.st_mode & 07777) == 0644);
	close(at);
}

TEST(fs_write_does_not_write_through_a_symlink)
{
	int at = dir_fd();
	CHECK(put(at, "real", "old"));
	CHECK(symlinkat("real", at, "link") == 0);
	CHECK(put(at, "link", "new"));
	check_file(at, "real", "old");
	check_file(at, "link", "new");
	close(at);
}

/* Writes the path for ever, until killed. */
static void write_for_ever(int at)
{
	struct err e = ERR_INIT;
	size_t n = (size_t)4 << 20;
	char *data = xcalloc(1, n);
	while (fs_write(at, "f", data, n, 0644, &e))
		;
	_exit(1);
}

static bool leftover(int at)
{
	struct err e = ERR_INIT;
	struct strv names = STRV_INIT;
	bool found = fs_list(at, ".", &names, &e) && names.n > 0 &&
		     str_starts(str_of(names.v[0]), ".eprefix-tmp.f.");
	strv_fini(&names);
	return found;
}

TEST(fs_write_reuses_the_leftover_of_a_killed_writer)
{
	int at = dir_fd(), status;
	for (int try = 0; try < 50 && !leftover(at); try++) {
		pid_t pid = fork();
		if (pid == 0)
			write_for_ever(at);
		usleep(10000 + 1000 * try);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		CHECK(WIFSIGNALED(status));
	}
	CHECK(leftover(at));
	CHECK(put(at, "f", "x"));
	check_file(at, "f", "x");
	CHECK(count_entries(at, ".") == 1);
	close(at);
}

TEST(fs_write_of_one_path_by_many_processes_is_never_mixed)
{
	int at = dir_fd();
	char text[2][5000];
	memset(text[0], 'a', sizeof text[0]);
	memset(text[1], 'b', sizeof text[1]);
	for (int i = 0; i < 4; i++) {
		if (fork() != 0)
			continue;
		struct err e = ERR_INIT;
		bool ok = true;
		for (int k = 0; k < 50; k++)
			ok = fs_write(at, "f", text[i % 2], sizeof text[0], 0644, &e) && ok;
		_exit(ok ? 0 : 1);
	}
	int status;
	while (wait(&status) > 0)
		CHECK(status == 0);
	struct err e = ERR_INIT;
	struct buf b = BUF_INIT;
	CHECK_OK(fs_read(at, "f", &b, &e), e);
	CHECK(b.n == sizeof text[0]);
	CHECK(memcmp(b.p, text[b.p[0] == 'b'], b.n) == 0);
	CHECK(count_entries(at, ".") == 1);
	buf_fini(&b);
	close(at);
}

TEST(fs_write_if_changed_keeps_the_inode)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	struct stat a, b;
	CHECK(put(at, "f", "same"));
	CHECK(fstatat(at, "f", &a, 0) == 0);
	CHECK_OK(fs_write_if_changed(at, "f", "same", 4, 0644, &e), e);
	CHECK(fstatat(at, "f", &b, 0) == 0 && a.st_ino == b.st_ino);
	CHECK_OK(fs_write_if_changed(at, "f", "diff", 4, 0644, &e), e);
	check_file(at, "f", "diff");
	close(at);
}

TEST(fs_errors_name_the_whole_path)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	struct buf b = BUF_INIT;
	CHECK(!fs_read(at, "absent", &b, &e));
	CHECK(e.sys == ENOENT);
	CHECK(e.code == ERR_FAILED);
	CHECK_STR(e.what, "fs.open");
	CHECK(strstr(e.message, "/absent: No such file") != NULL);
	CHECK(strstr(e.message, "eprefix-unit") != NULL);
	close(at);
}

TEST(fs_long_names_fit)
{
	int at = dir_fd();
	char name[256];
	memset(name, 'n', sizeof name - 1);
	name[255] = '\0';
	CHECK(put(at, name, "x"));
	check_file(at, name, "x");
	close(at);
}

TEST(fs_mkdirs_makes_parents)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	CHECK_OK(fs_mkdirs(at, "a/b/c", 0755, &e), e);
	CHECK_OK(fs_mkdirs(at, "a//b/c/d/", 0755, &e), e);
	CHECK_OK(fs_mkdirs(at, "a/b", 0755, &e), e);
	CHECK(fs_is_dir(at, "a/b/c/d"));
	CHECK(symlinkat("a", at, "s") == 0);
	CHECK_OK(fs_mkdirs(at, "s/x", 0755, &e), e);
	CHECK(fs_is_dir(at, "a/x"));
	CHECK(put(at, "file", "x"));
	CHECK(!fs_mkdirs(at, "file/y", 0755, &e));
	CHECK(e.sys == ENOTDIR);
	e = ERR_INIT;
	CHECK(!fs_mkdirs(at, "file", 0755, &e));
	CHECK(e.sys == EEXIST);
	close(at);
}

TEST(fs_remove_tree_copes_with_read_only_directories)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	CHECK_OK(fs_mkdirs(at, "t/ro/in", 0755, &e), e);
	CHECK(put(at, "t/ro/in/f", "x"));
	CHECK(put(at, "outside", "keep"));
	CHECK(symlinkat("../outside", at, "t/link") == 0);
	CHECK(symlinkat("..", at, "t/dirlink") == 0);
	CHECK(fchmodat(at, "t/ro/in", 0, 0) == 0);
	CHECK(fchmodat(at, "t/ro", 0555, 0) == 0);
	CHECK_OK(fs_remove_tree(at, "t", &e), e);
	CHECK(!fs_exists(at, "t"));
	check_file(at, "outside", "keep");
	CHECK_OK(fs_remove_tree(at, "t", &e), e);
	CHECK_OK(fs_remove_tree(at, "outside", &e), e);
	CHECK(!fs_exists(at, "outside"));
	close(at);
}

/* As an ordinary user the modes really bite: root ignores them. */
TEST(fs_remove_tree_as_an_ordinary_user)
{
	if (geteuid() != 0) {
		test_skip("needs root to become somebody else; the test above covers the rest");
		return;
	}
	const char *dir = test_dir();
	CHECK(chmod(dir, 0777) == 0);
	int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pid_t pid = fork();
	if (pid == 0) {
		struct err e = ERR_INIT;
		if (setgid(65534) != 0 || setuid(65534) != 0)
			_exit(9);
		bool ok = fs_mkdirs(at, "u/ro/in", 0755, &e) && put(at, "u/ro/in/f", "x") &&
			  fchmodat(at, "u/ro/in", 0, 0) == 0 &&
			  fchmodat(at, "u/ro", 0555, 0) == 0 && fchmodat(at, "u", 0111, 0) == 0 &&
			  fs_remove_tree(at, "u", &e);
		_exit(ok && !fs_exists(at, "u") ? 0 : 1);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	CHECK(status == 0);
	close(at);
}

TEST(fs_remove_tree_is_not_stopped_by_depth)
{
	struct err e = ERR_INIT;
	int at = dir_fd(), fd = at;
	for (int i = 0; i < 1500; i++) {
		int next;
		CHECK(mkdirat(fd, "deep-directory", 0755) == 0);
		CHECK_OK(fs_open_dir(fd, "deep-directory", &next, &e), e);
		if (fd != at)
			close(fd);
		fd = next;
	}
	close(fd);
	CHECK_OK(fs_remove_tree(at, "deep-directory", &e), e);
	CHECK(count_entries(at, ".") == 0);
	close(at);
}

TEST(fs_symlink_replaces)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	CHECK_OK(fs_symlink("one", at, "l", &e), e);
	CHECK_OK(fs_symlink("two", at, "l", &e), e);
	char *target = fs_readlink(at, "l", &e);
	CHECK_STR(target, "two");
	free(target);
	CHECK(put(at, "f", "x"));
	CHECK_OK(fs_symlink("three", at, "f", &e), e);
	CHECK(count_entries(at, ".") == 2);
	CHECK_OK(fs_mkdirs(at, "d", 0755, &e), e);
	CHECK(!fs_symlink("x", at, "d", &e));
	CHECK(count_entries(at, ".") == 3);
	close(at);
}

TEST(fs_readlink_of_any_length)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	char target[1001];
	memset(target, 't', 1000);
	target[1000] = '\0';
	CHECK_OK(fs_symlink(target, at, "l", &e), e);
	char *got = fs_readlink(at, "l", &e);
	CHECK_STR(got, target);
	free(got);
	CHECK(fs_readlink(at, "absent", &e) == NULL);
	CHECK(e.sys == ENOENT);
	close(at);
}

TEST(fs_copy_keeps_mode_and_time)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	struct timespec times[2] = { { 1, 2 }, { 1000000000, 123456789 } };
	struct stat st;
	CHECK(put(at, "f", "content"));
	CHECK(fchmodat(at, "f", 04755, 0) == 0 && utimensat(at, "f", times, 0) == 0);
	CHECK_OK(fs_copy(at, "f", at, "g", &e), e);
	check_file(at, "g", "content");
	CHECK(fstatat(at, "g", &st, 0) == 0);
	CHECK((st.st_mode & 07777) == 0755);
	CHECK(st.st_mtim.tv_sec == 1000000000 && st.st_mtim.tv_nsec == 123456789);
	CHECK(fs_fifo(at, "fifo", 0644) == 0);
	CHECK(!fs_copy(at, "fifo", at, "h", &e));
	CHECK(strstr(e.message, "not a regular file") != NULL);
	close(at);
}

static bool note(void *ctx, const struct fs_entry *entry, struct err *e)
{
	(void)e;
	buf_printf(ctx, "%s%s ", entry->path, S_ISDIR(entry->st.st_mode) ? "/" : "");
	return true;
}

TEST(fs_walk_is_sorted_and_follows_no_symlink)
{
	struct err e = ERR_INIT;
	int at = dir_fd();
	struct buf seen = BUF_INIT;
	CHECK_OK(fs_mkdirs(at, "w/b/c", 0755, &e), e);
	CHECK(put(at, "w/b/z", "") && put(at, "w/B", "") && put(at, "w/a", ""));
	CHECK(symlinkat("b", at, "w/link") == 0);
	CHECK_OK(fs_walk(at, "w", note, &seen, &e), e);
	CHECK_STR(buf_str(&seen), "B a b/ b/c/ b/z link ");
	buf_fini(&seen);
	close(at);
}

static bool refuse(void *ctx, const struct fs_entry *entry, struct err *e)
{
	(*(int *)ctx)++;
	return err_set(e, ERR_FAILED, "test.stop", "stop at %s", entry->path);
}

TEST(fs_walk_stops_at_an_error)
{
	struct err e = ERR_INIT;
	int at = dir_fd(), visits = 0;
	CHECK(put(at, "a", "") && put(at, "b", ""));
	CHECK(!fs_walk(at, ".", refuse, &visits, &e));
	CHECK(visits == 1);
	CHECK_STR(e.message, "stop at a");
	close(at);
}
