#include "test.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct test_case *cases;
static unsigned failed_checks;
static const char *skip_reason;
static char base_dir[256];
static char case_dir[300];
static unsigned dir_count;

void test_register(struct test_case *t)
{
	t->next = cases;
	cases = t;
}

void test_fail(const char *file, int line, const char *fmt, ...)
{
	failed_checks++;
	printf("%s:%d: ", file, line);
	va_list ap;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

void test_skip(const char *why)
{
	skip_reason = why;
}

const char *test_dir(void)
{
	if (base_dir[0] == '\0') {
		const char *tmp = getenv("TMPDIR");
		snprintf(base_dir, sizeof base_dir, "%s/eprefix-unit.XXXXXX",
			tmp != NULL ? tmp : "/tmp");
		if (mkdtemp(base_dir) == NULL)
			abort();
	}
	snprintf(case_dir, sizeof case_dir, "%s/%u", base_dir, dir_count++);
	if (mkdir(case_dir, 0755) != 0)
		abort();
	return case_dir;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : "";
	unsigned passed = 0, failed = 0, skipped = 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (struct test_case *t = cases; t != NULL; t = t->next) {
		if (strstr(t->name, only) == NULL)
			continue;
		failed_checks = 0;
		skip_reason = NULL;
		t->run();
		if (failed_checks > 0) {
			failed++;
			printf("FAIL %s\n", t->name);
		} else if (skip_reason != NULL) {
			skipped++;
			printf("SKIP %s: %s\n", t->name, skip_reason);
		} else {
			passed++;
			printf("ok   %s\n", t->name);
		}
	}
	if (base_dir[0] != '\0')
		nftw(base_dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed > 0 ? 1 : 0;
}
