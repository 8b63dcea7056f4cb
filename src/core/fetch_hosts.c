#include "fetch_hosts.h"

#include "mem.h"
#include "str.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct host *hosts_get(struct hosts *h, const char *key)
{
	for (struct host *host = h->first; host != NULL; host = host->next) {
		if (strcmp(host->key, key) == 0)
			return host;
	}
	struct host *host = xcalloc(1, sizeof *host);
	host->key = xstrdup(key);
	host->next = h->first;
	h->first = host;
	return host;
}

static void learn(struct hosts *h, struct str line)
{
	struct str key;
	if (!str_split(&line, '\t', &key) || line.n == 0)
		return;
	char *name = xstrndup(key.p, key.n);
	struct host *host = hosts_get(h, name);
	if (host->why == NULL)
		host->why = xstrndup(line.p, line.n);
	free(name);
}

/* Whole lines only: another process may be writing the last one. */
void hosts_refresh(struct hosts *h)
{
	int fd = h->file != NULL ? open(h->file, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	char chunk[4096];
	struct buf text = BUF_INIT;
	ssize_t n;
	while ((n = pread(fd, chunk, sizeof chunk, (off_t)h->read_up_to + (off_t)text.n)) > 0)
		buf_add(&text, chunk, (size_t)n);
	close(fd);
	while (text.n > 0 && text.p[text.n - 1] != '\n')
		text.n--;
	struct str rest = { text.p, text.n }, line;
	while (str_split(&rest, '\n', &line))
		learn(h, line);
	h->read_up_to += (long long)text.n;
	buf_fini(&text);
}

void hosts_bury(struct hosts *h, struct host *host, const char *why)
{
	if (host->why != NULL)
		return;
	host->why = xstrdup(why);
	int fd = h->file != NULL ? open(h->file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)
				 : -1;
	if (fd < 0)
		return;
	char *line = xasprintf("%s\t%s\n", host->key, why);
	ssize_t ignored = write(fd, line, strlen(line));
	(void)ignored;
	free(line);
	close(fd);
}

void hosts_fini(struct hosts *h)
{
	while (h->first != NULL) {
		struct host *host = h->first;
		h->first = host->next;
		free(host->key);
		free(host->why);
		free(host);
	}
}
