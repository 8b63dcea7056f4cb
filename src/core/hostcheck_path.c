/* Where a prefix may be: which characters, how long, which directories not (field reports F65-F71).
 */
#include "hostcheck_int.h"

#include "fs.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest interpreter below EPREFIX: python of the helper root. */
#define LONGEST_TAIL "/tmp/usr/bin/python3.13"

struct reason {
	const char *chars, *why;
};

/* What thousands of makefiles, configure scripts and wrappers would do with these characters. */
static const struct reason reasons[] = {
	{ " ", "make and the shell split words at blanks" },
	{ "\t\n\r\v\f", "make and the shell split words at white space" },
	{ "'\"`", "shells take quotes away" },
	{ "\\", "shells and sed take the backslash for an escape" },
	{ ":", "a colon separates the entries of PATH and the targets of make" },
	{ ";&|<>()", "shells take it for the end of a command" },
	{ "$", "make and shells expand what follows a dollar" },
	{ "%", "make takes it for a pattern" },
	{ "=", "make and env take it for an assignment" },
	{ "#", "make and shells take it for a comment" },
	{ "~", "shells replace it by a home directory" },
	{ "*?[]{}!^", "shells take it for a pattern" },
	{ ",", "the compiler's -Wl, options are split there" },
	{ "@", "configure's templates and perl strings replace names behind it" },
};

static const char *why_refused(unsigned char c)
{
	if (chr_alnum((char)c) || (c != '\0' && strchr("/._-+", c) != NULL))
		return NULL;
	if (c >= 0x80)
		return "programs disagree about letters beyond ASCII";
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		if (strchr(reasons[i].chars, c) != NULL)
			return reasons[i].why;
	}
	return "it is a control character";
}

static void name_char(struct buf *b, unsigned char c)
{
	if (c == ' ')
		buf_adds(b, "a space");
	else if (c > ' ' && c < 0x7f)
		buf_printf(b, "\"%c\"", c);
	else
		buf_printf(b, "byte 0x%02x", c);
}

static bool check_characters(const char *path, struct hostcheck *h)
{
	bool told[256] = { false }, fine = true;
	for (const char *p = path; *p != '\0'; p++) {
		unsigned char c = (unsigned char)*p;
		const char *why = why_refused(c);
		/* The bytes of one letter beyond ASCII are one matter. */
		unsigned char kind = c >= 0x80 ? 0x80 : c;
		if (why == NULL || told[kind])
			continue;
		struct buf name = BUF_INIT;
		name_char(&name, c);
		told[kind] = true;
		fine = false;
		finding_add(h, SEVERITY_ERROR, "path.characters",
			"choose a directory whose whole path is of letters, digits and / . _ - +",
			"the path %s has %s: %s", path, buf_str(&name), why);
		buf_fini(&name);
	}
	return fine;
}

/* A directory being resolved: what is there by its physical name, the rest by its letters. */
static bool step_into(struct buf *at, struct str part, struct hostcheck *h)
{
	struct err ignored = ERR_INIT;
	char *next = xasprintf("%s/%.*s", buf_str(at), STR_ARG(part));
	char *real = fs_exists(AT_FDCWD, next) ? fs_real(next, &ignored) : xstrdup(next);
	bool ok = real != NULL;
	if (!ok)
		finding_add(h, SEVERITY_ERROR, "path.dangling",
			"remove that symlink, or make the directory it points to",
			"%s leads nowhere: %s", next, ignored.message);
	buf_clear(at);
	buf_adds(at, ok && strcmp(real, "/") != 0 ? real : "");
	free(real);
	free(next);
	return ok;
}

/* The physical path of what may not exist yet, NULL with a finding. "a/.." of a missing a is fine.
 */
static char *physical(const char *typed, struct hostcheck *h)
{
	struct buf at = BUF_INIT;
	struct str rest = str_of(typed), part;
	bool ok = true;
	buf_adds(&at, "");
	while (ok && str_split(&rest, '/', &part)) {
		if (part.n == 0 || str_is(part, "."))
			continue;
		if (str_is(part, "..")) {
			char *slash = strrchr(at.p, '/');
			at.n = slash != NULL ? (size_t)(slash - at.p) : 0;
			at.p[at.n] = '\0';
		} else {
			ok = step_into(&at, part, h);
		}
	}
	if (at.n == 0)
		buf_addc(&at, '/');
	char *path = buf_take(&at);
	if (ok)
		return path;
	free(path);
	return NULL;
}

static bool is_system_directory(const char *path)
{
	static const char *const exact[] = { "/", "/bin", "/boot", "/etc", "/home", "/lib",
		"/lib32", "/lib64", "/libx32", "/media", "/mnt", "/opt", "/root", "/run", "/sbin",
		"/srv", "/tmp", "/usr", "/usr/local", "/usr/bin", "/usr/lib", "/usr/share", "/var",
		"/var/tmp", "/nix", "/gnu", "/Applications", "/Library", "/System", "/Users",
		"/private", "/dev/shm" };
	static const char *const below[] = { "/proc", "/sys", "/dev", "/System" };
	for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
		if (strcmp(path, exact[i]) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
		size_t n = strlen(below[i]);
		bool in = strncmp(path, below[i], n) == 0 && (path[n] == '/' || path[n] == '\0');
		if (in && strncmp(path, "/dev/shm/", 9) != 0)
			return true;
	}
	return false;
}

static bool check_place(const struct hostcheck_opts *o, const char *path, struct hostcheck *h)
{
	struct err ignored = ERR_INIT;
	const char *home = hostcheck_env(o, "HOME");
	char *real_home = home != NULL ? fs_real(home, &ignored) : NULL;
	bool is_home = real_home != NULL && strcmp(path, real_home) == 0;
	free(real_home);
	if (is_home)
		finding_add(h, SEVERITY_ERROR, "path.home",
			"choose a directory in it, such as gentoo",
			"%s is your home directory, which a prefix would fill with its own usr, "
			"etc, var …",
			path);
	else if (is_system_directory(path))
		finding_add(h, SEVERITY_ERROR, "path.system",
			"choose a directory of your own, such as $HOME/gentoo",
			"%s belongs to the system", path);
	else
		return true;
	return false;
}

/* Names that a prefix has at its top. */
static bool is_ours(const char *name)
{
	static const char *const names[] = { "etc", "usr", "var", "bin", "sbin", "lib", "lib32",
		"lib64", "tmp", "run", "home", "opt", "startprefix", "lost+found" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return name[0] == '.';
}

static void check_content(struct hostcheck *h)
{
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	size_t foreign = 0, first = 0;
	if (fs_list(AT_FDCWD, h->eprefix, &names, &ignored)) {
		for (size_t i = 0; i < names.n; i++) {
			if (!is_ours(names.v[i]) && foreign++ == 0)
				first = i;
		}
	}
	char *records = path_join(h->eprefix, "var/db/pkg");
	h->exists = fs_is_dir(AT_FDCWD, records);
	if (foreign > 0 && !h->exists)
		finding_add(h, SEVERITY_WARNING, "path.content",
			"better choose a directory of its own",
			"%s holds other things already: %zu entries that are no part of a prefix, "
			"such as "
			"%s",
			h->eprefix, foreign, names.v[first]);
	free(records);
	strv_fini(&names);
}

char *nearest_existing(const char *path)
{
	char *at = xstrdup(path);
	while (!fs_exists(AT_FDCWD, at) && strcmp(at, "/") != 0) {
		char *up = path_dir(at);
		free(at);
		at = up;
	}
	return at;
}

static bool check_directories(const char *path, struct hostcheck *h)
{
	char *at = nearest_existing(path);
	bool ok = fs_is_dir(AT_FDCWD, at);
	if (!ok)
		finding_add(h, SEVERITY_ERROR, "path.not-a-directory",
			"choose another place, or move that file away", "%s is not a directory",
			at);
	free(at);
	return ok;
}

static void refuse_relative(const char *typed, struct hostcheck *h)
{
	struct err ignored = ERR_INIT;
	if (typed[0] == '\0') {
		finding_add(h, SEVERITY_ERROR, "path.empty",
			"name a directory of your own, such as $HOME/gentoo",
			"the path of the prefix is empty");
		return;
	}
	char *here = fs_real(".", &ignored);
	char *whole = path_join(here != NULL ? here : "/", typed), *clean = path_clean(whole);
	char *remedy = xasprintf("if you mean %s, name it so", clean);
	finding_add(h, SEVERITY_ERROR, "path.relative", remedy,
		"the path of the prefix must start with /, but is %s", typed);
	free(remedy);
	free(clean);
	free(whole);
	free(here);
}

void hostcheck_path(const struct hostcheck_opts *o, struct hostcheck *h)
{
	if (o->eprefix[0] != '/') {
		check_characters(o->eprefix, h);
		refuse_relative(o->eprefix, h);
		return;
	}
	char *path = physical(o->eprefix, h);
	if (path == NULL)
		return;
	bool ok = check_characters(path, h);
	ok = check_place(o, path, h) && ok;
	ok = check_directories(path, h) && ok;
	if (strcmp(path, o->eprefix) != 0)
		finding_add(h, SEVERITY_INFO, "path.normalised", NULL,
			"%s is %s, and is called that everywhere", o->eprefix, path);
	if (!ok) {
		free(path);
		return;
	}
	h->eprefix = path;
	check_content(h);
}

void hostcheck_length(struct hostcheck *h, size_t limit)
{
	size_t tail = strlen(LONGEST_TAIL), n = h->eprefix != NULL ? strlen(h->eprefix) : 0;
	if (limit <= tail || n == 0)
		return;
	size_t max = limit - tail;
	if (n <= max) {
		finding_add(h, SEVERITY_INFO, "path", NULL,
			"the prefix is %s (%zu of at most %zu bytes)", h->eprefix, n, max);
		return;
	}
	finding_add(h, SEVERITY_ERROR, "path.length", "choose a shorter path",
		"the path %s is %zu bytes long; at most %zu are possible, because the #! line of a "
		"script "
		"holds no more than %zu here and has to name EPREFIX" LONGEST_TAIL,
		h->eprefix, n, max, limit);
	free(h->eprefix);
	h->eprefix = NULL;
}
