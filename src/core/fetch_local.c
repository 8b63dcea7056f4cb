#include "fetch_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1024 * 1024 };

/* False: stop; either run->fatal is set or *why is errno of reading. */
static bool copy_all(struct task *t, int fd, int *why)
{
	struct fetch *run = t->run;
	const struct fetch_opts *o = run->o;
	char *chunk = xmalloc(CHUNK);
	ssize_t n;
	bool ok = true;
	while (ok && (n = read(fd, chunk, CHUNK)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			*why = errno;
			break;
		}
		run->fatal = !part_write(&t->part, chunk, (size_t)n, run->e);
		if (!run->fatal && o->should_stop != NULL && o->should_stop(o->ctx))
			run->fatal = !err_set(run->e, ERR_INTERRUPTED, "fetch.stop", "interrupted");
		ok = !run->fatal;
	}
	free(chunk);
	return ok && *why == 0;
}

static bool size_fits(struct task *t, int fd)
{
	struct stat st;
	char detail[96];
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		task_give_up(t, FAIL_NOT_FOUND, "not a regular file");
		return false;
	}
	if (t->file->size == 0 || (uint64_t)st.st_size == t->file->size)
		return true;
	snprintf(detail, sizeof detail, "%lld bytes, must be %llu", (long long)st.st_size,
		(unsigned long long)t->file->size);
	task_give_up(t, FAIL_WRONG_SIZE, detail);
	return false;
}

void local_copy(struct task *t, const char *path)
{
	int why = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		task_give_up(t, errno == ENOENT ? FAIL_NOT_FOUND : FAIL_DENIED,
			errno == ENOENT ? "" : strerror(errno));
		return;
	}
	if (size_fits(t, fd)) {
		t->run->fatal = !part_rewind(&t->part, t->run->e);
		task_event(t, FETCH_BEGIN, NULL);
		if (!t->run->fatal && copy_all(t, fd, &why))
			task_received(t);
		else if (!t->run->fatal)
			task_give_up(t, FAIL_DENIED, strerror(why));
	}
	close(fd);
}
