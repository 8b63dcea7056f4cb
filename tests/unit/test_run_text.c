#include "test.h"

#include "crew.h"
#include "fs.h"
#include "log_tail.h"
#include "progress.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static void check_time(double seconds, const char *want)
{
	struct buf b = BUF_INIT;
	progress_time(&b, seconds);
	CHECK_STR(buf_str(&b), want);
	buf_fini(&b);
}

TEST(progress_times_are_for_people)
{
	check_time(-1, "0 s");
	check_time(0.4, "0 s");
	check_time(59.4, "59 s");
	check_time(59.6, "1 min 00 s");
	check_time(754, "12 min 34 s");
	check_time(3600, "1 h 00 min");
	check_time(3 * 3600 + 7 * 60 + 59, "3 h 07 min");
}

static void check_bytes(uint64_t bytes, const char *want)
{
	struct buf b = BUF_INIT;
	progress_bytes(&b, bytes);
	CHECK_STR(buf_str(&b), want);
	buf_fini(&b);
}

TEST(progress_bytes_are_for_people)
{
	check_bytes(0, "0 B");
	check_bytes(1023, "1023 B");
	check_bytes(1024, "1.0 KiB");
	check_bytes(1536, "1.5 KiB");
	check_bytes(150 * 1024, "150 KiB");
	check_bytes(3 * UINT64_C(1024) * 1024 * 1024, "3.0 GiB");
}

static void check_tail(const char *text, size_t lines, const char *want)
{
	struct err e = ERR_INIT;
	char *path = path_join(test_dir(), "log");
	CHECK_OK(fs_write(AT_FDCWD, path, text, strlen(text), 0644, &e), e);
	char *tail = log_tail(path, lines, &e);
	CHECK_STR(tail, want);
	free(tail);
	free(path);
}

TEST(log_tail_gives_whole_lines)
{
	check_tail("", 3, "");
	check_tail("one\n", 3, "one\n");
	check_tail("one\ntwo\nthree\n", 2, "two\nthree\n");
	check_tail("one\ntwo\nthree", 2, "two\nthree");
	check_tail("one\n\n\n", 2, "\n\n");
}

TEST(log_tail_of_a_long_log_and_of_none)
{
	struct err e = ERR_INIT;
	struct buf text = BUF_INIT;
	char *path = path_join(test_dir(), "log");
	for (int i = 0; i < 20000; i++)
		buf_printf(&text, "line %d\n", i);
	CHECK_OK(fs_write(AT_FDCWD, path, text.p, text.n, 0644, &e), e);
	char *tail = log_tail(path, 1, &e);
	CHECK_STR(tail, "line 19999\n");
	free(tail);
	tail = log_since(path, (off_t)text.n - 6, &e);
	CHECK_STR(tail, "19999\n");
	free(tail);
	CHECK(log_tail("/nonexistent/log", 3, &e) == NULL);
	CHECK(strstr(e.message, "/nonexistent/log") != NULL);
	buf_fini(&text);
	free(path);
}

/* What a command said follows from its log; what a check of ours found is only in the message. */
TEST(report_of_a_failure_leaves_nothing_out)
{
	const struct step s = { .id = "stage3:a/b-1", .log = "/nonexistent/log", .workdir = "/w" };
	struct worker_event event = { .phase = PHASE_INSTALL };
	err_set(&event.err, ERR_BUILD, "qa.refs", "1 reference:\nusr/bin/x: /usr/lib");
	char *text = crew_report(&s, &event);
	CHECK(strstr(text, "stage3:a/b-1 failed in install: 1 reference:\nusr/bin/x: /usr/lib\n") !=
		NULL);
	free(text);
	event.err = ERR_INIT;
	err_set(&event.err, ERR_BUILD, "build.command",
		"'make' ended with status 2\nthe log's end");
	text = crew_report(&s, &event);
	CHECK(strstr(text, "the log's end") == NULL);
	free(text);
}
