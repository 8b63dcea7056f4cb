#ifndef RUN_MACHINE_H
#define RUN_MACHINE_H

/* What this process may use of the machine. */

/* CPUs we may use (capacity.h); at least 1. */
unsigned machine_cpus(void);
/* MB of memory that were free at the first call or, if smaller, our control group's limit; 0
 * unknown. */
unsigned machine_memory_mb(void);
/*
 * How often the kernel killed a process of our control group because memory ran out; 0 where that
 * is not told.
 */
unsigned long machine_oom_kills(void);

#endif
