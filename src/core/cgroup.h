#ifndef CORE_CGROUP_H
#define CORE_CGROUP_H

#include <stdint.h>

/* What control groups leave to this process and did to it (cgroup v1 and v2). */
struct cgroup_limits {
	double cpus; /* quota in CPUs, 0: none */
	uint64_t memory; /* bytes, 0: no limit */
	uint64_t oom_kills; /* how often the kernel killed a process of these groups for memory */
};

/*
 * The narrowest limits on the way from this process's groups to the root. sysroot is put before
 * /proc/self/cgroup and /sys/fs/cgroup ("" for the real ones). What cannot be read limits nothing.
 */
struct cgroup_limits cgroup_limits(const char *sysroot);

#endif
