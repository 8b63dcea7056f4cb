#include "machine.h"

#include "fs.h"
#include "str.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

/* A decimal number at the start of s; max where it says "max" or nothing. */
static unsigned long long number(struct str s, unsigned long long max)
{
	unsigned long long n = 0;
	if (s.n == 0 || !chr_digit(s.p[0]))
		return max;
	for (size_t i = 0; i < s.n && i < 19 && chr_digit(s.p[i]); i++)
		n = n * 10 + (unsigned long long)(s.p[i] - '0');
	return n;
}

/*
 * Call use() with the content of file `name` in our control group (version 2) and in each group
 * above it: a limit anywhere on the way counts (kernel's cgroup-v2 documentation).
 */
static void each_cgroup_file(const char *name, void (*use)(void *ctx, struct str text), void *ctx)
{
	struct buf self = BUF_INIT;
	struct err ignored = ERR_INIT;
	if (!fs_read(AT_FDCWD, "/proc/self/cgroup", &self, &ignored) ||
		!str_starts((struct str){ self.p, self.n }, "0::/")) {
		buf_fini(&self);
		return;
	}
	struct str group = { self.p + 3, strcspn(self.p + 3, "\n") };
	for (;;) {
		char *path = xasprintf(
			"/sys/fs/cgroup%.*s%s%s", STR_ARG(group), group.n > 1 ? "/" : "", name);
		struct buf text = BUF_INIT;
		struct err absent = ERR_INIT;
		if (fs_read(AT_FDCWD, path, &text, &absent))
			use(ctx, (struct str){ text.p, text.n });
		buf_fini(&text);
		free(path);
		if (group.n <= 1)
			break;
		while (group.n > 1 && group.p[group.n - 1] != '/')
			group.n--;
		if (group.n > 1)
			group.n--;
	}
	buf_fini(&self);
}

/* cpu.max: "QUOTA PERIOD" in microseconds, QUOTA may be "max". */
static void use_cpu_max(void *ctx, struct str text)
{
	unsigned *cpus = ctx;
	struct str quota, period;
	if (!str_word(&text, &quota) || !str_word(&text, &period))
		return;
	unsigned long long p = number(period, 0), q = number(quota, 0);
	if (p == 0 || q == 0)
		return;
	unsigned allowed = (unsigned)((q + p - 1) / p);
	if (allowed < *cpus)
		*cpus = allowed > 0 ? allowed : 1;
}

unsigned machine_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned cpus = n > 0 ? (unsigned)n : 1;
#ifdef __linux__
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		cpus = (unsigned)CPU_COUNT(&set);
#endif
	each_cgroup_file("cpu.max", use_cpu_max, &cpus);
	return cpus;
}

static void use_memory_max(void *ctx, struct str text)
{
	unsigned long long *bytes = ctx;
	unsigned long long limit = number(text, ~0ULL);
	if (limit < *bytes)
		*bytes = limit;
}

unsigned machine_memory_mb(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
	if (pages <= 0 || size <= 0)
		return 0;
	unsigned long long bytes = (unsigned long long)pages * (unsigned long long)size;
	each_cgroup_file("memory.max", use_memory_max, &bytes);
	return (unsigned)(bytes >> 20);
}

static void use_memory_events(void *ctx, struct str text)
{
	unsigned long *kills = ctx;
	struct str line, word;
	while (str_split(&text, '\n', &line)) {
		if (str_word(&line, &word) && str_is(word, "oom_kill") && str_word(&line, &word))
			*kills += (unsigned long)number(word, 0);
	}
}

unsigned long machine_oom_kills(void)
{
	unsigned long kills = 0;
	each_cgroup_file("memory.events", use_memory_events, &kills);
	return kills;
}
