#include "fs.h"
#include "mem.h"
#include "proc.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const env[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };

/* One run of a shell script; the fields a test cares about come from `with`. */
static bool run_sh(const char *script, struct proc_spec with, struct proc_result *r, struct err *e)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	with.argv = argv;
	with.env = with.env != NULL ? with.env : env;
	return proc_run(&with, r, e);
}

static const struct proc_spec quiet = { .log_fd = -1 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The pid that a script wrote into a file, 0 when it did not. */
static pid_t pid_in(int at, const char *name)
{
	struct err e = ERR_INIT;
	struct buf b = BUF_INIT;
	pid_t pid = fs_read(at, name, &b, &e) ? (pid_t)atol(buf_str(&b)) : 0;
	buf_fini(&b);
	return pid;
}

/* Gone within some seconds? */
static bool ends(pid_t pid)
{
	for (int i = 0; pid > 0 && i < 500; i++) {
		if (kill(pid, 0) != 0)
			return true;
		usleep(10000);
	}
	return false;
}

static bool appears(int at, const char *name)
{
	for (int i = 0; i < 500; i++) {
		if (pid_in(at, name) > 0)
			return true;
		usleep(10000);
	}
	return false;
}

TEST(proc_gives_status_and_signal)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	CHECK_OK(run_sh("exit 7", quiet, &r, &e), e);
	CHECK(r.status == 7 && r.signal == 0 && !r.timed_out);
	CHECK_OK(run_sh("kill -9 $$", quiet, &r, &e), e);
	CHECK(r.status == 137 && r.signal == SIGKILL);
	CHECK_OK(run_sh("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", quiet, &r, &e), e);
	CHECK(r.user_s > 0.01 && r.wall_s >= r.user_s * 0.5);
	CHECK(r.maxrss_kb > 100);
	proc_result_fini(&r);
}

TEST(proc_captures_stdout_and_tails_stderr)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	struct buf out = BUF_INIT;
	struct proc_spec spec = { .log_fd = -1, .out = &out, .tail_lines = 2 };
	CHECK_OK(run_sh("printf 'a\\0b'; for i in 1 2 3 4; do echo $i >&2; done; printf end >&2",
			 spec, &r, &e),
		e);
	CHECK(out.n == 3 && memcmp(out.p, "a\0b", 3) == 0);
	CHECK_STR(buf_str(&r.tail), "4\nend\n");
	buf_fini(&out);
	proc_result_fini(&r);
}

TEST(proc_inherits_nothing)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	struct buf out = BUF_INIT;
	int open_fd = open("/dev/null", O_RDONLY);
	struct proc_spec spec = { .log_fd = -1, .out = &out };
	setenv("EPREFIX_TEST_LEAK", "x", 1);
	CHECK_OK(run_sh("env | grep LEAK; ls -l /proc/self/fd | grep -c -- '->'; readlink "
			"/proc/self/fd/0; test -t 0 || : >/dev/tty",
			 spec, &r, &e),
		e);
	CHECK(strncmp(buf_str(&out), "4\n/dev/null\n", 12) == 0);
	CHECK(r.status != 0);
	close(open_fd);
	buf_fini(&out);
	proc_result_fini(&r);
}

TEST(proc_keeps_the_descriptors_asked_for)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	struct buf out = BUF_INIT;
	int fd[2];
	CHECK(pipe2(fd, O_CLOEXEC) == 0);
	struct proc_spec spec = { .log_fd = -1, .keep_fds = &fd[1], .n_keep_fds = 1 };
	char *script = xasprintf("echo through >&%d", fd[1]);
	CHECK_OK(run_sh(script, spec, &r, &e), e);
	CHECK(r.status == 0);
	char got[8] = "";
	CHECK(read(fd[0], got, 7) == 7 && memcmp(got, "through", 7) == 0);
	free(script);
	close(fd[0]);
	close(fd[1]);
	buf_fini(&out);
	proc_result_fini(&r);
}

TEST(proc_resets_ignored_signals)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	CHECK_OK(run_sh("kill -PIPE $$; exit 0", quiet, &r, &e), e);
	signal(SIGPIPE, old);
	CHECK(r.signal == SIGPIPE);
	proc_result_fini(&r);
}

TEST(proc_logs_lines_with_time)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	struct buf text = BUF_INIT;
	int at = open(test_dir(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int log = openat(at, "log", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	struct proc_spec spec = { .log_fd = log, .tail_lines = 10 };
	CHECK_OK(run_sh("echo one; sleep 0.3; echo two >&2; printf three", spec, &r, &e), e);
	CHECK_OK(fs_read(at, "log", &text, &e), e);
	CHECK(strncmp(text.p, "[   0.0] one\n[   0.3] two\n[   0.", 31) == 0);
	CHECK(strstr(text.p, "] three\n") != NULL);
	CHECK_STR(buf_str(&r.tail), "one\ntwo\nthree\n");
	close(log);
	close(at);
	buf_fini(&text);
	proc_result_fini(&r);
}

TEST(proc_takes_much_output_on_both_streams)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	struct buf out = BUF_INIT;
	struct proc_spec spec = { .log_fd = -1, .out = &out, .tail_lines = 3 };
	CHECK_OK(run_sh("seq 1 200000 >&2 & seq 1 200000; wait; head -c 300000 /dev/zero >&2", spec,
			 &r, &e),
		e);
	CHECK(out.n == 1288895);
	CHECK(r.tail.n > 30000 && r.tail.n < 400000);
	buf_fini(&out);
	proc_result_fini(&r);
}

TEST(proc_says_why_it_cannot_start)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	int at = open(test_dir(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *const none[] = { "no-such-command", NULL };
	struct proc_spec spec = { .argv = none, .env = env, .log_fd = -1 };
	CHECK(!proc_run(&spec, &r, &e));
	CHECK_STR(e.message, "the command no-such-command is not there: PATH is \"/usr/bin:/bin\"");

	e = ERR_INIT;
	CHECK_OK(fs_write(at, "bad", "#!/no/such/sh\n", 14, 0755, &e), e);
	CHECK_OK(fs_write(at, "plain", "echo x\n", 7, 0755, &e), e);
	CHECK_OK(fs_write(at, "noexec", "#!/bin/sh\n", 10, 0644, &e), e);
	static const char *const cases[][2] = { { "./bad", "interpreter" },
		{ "./plain", "#! line" }, { "./noexec", "not executable" } };
	char *dir = fs_shown(at, ".");
	for (size_t i = 0; i < 3; i++) {
		const char *const argv[] = { cases[i][0], NULL };
		spec = (struct proc_spec){ .argv = argv, .env = env, .cwd = dir, .log_fd = -1 };
		e = ERR_INIT;
		CHECK(!proc_run(&spec, &r, &e));
		CHECK(strstr(e.message, cases[i][1]) != NULL);
	}
	const char *const sh[] = { "sh", NULL };
	spec = (struct proc_spec){ .argv = sh, .env = env, .cwd = "/no/such/dir", .log_fd = -1 };
	e = ERR_INIT;
	CHECK(!proc_run(&spec, &r, &e));
	CHECK(e.sys == ENOENT && strstr(e.message, "/no/such/dir") != NULL);
	free(dir);
	close(at);
}

TEST(proc_timeout_ends_the_group)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	struct proc_spec spec = { .log_fd = -1, .timeout_s = 1 };
	double start = now();
	CHECK_OK(run_sh("sleep 600 & sleep 601; wait", spec, &r, &e), e);
	CHECK(r.timed_out && r.signal == SIGTERM);
	CHECK(now() - start < 2.5);
	/* SIGTERM ignored: KILL follows. */
	CHECK_OK(run_sh("trap '' TERM; sleep 600; sleep 600", spec, &r, &e), e);
	CHECK(r.timed_out && r.signal == SIGKILL);
	proc_result_fini(&r);
}

/* A background job, a daemon in a session of its own that closed everything, a stopped one. */
static const char stragglers[] =
	"cd \"$DIR\"; sleep 600 & echo $! >a; "
	"setsid sh -c 'echo $$ >b; exec sleep 601' >/dev/null 2>&1 & "
	"sh -c 'echo $$ >c; trap \"\" TERM HUP; kill -STOP $$; sleep 602' & "
	"while ! test -s b || ! test -s c; do sleep 0.05; done; ";

static void check_no_straggler(int at)
{
	CHECK(ends(pid_in(at, "a")));
	CHECK(ends(pid_in(at, "b")));
	CHECK(ends(pid_in(at, "c")));
}

TEST(proc_leaves_nothing_running)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	const char *dir = test_dir();
	int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *dir_env = xasprintf("DIR=%s", dir);
	const char *const own[] = { "PATH=/usr/bin:/bin", dir_env, NULL };
	struct proc_spec spec = { .log_fd = -1, .env = own };
	CHECK_OK(run_sh(stragglers, spec, &r, &e), e);
	CHECK(r.status == 0);
	CHECK(kill(pid_in(at, "a"), 0) != 0);
	check_no_straggler(at);
	free(dir_env);
	close(at);
	proc_result_fini(&r);
}

/* A child that runs the script by proc_run; its exit status is the error's code. */
static pid_t run_in_child(const char *dir, const char *script)
{
	pid_t pid = fork();
	if (pid != 0)
		return pid;
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	char *dir_env = xasprintf("DIR=%s", dir);
	const char *const own[] = { "PATH=/usr/bin:/bin", dir_env, NULL };
	struct proc_spec spec = { .log_fd = -1, .env = own };
	run_sh(script, spec, &r, &e);
	_exit((int)e.code);
}

static void check_signal(int sig, bool killed)
{
	const char *dir = test_dir();
	int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = 0;
	char *script = xasprintf("%s echo $$ >d; sleep 603", stragglers);
	pid_t pid = run_in_child(dir, script);
	CHECK(appears(at, "d"));
	kill(pid, sig);
	waitpid(pid, &status, 0);
	if (killed)
		CHECK(WIFSIGNALED(status));
	else
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == ERR_INTERRUPTED);
	check_no_straggler(at);
	CHECK(ends(pid_in(at, "d")));
	free(script);
	close(at);
}

TEST(proc_signals_to_us_stop_all)
{
	check_signal(SIGINT, false);
	check_signal(SIGTERM, false);
	check_signal(SIGHUP, false);
}

TEST(proc_our_sudden_death_stops_all)
{
	check_signal(SIGKILL, true);
	check_signal(SIGABRT, true);
}

TEST(proc_puts_handlers_back)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	struct sigaction before, after;
	sigaction(SIGINT, NULL, &before);
	CHECK_OK(run_sh("true", quiet, &r, &e), e);
	sigaction(SIGINT, NULL, &after);
	CHECK(before.sa_handler == after.sa_handler);
	proc_result_fini(&r);
}

TEST(proc_lets_the_last_output_through)
{
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	struct buf out = BUF_INIT;
	struct proc_spec spec = { .log_fd = -1, .out = &out };
	CHECK_OK(run_sh("(sleep 0.1; echo late) & exit 3", spec, &r, &e), e);
	CHECK(r.status == 3);
	CHECK_STR(buf_str(&out), "late\n");
	buf_fini(&out);
	proc_result_fini(&r);
}

TEST(proc_which_looks_in_absolute_directories_only)
{
	char *sh = proc_which("sh", "/nowhere::.:/bin");
	CHECK_STR(sh, "/bin/sh");
	free(sh);
	CHECK(proc_which("sh", "") == NULL);
	CHECK(proc_which("sh", "bin:./bin") == NULL);
	CHECK(proc_which("etc", "/") == NULL);
	CHECK(proc_which("/bin/no-such", "/bin") == NULL);
}
