#include "fetch.h"

#include "digest.h"
#include "fetch_part.h"
#include "fetch_stamp.h"
#include "fs.h"
#include "mem.h"
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAMPS ".eprefix-verified"

enum { READ_BYTES = 256 * 1024, STAMPS_MAX = 1024 * 1024 };

/*
 * One line that can only be the same while nobody touched the file and the expectation is the
 * same: "NAME dev ino size mtime ctime SHA256-of-what-it-must-be". ctime cannot be set back.
 */
static char *stamp_line(const struct fetch_file *file, const struct stat *st)
{
	char hex[DIGEST_HEX_MAX];
	struct timespec mtime = place_mtime(st);
	char *want = xasprintf("%llu %s %s %s", (unsigned long long)file->size,
		file->blake2b != NULL ? file->blake2b : "-",
		file->sha512 != NULL ? file->sha512 : "-",
		file->sha256 != NULL ? file->sha256 : "-");
	digest_bytes(want, strlen(want), DIGEST_SHA256, hex);
	free(want);
	return xasprintf("%s %llu %llu %llu %lld.%09ld %lld %s", file->name,
		(unsigned long long)st->st_dev, (unsigned long long)st->st_ino,
		(unsigned long long)st->st_size, (long long)mtime.tv_sec, (long)mtime.tv_nsec,
		(long long)st->st_ctime, hex);
}

/* Only a list that nobody else could have written is believed. */
static bool read_stamps(int dir, struct buf *text)
{
	struct stat st;
	struct err ignored = ERR_INIT;
	if (fstatat(dir, STAMPS, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
		return false;
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return false;
	return fs_read(dir, STAMPS, text, &ignored);
}

static bool is_stamped(int dir, const char *line)
{
	struct buf text = BUF_INIT;
	struct str rest, have;
	bool found = false;
	if (read_stamps(dir, &text)) {
		rest = (struct str){ text.p, text.n };
		while (!found && str_split(&rest, '\n', &have))
			found = str_is(have, line);
	}
	buf_fini(&text);
	return found;
}

void stamp_add(int dir, const struct fetch_file *file)
{
	struct stat st;
	if (file_algos(file) == 0 || fstatat(dir, file->name, &st, 0) != 0)
		return;
	char *line = stamp_line(file, &st);
	char *with_end = xasprintf("%s\n", line);
	int fd = is_stamped(dir, line)
			 ? -1
			 : openat(dir, STAMPS,
				   O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd >= 0) {
		/* A list grown large by years of use starts anew; losing it costs only time. */
		if (fstat(fd, &st) == 0 && st.st_size > STAMPS_MAX && ftruncate(fd, 0) != 0)
			errno = 0;
		ssize_t ignored = write(fd, with_end, strlen(with_end));
		(void)ignored;
		close(fd);
	}
	free(with_end);
	free(line);
}

static bool hash_descriptor(int fd, struct digest *d)
{
	char *chunk = xmalloc(READ_BYTES);
	ssize_t n;
	while ((n = read(fd, chunk, READ_BYTES)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			digest_add(d, chunk, (size_t)n);
	}
	free(chunk);
	return n == 0;
}

static bool hash_and_compare(int dir, const struct fetch_file *file, char **why, struct err *e)
{
	int fd = openat(dir, file->name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fs_fail(e, "read", dir, file->name);
	struct digest *d = digest_new(file_algos(file));
	bool ok = hash_descriptor(fd, d) || fs_fail(e, "read", dir, file->name);
	if (ok)
		*why = digests_differ(file, d);
	digest_free(d);
	close(fd);
	return ok;
}

bool check_at(int dir, const struct fetch_file *file, char **why, struct err *e)
{
	struct stat st;
	*why = NULL;
	if (fstatat(dir, file->name, &st, 0) != 0) {
		if (errno != ENOENT && errno != ELOOP)
			return fs_fail(e, "read", dir, file->name);
		*why = xstrdup("absent");
		return true;
	}
	if (!S_ISREG(st.st_mode)) {
		*why = xstrdup("not a regular file");
		return true;
	}
	if (file->size > 0 && (uint64_t)st.st_size != file->size) {
		*why = xasprintf("size is %llu, must be %llu", (unsigned long long)st.st_size,
			(unsigned long long)file->size);
		return true;
	}
	char *line = stamp_line(file, &st);
	bool known = file_algos(file) == 0 || is_stamped(dir, line);
	free(line);
	if (known)
		return true;
	if (!hash_and_compare(dir, file, why, e))
		return false;
	if (*why == NULL)
		stamp_add(dir, file);
	return true;
}

bool fetch_check(const char *distdir, const struct fetch_file *file, bool *good, struct err *e)
{
	char *why = NULL;
	int dir = open(distdir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	*good = false;
	if (dir < 0)
		return errno == ENOENT || fs_fail(e, "open", AT_FDCWD, distdir);
	bool ok = check_at(dir, file, &why, e);
	*good = ok && why == NULL;
	free(why);
	close(dir);
	return ok;
}

bool fetch_present(const char *distdir, const struct fetch_job *job, size_t *index, struct err *e)
{
	*index = FETCH_NONE;
	for (size_t i = 0; i < job->n_alternatives; i++) {
		bool good = false;
		if (!fetch_check(distdir, &job->alternatives[i], &good, e))
			return false;
		if (good) {
			*index = i;
			return true;
		}
	}
	return true;
}
