#include "fetch_run.h"

#include "fetch_sniff.h"
#include "fetch_url.h"

#include <stdio.h>
#include <stdlib.h>

enum { HOPS_MAX = 10, PAGE_SURE_BYTES = 512, SHOW_MS = 250 };

#define USER_AGENT "eprefix"

bool http_open(struct fetch *run)
{
	struct err ca_error = ERR_INIT;
	if (run->net != NULL)
		return true;
	if (!env_find_ca(run->o, &run->ca, &ca_error))
		run->ca_problem = xstrdup(ca_error.message);
	struct net_opts opts = {
		.user_agent = USER_AGENT,
		.ca_file = run->ca.file,
		.ca_dir = run->ca.dir,
		.connect_s = run->o->connect_s > 0 ? run->o->connect_s : 8,
		.stall_s = run->o->stall_s > 0 ? run->o->stall_s : 30,
	};
	run->net = net_open(&opts, run->e);
	run->fatal = run->fatal || run->net == NULL;
	return run->net != NULL;
}

static bool stop(struct task *t, enum fail_kind kind, char *detail)
{
	t->stop = STOP_FAILED;
	t->stop_kind = kind;
	free(t->stop_detail);
	t->stop_detail = detail;
	return false;
}

static char *page_detail(const struct task *t)
{
	struct str title = sniff_title((struct str){ t->sniffed.p, t->sniffed.n });
	return title.n > 0 ? xasprintf("its title is \"%.*s\"", STR_ARG(title)) : xstrdup("");
}

static bool is_page(const struct task *t)
{
	return !sniff_page_is_fine(t->file->name) &&
	       sniff_is_page((struct str){ t->sniffed.p, t->sniffed.n });
}

/* The whole size that the answer announces, -1: it does not. */
static int64_t announced(const struct net_head *head)
{
	return head->status == 206 ? head->range_total : head->length;
}

/* The first bytes of an answer: make the part fit them. False: stop, t->stop says why. */
static bool begin_body(struct task *t, const struct net_head *head)
{
	struct fetch *run = t->run;
	bool partial = head->status == 206;
	int64_t total = announced(head);
	bool other_size = t->file->size > 0 && total >= 0 && (uint64_t)total != t->file->size;
	if (partial && (head->range_start != (int64_t)t->offset || other_size)) {
		t->stop = STOP_RESTART;
		return false;
	}
	if (!partial)
		t->offset = 0;
	if (!(partial ? part_resume(&t->part, run->e) : part_rewind(&t->part, run->e))) {
		t->stop = STOP_FATAL;
		return false;
	}
	part_note_origin(&t->part, t->urls.v[t->at].url, buf_str(&head->etag),
		buf_str(&head->last_modified));
	t->begun = true;
	return true;
}

static bool size_is_wrong(struct task *t, const struct net_head *head, uint64_t have)
{
	int64_t total = announced(head);
	uint64_t want = t->file->size;
	if (want == 0 || (have <= want && (total < 0 || (uint64_t)total == want)))
		return false;
	/* A page of another size is first of all a page: look at enough of it. */
	bool sure = t->sniffed.n >= PAGE_SURE_BYTES || have > want || (int64_t)have >= total;
	if (!sure)
		return false;
	if (total >= 0)
		stop(t, (uint64_t)total > want ? FAIL_TOO_LARGE : FAIL_WRONG_SIZE,
			xasprintf("%lld bytes, must be %llu", (long long)total,
				(unsigned long long)want));
	else
		stop(t, FAIL_TOO_LARGE,
			xasprintf("more than %llu bytes", (unsigned long long)want));
	return true;
}

static void show_progress(struct task *t)
{
	uint64_t now = now_ms();
	if (now < t->shown_ms + SHOW_MS)
		return;
	t->shown_ms = now;
	task_event(t, FETCH_PROGRESS, NULL);
}

static bool on_body(void *ctx, const struct net_head *head, const void *data, size_t n)
{
	struct task *t = ctx;
	if (!t->begun && !begin_body(t, head))
		return false;
	if (t->offset == 0 && t->sniffed.n < SNIFF_BYTES) {
		buf_add(&t->sniffed, data,
			n < SNIFF_BYTES - t->sniffed.n ? n : SNIFF_BYTES - t->sniffed.n);
		if (is_page(t))
			return stop(t, FAIL_WEB_PAGE, page_detail(t));
	}
	if (size_is_wrong(t, head, t->part.size + n))
		return false;
	if (!part_write(&t->part, data, n, t->run->e)) {
		t->stop = STOP_FATAL;
		return false;
	}
	show_progress(t);
	return true;
}

/* Which host this transfer depends on: a proxy has an entry of its own. */
static struct host *host_of(struct task *t, const char *url, const char *proxy)
{
	char *key = url_authority(proxy[0] != '\0' ? proxy : url);
	char *full = proxy[0] != '\0' ? xasprintf("proxy %s", key) : xstrdup(key);
	struct host *host = hosts_get(&t->run->hosts, full);
	free(full);
	free(key);
	return host;
}

static const char *proxy_of(const struct task *t, const char *url)
{
	const char *own = t->urls.v[t->at].proxy;
	return own != NULL ? own : env_proxy(t->run->o, url);
}

/* May its server be asked now? False: later, or this address was given up. */
static bool may_start(struct task *t, const char *url, const char *proxy)
{
	const char *dead = host_of(t, url, proxy)->why;
	t->host = host_of(t, url, "");
	if (dead == NULL)
		dead = t->host->why;
	if (dead != NULL)
		task_give_up(t, FAIL_DEAD_HOST, dead);
	else if (t->run->ca_problem != NULL && url_is_https(url))
		task_give_up(t, FAIL_TLS, t->run->ca_problem);
	else
		return t->host->running < t->run->max_per_host;
	return false;
}

void http_start(struct task *t)
{
	const char *url = task_url(t);
	const char *proxy = proxy_of(t, url);
	if (!http_open(t->run) || !may_start(t, url, proxy))
		return;
	t->offset = t->file->size > 0 ? t->part.size : 0;
	struct net_request request = {
		.url = url,
		.proxy = proxy,
		.no_proxy = t->urls.v[t->at].proxy != NULL ? "" : env_no_proxy(t->run->o),
		.offset = t->offset,
		.if_range = part_validator(&t->part, t->urls.v[t->at].url),
		.body = on_body,
		.ctx = t,
	};
	if (!net_start(t->run->net, &request, t->run->e)) {
		t->run->fatal = true;
		return;
	}
	t->state = TASK_RUNNING;
	t->host->running++;
	t->run->running++;
	task_event(t, FETCH_BEGIN, NULL);
}

/* Follow one redirect, or say why not. */
static void redirected(struct task *t, const char *to)
{
	const char *from = task_url(t);
	if (to == NULL) {
		task_give_up(t, FAIL_REDIRECT_BAD, "it does not say where to");
		return;
	}
	bool seen = strcmp(to, t->urls.v[t->at].url) == 0 || strv_has(&t->chain, to);
	enum fail_kind kind = FAIL_NONE;
	if (!url_is_http(to))
		kind = FAIL_REDIRECT_BAD;
	else if (url_is_https(from) && !url_is_https(to))
		kind = FAIL_REDIRECT_DOWNGRADE;
	else if (seen || t->chain.n >= HOPS_MAX)
		kind = FAIL_REDIRECT_LOOP;
	strv_push(&t->chain, to);
	if (kind != FAIL_NONE)
		task_give_up(t, kind, "");
	else
		t->not_before_ms = 0;
}

static void bury(struct task *t, enum fail_kind kind, const char *detail)
{
	const char *url = task_url(t);
	const char *proxy = kind == FAIL_PROXY ? proxy_of(t, url) : "";
	char *why = xasprintf("%s%s%s", fail_phrase(kind), detail[0] != '\0' ? ": " : "", detail);
	hosts_bury(&t->run->hosts, host_of(t, url, proxy), why);
	free(why);
}

static void failed(struct task *t, const struct net_result *r)
{
	char status[64];
	const char *detail = r->detail;
	if (r->head.status == 0 && fail_is_plain(r->kind)) {
		detail = "";
	} else if (detail[0] == '\0') {
		snprintf(status, sizeof status, "HTTP status %ld", r->head.status);
		detail = status;
	}
	if (r->head.status == 416 && t->offset > 0 && !t->restarted) {
		task_restart(t);
	} else if (fail_is_passing(r->kind) || (fail_is_dead_host(r->kind) && t->host->reached)) {
		task_retry(t, r->kind, detail, r->retry_after_s);
	} else {
		if (fail_is_dead_host(r->kind))
			bury(t, r->kind, detail);
		task_give_up(t, r->kind, detail);
	}
}

static void stopped(struct task *t)
{
	if (t->stop == STOP_FATAL) {
		t->run->fatal = true;
	} else if (t->stop == STOP_RESTART && !t->restarted) {
		task_restart(t);
	} else if (t->stop == STOP_RESTART) {
		task_give_up(t, FAIL_WRONG_SIZE, "the server answers with another part");
	} else {
		char *detail = t->stop_detail;
		t->stop_detail = NULL;
		if (!part_rewind(&t->part, t->run->e))
			t->run->fatal = true;
		task_give_up(t, t->stop_kind, detail);
		free(detail);
	}
}

/* The answer came to its end in good order, as far as the server is concerned. */
static void answered(struct task *t, const struct net_result *r)
{
	uint64_t want = t->file->size;
	if (!t->begun && !part_rewind(&t->part, t->run->e)) {
		t->run->fatal = true;
		return;
	}
	if (want == 0 || t->part.size == want) {
		task_received(t);
		return;
	}
	char detail[96];
	snprintf(detail, sizeof detail, "%llu bytes, must be %llu",
		(unsigned long long)t->part.size, (unsigned long long)want);
	if (announced(&r->head) < 0) {
		task_retry(t, FAIL_TRUNCATED, detail, 0);
	} else {
		if (!part_rewind(&t->part, t->run->e))
			t->run->fatal = true;
		task_give_up(t, FAIL_WRONG_SIZE, detail);
	}
}

void http_ended(struct task *t, struct net_result *r)
{
	long status = r->head.status;
	t->host->running--;
	t->run->running--;
	t->state = TASK_WAITING;
	t->host->reached = t->host->reached || status > 0;
	if (r->stopped)
		stopped(t);
	else if (r->kind != FAIL_NONE)
		failed(t, r);
	else if (status == 200 || status == 206)
		answered(t, r);
	else if (status >= 300 && status < 400)
		redirected(t, r->location);
	else {
		r->kind = FAIL_STATUS;
		failed(t, r);
	}
}
