#include "capacity.h"

#include "cgroup.h"
#include "fs.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

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

static const char *variable_of(const char *const *env, const char *name)
{
	size_t n = strlen(name);
	for (; env != NULL && *env != NULL; env++) {
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
			return *env + n + 1;
	}
	return NULL;
}

/* What a batch system gave to this job, by the variable it says so with. */
static unsigned batch_cpus(const char *const *env, const char **variable)
{
	static const char *const names[] = { "SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE",
		"PBS_NCPUS", "NCPUS", "PBS_NUM_PPN", "NSLOTS", "LSB_DJOB_NUMPROC" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = variable_of(env, names[i]);
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
static unsigned limit_cpus(const char *const *env, double quota, struct buf *why)
{
	const char *variable = NULL;
	unsigned online = online_cpus(), cpus = allowed_cpus(), batch = batch_cpus(env, &variable);
	buf_printf(why, "%u of %u CPUs may be used", cpus, online > cpus ? online : cpus);
	if (quota > 0) {
		buf_printf(why, ", the cgroup's quota is %.3g", quota);
		cpus = quota < cpus ? round_up(quota) : cpus;
	}
	if (batch > 0) {
		buf_printf(why, ", %s is %u", variable, batch);
		cpus = batch < cpus ? batch : cpus;
	}
	return cpus > 0 ? cpus : 1;
}

struct capacity capacity_find(const char *sysroot, const char *const *env, struct buf *why)
{
	struct cgroup_limits limits = cgroup_limits(sysroot);
	struct buf unused = BUF_INIT;
	struct capacity c = { .memory = available_memory(sysroot) };
	c.cpus = limit_cpus(env, limits.cpus, why != NULL ? why : &unused);
	c.memory_by_cgroup = limits.memory > 0 && (c.memory == 0 || limits.memory < c.memory);
	if (c.memory_by_cgroup)
		c.memory = limits.memory;
	buf_fini(&unused);
	return c;
}
