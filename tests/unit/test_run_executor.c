#include "run_fixture.h"

#include "fs.h"
#include "jobserver.h"
#include "progress.h"
#include "state.h"
#include "workdir.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N(array) (sizeof(array) / sizeof *(array))

/* A diamond, a chain and a loner. */
static const struct fake_pkg diamond[] = {
	{ .cpv = "a/base-1" },
	{ .cpv = "a/left-1", .depend = "a/base" },
	{ .cpv = "a/right-1", .depend = "a/base" },
	{ .cpv = "a/top-1", .depend = "a/left a/right" },
	{ .cpv = "a/lone-1" },
};
static const char *const diamond_atoms[] = { "a/top", "a/lone", NULL };

static void put(const struct fixture *f, const char *name, const char *text)
{
	struct err e = ERR_INIT;
	char *path = path_join(f->eprefix, name);
	CHECK_OK(fs_write(AT_FDCWD, path, text, strlen(text), 0644, &e), e);
	free(path);
}

static void take_away(const struct fixture *f, const char *name)
{
	struct err e = ERR_INIT;
	char *path = path_join(f->eprefix, name);
	CHECK_OK(fs_unlink(AT_FDCWD, path, &e), e);
	free(path);
}

/* Where a line stands in the trace; its length when it does not. */
static size_t at(const char *trace, const char *line)
{
	const char *found = strstr(trace, line);
	return found != NULL ? (size_t)(found - trace) : strlen(trace);
}

TEST(run_does_every_phase_once_and_in_order)
{
	struct fixture f;
	struct tally t;
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 3 }, &t), f.e);
	CHECK(t.todo == 5 && t.done == 5 && t.failed == 0);
	char *trace = fixture_trace(&f);
	CHECK(at(trace, "merge a/base") < at(trace, "unpack a/left"));
	CHECK(at(trace, "merge a/base") < at(trace, "unpack a/right"));
	CHECK(at(trace, "merge a/left") < at(trace, "unpack a/top"));
	CHECK(at(trace, "merge a/right") < at(trace, "unpack a/top"));
	CHECK(at(trace, "unpack a/top") < at(trace, "prepare a/top"));
	CHECK(at(trace, "configure a/top") < at(trace, "compile a/top"));
	CHECK(at(trace, "install a/top") < at(trace, "merge a/top"));
	for (size_t i = 0; i < N(diamond); i++) {
		char *line = xasprintf(
			"compile %.*s", (int)strcspn(diamond[i].cpv, "-"), diamond[i].cpv);
		CHECK(fixture_count(&f, line) == 1);
		free(line);
	}
	free(trace);
	tally_fini(&t);
	fixture_close(&f);
}

TEST(run_again_does_nothing_and_touches_nothing)
{
	struct fixture f;
	struct tally t;
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	tally_fini(&t);
	fixture_replan(&f, diamond, N(diamond), diamond_atoms);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	CHECK(t.todo == 0);
	CHECK(fixture_count(&f, "merge a/top") == 1);
	tally_fini(&t);
	fixture_close(&f);
}

TEST(run_rebuilds_just_what_depends_on_a_change)
{
	struct fake_pkg changed[N(diamond)];
	struct fixture f;
	struct tally t;
	memcpy(changed, diamond, sizeof diamond);
	changed[1].recipe = "2";
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	tally_fini(&t);
	fixture_replan(&f, changed, N(changed), diamond_atoms);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	CHECK(t.todo == 2 && t.done == 2);
	CHECK(fixture_count(&f, "merge a/left") == 2);
	CHECK(fixture_count(&f, "merge a/top") == 2);
	CHECK(fixture_count(&f, "merge a/right") == 1);
	tally_fini(&t);
	fixture_close(&f);
}

TEST(run_works_on_independent_steps_at_once)
{
	static const struct fake_pkg packages[] = { { .cpv = "a/one-1" }, { .cpv = "a/two-1" },
		{ .cpv = "a/three-1" } };
	static const char *const atoms[] = { "a/one", "a/two", "a/three", NULL };
	struct fixture f;
	struct tally t;
	fixture_open(&f, packages, N(packages), atoms);
	put(&f, "slow", "100");
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 3 }, &t), f.e);
	/* Each takes 700 ms: side by side, all have begun before the first one ends. */
	char *trace = fixture_trace(&f);
	size_t first_end = at(trace, "merge");
	CHECK(at(trace, "unpack a/one") < first_end);
	CHECK(at(trace, "unpack a/two") < first_end);
	CHECK(at(trace, "unpack a/three") < first_end);
	free(trace);
	tally_fini(&t);
	fixture_close(&f);
}

TEST(run_starts_no_more_workers_than_tokens)
{
	static const struct fake_pkg packages[] = { { .cpv = "a/one-1" }, { .cpv = "a/two-1" } };
	static const char *const atoms[] = { "a/one", "a/two", NULL };
	struct fixture f;
	struct tally t;
	fixture_open(&f, packages, N(packages), atoms);
	put(&f, "slow", "20");
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 1 }, &t), f.e);
	char *trace = fixture_trace(&f);
	CHECK(at(trace, "merge a/one") < at(trace, "unpack a/two") ||
		at(trace, "merge a/two") < at(trace, "unpack a/one"));
	free(trace);
	tally_fini(&t);
	fixture_close(&f);
}

static const struct step_run *run_of(const struct fixture *f, const struct tally *t, const char *id)
{
	return &t->steps[plan_find(&f->plan, id)];
}

TEST(run_stops_behind_a_failure_and_resumes_at_the_phase)
{
	struct fixture f;
	struct tally t;
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	put(&f, "fail-compile-left", "");
	CHECK(!fixture_run(&f, &(struct run_opts){ .jobs = 2, .keep_going = true }, &t));
	CHECK(f.e.code == ERR_BUILD);
	CHECK(run_of(&f, &t, "one:a/left-1")->status == STEP_FAILED);
	CHECK(run_of(&f, &t, "one:a/left-1")->phase == PHASE_COMPILE);
	CHECK(run_of(&f, &t, "one:a/top-1")->status == STEP_BLOCKED);
	CHECK(run_of(&f, &t, "one:a/right-1")->status == STEP_DONE);
	CHECK(run_of(&f, &t, "one:a/lone-1")->status == STEP_DONE);
	const char *problem = run_of(&f, &t, "one:a/left-1")->problem;
	CHECK(strstr(problem, "one:a/left-1 failed in compile: told to fail") != NULL);
	CHECK(strstr(problem, "output of compile a/left") != NULL);
	CHECK(strstr(problem, "var/log/portage/one/a:left-1.log") != NULL);
	tally_fini(&t);
	take_away(&f, "fail-compile-left");
	fixture_replan(&f, diamond, N(diamond), diamond_atoms);
	CHECK(f.plan.info.v[plan_find(&f.plan, "one:a/left-1")].reason == REASON_RESUME);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	CHECK(fixture_count(&f, "configure a/left") == 1);
	CHECK(fixture_count(&f, "compile a/left") == 2);
	CHECK(fixture_count(&f, "merge a/top") == 1);
	tally_fini(&t);
	fixture_close(&f);
}

TEST(run_without_keep_going_starts_nothing_more)
{
	static const struct fake_pkg packages[] = {
		{ .cpv = "a/bad-1" },
		{ .cpv = "a/good-1" },
		{ .cpv = "a/later-1", .depend = "a/good" },
	};
	static const char *const atoms[] = { "a/bad", "a/later", NULL };
	struct fixture f;
	struct tally t;
	fixture_open(&f, packages, N(packages), atoms);
	put(&f, "slow", "30");
	put(&f, "fail-unpack-bad", "");
	CHECK(!fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t));
	/* What ran already was let finish. */
	CHECK(run_of(&f, &t, "one:a/good-1")->status == STEP_DONE);
	CHECK(run_of(&f, &t, "one:a/later-1")->status == STEP_BLOCKED);
	CHECK(fixture_count(&f, "unpack a/later") == 0);
	tally_fini(&t);
	fixture_close(&f);
}

TEST(run_tries_again_with_one_job_when_memory_runs_out)
{
	struct fixture f;
	struct tally t;
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	put(&f, "hungry-left", "");
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	CHECK(run_of(&f, &t, "one:a/left-1")->one_job);
	CHECK(!run_of(&f, &t, "one:a/right-1")->one_job);
	CHECK(fixture_count(&f, "configure a/left") == 1);
	CHECK(fixture_count(&f, "compile a/left") == 2);
	tally_fini(&t);
	fixture_close(&f);
}

/* What the events of a run said. */
struct heard {
	size_t begins, ends, done, failed, ticks, most_running;
	bool started, ended;
	struct buf status; /* of the last event */
};

static void hear(void *ctx, const struct tally *t, const struct run_event *event)
{
	struct heard *h = ctx;
	h->begins += event->kind == RUN_PHASE_BEGIN;
	h->ends += event->kind == RUN_PHASE_END;
	h->done += event->kind == RUN_STEP_DONE;
	h->failed += event->kind == RUN_STEP_FAILED;
	h->started = h->started || event->kind == RUN_START;
	h->ended = event->kind == RUN_END;
	if (t->running > h->most_running)
		h->most_running = t->running;
	buf_clear(&h->status);
	status_json(t, "running", &h->status);
}

TEST(run_tells_what_happens)
{
	struct fixture f;
	struct tally t;
	struct heard h = { 0 };
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	put(&f, "fail-install-right", "");
	CHECK(!fixture_run(&f,
		&(struct run_opts){ .jobs = 2, .keep_going = true, .event = hear, .ctx = &h }, &t));
	/* Four packages begin; one fails in its sixth phase, the others do all seven. */
	CHECK(h.started && h.ended);
	CHECK(h.begins == 3 * 7 + 6);
	CHECK(h.ends == 3 * 7 + 5);
	CHECK(h.done == 3 && h.failed == 1);
	CHECK(h.most_running <= 2);
	const char *json = buf_str(&h.status);
	CHECK(strstr(json, "\"todo\":5,\"done\":3") != NULL);
	CHECK(strstr(json, "\"failed\":[{\"step\":\"one:a/right-1\",\"phase\":\"install\"") !=
		NULL);
	buf_fini(&h.status);
	tally_fini(&t);
	fixture_close(&f);
}

TEST(run_leaves_steps_on_demand_that_nobody_waits_for)
{
	struct fixture f;
	struct tally t;
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	for (size_t i = 0; i < f.plan.steps.n; i++)
		f.plan.info.v[i].on_demand = true;
	f.plan.info.v[plan_find(&f.plan, "one:a/left-1")].on_demand = false;
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	CHECK(t.done == 2);
	CHECK(fixture_count(&f, "merge a/base") == 1);
	CHECK(fixture_count(&f, "merge a/top") == 0);
	tally_fini(&t);
	fixture_close(&f);
}

TEST(run_until_a_stage)
{
	struct fixture f;
	struct tally t;
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	CHECK(!fixture_run(&f, &(struct run_opts){ .jobs = 2, .until = "two" }, &t));
	CHECK(f.e.code == ERR_USAGE);
	CHECK_STR(f.e.message, "there is no stage \"two\"; the stages are: one");
	tally_fini(&t);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2, .until = "one" }, &t), f.e);
	CHECK(t.done == 5);
	tally_fini(&t);
	fixture_close(&f);
}

static void pause_ms(long ms)
{
	const struct timespec t = { ms / 1000, (ms % 1000) * 1000000L };
	nanosleep(&t, NULL);
}

/* Run in a child process group, which gets the signal after so many milliseconds. */
static int run_and_signal(struct fixture *f, long ms, int sig)
{
	int status = 0;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		struct tally t;
		setpgid(0, 0);
		bool ok = fixture_run(f, &(struct run_opts){ .jobs = 3 }, &t);
		tally_fini(&t);
		_exit(ok ? 0 : (int)f->e.code);
	}
	setpgid(pid, pid);
	pause_ms(ms);
	kill(-pid, sig);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(run_stops_in_order_on_sigterm)
{
	struct fixture f;
	struct tally t;
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	put(&f, "slow", "200");
	CHECK(run_and_signal(&f, 300, SIGTERM) == 130);
	put(&f, "slow", "0");
	fixture_replan(&f, diamond, N(diamond), diamond_atoms);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	CHECK(fixture_count(&f, "merge a/top") == 1);
	tally_fini(&t);
	fixture_close(&f);
}

/* How often the merge of step i stands in the trace. */
static size_t merges(const struct fixture *f, size_t i)
{
	const struct step *s = &f->plan.steps.v[i];
	char *line = xasprintf("merge %s/%s", s->category, s->pn);
	size_t n = fixture_count(f, line);
	free(line);
	return n;
}

TEST(run_killed_anywhere_ends_the_same)
{
	size_t finished[N(diamond)] = { 0 };
	struct fixture f;
	struct tally t;
	fixture_open(&f, diamond, N(diamond), diamond_atoms);
	put(&f, "slow", "15");
	unsigned seed = 12345;
	for (int i = 0; i < 12; i++) {
		seed = seed * 1103515245U + 12345U;
		run_and_signal(&f, 20 + (long)(seed >> 16) % 100, SIGKILL);
		pause_ms(20); /* the workers get their SIGTERM from the kernel */
		fixture_replan(&f, diamond, N(diamond), diamond_atoms);
		for (size_t k = 0; k < f.plan.steps.n; k++) {
			if (f.plan.info.v[k].reason == REASON_CURRENT && finished[k] == 0)
				finished[k] = merges(&f, k);
		}
	}
	put(&f, "slow", "0");
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 2 }, &t), f.e);
	tally_fini(&t);
	fixture_replan(&f, diamond, N(diamond), diamond_atoms);
	for (size_t i = 0; i < f.plan.steps.n; i++) {
		const struct step *s = &f.plan.steps.v[i];
		CHECK(f.plan.info.v[i].reason == REASON_CURRENT);
		CHECK(merges(&f, i) >= 1);
		CHECK(finished[i] == 0 || merges(&f, i) == finished[i]);
		CHECK(!fs_exists(AT_FDCWD, s->workdir));
	}
	fixture_close(&f);
}

TEST(jobserver_hands_out_and_refills)
{
	struct jobserver j;
	struct err e = ERR_INIT;
	char *path = path_join(test_dir(), "jobs");
	CHECK_OK(jobserver_open(&j, path, 3, &e), e);
	CHECK(jobserver_take(&j) && jobserver_take(&j) && jobserver_take(&j));
	CHECK(!jobserver_take(&j));
	jobserver_give(&j);
	/* We hold two of three; one is there: nothing is lost. */
	CHECK(jobserver_refill(&j, 2) == 0);
	CHECK(jobserver_take(&j));
	/* A client died with one: we hold two, none is there. */
	CHECK(jobserver_refill(&j, 2) == 1);
	CHECK(jobserver_take(&j) && !jobserver_take(&j));
	jobserver_close(&j);
	CHECK(!fs_exists(AT_FDCWD, path));
	free(path);
}

/* Set a file's mtime to so many seconds before now. */
static void age(const char *path, time_t seconds)
{
	struct timespec t[2] = { { time(NULL) - seconds, 0 }, { time(NULL) - seconds, 0 } };
	CHECK(utimensat(AT_FDCWD, path, t, 0) == 0);
}

TEST(workdir_drops_torn_files_only)
{
	static const struct {
		const char *name;
		time_t age;
		bool stays;
		const char *text; /* NULL: empty */
	} files[] = {
		{ "b/torn.o", 5, false, "x" },
		{ "b/sub/torn.a", 50, false, "x" },
		{ "b/old.o", 200, true, "x" },
		{ "b/Makefile", 5, true, "x" },
		{ "b/config.h", 5, true, "x" },
		{ "b/sub/x.d", 5, true, "x" },
		{ "b/source.c", 5000, true, "x" },
		{ "b/future.c", -5000, true, "x" },
		{ "b/config.log", 2, true, "x" },
		{ "b/empty.o", 500, false, NULL },
		{ "b/cc1plus", 500, false, NULL },
		{ "b/empty.h", 500, true, NULL },
		{ "b/empty-old.o", 5000, true, NULL },
	};
	const char *dir = test_dir();
	struct err e = ERR_INIT;
	char *sub = path_join(dir, "b/sub"), *stamp = path_join(dir, ".configured");
	CHECK_OK(fs_mkdirs(AT_FDCWD, sub, 0755, &e), e);
	CHECK_OK(fs_write(AT_FDCWD, stamp, "", 0, 0644, &e), e);
	age(stamp, 1000);
	for (size_t i = 0; i < N(files); i++) {
		char *path = path_join(dir, files[i].name);
		CHECK_OK(fs_write(AT_FDCWD, path, "x", files[i].text != NULL, 0644, &e), e);
		age(path, files[i].age);
		free(path);
	}
	int at_dir = -1;
	CHECK_OK(fs_open_dir(AT_FDCWD, dir, &at_dir, &e), e);
	CHECK_OK(workdir_drop_torn(at_dir, "b", ".configured", &e), e);
	for (size_t i = 0; i < N(files); i++) {
		if (fs_exists(at_dir, files[i].name) != files[i].stays)
			test_fail(__FILE__, __LINE__, "%s", files[i].name);
	}
	CHECK_OK(workdir_drop_torn(at_dir, "absent", ".configured", &e), e);
	close(at_dir);
	free(sub);
	free(stamp);
}

TEST(state_knows_replaced_and_lost_packages)
{
	static const struct fake_pkg packages[] = { { .cpv = "a/one-1" } };
	static const char *const atoms[] = { "a/one", NULL };
	struct fixture f;
	struct tally t;
	enum step_reason why;
	fixture_open(&f, packages, 1, atoms);
	CHECK_OK(fixture_run(&f, &(struct run_opts){ .jobs = 1 }, &t), f.e);
	tally_fini(&t);
	struct step emerged = f.plan.steps.v[0];
	emerged.stage = "emerge";
	emerged.pvr = "2";
	emerged.key = "other";
	/* emerge replaces it on purpose: it stays finished. */
	CHECK_OK(state_write(f.eprefix, &emerged, 7, &f.e), f.e);
	take_away(&f, "var/db/pkg/a/one-1/COUNTER");
	CHECK_OK(state_reason(f.eprefix, &f.plan.steps.v[0], &why, &f.e), f.e);
	CHECK(why == REASON_GONE);
	char *dir = path_join(f.eprefix, "var/db/pkg/a/one-2");
	CHECK_OK(fs_mkdirs(AT_FDCWD, dir, 0755, &f.e), f.e);
	put(&f, "var/db/pkg/a/one-2/COUNTER", "7");
	CHECK_OK(state_reason(f.eprefix, &f.plan.steps.v[0], &why, &f.e), f.e);
	CHECK(why == REASON_CURRENT);
	put(&f, "var/db/pkg/a/one-2/COUNTER", "8");
	CHECK_OK(state_reason(f.eprefix, &f.plan.steps.v[0], &why, &f.e), f.e);
	CHECK(why == REASON_GONE);
	free(dir);
	fixture_close(&f);
}
