/* How many jobs this process may run, with the reasoning in words (field reports F92, F88). */
#include "hostcheck_int.h"

#include "cgroup.h"
#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#define JOB_BYTES (UINT64_C(1000) * 1000 * 1000) /* what a C++ compile of gcc's own may take */
#define NEEDED_BYTES (UINT64_C(2000) * 1000 * 1000) /* linking the compiler */

static unsigned online_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

static unsigned allowed_cpus(void)
{
#ifdef __linux__
	/* A mask for more CPUs than cpu_set_t holds fails with EINVAL: take a larger one. */
	for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC((size_t)cpus);
		size_t size = CPU_ALLOC_SIZE((size_t)cpus);
		int n = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
		CPU_FREE(set);
		if (n > 0)
			return (unsigned)n;
	}
#endif
	return online_cpus();
}

/* Bytes that programs can have without swapping, 0 unknown. */
static uint64_t available_memory(const char *sysroot)
{
#ifdef __APPLE__
	uint64_t bytes = 0;
	size_t size = sizeof bytes;
	(void)sysroot;
	return sysctlbyname("hw.memsize", &bytes, &size, NULL, 0) == 0 ? bytes : 0;
#else
	struct buf b = BUF_INIT;
	struct err ignored = ERR_INIT;
	char *path = xasprintf("%s/proc/meminfo", sysroot);
	uint64_t kb = 0;
	if (fs_read(AT_FDCWD, path, &b, &ignored)) {
		const char *at = strstr(buf_str(&b), "MemAvailable:");
		/* Before Linux 3.14 there was no such line. */
		at = at != NULL ? at : strstr(buf_str(&b), "MemFree:");
		kb = at != NULL ? strtoull(strchr(at, ':') + 1, NULL, 10) : 0;
	}
	buf_fini(&b);
	free(path);
	return kb * 1024;
#endif
}

/* What a batch system gave to this job, by the variable it says so with. */
static unsigned batch_cpus(const struct hostcheck_opts *o, const char **variable)
{
	static const char *const names[] = { "SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE",
		"PBS_NCPUS", "NCPUS", "PBS_NUM_PPN", "NSLOTS", "LSB_DJOB_NUMPROC" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = hostcheck_env(o, names[i]);
		long n = value != NULL ? strtol(value, NULL, 10) : 0;
		if (n > 0 && n < 100000) {
			*variable = names[i];
			return (unsigned)n;
		}
	}
	return 0;
}

static unsigned round_up(double cpus)
{
	unsigned n = (unsigned)cpus;
	return (double)n < cpus ? n + 1 : n;
}

/* The lowest of the limits, each of them told. */
static unsigned limit_cpus(
	const struct hostcheck_opts *o, const struct cgroup_limits *l, struct buf *why)
{
	const char *variable = NULL;
	unsigned online = online_cpus(), cpus = allowed_cpus(), batch = batch_cpus(o, &variable);
	buf_printf(why, "%u of %u CPUs may be used", cpus, online > cpus ? online : cpus);
	if (l->cpus > 0) {
		buf_printf(why, ", the cgroup's quota is %.3g", l->cpus);
		cpus = l->cpus < cpus ? round_up(l->cpus) : cpus;
	}
	if (batch > 0) {
		buf_printf(why, ", %s is %u", variable, batch);
		cpus = batch < cpus ? batch : cpus;
	}
	return cpus > 0 ? cpus : 1;
}

static unsigned limit_memory(
	struct hostcheck *h, unsigned cpus, const struct cgroup_limits *l, struct buf *why)
{
	bool by_group = l->memory > 0 && (h->memory == 0 || l->memory < h->memory);
	if (by_group)
		h->memory = l->memory;
	if (h->memory == 0)
		return cpus;
	uint64_t fit = h->memory / JOB_BYTES;
	buf_printf(why, ", %.1f GB of memory (%s) are enough for %llu", (double)h->memory / 1e9,
		by_group ? "the cgroup's limit" : "available",
		(unsigned long long)(fit > 0 ? fit : 1));
	return fit >= cpus ? cpus : fit > 0 ? (unsigned)fit : 1;
}

void hostcheck_jobs(const struct hostcheck_opts *o, struct hostcheck *h)
{
	const char *sysroot = o->sysroot != NULL ? o->sysroot : "";
	struct cgroup_limits l = cgroup_limits(sysroot);
	struct buf why = BUF_INIT;
	h->memory = available_memory(sysroot);
	unsigned cpus = limit_cpus(o, &l, &why);
	unsigned fit = limit_memory(h, cpus, &l, &why);
	h->jobs = o->jobs > 0 ? o->jobs : fit;
	finding_add(h, SEVERITY_INFO, "jobs", NULL, "%u jobs at once%s: %s", h->jobs,
		o->jobs > 0 ? " as asked for" : "", buf_str(&why));
	if (o->jobs > fit && fit < cpus)
		finding_add(h, SEVERITY_WARNING, "jobs.memory", "leave --jobs out, or lower it",
			"%u jobs may need more memory than there is: enough for %u", o->jobs, fit);
	if (h->memory > 0 && h->memory < NEEDED_BYTES)
		finding_add(h, SEVERITY_WARNING, "memory",
			"end other programs, or ask for a larger job",
			"%.1f GB of memory can be used; linking the compiler wants about %.1f GB",
			(double)h->memory / 1e9, (double)NEEDED_BYTES / 1e9);
	buf_fini(&why);
}

static const struct {
	int resource;
	rlim_t needed;
	const char *id, *name, *option;
} limits[] = {
	{ RLIMIT_FSIZE, (rlim_t)2 << 30, "limit.file-size", "bytes in one file", "-f" },
	{ RLIMIT_NOFILE, 256, "limit.open-files", "open files", "-n" },
	{ RLIMIT_CPU, 4 * 3600, "limit.cpu-time", "seconds of CPU time for one process", "-t" },
	{ RLIMIT_DATA, (rlim_t)2 << 30, "limit.data", "bytes of data for one process", "-d" },
	{ RLIMIT_AS, (rlim_t)4 << 30, "limit.address-space",
		"bytes of address space for one process", "-v" },
};

void hostcheck_limits(struct hostcheck *h)
{
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct rlimit r;
		if (getrlimit(limits[i].resource, &r) != 0 || r.rlim_cur == RLIM_INFINITY ||
			r.rlim_cur >= limits[i].needed)
			continue;
		char *remedy = xasprintf("raise it with: ulimit %s %llu", limits[i].option,
			(unsigned long long)limits[i].needed /
				(limits[i].resource == RLIMIT_NOFILE ||
							limits[i].resource == RLIMIT_CPU
						? 1
						: 1024));
		finding_add(h, SEVERITY_WARNING, limits[i].id, remedy,
			"this session is limited to %llu %s; compiling gcc may need %llu",
			(unsigned long long)r.rlim_cur, limits[i].name,
			(unsigned long long)limits[i].needed);
		free(remedy);
	}
}
