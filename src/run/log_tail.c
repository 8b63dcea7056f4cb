#include "log_tail.h"

#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL_BYTES ((off_t)64 * 1024)

/* Where the last `lines` lines of text begin. */
static size_t tail_start(const char *text, size_t n, size_t lines)
{
	/* A newline at the very end closes the last line; it does not begin one. */
	size_t at = n > 0 && text[n - 1] == '\n' ? n - 1 : n;
	while (at > 0) {
		if (text[at - 1] == '\n' && --lines == 0)
			break;
		at--;
	}
	return at;
}

char *log_since(const char *path, off_t from, struct err *e)
{
	struct stat st;
	char *text = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		goto out;
	if (st.st_size - from > TAIL_BYTES)
		from = st.st_size - TAIL_BYTES;
	text = xmalloc((size_t)TAIL_BYTES + 1);
	ssize_t n = pread(fd, text, (size_t)TAIL_BYTES, from);
	if (n >= 0) {
		text[n] = '\0';
	} else {
		free(text);
		text = NULL;
	}
out:
	if (text == NULL)
		err_sys(e, "run.log", "reading the log %s", path);
	if (fd >= 0)
		close(fd);
	return text;
}

char *log_tail(const char *path, size_t lines, struct err *e)
{
	char *text = log_since(path, 0, e);
	if (text == NULL)
		return NULL;
	size_t n = strlen(text), start = tail_start(text, n, lines);
	memmove(text, text + start, n - start + 1);
	return text;
}
