#include "lock_owner.h"

#include "fs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void read_boot_id(char *id, size_t size)
{
	struct err ignored = ERR_INIT;
	struct buf b = BUF_INIT;
	if (!fs_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", &b, &ignored))
		buf_clear(&b);
	struct str s = str_trim(str_of(buf_str(&b)));
	snprintf(id, size, "%.*s", STR_ARG(s.n > 0 ? s : STR("-")));
	buf_fini(&b);
}

/* Field 22 of /proc/PID/stat (proc(5)), counted behind the name, which may hold anything. */
static unsigned long long start_of(long pid)
{
	char path[64];
	struct err ignored = ERR_INIT;
	struct buf b = BUF_INIT;
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	bool ok = fs_read(AT_FDCWD, path, &b, &ignored);
	const char *after = ok && b.p != NULL ? strrchr(b.p, ')') : NULL;
	struct str rest = str_of(after), word = { NULL, 0 };
	for (int field = 2; after != NULL && field < 23; field++) {
		if (!str_word(&rest, &word))
			word = (struct str){ NULL, 0 };
	}
	unsigned long long start = word.n > 0 ? strtoull(word.p, NULL, 10) : 0;
	buf_fini(&b);
	return start;
}

struct lock_owner lock_owner_self(void)
{
	struct lock_owner o = { .pid = (long)getpid() };
	if (gethostname(o.host, sizeof o.host - 1) != 0 || o.host[0] == '\0')
		snprintf(o.host, sizeof o.host, "localhost");
	read_boot_id(o.boot, sizeof o.boot);
	o.start = start_of(o.pid);
	return o;
}

static void set_field(struct lock_owner *o, struct str name, struct str value)
{
	if (str_is(name, "pid"))
		o->pid = strtol(value.p, NULL, 10);
	else if (str_is(name, "host"))
		snprintf(o->host, sizeof o->host, "%.*s", STR_ARG(value));
	else if (str_is(name, "boot"))
		snprintf(o->boot, sizeof o->boot, "%.*s", STR_ARG(value));
	else if (str_is(name, "start"))
		o->start = strtoull(value.p, NULL, 10);
}

struct lock_owner lock_owner_parse(struct str text)
{
	struct lock_owner o = { 0 };
	struct str word, name;
	while (str_word(&text, &word)) {
		struct str value = word;
		if (str_split(&value, '=', &name) && value.n > 0)
			set_field(&o, name, value);
	}
	return o;
}

void lock_owner_print(const struct lock_owner *o, struct buf *out)
{
	buf_printf(out, "pid=%ld host=%s boot=%s start=%llu\n", o->pid, o->host, o->boot, o->start);
}

bool lock_owner_gone(const struct lock_owner *o)
{
	struct lock_owner self = lock_owner_self();
	if (o->pid <= 0 || strcmp(o->host, self.host) != 0)
		return false;
	if (strcmp(o->boot, self.boot) != 0 || (kill((pid_t)o->pid, 0) != 0 && errno == ESRCH))
		return true;
	unsigned long long start = start_of(o->pid);
	return o->start != 0 && start != 0 && start != o->start;
}
