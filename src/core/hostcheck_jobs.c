/* How much of the machine builds may use, and the limits of this session. */
#include "hostcheck_int.h"

#include "capacity.h"
#include "mem.h"

#include <stdlib.h>
#include <sys/resource.h>

#define JOB_BYTES (UINT64_C(800) << 20) /* the jobserver's own measure */
#define NEEDED_BYTES (UINT64_C(2000) * 1000 * 1000) /* linking the compiler */

/* As many jobs as the memory holds, no more than CPUs. */
static unsigned limit_by_memory(const struct capacity *c, struct buf *why)
{
	if (c->memory == 0)
		return c->cpus;
	uint64_t fit = c->memory / JOB_BYTES;
	fit = fit > 0 ? fit : 1;
	buf_printf(why, ", %.1f GB of memory (%s) are enough for %llu", (double)c->memory / 1e9,
		c->memory_by_cgroup ? "the cgroup's limit" : "available", (unsigned long long)fit);
	return fit < c->cpus ? (unsigned)fit : c->cpus;
}

void hostcheck_jobs(const struct hostcheck_opts *o, struct hostcheck *h)
{
	struct buf why = BUF_INIT;
	struct capacity c = capacity_find(o->sysroot != NULL ? o->sysroot : "", o->env, &why);
	unsigned fit = limit_by_memory(&c, &why);
	h->memory = c.memory;
	h->jobs = o->jobs > 0 ? o->jobs : fit;
	if (o->jobs > 0)
		finding_add(h, SEVERITY_INFO, "jobs", NULL, "builds run %u jobs, as asked for: %s",
			o->jobs, buf_str(&why));
	else
		finding_add(h, SEVERITY_INFO, "jobs", NULL, "builds keep %u CPUs busy: %s", fit,
			buf_str(&why));
	if (o->jobs > fit && fit < c.cpus)
		finding_add(h, SEVERITY_WARNING, "jobs.memory", "leave --jobs out, or lower it",
			"%u jobs may need more memory than there is: enough for %u", o->jobs, fit);
	if (c.memory > 0 && c.memory < NEEDED_BYTES)
		finding_add(h, SEVERITY_WARNING, "memory",
			"end other programs, or ask for a larger job",
			"%.1f GB of memory can be used; linking the compiler wants about %.1f GB",
			(double)c.memory / 1e9, (double)NEEDED_BYTES / 1e9);
	buf_fini(&why);
}

static const struct {
	int resource;
	rlim_t needed;
	const char *id, *name, *option;
} limits[] = {
	{ RLIMIT_FSIZE, (rlim_t)2 << 30, "limit.file-size", "bytes in one file", "-f" },
	{ RLIMIT_NOFILE, 256, "limit.open-files", "open files", "-n" },
	{ RLIMIT_CPU, 14400, "limit.cpu-time", "seconds of CPU time for one process", "-t" },
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
