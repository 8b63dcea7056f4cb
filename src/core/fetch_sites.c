#include "fetch_run.h"

#include "fetch_url.h"

#include <stdlib.h>

enum { LAYOUT_MAX = 64 * 1024, POLL_MS = 200 };

/* One question for a layout.conf. */
struct question {
	struct site *site;
	struct buf text;
	bool pending;
};

static bool on_body(void *ctx, const struct net_head *head, const void *data, size_t n)
{
	struct question *q = ctx;
	(void)head;
	if (q->text.n + n > LAYOUT_MAX)
		return false;
	buf_add(&q->text, data, n);
	return true;
}

static bool begin(struct fetch *run, struct question *q)
{
	char *url = site_layout_url(q->site);
	struct net_request request = {
		.url = url,
		.proxy = env_proxy(run->o, url),
		.no_proxy = env_no_proxy(run->o),
		.body = on_body,
		.ctx = q,
	};
	q->pending = net_start(run->net, &request, run->e);
	run->fatal = run->fatal || !q->pending;
	free(url);
	return q->pending;
}

static void ended(struct fetch *run, struct question *q, const struct net_result *r)
{
	struct site *s = q->site;
	q->pending = false;
	s->known = r->head.status > 0;
	s->found = r->kind == FAIL_NONE && !r->stopped && r->head.status == 200;
	if (s->found)
		s->layout = layout_parse((struct str){ q->text.p, q->text.n });
	if (!fail_is_dead_host(r->kind) || r->kind == FAIL_PROXY)
		return;
	char *key = url_authority(s->base);
	hosts_bury(&run->hosts, hosts_get(&run->hosts, key), fail_phrase(r->kind));
	free(key);
}

static bool should_stop(struct fetch *run)
{
	const struct fetch_opts *o = run->o;
	if (o->should_stop == NULL || !o->should_stop(o->ctx))
		return false;
	run->fatal = !err_set(run->e, ERR_INTERRUPTED, "fetch.stop", "interrupted");
	return true;
}

/* Take what has ended; how many are still on their way. */
static size_t collect(struct fetch *run, size_t pending)
{
	void *ctx;
	struct net_result r;
	while (net_ended(run->net, &ctx, &r)) {
		ended(run, ctx, &r);
		net_result_fini(&r);
		pending--;
	}
	return pending;
}

void sites_ask(struct fetch *run)
{
	size_t n = run->sites.all.n, pending = 0;
	struct question *all = xcalloc(n + 1, sizeof *all);
	for (size_t i = 0; i < n && !run->fatal; i++) {
		struct site *s = &run->sites.all.v[i];
		if (s->known || !url_is_http(s->base) || !http_open(run))
			continue;
		all[i].site = s;
		pending += begin(run, &all[i]) ? 1 : 0;
	}
	while (pending > 0 && !run->fatal && !should_stop(run)) {
		run->fatal = !net_poll(run->net, POLL_MS, run->e);
		pending = collect(run, pending);
	}
	for (size_t i = 0; i < n; i++) {
		if (all[i].pending)
			net_cancel(run->net, &all[i]);
		buf_fini(&all[i].text);
	}
	free(all);
}
