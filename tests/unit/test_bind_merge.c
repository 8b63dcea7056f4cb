#include "bind_fixture.h"
#include "merge.h"

#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Merging a step: slot operators and what a record replaces. */

static void install(const char *root, const char *pf, const char *slot)
{
	struct err e = ERR_INIT;
	char *dir = xasprintf("%s/var/db/pkg/dev-libs/%s", root, pf);
	char *file = path_join(dir, "SLOT");
	CHECK_OK(fs_mkdirs(AT_FDCWD, dir, 0755, &e), e);
	CHECK_OK(fs_write(AT_FDCWD, file, slot, strlen(slot), 0644, &e), e);
	free(file);
	file = path_join(dir, "EAPI");
	CHECK_OK(fs_write(AT_FDCWD, file, "8\n", 2, 0644, &e), e);
	free(file);
	free(dir);
}

static void check_bound(const struct vdb *v, const char *deps, const char *want)
{
	struct buf out = BUF_INIT;
	merge_bind_slots(v, deps, &out);
	CHECK_STR(buf_str(&out), want);
	buf_fini(&out);
}

TEST(bind_slot_operators_are_bound_to_the_best_installed)
{
	struct err e = ERR_INIT;
	struct vdb *v = NULL;
	const char *root = test_dir();
	int fd = -1;
	install(root, "a-1.9", "0/1\n");
	install(root, "a-1.10", "0/2\n");
	install(root, "a-3", "3\n");
	CHECK_OK(fs_open_dir(AT_FDCWD, root, &fd, &e), e);
	CHECK_OK(vdb_open(&v, fd, "/p", &e), e);
	check_bound(v, "dev-libs/a:=", "dev-libs/a:3/3=");
	check_bound(v, "dev-libs/a:0=", "dev-libs/a:0/2=");
	check_bound(v, "<dev-libs/a-1.10:=[x]", "<dev-libs/a-1.10:0/1=[x]");
	check_bound(v, "|| ( dev-libs/b:= dev-libs/a:0= ) dev-libs/a",
		"|| ( dev-libs/b:= dev-libs/a:0/2= ) dev-libs/a");
	check_bound(v, "dev-libs/a:* !dev-libs/a:0", "dev-libs/a:* !dev-libs/a:0");
	check_bound(v, "", "");
	vdb_free(v);
	close(fd);
}
