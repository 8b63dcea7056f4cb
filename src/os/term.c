#include "term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool term_is_live(int fd)
{
	const char *term = getenv("TERM");
	return isatty(fd) == 1 && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

int term_width(int fd)
{
	struct winsize size;
	return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool term_use_color(int fd, enum term_color wish)
{
	if (wish != TERM_AUTO)
		return wish == TERM_ALWAYS;
	const char *no_color = getenv("NO_COLOR");
	return term_is_live(fd) && (no_color == NULL || no_color[0] == '\0');
}
