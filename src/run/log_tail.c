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

char *log_tail(const char *path, size_t lines, struct err *e)
{
	struct stat st;
	char *text = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0) {
		err_sys(e, "run.log", "reading the log %s", path);
		goto out;
	}
	off_t from = st.st_size > TAIL_BYTES ? st.st_size - TAIL_BYTES : 0;
	text = xmalloc((size_t)TAIL_BYTES + 1);
	ssize_t n = pread(fd, text, (size_t)TAIL_BYTES, from);
	if (n < 0) {
		err_sys(e, "run.log", "reading the log %s", path);
		free(text);
		text = NULL;
		goto out;
	}
	size_t start = tail_start(text, (size_t)n, lines);
	memmove(text, text + start, (size_t)n - start);
	text[(size_t)n - start] = '\0';
out:
	if (fd >= 0)
		close(fd);
	return text;
}
