#include "run_fixture.h"

#include "fs.h"
#include "state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* "cat/pn-1" into its parts; versions here are digits only. */
static void split(const char *cpv, struct arena *a, struct pkg_meta *m)
{
	const char *slash = strchr(cpv, '/'), *dash = strrchr(cpv, '-');
	m->category = arena_strndup(a, cpv, (size_t)(slash - cpv));
	m->pn = arena_strndup(a, slash + 1, (size_t)(dash - slash - 1));
	m->pvr = arena_strdup(a, dash + 1);
}

static bool find(void *ctx, const struct plan_query *query, struct pkg_meta *out, struct err *e)
{
	struct arena *a = query->arena;
	const struct fake_repo *repo = ctx;
	for (size_t i = 0; i < repo->n; i++) {
		const struct fake_pkg *p = &repo->packages[i];
		*out = (struct pkg_meta){ .slot = "0", .repo = "fake", .repo_path = "/" };
		split(p->cpv, a, out);
		if (strcmp(arena_printf(a, "%s/%s", out->category, out->pn), query->atom) != 0)
			continue;
		out->depend = p->depend != NULL ? p->depend : "";
		out->bdepend = p->bdepend != NULL ? p->bdepend : "";
		out->rdepend = p->rdepend != NULL ? p->rdepend : "";
		out->pdepend = "";
		out->iuse = p->iuse != NULL ? p->iuse : "";
		out->recipe_digest = p->recipe != NULL ? p->recipe : "1";
		return plan_use(query->stage, out, a, &out->use, e);
	}
	return err_set(e, ERR_CONFLICT, "fake.find", "no package matches %s", query->atom);
}

struct plan_source fake_source(struct fake_repo *repo)
{
	return (struct plan_source){ .find = find, .ctx = repo };
}

static void make_plan(struct fixture *f, const char *const *atoms)
{
	const char *broots[] = { f->eprefix, NULL };
	const struct stage stage = {
		.name = "one", .root = f->eprefix, .broots = broots, .packages = atoms
	};
	const struct plan_source source = fake_source(&f->repo);
	const struct plan_request request = { f->eprefix, &stage, 1, &source };
	static const struct strv no_redo;
	CHECK_OK(plan_bootstrap(&f->plan, &request, &f->e), f->e);
	CHECK_OK(plan_reasons(&f->plan, &no_redo, &f->e), f->e);
}

void fixture_open(
	struct fixture *f, const struct fake_pkg *packages, size_t n, const char *const *atoms)
{
	*f = (struct fixture){ .eprefix = xstrdup(test_dir()), .repo = { packages, n } };
	make_plan(f, atoms);
}

void fixture_replan(
	struct fixture *f, const struct fake_pkg *packages, size_t n, const char *const *atoms)
{
	plan_fini(&f->plan);
	f->e = ERR_INIT;
	f->repo = (struct fake_repo){ packages, n };
	make_plan(f, atoms);
}

void fixture_close(struct fixture *f)
{
	plan_fini(&f->plan);
	free(f->eprefix);
}

static void pause_ms(long ms)
{
	const struct timespec t = { ms / 1000, (ms % 1000) * 1000000L };
	nanosleep(&t, NULL);
}

/* The number in a file of the prefix, 0 when it is not there. */
static long read_number(const char *eprefix, const char *name)
{
	char *path = path_join(eprefix, name);
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	long n = fs_read(AT_FDCWD, path, &text, &ignored) ? strtol(buf_str(&text), NULL, 10) : 0;
	buf_fini(&text);
	free(path);
	return n;
}

static bool record(const struct fixture *f, const struct step *s, struct err *e)
{
	char *dir = xasprintf("%s/var/db/pkg/%s/%s-%s", s->root, s->category, s->pn, s->pvr);
	char *path = path_join(dir, "COUNTER");
	unsigned long counter = 1 + (unsigned long)read_number(f->eprefix, "counter");
	char *text = xasprintf("%lu", counter);
	char *counter_path = path_join(f->eprefix, "counter");
	bool ok = fs_write(AT_FDCWD, counter_path, text, strlen(text), 0644, e) &&
		  state_write(f->eprefix, s, counter, e) && fs_mkdirs(AT_FDCWD, dir, 0755, e) &&
		  fs_write(AT_FDCWD, path, text, strlen(text), 0644, e);
	free(counter_path);
	free(text);
	free(path);
	free(dir);
	return ok;
}

/* What the worker of this process was given. */
static unsigned jobs_given;

static bool open_worker(void *ctx, const struct step *s, const struct worker_env *w, struct err *e)
{
	(void)ctx;
	(void)s;
	(void)e;
	jobs_given = w->jobs;
	return true;
}

/* As a compiler that the kernel kills: it works with one job only. */
static bool memory_runs_out(const struct fixture *f, const char *pn)
{
	char *path = xasprintf("%s/hungry-%s", f->eprefix, pn);
	bool out = jobs_given > 1 && fs_exists(AT_FDCWD, path);
	if (out) {
		printf("gcc: fatal error: Killed signal terminated program cc1\n");
		fflush(stdout);
	}
	free(path);
	return out;
}

static bool run(void *ctx, const struct step *s, enum phase p, struct err *e)
{
	const struct fixture *f = ctx;
	char *trace = path_join(f->eprefix, "trace");
	char *line = xasprintf("%s %s/%s\n", phase_name(p), s->category, s->pn);
	char *fails = xasprintf("%s/fail-%s-%s", f->eprefix, phase_name(p), s->pn);
	int fd = open(trace, O_WRONLY | O_CREAT | O_APPEND, 0644);
	bool ok = write(fd, line, strlen(line)) > 0;
	close(fd);
	printf("output of %s", line);
	fflush(stdout);
	pause_ms(read_number(f->eprefix, "slow"));
	if (p == PHASE_COMPILE && memory_runs_out(f, s->pn))
		ok = err_set(e, ERR_BUILD, "fake", "make failed");
	else if (fs_exists(AT_FDCWD, fails))
		ok = err_set(e, ERR_BUILD, "fake", "told to fail");
	else if (p == PHASE_MERGE)
		ok = record(f, s, e);
	free(fails);
	free(line);
	free(trace);
	return ok;
}

struct phase_runner fake_runner(struct fixture *f)
{
	return (struct phase_runner){ .open = open_worker, .run = run, .ctx = f };
}

char *fixture_trace(const struct fixture *f)
{
	char *path = path_join(f->eprefix, "trace");
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	fs_read(AT_FDCWD, path, &text, &ignored);
	free(path);
	return buf_take(&text);
}

size_t fixture_count(const struct fixture *f, const char *line)
{
	char *trace = fixture_trace(f);
	struct str rest = str_of(trace), one;
	size_t n = 0;
	while (str_split(&rest, '\n', &one))
		n += str_is(one, line);
	free(trace);
	return n;
}

bool fixture_run(struct fixture *f, const struct run_opts *opts, struct tally *t)
{
	const struct phase_runner runner = fake_runner(f);
	struct run_opts o = *opts;
	o.runner = &runner;
	o.distdir = "/nonexistent";
	f->e = ERR_INIT;
	return run_plan(&f->plan, &o, t, &f->e);
}
