#include "mount.h"

#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <sys/mount.h>
#include <sys/param.h>
#endif

/* A field of mountinfo: white space and backslash stand there as \ooo. */
static char *unescape(struct str s)
{
	struct buf b = BUF_INIT;
	for (size_t i = 0; i < s.n; i++) {
		bool octal = s.p[i] == '\\' && i + 3 < s.n && chr_digit(s.p[i + 1]) &&
			     chr_digit(s.p[i + 2]) && chr_digit(s.p[i + 3]);
		if (octal) {
			buf_addc(&b, (char)((s.p[i + 1] - '0') * 64 + (s.p[i + 2] - '0') * 8 +
					     s.p[i + 3] - '0'));
			i += 3;
		} else {
			buf_addc(&b, s.p[i]);
		}
	}
	return buf_take(&b);
}

static bool lies_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);
	if (strcmp(dir, "/") == 0)
		return true;
	return strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue" */
static bool parse_line(struct str line, struct mount *m)
{
	struct str word, fields[6];
	for (size_t i = 0; i < 6; i++) {
		if (!str_word(&line, &fields[i]))
			return false;
	}
	while (str_word(&line, &word) && !str_is(word, "-"))
		;
	if (!str_word(&line, &word))
		return false;
	m->dir = unescape(fields[4]);
	m->options = xstrndup(fields[5].p, fields[5].n);
	m->type = xstrndup(word.p, word.n);
	return true;
}

bool mount_parse(const char *text, const char *path, struct mount *m)
{
	struct str rest = str_of(text), line;
	while (str_split(&rest, '\n', &line)) {
		struct mount one = MOUNT_INIT;
		/* The last of several on one directory is the one on top. */
		bool better = parse_line(line, &one) && lies_below(path, one.dir) &&
			      (m->dir == NULL || strlen(one.dir) >= strlen(m->dir));
		if (better) {
			mount_fini(m);
			*m = one;
		} else {
			mount_fini(&one);
		}
	}
	return m->dir != NULL;
}

bool mount_of(const char *path, struct mount *m)
{
	*m = MOUNT_INIT;
#ifdef __APPLE__
	struct statfs s;
	if (statfs(path, &s) != 0)
		return false;
	m->dir = xstrdup(s.f_mntonname);
	m->type = xstrdup(s.f_fstypename);
	m->options = xstrdup(s.f_flags & MNT_NOEXEC ? "noexec" : "");
	return true;
#else
	struct buf b = BUF_INIT;
	struct err ignored = ERR_INIT;
	bool ok = fs_read(AT_FDCWD, "/proc/self/mountinfo", &b, &ignored) &&
		  mount_parse(buf_str(&b), path, m);
	buf_fini(&b);
	return ok;
#endif
}

void mount_fini(struct mount *m)
{
	/* The analyzer takes the copy that mount_parse hands over for a second owner. */
	/* NOLINTBEGIN(clang-analyzer-unix.Malloc) */
	free(m->dir);
	free(m->type);
	free(m->options);
	/* NOLINTEND(clang-analyzer-unix.Malloc) */
	*m = MOUNT_INIT;
}
