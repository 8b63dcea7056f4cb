#ifndef RUN_FETCHER_H
#define RUN_FETCHER_H

#include "fetch.h"
#include "tally.h"

#include <sys/types.h>

/*
 * Downloads beside the builds: one child process brings the sources of all steps to do into
 * DISTDIR, in plan order, and tells by a pipe what is there.
 */

enum fetcher_event_kind {
	FETCHER_HAVE, /* source `source` of step `step` is in DISTDIR */
	FETCHER_MISSING, /* it cannot be had; text says why */
	FETCHER_PROGRESS, /* of the file `name` */
	FETCHER_DONE, /* the file `name` was downloaded; total: its size */
	FETCHER_NOTE, /* text: a source was given up for another */
	FETCHER_FATAL, /* text: nothing more can be fetched (DISTDIR not writable) */
};
struct fetcher_event {
	enum fetcher_event_kind kind;
	size_t step, source;
	uint64_t done, total;
	char name[128];
	char text[2048];
};

struct fetcher {
	pid_t pid;
	int events; /* -1: not running */
};
#define FETCHER_NONE ((struct fetcher){ .events = -1 })

/*
 * Start it for all waiting steps of the tally that have sources; none: nothing is started. opts is
 * copied; its event, should_stop and ctx are the fetcher's own.
 */
bool fetcher_start(
	struct fetcher *f, const struct tally *t, const struct fetch_opts *opts, struct err *e);
/* Read one event; false at the end: it has been waited for then. */
bool fetcher_next(struct fetcher *f, struct fetcher_event *event);
/* End it. Accepts FETCHER_NONE. */
void fetcher_stop(struct fetcher *f);

#endif
