#include "proc_int.h"

#include <errno.h>
#include <unistd.h>

#define LINE_MAX_KEPT ((size_t)64 * 1024) /* a longer line is cut into several */

static void put(struct proc_log *log, const struct buf *text)
{
	for (size_t at = 0; log->fd >= 0 && log->failed == 0 && at < text->n;) {
		ssize_t n = write(log->fd, text->p + at, text->n - at);
		if (n > 0)
			at += (size_t)n;
		else if (errno != EINTR)
			log->failed = errno;
	}
}

/* Keep at most `lines` last lines of b. */
static void cut_tail(struct buf *b, size_t lines)
{
	size_t at = b->n;
	for (size_t seen = 0; at > 0; at--) {
		if (b->p[at - 1] == '\n' && ++seen > lines)
			break;
	}
	if (at == 0)
		return;
	memmove(b->p, b->p + at, b->n - at + 1);
	b->n -= at;
}

static void add_tail(struct proc_log *log, struct str line)
{
	if (log->tail_lines == 0)
		return;
	buf_add_str(log->tail, line);
	buf_addc(log->tail, '\n');
	/* Not for each line: that would be quadratic. */
	if (++log->uncut > log->tail_lines) {
		cut_tail(log->tail, log->tail_lines);
		log->uncut = 0;
	}
}

static void add_line(struct proc_log *log, struct buf *out, struct str line)
{
	buf_printf(out, "[%6.1f] ", proc_now() - log->start);
	buf_add_str(out, line);
	buf_addc(out, '\n');
	add_tail(log, line);
}

void proc_log_add(struct proc_log *log, int stream, const char *data, size_t n)
{
	struct buf *partial = &log->partial[stream], out = BUF_INIT;
	for (const char *nl; n > 0 && (nl = memchr(data, '\n', n)) != NULL;) {
		size_t len = (size_t)(nl - data);
		buf_add(partial, data, len);
		add_line(log, &out, (struct str){ partial->p, partial->n });
		buf_clear(partial);
		data = nl + 1;
		n -= len + 1;
	}
	buf_add(partial, data, n);
	if (partial->n > LINE_MAX_KEPT) {
		add_line(log, &out, (struct str){ partial->p, partial->n });
		buf_clear(partial);
	}
	put(log, &out);
	buf_fini(&out);
}

void proc_log_end(struct proc_log *log)
{
	for (int i = 0; i < 2; i++) {
		if (log->partial[i].n > 0)
			proc_log_add(log, i, "\n", 1);
		buf_fini(&log->partial[i]);
	}
	cut_tail(log->tail, log->tail_lines);
}
