/* Files and their meaning: the kernel's admin-guide/cgroup-v2.rst and cgroup-v1/, sched-bwc.rst. */
#include "cgroup.h"

#include "fs.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* v1 says "no limit" by a number near 2^63, rounded down to pages. */
#define NO_LIMIT_V1 (UINT64_C(1) << 60)

/* The content of dir/name, NULL when it cannot be read. Caller's own string. */
static char *read_file(const char *dir, const char *name)
{
	struct buf b = BUF_INIT;
	struct err ignored = ERR_INIT;
	char *path = path_join(dir, name);
	bool ok = fs_read(AT_FDCWD, path, &b, &ignored);
	free(path);
	if (ok)
		return buf_take(&b);
	buf_fini(&b);
	return NULL;
}

static uint64_t read_number(const char *dir, const char *name)
{
	char *text = read_file(dir, name);
	char *end = text;
	uint64_t n = text != NULL && chr_digit(text[0]) ? strtoull(text, &end, 10) : 0;
	free(text);
	return n;
}

static void narrow_cpus(struct cgroup_limits *l, uint64_t quota, uint64_t period)
{
	double cpus = quota > 0 && period > 0 ? (double)quota / (double)period : 0;
	if (cpus > 0 && (l->cpus == 0 || cpus < l->cpus))
		l->cpus = cpus;
}

static void narrow_memory(struct cgroup_limits *l, uint64_t bytes)
{
	if (bytes > 0 && bytes < NO_LIMIT_V1 && (l->memory == 0 || bytes < l->memory))
		l->memory = bytes;
}

/* The counter "oom_kill" of memory.events (v2) or memory.oom_control (v1). */
static void read_kills(struct cgroup_limits *l, const char *dir)
{
	static const char *const names[] = { "memory.events", "memory.oom_control" };
	for (size_t i = 0; i < 2; i++) {
		char *text = read_file(dir, names[i]);
		struct str rest = str_of(text), line, word;
		while (text != NULL && str_split(&rest, '\n', &line)) {
			if (str_word(&line, &word) && str_is(word, "oom_kill") &&
				str_word(&line, &word))
				l->oom_kills += strtoull(word.p, NULL, 10);
		}
		free(text);
	}
}

/* "max 100000" or "300000 100000", and two numbers or "max". */
static void read_v2(struct cgroup_limits *l, const char *dir)
{
	char *text = read_file(dir, "cpu.max");
	struct str rest = str_of(text), quota, period;
	if (text != NULL && str_word(&rest, &quota) && str_word(&rest, &period))
		narrow_cpus(l, strtoull(quota.p, NULL, 10), strtoull(period.p, NULL, 10));
	free(text);
	narrow_memory(l, read_number(dir, "memory.max"));
	narrow_memory(l, read_number(dir, "memory.high"));
	read_kills(l, dir);
}

static void read_v1(struct cgroup_limits *l, const char *dir)
{
	/* The quota is -1 where there is none, which read_number takes for no number. */
	narrow_cpus(l, read_number(dir, "cpu.cfs_quota_us"), read_number(dir, "cpu.cfs_period_us"));
	narrow_memory(l, read_number(dir, "memory.limit_in_bytes"));
	read_kills(l, dir);
}

typedef void read_dir(struct cgroup_limits *l, const char *dir);

/*
 * base + group and all groups above it. In a container without a namespace of its own the group's
 * path does not exist below the mount: then its root is what there is, and is looked at last.
 */
static void climb(struct cgroup_limits *l, const char *base, struct str group, read_dir *read)
{
	char *at = xasprintf("%.*s", STR_ARG(group));
	for (;;) {
		char *dir = xasprintf("%s%s", base, at);
		read(l, dir);
		free(dir);
		char *slash = strrchr(at, '/');
		if (slash == NULL)
			break;
		*slash = '\0';
	}
	free(at);
}

/* One line of /proc/self/cgroup: "4:cpu,cpuacct:/a/b" (v1), "0::/a/b" (v2). */
static void read_group(struct cgroup_limits *l, const char *sysroot, struct str line)
{
	struct str id, controllers, one;
	if (!str_split(&line, ':', &id) || !str_split(&line, ':', &controllers))
		return;
	if (controllers.n == 0) {
		char *base = xasprintf("%s/sys/fs/cgroup", sysroot);
		char *hybrid = path_join(base, "unified");
		climb(l, base, line, read_v2);
		climb(l, hybrid, line, read_v2);
		free(hybrid);
		free(base);
		return;
	}
	char *both = xasprintf("%s/sys/fs/cgroup/%.*s", sysroot, STR_ARG(controllers));
	climb(l, both, line, read_v1);
	free(both);
	/* The directory may be named after one controller instead of all of the hierarchy. */
	bool several = memchr(controllers.p, ',', controllers.n) != NULL;
	while (several && str_split(&controllers, ',', &one)) {
		char *base = xasprintf("%s/sys/fs/cgroup/%.*s", sysroot, STR_ARG(one));
		climb(l, base, line, read_v1);
		free(base);
	}
}

struct cgroup_limits cgroup_limits(const char *sysroot)
{
	struct cgroup_limits l = { 0 };
	char *proc = xasprintf("%s/proc/self", sysroot);
	char *root = xasprintf("%s/sys/fs/cgroup", sysroot);
	char *text = read_file(proc, "cgroup");
	struct str rest = str_of(text), line;
	while (text != NULL && str_split(&rest, '\n', &line))
		read_group(&l, sysroot, line);
	if (text == NULL)
		read_v2(&l, root); /* /proc does not tell: a container's root is what there is */
	free(text);
	free(root);
	free(proc);
	return l;
}
