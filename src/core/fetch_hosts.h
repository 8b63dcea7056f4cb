#ifndef CORE_FETCH_HOSTS_H
#define CORE_FETCH_HOSTS_H

#include <stdbool.h>

/*
 * What one run knows of the hosts it talks to: how busy they are with us, and which could not be
 * reached. The latter is shared by the processes of a run through a file of lines "HOST<TAB>WHY"
 * that all append to.
 */
struct host {
	char *key; /* "host:port" */
	char *why; /* it is dead because of this; NULL: alive as far as known */
	unsigned running; /* our transfers with it */
	bool reached; /* it answered once: a failure to connect now may pass */
	struct host *next;
};
struct hosts {
	struct host *first;
	const char *file; /* borrowed, NULL: not shared */
	long long read_up_to; /* bytes of file already known */
};

/* The entry of "host:port", made when it is new; valid until hosts_fini. */
struct host *hosts_get(struct hosts *h, const char *key);
/* Take over what other processes found out; a missing file is fine. */
void hosts_refresh(struct hosts *h);
/* Never ask it again in this run. Failure to tell the others only costs them time. */
void hosts_bury(struct hosts *h, struct host *host, const char *why);
void hosts_fini(struct hosts *h);

#endif
