#include "status_steps.h"

#include "fs.h"
#include "timings.h"

#include <fcntl.h>
#include <stdlib.h>

/* Stage and package of a line of timings.tsv; slices of it. */
struct row {
	struct str stage, package, version;
};

static bool parse_row(struct str line, struct row *r)
{
	return str_split(&line, '\t', &r->stage) && str_split(&line, '\t', &r->package) &&
	       str_split(&line, '\t', &r->version) && line.n > 0;
}

static bool same_step(const struct row *a, const struct row *b)
{
	return str_eq(a->stage, b->stage) && str_eq(a->package, b->package);
}

/* The step a row names, as timings_of() wants it; the strings are the arena's. */
static struct step step_of(struct arena *a, const struct row *r)
{
	struct str pn = r->package, category;
	str_split(&pn, '/', &category);
	return (struct step){ .stage = arena_strndup(a, r->stage.p, r->stage.n),
		.category = arena_strndup(a, category.p, category.n),
		.pn = arena_strndup(a, pn.p, pn.n) };
}

static void add_row(const struct timings *t, struct arena *a, const struct row *r, struct buf *out)
{
	struct step s = step_of(a, r);
	const struct timing *took = timings_of(t, &s);
	double wall = 0;
	if (took == NULL)
		return;
	for (int p = 0; p < PHASE_COUNT; p++)
		wall += took->wall_s[p];
	const char *name = arena_printf(
		a, "%.*s %.*s-%.*s", STR_ARG(r->stage), STR_ARG(r->package), STR_ARG(r->version));
	buf_printf(out, "%-44s %7.1f %7.1f", name, wall, timing_cpu(took));
	for (int p = PHASE_UNPACK; p < PHASE_COUNT; p++)
		buf_printf(out, " %6.1f/%.1f", took->wall_s[p], took->cpu_s[p]);
	buf_addc(out, '\n');
}

static void add_table(const struct timings *t, struct str text, struct buf *out)
{
	VEC(struct row) rows = { 0 };
	struct arena a = ARENA_INIT;
	struct str line;
	struct row r;
	while (str_split(&text, '\n', &line)) {
		bool known = !parse_row(line, &r);
		for (size_t i = 0; !known && i < rows.n; i++)
			known = same_step(&rows.v[i], &r);
		if (!known)
			vec_push(&rows, r);
	}
	buf_printf(out,
		"%-44s %7s %7s  unpack prepare configure compile test install merge "
		"(wall/CPU s)\n",
		"step", "wall s", "CPU s");
	for (size_t i = 0; i < rows.n; i++)
		add_row(t, &a, &rows.v[i], out);
	vec_fini(&rows);
	arena_fini(&a);
}

bool status_steps(const char *prefix, struct buf *out, struct err *e)
{
	struct timings t = TIMINGS_INIT;
	struct buf text = BUF_INIT;
	char *path = path_join(prefix, "var/lib/eprefix/timings.tsv");
	bool ok = timings_load(&t, prefix, e) && fs_read(AT_FDCWD, path, &text, e);
	if (ok)
		add_table(&t, (struct str){ text.p, text.n }, out);
	timings_fini(&t);
	buf_fini(&text);
	free(path);
	return ok;
}
