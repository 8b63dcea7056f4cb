#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * A unit test registers itself: TEST(base_err_is_set_once) { CHECK(x == 1); }
 * One program per layer or module links them with test.c; `PROGRAM [substring]` runs a part.
 */
struct test_case {
	const char *name, *file;
	void (*run)(void);
	struct test_case *next;
};

void test_register(struct test_case *t);
/* Counts and reports a failed expectation; the test goes on. */
void test_fail(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Leave this test out and say why. */
void test_skip(const char *why);
/* A fresh directory below the test's temporary directory, removed at exit. Borrowed string. */
const char *test_dir(void);

#define TEST(id)                                                                                   \
	static void test_##id(void);                                                               \
	static struct test_case case_##id = { #id, __FILE__, test_##id, NULL };                    \
	__attribute__((constructor)) static void register_##id(void)                               \
	{                                                                                          \
		test_register(&case_##id);                                                         \
	}                                                                                          \
	static void test_##id(void)

#define CHECK(expr)                                                                                \
	do {                                                                                       \
		if (!(expr))                                                                       \
			test_fail(__FILE__, __LINE__, "%s", #expr);                                \
	} while (0)
#define CHECK_STR(got, want)                                                                       \
	do {                                                                                       \
		const char *got_ = (got), *want_ = (want);                                         \
		if (got_ == NULL || strcmp(got_, want_) != 0)                                      \
			test_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #got,            \
				got_ != NULL ? got_ : "(null)", want_);                            \
	} while (0)
#define CHECK_OK(call, e)                                                                          \
	do {                                                                                       \
		if (!(call))                                                                       \
			test_fail(__FILE__, __LINE__, "%s: %s", #call, (e).message);               \
	} while (0)

#endif
