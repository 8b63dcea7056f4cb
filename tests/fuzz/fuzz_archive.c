#include "fs.h"
#include "unpack.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static char base[256];
static int base_fd = -1, archive_fd;

static void remove_base(void)
{
	struct err e = ERR_INIT;
	(void)fs_remove_tree(AT_FDCWD, base, &e);
}

static void prepare(void)
{
	struct err e = ERR_INIT;
	const char *tmp = getenv("TMPDIR");
	snprintf(base, sizeof base, "%s/eprefix-fuzz.XXXXXX", tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(base) == NULL || !fs_open_dir(AT_FDCWD, base, &base_fd, &e))
		abort();
	(void)atexit(remove_base);
	archive_fd = openat(base_fd, "archive", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (archive_fd < 0 || !fs_write(base_fd, "canary", "alive", 5, 0644, &e))
		abort();
}

/*
 * Any bytes as an archive: no crash, and whatever it says, the directory beside the target still
 * holds just the archive, the target and the canary.
 */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	static const struct unpack_opts opts = { .max_bytes = 1 << 20, .max_entries = 100 };
	struct err e = ERR_INIT, ignored = ERR_INIT;
	struct strv names = STRV_INIT;
	struct buf canary = BUF_INIT;
	int dest;
	if (base_fd < 0)
		prepare();
	char *file = path_join(base, "archive");
	if (ftruncate(archive_fd, 0) != 0 || pwrite(archive_fd, data, n, 0) != (ssize_t)n ||
		!fs_mkdirs(base_fd, "out", 0755, &e) || !fs_open_dir(base_fd, "out", &dest, &e))
		abort();
	if (!archive_unpack(file, dest, &opts, &e) && e.message[0] == '\0')
		abort();
	if (!fs_list(base_fd, ".", &names, &ignored) || names.n != 3 ||
		!fs_read(base_fd, "canary", &canary, &ignored) ||
		strcmp(buf_str(&canary), "alive") != 0)
		abort();
	close(dest);
	if (!fs_remove_tree(base_fd, "out", &ignored))
		abort();
	strv_fini(&names);
	buf_fini(&canary);
	free(file);
	return 0;
}
