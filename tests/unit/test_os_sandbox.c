#include "fs.h"
#include "mem.h"
#include "proc.h"
#include "sandbox_int.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ORDINARY 65534

/*
 * The tests' own process must not call sandbox_probe: it remembers, and what it remembers would
 * reach the children that have less. Run a check in a child, as an ordinary user when asked to;
 * true when it returned true.
 */
typedef bool check_fn(void *ctx);
static bool in_child(check_fn *check, void *ctx, bool ordinary)
{
	int status = -1;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		if (ordinary && geteuid() == 0 && (setgid(ORDINARY) != 0 || setuid(ORDINARY) != 0))
			_exit(2);
		/* setuid without exec leaves /proc/self to root. */
		prctl(PR_SET_DUMPABLE, 1);
		bool ok = check(ctx);
		fflush(stdout);
		_exit(ok ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	return status == 0;
}

/* Make a system call fail with an error number from now on. */
static bool forbid(long call, int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

struct confined {
	const char *dir;
	bool network;
	const char *script; /* run in dir/in, which is writable */
	int status;
};

static bool run_confined(void *ctx)
{
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	struct confined *c = ctx;
	struct err e = ERR_INIT;
	struct proc_result r = PROC_RESULT_INIT;
	char *in = path_join(c->dir, "in");
	const char *const writable[] = { in, NULL };
	struct sandbox box = { .writable = writable, .network = c->network };
	const char *const argv[] = { "sh", "-c", c->script, NULL };
	struct proc_spec spec = {
		.argv = argv, .env = env, .cwd = in, .log_fd = -1, .sandbox = &box, .tail_lines = 20
	};
	bool ok = proc_run(&spec, &r, &e);
	if (!ok)
		printf("%s\n", e.message);
	else if (r.status != c->status)
		printf("status %d: %s\n", r.status, buf_str(&r.tail));
	ok = ok && r.status == c->status;
	proc_result_fini(&r);
	free(in);
	return ok;
}

/* A directory with in/ (to be writable) and out/, both anybody's. */
static const char *playground(void)
{
	struct err e = ERR_INIT;
	const char *dir = test_dir();
	mode_t old = umask(0);
	char *parent = path_dir(dir);
	char *in = path_join(dir, "in"), *out = path_join(dir, "out");
	CHECK(chmod(parent, 0755) == 0 && chmod(dir, 0777) == 0);
	CHECK_OK(fs_mkdirs(AT_FDCWD, in, 0777, &e), e);
	CHECK_OK(fs_mkdirs(AT_FDCWD, out, 0777, &e), e);
	umask(old);
	free(in);
	free(out);
	free(parent);
	return dir;
}

static const char outside_is_closed[] =
	"echo x >f && mkdir d && mv f d/g && ln d/g h && ln -s h s && chmod 600 h && rm -r d s && "
	": >/dev/null || exit 1; "
	"if echo x >../out/f; then exit 2; fi; if mkdir ../out/d; then exit 3; fi; "
	"if ln h ../out/h; then exit 4; fi; if mv h ../out/; then exit 5; fi; "
	"if rm -f ../out/keep; then exit 6; fi; cat ../out/keep && test ! -e ../out/f";

static void check_files(bool ordinary)
{
	struct sandbox_support support;
	struct err e = ERR_INIT;
	sandbox_os_probe(&support);
	if (!support.files) {
		test_skip(support.files_how);
		return;
	}
	const char *dir = playground();
	char *keep = path_join(dir, "out/keep");
	CHECK_OK(fs_write(AT_FDCWD, keep, "keep", 4, 0666, &e), e);
	struct confined c = { .dir = dir, .network = true, .script = outside_is_closed };
	CHECK(in_child(run_confined, &c, ordinary));
	free(keep);
}

TEST(sandbox_closes_what_is_outside)
{
	check_files(false);
}

TEST(sandbox_closes_what_is_outside_for_an_ordinary_user)
{
	check_files(true);
}

/* The user is still who it was; only lo is there, and it is up. */
static const char no_network[] =
	"test \"$(grep -c : /proc/net/dev)\" = 1 && grep -q ' lo:' /proc/net/dev && "
	"ip=$(cat /proc/net/fib_trie) && case $ip in *127.0.0.1*) ;; *) exit 3;; esac";

static void check_network(bool ordinary)
{
	struct sandbox_support support;
	sandbox_os_probe(&support);
	if (!support.network || support.net_by == SANDBOX_NET_LANDLOCK) {
		test_skip(support.network_how);
		return;
	}
	struct confined c = { .dir = playground(), .script = no_network };
	CHECK(in_child(run_confined, &c, ordinary));
	struct confined id = { .dir = c.dir, .script = "exit $(id -u)" };
	/* Only root can become somebody else first. */
	id.status = (int)((ordinary && geteuid() == 0 ? ORDINARY : geteuid()) & 255);
	CHECK(in_child(run_confined, &id, ordinary));
}

TEST(sandbox_takes_the_network_away)
{
	check_network(false);
}

TEST(sandbox_takes_the_network_away_from_an_ordinary_user)
{
	check_network(true);
}

static bool missing_directory(void *ctx)
{
	static const char *const writable[] = { "/no/such/dir", NULL };
	static const char *const argv[] = { "true", NULL }, *const env[] = { "PATH=/bin", NULL };
	struct sandbox box = { .writable = writable, .network = true };
	struct proc_spec spec = { .argv = argv, .env = env, .log_fd = -1, .sandbox = &box };
	struct proc_result r = PROC_RESULT_INIT;
	struct err e = ERR_INIT;
	return !proc_run(&spec, &r, &e) && strstr(e.message, ctx) != NULL;
}

TEST(sandbox_says_what_is_wrong_with_a_directory)
{
	struct sandbox_support support;
	static char says[] = "cannot let builds write to /no/such/dir: No such file";
	sandbox_os_probe(&support);
	if (!support.files)
		test_skip(support.files_how);
	else
		CHECK(in_child(missing_directory, says, false));
}

/* F86: each way in which user namespaces are refused. */
struct refusal {
	int error;
	const char *says;
	bool landlock_too;
	const char *dir;
};

static bool degrades(void *ctx)
{
	const struct refusal *r = ctx;
	struct sandbox_support s;
	struct buf lost = BUF_INIT;
	if (!forbid(SYS_unshare, r->error) || (r->landlock_too && !forbid(444, ENOSYS)))
		return false;
	sandbox_probe(&s);
	sandbox_lost(&s, &lost);
	bool ok =
		strstr(s.network_how, r->says) != NULL && strstr(buf_str(&lost), "network") != NULL;
	if (r->landlock_too)
		ok = ok && !s.files && !s.network &&
		     strstr(buf_str(&lost), "outside their directories: this kernel has no "
					    "Landlock: ") != NULL;
	else if (s.landlock_abi >= 4)
		ok = ok && s.net_by == SANDBOX_NET_LANDLOCK;
	if (!ok)
		printf("%s; %s: %s\n", s.files_how, s.network_how, buf_str(&lost));
	buf_fini(&lost);
	struct confined c = { .dir = r->dir, .script = "echo x >f" };
	return ok && run_confined(&c);
}

TEST(sandbox_degrades_and_says_so)
{
	static const struct refusal cases[] = {
		{ EPERM, "forbidden here", false, NULL },
		{ EACCES, "forbidden here", false, NULL },
		{ ENOSPC, "user.max_user_namespaces", false, NULL },
		{ EINVAL, "has no user namespaces", false, NULL },
		{ ENOSYS, "has no user namespaces", true, NULL },
		{ EPERM, "forbidden here", true, NULL },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct refusal r = cases[i];
		r.dir = playground();
		CHECK(in_child(degrades, &r, true));
	}
}

/* TCP is refused where only Landlock is left. */
static bool tcp_is_refused(void *ctx)
{
	struct confined c = { .dir = ctx };
	if (!forbid(SYS_unshare, EPERM))
		return false;
	c.script = "bash -c ': >/dev/tcp/127.0.0.1/9' 2>&1 | grep -q 'Permission denied'";
	return run_confined(&c);
}

TEST(sandbox_without_namespaces_refuses_tcp)
{
	struct sandbox_support s;
	sandbox_os_probe(&s);
	if (s.landlock_abi < 4) {
		test_skip("Landlock has no TCP rules here");
		return;
	}
	CHECK(in_child(tcp_is_refused, (void *)playground(), true));
}
