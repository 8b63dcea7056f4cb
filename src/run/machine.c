#include "machine.h"

#include "capacity.h"
#include "cgroup.h"

#include <stddef.h>

extern char **environ;

unsigned machine_cpus(void)
{
	return capacity_find("", (const char *const *)environ, NULL).cpus;
}

unsigned machine_memory_mb(void)
{
	/* What was free at the start: later our own builds have taken of it. */
	static unsigned at_start;
	if (at_start == 0)
		at_start = (unsigned)(capacity_find("", NULL, NULL).memory >> 20);
	return at_start;
}

unsigned long machine_oom_kills(void)
{
	return (unsigned long)cgroup_limits("").oom_kills;
}
