#ifndef RUN_STOP_SIGNAL_H
#define RUN_STOP_SIGNAL_H

#include "err.h"

#include <signal.h>

/* SIGINT, SIGTERM and SIGHUP as something to poll for. One at a time per process. */
struct stop_signal {
	int fd; /* readable once a signal came */
	struct sigaction old[3];
};

bool stop_signal_open(struct stop_signal *s, struct err *e);
/* The last signal that came since, 0 for none; asking forgets it. */
int stop_signal_take(struct stop_signal *s);
void stop_signal_close(struct stop_signal *s);

#endif
