#include "proc_int.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

/* A process has one set of signal handlers, hence one pipe they write to. */
static volatile sig_atomic_t wake_fd = -1;
static volatile sig_atomic_t last_signal;

double proc_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void on_signal(int sig)
{
	int saved = errno;
	last_signal = sig;
	if (write(wake_fd, "", 1) < 0) {
		/* A full pipe wakes the reader just as well. */
	}
	errno = saved;
}

static bool unblocking_pipe(int fd[2])
{
	if (pipe(fd) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		fcntl(fd[i], F_SETFD, FD_CLOEXEC);
		fcntl(fd[i], F_SETFL, O_NONBLOCK);
	}
	return true;
}

bool wake_open(struct wake *w, const int *sigs, size_t n, bool force, struct err *e)
{
	if (!unblocking_pipe(w->fd))
		return err_sys(e, "proc.pipe", "cannot make a pipe");
	wake_fd = w->fd[1];
	last_signal = 0;
	struct sigaction action = { .sa_handler = on_signal };
	for (size_t i = 0; i < n && i < WAKE_MAX; i++) {
		struct sigaction old;
		sigaction(sigs[i], NULL, &old);
		if (old.sa_handler == SIG_IGN && !force)
			continue;
		w->sig[w->n] = sigs[i];
		w->old[w->n++] = old;
		sigaction(sigs[i], &action, NULL);
	}
	return true;
}

int wake_take(struct wake *w)
{
	char drop[64];
	while (read(w->fd[0], drop, sizeof drop) > 0)
		;
	return last_signal;
}

void wake_close(struct wake *w)
{
	for (size_t i = 0; i < w->n; i++)
		sigaction(w->sig[i], &w->old[i], NULL);
	if (w->fd[0] >= 0) {
		wake_fd = -1;
		close(w->fd[0]);
		close(w->fd[1]);
	}
	*w = WAKE_NONE;
}
