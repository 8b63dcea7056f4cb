#ifndef CORE_FETCH_RUN_H
#define CORE_FETCH_RUN_H

#include "fetch.h"
#include "fetch_env.h"
#include "fetch_fail.h"
#include "fetch_hosts.h"
#include "fetch_net.h"
#include "fetch_part.h"
#include "fetch_plan.h"
#include "vec.h"

/* What the files of one call of fetch_all share; nobody else includes this. */

enum task_state { TASK_WAITING, TASK_RUNNING, TASK_DONE, TASK_FAILED };

struct fetch;

/* Why body() stopped a transfer. */
enum stop_reason {
	STOP_NONE,
	STOP_FAILED, /* stop_kind says how */
	STOP_RESTART, /* the answer does not fit what is there: ask again for the whole */
	STOP_FATAL, /* DISTDIR cannot be written */
};

/* One job on its way through alternatives and addresses. */
struct task {
	struct fetch *run;
	struct fetch_job *job;
	size_t alternative;
	const struct fetch_file *file; /* that alternative, NULL: not begun */
	struct mirror_urls urls; /* its addresses */
	size_t at; /* the address now */
	struct part part;
	enum task_state state;
	bool waited; /* for another process that was at this file */
	uint64_t not_before_ms;
	/* about this address */
	unsigned failures; /* that may pass, since the last progress */
	uint64_t best; /* bytes had at most */
	bool restarted; /* resuming was given up */
	struct strv chain; /* redirects so far, the last is asked now */
	/* about this transfer */
	struct host *host;
	uint64_t offset;
	bool begun; /* the first bytes came */
	struct buf sniffed;
	enum stop_reason stop;
	enum fail_kind stop_kind;
	char *stop_detail;
	uint64_t shown_ms; /* last FETCH_PROGRESS */
	/* for the report */
	struct buf report;
	bool kinds[FAIL_KINDS];
};

struct fetch {
	const struct fetch_opts *o;
	struct err *e; /* filled by what ends the whole call */
	bool fatal;
	int dir; /* DISTDIR */
	struct net *net; /* opened when first needed */
	struct env_ca ca;
	char *ca_problem; /* why no https can be trusted, NULL: it can */
	struct hosts hosts;
	struct sites sites;
	VEC(struct task) tasks;
	size_t n_jobs;
	unsigned running, max_files, max_per_host, tries, backoff_ms;
	uint64_t deadline_ms; /* 0: none */
	unsigned seed;
};

/* fetch_task.c */
uint64_t now_ms(void);
/* Do what can be done now: start a transfer, copy a local file, or give up. */
void task_advance(struct task *t);
/* Go on with the next address. detail may be "". */
void task_give_up(struct task *t, enum fail_kind kind, const char *detail);
/* The same address again, after a pause when may_pass (then only a few times). */
void task_retry(struct task *t, enum fail_kind kind, const char *detail, unsigned after_s);
/* The same address from the first byte. */
void task_restart(struct task *t);
/* All bytes of this address are there: compare and put in place, or go on. */
void task_received(struct task *t);
void task_fini(struct task *t);
void task_event(struct task *t, enum fetch_event_kind kind, const char *message);
/* The address as asked for last, after redirects. Borrowed. */
const char *task_url(const struct task *t);

/* fetch_http.c */
/* Begin the transfer of task_url(t), unless its host is busy with us or was given up. */
void http_start(struct task *t);
void http_ended(struct task *t, struct net_result *r);
/* Opens run->net; false with run->fatal set. */
bool http_open(struct fetch *run);

/* fetch_local.c */
/* Copy from a directory of this machine, then task_received or task_give_up. */
void local_copy(struct task *t, const char *path);

/* fetch_sites.c: ask the mirrors for their layout.conf. */
void sites_ask(struct fetch *run);

/* fetch_report.c */
/* The failure of one job, all its addresses; the caller's own string. */
char *report_task(const struct task *t);
/* The failure of the call. */
bool report_all(const struct fetch *run, struct err *e);

#endif
