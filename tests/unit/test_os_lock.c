#include "fs.h"
#include "lock.h"
#include "lock_owner.h"
#include "mem.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *lock_path(void)
{
	return path_join(test_dir(), "lock");
}

/* Make flock fail from now on, as on a file system without locks. */
static bool forbid_flock(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* A child that holds the lock until it is killed; returns when it has it. */
static pid_t hold(const char *path, bool without_flock)
{
	int fd[2];
	char ready;
	CHECK(pipe2(fd, O_CLOEXEC) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct lock l = LOCK_NONE;
		struct err e = ERR_INIT;
		if ((without_flock && !forbid_flock()) || !lock_take(&l, path, &e))
			_exit(1);
		if (write(fd[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	close(fd[1]);
	CHECK(read(fd[0], &ready, 1) == 1);
	close(fd[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST(lock_names_its_holder)
{
	struct err e = ERR_INIT;
	struct lock l = LOCK_NONE;
	char *path = lock_path(), host[256] = "", want[64];
	pid_t pid = hold(path, false);
	CHECK(!lock_take(&l, path, &e));
	CHECK(e.code == ERR_BUSY && l.fd == -1 && l.path == NULL);
	gethostname(host, sizeof host - 1);
	snprintf(want, sizeof want, "process %ld on host", (long)pid);
	CHECK(strstr(e.message, want) != NULL && strstr(e.message, host) != NULL);
	end(pid);
	e = ERR_INIT;
	CHECK_OK(lock_take(&l, path, &e), e);
	lock_release(&l);
	lock_release(&l);
	CHECK_OK(lock_take(&l, path, &e), e);
	lock_release(&l);
	free(path);
}

TEST(lock_by_another_spelling_is_the_same)
{
	struct err e = ERR_INIT;
	struct lock l = LOCK_NONE;
	const char *dir = test_dir();
	char *real = path_join(dir, "real"), *link = path_join(dir, "link");
	CHECK(mkdir(real, 0755) == 0 && symlink("real", link) == 0);
	char *path = path_join(real, "lock"), *other = path_join(link, "lock");
	pid_t pid = hold(path, false);
	CHECK(!lock_take(&l, other, &e) && e.code == ERR_BUSY);
	end(pid);
	free(real);
	free(link);
	free(path);
	free(other);
}

/* Children share the lock: a run that was killed ends with its last worker, which is waited for. */
TEST(lock_waits_for_the_workers_of_a_killed_run)
{
	struct err e = ERR_INIT;
	struct lock l = LOCK_NONE;
	char *path = lock_path();
	int fd[2];
	char ready;
	CHECK(pipe2(fd, O_CLOEXEC) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (!lock_take(&l, path, &e))
			_exit(1);
		if (fork() == 0) {
			if (write(fd[1], "", 1) != 1)
				_exit(1);
			usleep(500000);
			_exit(0);
		}
		pause();
	}
	CHECK(read(fd[0], &ready, 1) == 1);
	end(pid);
	CHECK_OK(lock_take(&l, path, &e), e);
	lock_release(&l);
	close(fd[0]);
	close(fd[1]);
	free(path);
}

static bool check_without_flock(const char *path)
{
	struct err e = ERR_INIT;
	struct lock l = LOCK_NONE;
	if (!forbid_flock() || lock_take(&l, path, &e) || e.code != ERR_BUSY)
		return false;
	return strstr(e.message, "has no locks: if that process is gone, remove") != NULL;
}

static bool take_without_flock(const char *path)
{
	struct err e = ERR_INIT;
	struct lock l = LOCK_NONE;
	if (!forbid_flock() || !lock_take(&l, path, &e) || !l.by_name)
		return false;
	lock_release(&l);
	return lock_take(&l, path, &e);
}

static bool in_child(bool (*check)(const char *path), const char *path)
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0)
		_exit(check(path) ? 0 : 1);
	waitpid(pid, &status, 0);
	return status == 0;
}

TEST(lock_without_file_system_locks)
{
	char *path = lock_path();
	pid_t pid = hold(path, true);
	CHECK(in_child(check_without_flock, path));
	end(pid);
	CHECK(in_child(take_without_flock, path));
	/* That one ended while it held the lock. */
	CHECK(in_child(take_without_flock, path));
	free(path);
}

static bool by_name_with(const char *path, const char *owner)
{
	struct err e = ERR_INIT;
	char *file = xasprintf("%s.owner", path);
	CHECK_OK(fs_write(AT_FDCWD, file, owner, strlen(owner), 0644, &e), e);
	free(file);
	return in_child(take_without_flock, path);
}

TEST(lock_by_name_tells_stale_from_live)
{
	char *path = lock_path();
	struct lock_owner self = lock_owner_self(), o = self;
	struct buf b = BUF_INIT;
	lock_owner_print(&o, &b);
	CHECK(!by_name_with(path, buf_str(&b))); /* that is this process, alive */
	snprintf(o.boot, sizeof o.boot, "another-boot");
	buf_clear(&b);
	lock_owner_print(&o, &b);
	CHECK(by_name_with(path, buf_str(&b)));
	o = self;
	o.start++;
	buf_clear(&b);
	lock_owner_print(&o, &b);
	CHECK(by_name_with(path, buf_str(&b))); /* the number was given to another process */
	snprintf(o.host, sizeof o.host, "another-host");
	buf_clear(&b);
	lock_owner_print(&o, &b);
	CHECK(!by_name_with(path, buf_str(&b)));
	buf_fini(&b);
	free(path);
}

TEST(lock_owner_survives_any_text)
{
	static const char *const bad[] = { "", "\n", "pid", "pid=", "=1", "pid=x host",
		"a=b=c pid=-4", "\xff\xfe pid=99999999999999999999" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct lock_owner o = lock_owner_parse(str_of(bad[i]));
		CHECK(!lock_owner_gone(&o));
	}
	struct lock_owner self = lock_owner_self();
	struct buf b = BUF_INIT;
	lock_owner_print(&self, &b);
	struct lock_owner again = lock_owner_parse(str_of(buf_str(&b)));
	CHECK(again.pid == self.pid && again.start == self.start && self.start > 0);
	CHECK_STR(again.host, self.host);
	CHECK_STR(again.boot, self.boot);
	CHECK(!lock_owner_gone(&again));
	buf_fini(&b);
}

/* F97: of many that start at once exactly one gets it. */
TEST(lock_goes_to_exactly_one)
{
	for (int round = 0; round < 20; round++) {
		char *path = lock_path();
		int got = 0, status;
		for (int i = 0; i < 8; i++) {
			if (fork() != 0)
				continue;
			struct lock l = LOCK_NONE;
			struct err e = ERR_INIT;
			bool mine = (round % 2 == 0 || forbid_flock()) && lock_take(&l, path, &e);
			usleep(mine ? 300000 : 0);
			_exit(mine ? 0 : e.code == ERR_BUSY ? 7 : 1);
		}
		while (wait(&status) > 0) {
			got += status == 0;
			CHECK(status == 0 || WEXITSTATUS(status) == 7);
		}
		CHECK(got == 1);
		free(path);
	}
}

/* The holder, as Portage's lockfile() takes it: fcntl on the file, which is removed at the end. */
static pid_t hold_portage(const char *file, int ms)
{
	int fd[2];
	char ready;
	CHECK(pipe2(fd, O_CLOEXEC) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct flock want = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
		int lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0660);
		if (fcntl(lock, F_SETLKW, &want) != 0 || write(fd[1], "", 1) != 1)
			_exit(1);
		usleep((useconds_t)ms * 1000);
		unlink(file);
		_exit(0);
	}
	CHECK(read(fd[0], &ready, 1) == 1);
	close(fd[0]);
	close(fd[1]);
	return pid;
}

static void note(void *ctx, const char *path, long pid)
{
	(void)path;
	*(long *)ctx = pid;
}

TEST(lock_of_portage_is_waited_for_and_removed)
{
	struct err e = ERR_INIT;
	long told = 0;
	struct lock l = LOCK_NONE;
	const char *dir = test_dir();
	char *path = path_join(dir, ".pkg"), *file = path_join(dir, "..pkg.portage_lockfile");
	struct stat st;
	pid_t pid = hold_portage(file, 2300);
	l.notice = note;
	l.notice_ctx = &told;
	CHECK_OK(lock_wait_portage(&l, path, &e), e);
	CHECK(told == pid);
	waitpid(pid, NULL, 0);
	CHECK(stat(file, &st) == 0 && (st.st_mode & 07777) == 0660);
	lock_release(&l);
	CHECK(!fs_exists(AT_FDCWD, file));
	free(path);
	free(file);
}

TEST(lock_wait_is_interruptible)
{
	const char *dir = test_dir();
	char *path = path_join(dir, "x"), *file = path_join(dir, ".x.portage_lockfile");
	pid_t holder = hold_portage(file, 60000), pid = fork();
	if (pid == 0) {
		struct err e = ERR_INIT;
		struct lock l = LOCK_NONE;
		_exit(lock_wait_portage(&l, path, &e) ? 0 : (int)e.code);
	}
	usleep(300000);
	kill(pid, SIGINT);
	int status = 0;
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == ERR_INTERRUPTED);
	end(holder);
	free(path);
	free(file);
}
