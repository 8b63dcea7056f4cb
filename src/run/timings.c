#include "timings.h"

#include "fs.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FILE_NAME "var/lib/eprefix/timings.tsv"
#define FIELDS 8

/* A decimal number such as 12.50, read without a locale; false when it is none. */
static bool parse_seconds(struct str s, double *out)
{
	double value = 0, unit = 1;
	bool point = false;
	if (s.n == 0 || s.n > 15)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (!chr_digit(s.p[i]))
			return false;
		value = value * 10 + (s.p[i] - '0');
		unit *= point ? 10 : 1;
	}
	*out = value / unit;
	return true;
}

static bool parse_phase(struct str s, enum phase *out)
{
	for (int p = 0; p < PHASE_COUNT; p++) {
		if (str_is(s, phase_name((enum phase)p))) {
			*out = (enum phase)p;
			return true;
		}
	}
	return false;
}

static struct timing *entry(struct timings *t, struct map *m, char *key)
{
	struct timing *found = map_get(m, str_of(key));
	if (found == NULL) {
		found = arena_calloc(&t->arena, 1, sizeof *found);
		map_set(m, str_of(key), found);
	}
	return found;
}

static void add_line(struct timings *t, struct str line)
{
	struct str f[FIELDS];
	size_t n = 0;
	while (n < FIELDS && str_split(&line, '\t', &f[n]))
		n++;
	enum phase p;
	double wall, cpu;
	if (n != FIELDS || !parse_phase(f[3], &p) || !parse_seconds(f[4], &wall) ||
		!parse_seconds(f[5], &cpu))
		return;
	char *step = arena_printf(&t->arena, "%.*s %.*s", STR_ARG(f[0]), STR_ARG(f[1]));
	char *package = arena_strndup(&t->arena, f[1].p, f[1].n);
	struct timing *both[2] = { entry(t, &t->by_step, step), entry(t, &t->by_package, package) };
	for (size_t i = 0; i < 2; i++) {
		both[i]->wall_s[p] = wall;
		both[i]->cpu_s[p] = cpu;
	}
}

bool timings_load(struct timings *t, const char *eprefix, struct err *e)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	char *path = path_join(eprefix, FILE_NAME);
	bool ok = true;
	if (fs_read(AT_FDCWD, path, &text, &ignored)) {
		struct str rest = { text.p, text.n }, line;
		while (str_split(&rest, '\n', &line))
			add_line(t, line);
	} else if (ignored.sys != ENOENT) {
		*e = ignored;
		ok = false;
	}
	buf_fini(&text);
	free(path);
	return ok;
}

const struct timing *timings_of(const struct timings *t, const struct step *s)
{
	char *key = xasprintf("%s %s/%s", s->stage, s->category, s->pn);
	const struct timing *found = map_get(&t->by_step, str_of(key));
	if (found == NULL)
		found = map_get(&t->by_package, str_of(key + strlen(s->stage) + 1));
	free(key);
	return found;
}

double timing_cpu(const struct timing *t)
{
	double sum = 0;
	for (int p = 0; p < PHASE_COUNT; p++)
		sum += t->cpu_s[p];
	return sum;
}

void timings_fini(struct timings *t)
{
	map_fini(&t->by_step);
	map_fini(&t->by_package);
	arena_fini(&t->arena);
}

bool timings_add(
	const char *eprefix, const struct step *s, const struct phase_time *t, struct err *e)
{
	char *path = path_join(eprefix, FILE_NAME);
	/* Hundredths by integer arithmetic: no locale's decimal comma can get into the file. */
	unsigned long wall = (unsigned long)(t->wall_s * 100 + 0.5);
	unsigned long cpu = (unsigned long)(t->cpu_s * 100 + 0.5);
	char *line = xasprintf("%s\t%s/%s\t%s\t%s\t%lu.%02lu\t%lu.%02lu\t%ld\t%lld\n", s->stage,
		s->category, s->pn, s->pvr, phase_name(t->phase), wall / 100, wall % 100, cpu / 100,
		cpu % 100, t->maxrss_kb, (long long)time(NULL));
	bool ok = true;
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		ok = err_sys(e, "run.timings", "appending to %s", path);
	if (fd >= 0)
		close(fd);
	free(line);
	free(path);
	return ok;
}
