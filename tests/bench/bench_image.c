/*
 * How fast images are merged and unmerged: bench_image DIR [FILES]. Makes an image of small files
 * below DIR (which should be on the file system that prefixes are on), merges it, merges it again
 * over itself, unmerges it, and prints files per second of each.
 */
#include "fs.h"
#include "image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PER_DIR 50
#define SIZE 2000

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int fail(const struct err *e)
{
	fprintf(stderr, "bench_image: %s\n", e->message);
	return 1;
}

static bool make_file(int at, unsigned long i, struct err *e)
{
	char path[64], text[SIZE];
	snprintf(path, sizeof path, "image/off/share/d%lu", i / PER_DIR);
	if (i % PER_DIR == 0 && !fs_mkdirs(at, path, 0755, e))
		return false;
	snprintf(path, sizeof path, "image/off/share/d%lu/f%lu", i / PER_DIR, i);
	memset(text, (int)('a' + i % 26), sizeof text);
	int fd = openat(at, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	bool ok = fd >= 0 && write(fd, text, sizeof text) == (ssize_t)sizeof text;
	if (fd >= 0)
		close(fd);
	return ok || fs_fail(e, "write", at, path);
}

static void say(const char *what, unsigned long files, double since)
{
	double s = now() - since;
	printf("%-12s %8.3f s %10.0f files/s\n", what, s, (double)files / s);
}

static bool run(const char *image, int root, unsigned long files, struct err *e)
{
	const char *const self[] = { "bench-1", NULL };
	struct image_report report = IMAGE_REPORT_INIT;
	struct image_merge m = {
		.image = image, .root = root, .offset = "/off", .category = "c", .pf = "bench-1"
	};
	struct image_unmerge u = {
		.root = root, .offset = "/off", .category = "c", .pf = "bench-1"
	};
	double start = now();
	bool ok = image_merge(&m, &report, e);
	say("merge", files, start);
	m.replaces = self;
	start = now();
	ok = ok && image_merge(&m, &report, e);
	say("merge again", files, start);
	start = now();
	ok = ok && image_unmerge(&u, &report, e);
	say("unmerge", files, start);
	image_report_fini(&report);
	return ok;
}

int main(int argc, char **argv)
{
	struct err e = ERR_INIT;
	unsigned long files = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000;
	int dir = -1, root = -1;
	if (argc < 2)
		return fprintf(stderr, "usage: bench_image DIR [FILES]\n"), 2;
	char *top = xasprintf("%s/bench-image", argv[1]), *image = xasprintf("%s/image", top);
	bool ok = fs_mkdirs(AT_FDCWD, top, 0755, &e) && fs_open_dir(AT_FDCWD, top, &dir, &e) &&
		  fs_mkdirs(dir, "root", 0755, &e) && fs_open_dir(dir, "root", &root, &e);
	for (unsigned long i = 0; ok && i < files; i++)
		ok = make_file(dir, i, &e);
	ok = ok && run(image, root, files, &e) && fs_remove_tree(AT_FDCWD, top, &e);
	if (root >= 0)
		close(root);
	if (dir >= 0)
		close(dir);
	free(top);
	free(image);
	return ok ? 0 : fail(&e);
}
