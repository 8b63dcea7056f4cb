#include "jobserver.h"

#include "fs.h"
#include "machine.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a compile job of the usual package may need: gcc's own biggest took 1.45 GB, most a tenth.
 */
#define JOB_MB 800

unsigned jobserver_tokens(unsigned jobs)
{
	if (jobs > 0)
		return jobs;
	unsigned tokens = machine_cpus() + 1;
	unsigned memory = machine_memory_mb();
	if (memory > 0 && memory / JOB_MB < tokens)
		tokens = memory / JOB_MB;
	return tokens > 0 ? tokens : 1;
}

static bool open_fifo(struct jobserver *j, struct err *e)
{
	/* Both ends in one open: neither blocks for a partner, and no reader ever sees the end. */
	j->fds[0] = open(j->path, O_RDWR | O_CLOEXEC);
	j->fds[1] = j->fds[0] >= 0 ? open(j->path, O_RDWR | O_CLOEXEC) : -1;
	j->own = j->fds[1] >= 0 ? open(j->path, O_RDWR | O_NONBLOCK | O_CLOEXEC) : -1;
	return j->own >= 0 || err_sys(e, "run.jobserver", "opening the jobserver %s", j->path);
}

bool jobserver_open(struct jobserver *j, const char *path, unsigned tokens, struct err *e)
{
	*j = JOBSERVER_INIT;
	j->path = xstrdup(path);
	j->tokens = tokens;
	if (!fs_unlink(AT_FDCWD, path, e))
		return false;
	if (mkfifo(path, 0600) != 0)
		return err_sys(e, "run.jobserver", "making the jobserver's fifo %s", path);
	if (!open_fifo(j, e))
		return false;
	j->makeflags_fds = xasprintf(" -j%u --jobserver-auth=%d,%d", tokens, j->fds[0], j->fds[1]);
	j->makeflags_fifo = xasprintf(" -j%u --jobserver-auth=fifo:%s", tokens, path);
	for (unsigned i = 0; i < tokens; i++)
		jobserver_give(j);
	return true;
}

bool jobserver_take(struct jobserver *j)
{
	char byte;
	return read(j->own, &byte, 1) == 1;
}

void jobserver_give(struct jobserver *j)
{
	/* A pipe holds 64 Ki bytes; there are never so many tokens, so this cannot fail. */
	ssize_t n = write(j->own, "+", 1);
	(void)n;
}

unsigned jobserver_refill(struct jobserver *j, unsigned held)
{
	unsigned here = 0, lost = 0;
	while (jobserver_take(j))
		here++;
	for (unsigned i = held; i < j->tokens; i++) {
		jobserver_give(j);
		lost += i - held >= here;
	}
	return lost;
}

void jobserver_close(struct jobserver *j)
{
	struct err ignored = ERR_INIT;
	const int fds[] = { j->fds[0], j->fds[1], j->own };
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	if (j->path != NULL)
		fs_unlink(AT_FDCWD, j->path, &ignored);
	free(j->path);
	free(j->makeflags_fds);
	free(j->makeflags_fifo);
	*j = JOBSERVER_INIT;
}
