#include "digest.h"
#include "fs.h"
#include "pack.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int tree(struct err *e)
{
	int fd = -1;
	CHECK_OK(fs_open_dir(AT_FDCWD, test_dir(), &fd, e), *e);
	CHECK_OK(fs_mkdirs(fd, "src/deep", 0755, e), *e);
	CHECK_OK(fs_write(fd, "src/deep/b.c", "b", 1, 0644, e), *e);
	CHECK_OK(fs_write(fd, "src/a.sh", "a", 1, 0700, e), *e);
	CHECK_OK(fs_write(fd, "src/.hidden", "h", 1, 0644, e), *e);
	CHECK_OK(fs_write(fd, "one", "1", 1, 0600, e), *e);
	return fd;
}

TEST(pack_depends_on_contents_only)
{
	struct err e = ERR_INIT;
	const char *paths[] = { "one", "src", NULL };
	char hex[2][DIGEST_HEX_MAX];
	for (int i = 0; i < 2; i++) {
		int fd = tree(&e);
		char *file = xasprintf("%s/x.tar.gz", test_dir());
		CHECK_OK(archive_pack(file, fd, paths, "top-1", &e), e);
		CHECK_OK(digest_file(AT_FDCWD, file, DIGEST_SHA256, hex[i], &e), e);
		free(file);
		close(fd);
	}
	CHECK_STR(hex[0], hex[1]);
}

TEST(pack_names_a_missing_path)
{
	struct err e = ERR_INIT;
	const char *paths[] = { "no-such", NULL };
	char *file = xasprintf("%s/x.tar.gz", test_dir());
	CHECK(!archive_pack(file, AT_FDCWD, paths, "top", &e));
	CHECK(strstr(e.message, "no-such") != NULL);
	CHECK(!fs_exists(AT_FDCWD, file));
	free(file);
}
