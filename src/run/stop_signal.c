#include "stop_signal.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[3] = { SIGINT, SIGTERM, SIGHUP };

/* A handler can reach nothing but globals. */
static volatile sig_atomic_t caught;
static int wake_fds[2] = { -1, -1 };

static void on_signal(int sig)
{
	int saved = errno;
	caught = sig;
	/* A full pipe wakes the reader as well. */
	ssize_t n = write(wake_fds[1], "", 1);
	(void)n;
	errno = saved;
}

bool stop_signal_open(struct stop_signal *s, struct err *e)
{
	struct sigaction action = { .sa_handler = on_signal };
	if (pipe(wake_fds) != 0)
		return err_sys(e, "run.signals", "making a pipe for signals");
	for (size_t i = 0; i < 2; i++) {
		fcntl(wake_fds[i], F_SETFD, FD_CLOEXEC);
		fcntl(wake_fds[i], F_SETFL, O_NONBLOCK);
	}
	s->fd = wake_fds[0];
	caught = 0;
	for (size_t i = 0; i < 3; i++) {
		sigaction(signals[i], NULL, &s->old[i]);
		/* nohup's wish stands. */
		if (s->old[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	return true;
}

int stop_signal_take(struct stop_signal *s)
{
	char bytes[64];
	while (read(s->fd, bytes, sizeof bytes) > 0)
		;
	int sig = caught;
	caught = 0;
	return sig;
}

void stop_signal_close(struct stop_signal *s)
{
	for (size_t i = 0; i < 3; i++)
		sigaction(signals[i], &s->old[i], NULL);
	for (size_t i = 0; i < 2; i++) {
		close(wake_fds[i]);
		wake_fds[i] = -1;
	}
	s->fd = -1;
}
