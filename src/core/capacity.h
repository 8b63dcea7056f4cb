#ifndef CORE_CAPACITY_H
#define CORE_CAPACITY_H

#include "str.h"

#include <stdint.h>

/*
 * How much of the machine this process may use (field report F92): the lowest of affinity, cgroup
 * quota and what a batch system granted; of free memory and the cgroup's limit.
 */
struct capacity {
	unsigned cpus; /* at least 1 */
	uint64_t memory; /* bytes, 0 unknown */
	bool memory_by_cgroup; /* the cgroup's limit is the lower one */
};

/*
 * sysroot: put before /proc and /sys, "" for the real ones. env: NULL-terminated "NAME=value" where
 * the batch system's variables are looked for, NULL: nowhere. why: the reasoning for the CPUs in
 * words is appended, NULL: not wanted.
 */
struct capacity capacity_find(const char *sysroot, const char *const *env, struct buf *why);

#endif
