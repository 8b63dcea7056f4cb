/* eprefix query list, meta, uses, size. */
#include "query.h"
#include "vdb_pkg.h"

#include <stdio.h>
#include <time.h>

bool query_list(struct query *q, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < q->packages.list.n; i++) {
		const struct vdb_pkg *p = q->packages.list.v[i];
		if (q->cli->json) {
			query_object(q, p);
			query_member(q, "slot", vdb_get(p, "SLOT"));
			query_member(q, "repo", vdb_repo(p));
			query_member(q, "use", vdb_get(p, "USE"));
			buf_addc(&q->out, '}');
			continue;
		}
		query_cpv(&q->out, p);
		if (q->cli->verbose > 0)
			buf_printf(&q->out, ":%s::%s", vdb_get(p, "SLOT"), vdb_repo(p));
		buf_addc(&q->out, '\n');
	}
	return true;
}

static void add_time(struct query *q, const char *seconds)
{
	char text[32] = "";
	struct tm tm;
	time_t t = (time_t)strtoll(seconds, NULL, 10);
	if (seconds[0] != '\0' && localtime_r(&t, &tm) != NULL)
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
	if (text[0] != '\0')
		buf_printf(&q->out, "  %-13s %s\n", "built", text);
}

bool query_meta(struct query *q, struct err *e)
{
	static const char *const fields[][2] = { { "description", "DESCRIPTION" },
		{ "homepage", "HOMEPAGE" }, { "license", "LICENSE" }, { "slot", "SLOT" },
		{ "repository", "repository" }, { "keywords", "KEYWORDS" }, { "eapi", "EAPI" },
		{ "chost", "CHOST" }, { "size", "SIZE" }, { "counter", "COUNTER" },
		{ "provides", "PROVIDES" }, { "requires", "REQUIRES" } };
	(void)e;
	for (size_t i = 0; i < q->packages.list.n; i++) {
		const struct vdb_pkg *p = q->packages.list.v[i];
		if (q->cli->json) {
			query_object(q, p);
		} else {
			query_cpv(&q->out, p);
			buf_addc(&q->out, '\n');
		}
		for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
			const char *value = vdb_get(p, fields[k][1]);
			if (q->cli->json)
				query_member(q, fields[k][0], value);
			else if (value[0] != '\0')
				buf_printf(&q->out, "  %-13s %s\n", fields[k][0], value);
		}
		if (q->cli->json) {
			query_member(q, "build_time", vdb_get(p, "BUILD_TIME"));
			buf_addc(&q->out, '}');
		} else {
			add_time(q, vdb_get(p, "BUILD_TIME"));
		}
	}
	return true;
}

static void add_flags(struct query *q, const struct pkg *p, size_t declared)
{
	for (size_t i = 0; i < declared; i++) {
		const struct iuse *f = &p->iuse[i];
		if (q->cli->json) {
			buf_adds(&q->out, i > 0 ? ", " : "");
			buf_json(&q->out, f->name);
			buf_adds(&q->out, f->on ? ": true" : ": false");
		} else {
			buf_printf(&q->out, " %s%.*s", f->on ? "+" : "-", STR_ARG(f->name));
		}
	}
}

/* How many flags IUSE itself declares: those come first. */
static size_t declared_flags(const struct vdb_pkg *p)
{
	struct str rest = str_of(vdb_get(p, "IUSE")), word;
	size_t n = 0;
	while (str_word(&rest, &word))
		n++;
	return n;
}

bool query_uses(struct query *q, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < q->packages.list.n; i++) {
		struct arena a = ARENA_INIT;
		struct pkg view;
		const struct vdb_pkg *p = q->packages.list.v[i];
		vdb_pkg_view(&a, p, &view);
		size_t declared = declared_flags(p);
		declared = declared < view.n_iuse ? declared : view.n_iuse;
		if (q->cli->json) {
			query_object(q, p);
			buf_adds(&q->out, ", \"use\": {");
		} else {
			query_cpv(&q->out, p);
			buf_addc(&q->out, ':');
		}
		add_flags(q, &view, declared);
		buf_adds(&q->out, q->cli->json ? "}}" : "\n");
		arena_fini(&a);
	}
	return true;
}

static void add_size(struct query *q, const struct vdb_pkg *p, size_t files, uint64_t bytes)
{
	if (q->cli->json) {
		query_object(q, p);
		buf_printf(&q->out, ", \"files\": %zu, \"bytes\": %llu}", files,
			(unsigned long long)bytes);
		return;
	}
	query_cpv(&q->out, p);
	buf_printf(&q->out, ": %zu files, %.1f MB\n", files, (double)bytes / 1e6);
}

bool query_size(struct query *q, struct err *e)
{
	size_t all_files = 0;
	uint64_t all_bytes = 0;
	for (size_t i = 0; i < q->packages.list.n; i++) {
		const struct vdb_pkg *p = q->packages.list.v[i];
		struct contents c = CONTENTS_INIT;
		struct buf text = BUF_INIT;
		bool ok = vdb_contents(p, &c, &text, e);
		size_t files = 0;
		for (size_t k = 0; k < c.list.n; k++)
			files += c.list.v[k].type != CONTENTS_DIR;
		contents_fini(&c);
		buf_fini(&text);
		if (!ok)
			return false;
		uint64_t bytes = strtoull(vdb_get(p, "SIZE"), NULL, 10);
		add_size(q, p, files, bytes);
		all_files += files;
		all_bytes += bytes;
	}
	if (!q->cli->json && q->packages.list.n > 1)
		buf_printf(&q->out, "total of %zu packages: %zu files, %.1f MB\n",
			q->packages.list.n, all_files, (double)all_bytes / 1e6);
	return true;
}
