/* What the file system of the prefix can do, found by doing it (field reports F70-F80). */
#include "hostcheck_int.h"

#include "fs.h"
#include "mem.h"
#include "mount.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define SKEW_TOLERATED_S 2.0
#define SKEW_REFUSED_S 5.0

/* "/home (nfs4 at /home)": a directory with the mount it lies on. */
static char *with_mount(const char *dir)
{
	struct mount m;
	char *text = mount_of(dir, &m) ? xasprintf("%s (%s mounted at %s)", dir, m.type, m.dir)
				       : xstrdup(dir);
	mount_fini(&m);
	return text;
}

/* One ability: what it does in the directory behind `at`; true when the file system can. */
typedef bool ability(int at);

static bool touch(int at, const char *name)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool can_write(int at)
{
	return touch(at, "file");
}

static bool can_symlink(int at)
{
	char target[16] = "";
	return symlinkat("file", at, "symlink") == 0 &&
	       readlinkat(at, "symlink", target, sizeof target) == 4 &&
	       memcmp(target, "file", 4) == 0;
}

static bool can_link(int at)
{
	struct stat st;
	return linkat(at, "file", at, "link", 0) == 0 && fstatat(at, "link", &st, 0) == 0 &&
	       st.st_nlink == 2;
}

static bool can_chmod(int at)
{
	struct stat st;
	return fchmodat(at, "file", 0755, 0) == 0 && fstatat(at, "file", &st, 0) == 0 &&
	       (st.st_mode & 0777) == 0755 && fchmodat(at, "file", 0600, 0) == 0 &&
	       fstatat(at, "file", &st, 0) == 0 && (st.st_mode & 0777) == 0600;
}

static bool can_rename_over(int at)
{
	struct stat was, is;
	return touch(at, "new") && touch(at, "old") && fstatat(at, "new", &was, 0) == 0 &&
	       renameat(at, "new", at, "old") == 0 && fstatat(at, "old", &is, 0) == 0 &&
	       was.st_ino == is.st_ino && !fs_exists(at, "new");
}

static bool can_set_fine_times(int at)
{
	const struct timespec times[2] = { { 1000000000, 0 }, { 1000000000, 123456700 } };
	struct stat st;
	if (utimensat(at, "file", times, 0) != 0 || fstatat(at, "file", &st, 0) != 0)
		return false;
#ifdef __APPLE__
	return st.st_mtimespec.tv_nsec == 123456700;
#else
	return st.st_mtim.tv_nsec == 123456700;
#endif
}

static bool can_take_long_names(int at)
{
	char name[256];
	memset(name, 'n', 255);
	name[255] = '\0';
	return touch(at, name);
}

static bool can_take_colons(int at)
{
	return touch(at, "File::Spec.3");
}

static bool tells_case(int at)
{
	return touch(at, "CaseProbe") && !fs_exists(at, "cASEpROBE");
}

static bool can_fifo(int at)
{
	return fs_fifo(at, "fifo", 0644) == 0;
}

static bool can_lock(int at)
{
	int fd = openat(at, "file", O_RDWR | O_CLOEXEC);
	bool ok = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
	if (fd >= 0)
		close(fd);
	return ok;
}

#ifdef __APPLE__
#define CASE_SEVERITY SEVERITY_WARNING /* its usual state there; the packages of a guest cope */
#else
#define CASE_SEVERITY SEVERITY_ERROR /* the kernel's headers differ in case only */
#endif

static const char other_fs[] = "choose a directory on another file system (a local disk)";

static const struct {
	ability *can;
	enum severity severity;
	const char *id, *lost, *remedy;
} abilities[] = {
	{ can_write, SEVERITY_ERROR, "fs.write", "files cannot be written", other_fs },
	{ can_symlink, SEVERITY_ERROR, "fs.symlink", "symlinks cannot be made", other_fs },
	{ can_chmod, SEVERITY_ERROR, "fs.chmod", "files cannot be made executable or private",
		other_fs },
	{ can_rename_over, SEVERITY_ERROR, "fs.rename",
		"a file cannot be replaced by another in one step", other_fs },
	{ tells_case, CASE_SEVERITY, "fs.case", "names that differ only in case are the same file",
		other_fs },
	{ can_take_colons, SEVERITY_WARNING, "fs.colon",
		"names cannot hold a colon, as perl's manual pages do", other_fs },
	{ can_link, SEVERITY_WARNING, "fs.hardlink",
		"hard links cannot be made, so some files take their space twice", NULL },
	{ can_take_long_names, SEVERITY_WARNING, "fs.long-names",
		"names of 255 bytes cannot be used", NULL },
	{ can_fifo, SEVERITY_WARNING, "fs.fifo", "named pipes cannot be made", NULL },
	{ can_set_fine_times, SEVERITY_WARNING, "fs.times",
		"times are not kept to the nanosecond, so files may be built again", NULL },
	{ can_lock, SEVERITY_WARNING, "fs.lock",
		"there are no locks: two runs at once are told apart by a file with pid and host",
		NULL },
};

static void check_abilities(struct hostcheck *h, int at, const char *where)
{
	for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++) {
		errno = 0;
		if (abilities[i].can(at))
			continue;
		int error = errno;
		finding_add(h, abilities[i].severity, abilities[i].id, abilities[i].remedy,
			"in %s %s%s%s", where, abilities[i].lost, error != 0 ? ": " : "",
			error != 0 ? strerror(error) : "");
		if (i == 0)
			return; /* the others would only repeat it */
	}
}

static void format_time(const struct timespec *t, char *text, size_t size)
{
	struct tm tm;
	char day[40];
	gmtime_r(&t->tv_sec, &tm);
	strftime(day, sizeof day, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text, size, "%s.%01ld UTC", day, t->tv_nsec / 100000000);
}

/* A server's clock that differs from ours makes make and configure believe in files of the future.
 */
static void check_clock(struct hostcheck *h, int at, const char *where)
{
	struct timespec now, file;
	struct stat st;
	char now_text[64], file_text[64];
	if (!touch(at, "clock") || fstatat(at, "clock", &st, 0) != 0)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
#ifdef __APPLE__
	file = st.st_mtimespec;
#else
	file = st.st_mtim;
#endif
	double skew =
		(double)(file.tv_sec - now.tv_sec) + (double)(file.tv_nsec - now.tv_nsec) / 1e9;
	if (skew > -SKEW_TOLERATED_S && skew < SKEW_TOLERATED_S)
		return;
	bool refused = skew > SKEW_REFUSED_S || skew < -SKEW_REFUSED_S;
	format_time(&now, now_text, sizeof now_text);
	format_time(&file, file_text, sizeof file_text);
	finding_add(h, refused ? SEVERITY_ERROR : SEVERITY_WARNING, "fs.clock",
		"let the clocks of this machine and of its file server be set (NTP)",
		"the clock of %s differs by %+.1f s from this machine's: a file written at %s got "
		"the time "
		"%s (tolerated: %.0f s)",
		where, skew, now_text, file_text, SKEW_TOLERATED_S);
}

static void check_space(
	const struct hostcheck_opts *o, struct hostcheck *h, const char *dir, const char *where)
{
	struct statvfs v;
	if (statvfs(dir, &v) != 0)
		return;
	/* A prefix that exists holds a part of what the whole will need. */
	enum severity severity = h->exists ? SEVERITY_WARNING : SEVERITY_ERROR;
	uint64_t bytes = (uint64_t)v.f_bavail * v.f_frsize;
	if (o->need_bytes > 0 && bytes < o->need_bytes)
		finding_add(h, severity, "fs.space",
			"make room there, or choose another file system",
			"in %s %.1f GB are free; a prefix needs about %.1f GB while it is built",
			where, (double)bytes / 1e9, (double)o->need_bytes / 1e9);
	else
		finding_add(h, SEVERITY_INFO, "fs", NULL, "in %s %.1f GB are free", where,
			(double)bytes / 1e9);
	/* No count at all: inodes are made as needed (btrfs, many network file systems). */
	if (o->need_inodes > 0 && v.f_files > 0 && v.f_favail < o->need_inodes)
		finding_add(h, severity, "fs.inodes",
			"remove many small files there, or choose another "
			"file system",
			"in %s %llu more files can be made (inodes); a prefix needs about %llu "
			"while it "
			"is built",
			where, (unsigned long long)v.f_favail, (unsigned long long)o->need_inodes);
}

static bool check_exec(const struct hostcheck_opts *o, struct hostcheck *h, const char *dir,
	const char *where, struct err *e)
{
	struct trial t;
	bool ok = trial_script(o, dir, STR("#!/bin/sh\nexit 7\n"), &t, e);
	if (ok && t.status != 7)
		finding_add(h, SEVERITY_ERROR, "fs.noexec",
			"choose a directory on a file system that is not mounted noexec",
			"programs do not run in %s: %.*s", where, STR_ARG(trial_line(&t)));
	trial_fini(&t);
	return ok;
}

bool hostcheck_fs(
	const struct hostcheck_opts *o, struct hostcheck *h, struct scratch *s, struct err *e)
{
	int at;
	struct err failed = ERR_INIT;
	char *dir = nearest_existing(h->eprefix), *where = with_mount(dir);
	bool ok = true;
	if (fs_open_dir(AT_FDCWD, s->target, &at, &failed)) {
		check_abilities(h, at, where);
		check_clock(h, at, where);
		check_space(o, h, s->target, where);
		close(at);
		ok = check_exec(o, h, s->target, where, e);
	}
	free(where);
	free(dir);
	return ok;
}
