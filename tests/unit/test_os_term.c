#include "term.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A terminal of 132 columns; its descriptor, -1 when there are none here. */
static int terminal(int *master)
{
	struct winsize size = { .ws_row = 40, .ws_col = 132 };
	*master = posix_openpt(O_RDWR | O_NOCTTY);
	if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0)
		return -1;
	int fd = open(ptsname(*master), O_RDWR | O_NOCTTY);
	ioctl(fd, TIOCSWINSZ, &size);
	return fd;
}

TEST(term_knows_a_terminal)
{
	int master, fd = terminal(&master), null = open("/dev/null", O_WRONLY);
	if (fd < 0) {
		test_skip("no pseudo terminals here");
		return;
	}
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	CHECK(term_is_live(fd) && !term_is_live(null));
	CHECK(term_width(fd) == 132 && term_width(null) == 80);
	CHECK(term_use_color(fd, TERM_AUTO) && !term_use_color(null, TERM_AUTO));
	CHECK(term_use_color(null, TERM_ALWAYS) && !term_use_color(fd, TERM_NEVER));
	setenv("NO_COLOR", "1", 1);
	CHECK(!term_use_color(fd, TERM_AUTO) && term_use_color(fd, TERM_ALWAYS));
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	CHECK(!term_is_live(fd) && !term_use_color(fd, TERM_AUTO));
	unsetenv("TERM");
	CHECK(!term_is_live(fd));
	close(fd);
	close(master);
	close(null);
}
