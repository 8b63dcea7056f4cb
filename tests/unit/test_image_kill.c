/*
 * A merge is killed before each of its system calls that change something, in turn; then so is the
 * recovery. What is left afterwards is either the old or the new state, and merging again always
 * ends in the new one.
 */
#include "image_tree.h"

#ifndef __linux__
TEST(image_survives_being_killed_anywhere)
{
	test_skip("needs Linux's ptrace to stop a process at each system call");
}
#else

#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Calls by which a file system may change. */
static bool changes(uint64_t nr, uint64_t open_flags)
{
	static const long calls[] = { SYS_write, SYS_renameat,
#ifdef SYS_rename
		SYS_rename, SYS_unlink, SYS_rmdir, SYS_mkdir, SYS_link, SYS_symlink, SYS_chmod,
#endif
#ifdef SYS_renameat2
		SYS_renameat2,
#endif
		SYS_linkat, SYS_symlinkat, SYS_unlinkat, SYS_mkdirat, SYS_mknodat, SYS_fchmod,
		SYS_fchmodat, SYS_utimensat, SYS_ftruncate };
	if (nr == SYS_openat)
		return (open_flags & (O_CREAT | O_TRUNC)) != 0;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		if (nr == (uint64_t)calls[i])
			return true;
	}
	return false;
}

/* Is the stopped child about to do a call that changes something? */
static bool about_to_change(pid_t pid)
{
	struct __ptrace_syscall_info info;
	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) > 0 &&
	       info.op == PTRACE_SYSCALL_INFO_ENTRY && changes(info.entry.nr, info.entry.args[2]);
}

typedef void child_work(const struct world_of_test *w);

/*
 * Run work in a child and kill it before its k-th change (from 1). True when it was killed, false
 * when it came to its end before; *ok is false when it could not be traced.
 */
static bool killed_at(child_work *work, const struct world_of_test *w, unsigned k, bool *ok)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			_exit(99);
		raise(SIGSTOP);
		work(w);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	*ok = WIFSTOPPED(status) &&
	      ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0;
	while (*ok && WIFSTOPPED(status)) {
		if (WSTOPSIG(status) == (SIGTRAP | 0x80) && about_to_change(pid) && --k == 0)
			kill(pid, SIGKILL);
		ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
		waitpid(pid, &status, 0);
	}
	if (*ok && WIFEXITED(status) && WEXITSTATUS(status) != 0)
		test_fail(__FILE__, __LINE__, "the child ended with %d", WEXITSTATUS(status));
	return WIFSIGNALED(status);
}

/* One way a root changes. */
struct scenario {
	child_work *work;
	const char *root, *first, *between, *second;
};

static const struct image_field fields[] = { { "SLOT", { "0\n", 2 } }, { "EAPI", { "8\n", 2 } } };
static const struct image_extra extras[] = { { "var/lib/portage/extra/state", { "new\n", 4 } } };

static bool merge_pf(const struct world_of_test *w, const char *pf, const char *old, struct err *e)
{
	struct protect protect = PROTECT_INIT;
	struct image_report report = IMAGE_REPORT_INIT;
	const char *const replaces[] = { old, NULL };
	protect_add(&protect, OFFSET, STR("/etc"), STR(""));
	struct image_merge m = { .image = w->image,
		.root = w->root,
		.offset = OFFSET,
		.category = "cat",
		.pf = pf,
		.replaces = replaces,
		.fields = fields,
		.n_fields = 2,
		.protect = &protect,
		.extras = extras,
		.n_extras = old != NULL,
		.no_sync = true };
	bool ok = image_merge(&m, &report, e);
	image_report_fini(&report);
	protect_fini(&protect);
	return ok;
}

static void work_upgrade(const struct world_of_test *w)
{
	struct err e = ERR_INIT;
	if (!merge_pf(w, "foo-2", "foo-1", &e))
		_exit(1);
}

static void work_again(const struct world_of_test *w)
{
	struct err e = ERR_INIT;
	if (!merge_pf(w, "foo-1", "foo-1", &e))
		_exit(1);
}

static void work_unmerge(const struct world_of_test *w)
{
	struct err e = ERR_INIT;
	struct protect protect = PROTECT_INIT;
	struct image_report report = IMAGE_REPORT_INIT;
	protect_add(&protect, OFFSET, STR("/etc"), STR(""));
	struct image_unmerge u = { .root = w->root,
		.offset = OFFSET,
		.category = "cat",
		.pf = "foo-1",
		.protect = &protect,
		.extras = extras,
		.n_extras = 1,
		.no_sync = true };
	bool ok = image_unmerge(&u, &report, &e);
	image_report_fini(&report);
	protect_fini(&protect);
	/* Recovery may have finished it already. */
	if (!ok && strcmp(e.what, "image.absent") != 0)
		_exit(1);
}

static void work_recover(const struct world_of_test *w)
{
	struct err e = ERR_INIT;
	if (!image_recover(w->root, NULL, &e))
		_exit(1);
}

/* Our journal's directory and the lock files come and go. */
static const char *const skip[] = { "var/lib/eprefix", "var/db/.pkg.portage_lockfile", NULL };

static struct world_of_test prepare(const struct scenario *s)
{
	struct err e = ERR_INIT;
	struct world_of_test w = tree_world(s->root);
	tree_image(&w, s->first);
	CHECK_OK(merge_pf(&w, "foo-1", NULL, &e), e);
	tree_make(w.root_path, s->between);
	tree_image(&w, s->second);
	return w;
}

/* COUNTER and the times of what the merge itself wrote apart, is it the one or the other? */
static char *state_of(const struct world_of_test *w)
{
	struct buf out = BUF_INIT;
	char *text = tree_text(w->root_path, skip);
	struct str rest = str_of(text), line;
	while (str_split(&rest, '\n', &line)) {
		const char *dot = memmem(line.p, line.n, " 10", 3);
		bool written = str_starts(line, "var/") && dot != NULL;
		if (!written) {
			buf_add_str(&out, line);
		} else {
			/* "path mode time md5 twin": without the time. */
			struct str word, left = { dot + 1, line.n - (size_t)(dot + 1 - line.p) };
			buf_add(&out, line.p, line.n - left.n);
			for (int i = 0; str_split(&left, ' ', &word); i++)
				buf_printf(&out, "%.*s ", i == 1 ? 0 : (int)word.n, word.p);
		}
		buf_addc(&out, '\n');
	}
	free(text);
	return buf_take(&out);
}

/* Old, new, and how many changes lie between. */
struct ends {
	char *before, *after;
};

static struct ends ends_of(const struct scenario *s)
{
	struct world_of_test w = prepare(s);
	struct ends ends = { state_of(&w), NULL };
	s->work(&w);
	ends.after = state_of(&w);
	CHECK(strcmp(ends.before, ends.after) != 0);
	tree_world_end(&w);
	return ends;
}

/* Kill at the k-th change, recover (killed at its own j-th change first), look, do it again. */
static bool try_kill(const struct scenario *s, const struct ends *ends, unsigned k, bool *ok)
{
	struct err e = ERR_INIT;
	struct world_of_test w = prepare(s);
	bool killed = killed_at(s->work, &w, k, ok), again = *ok;
	if (*ok && killed)
		killed_at(work_recover, &w, 1 + k * 7 % 11, &again);
	CHECK_OK(image_recover(w.root, NULL, &e), e);
	char *state = state_of(&w);
	bool old = strcmp(state, ends->before) == 0, new = strcmp(state, ends->after) == 0;
	if (*ok && !old && !new)
		test_fail(__FILE__, __LINE__,
			"killed at %u:\n%s--- neither old:\n%s--- nor new:\n%s", k, state,
			ends->before, ends->after);
	if (*ok && old) {
		s->work(&w);
		char *then = state_of(&w);
		CHECK_STR(then, ends->after);
		free(then);
	}
	free(state);
	tree_world_end(&w);
	return killed;
}

static void run_scenario(const struct scenario *s)
{
	struct ends ends = ends_of(s);
	bool ok = true;
	unsigned k = 1;
	while (ok && try_kill(s, &ends, k, &ok))
		k++;
	if (!ok)
		test_skip("processes cannot be traced here");
	CHECK(!ok || k > 20);
	free(ends.before);
	free(ends.after);
}

#define FIRST                                                                                      \
	"f|bin/a|755|1\nf|bin/b|755|1\nh|bin/c|bin/b\nl|bin/l|a\nf|etc/conf|644|1\n"               \
	"f|etc/gone|644|1\nf|lib64/x|644|1\nf|drop/me/x|644|1\nl|drop/link|me\nf|was|644|1\n"      \
	"f|ro/x|644|1\nd|ro|555\n"
#define SECOND                                                                                     \
	"f|bin/a|755|2\nf|bin/b|755|2\nh|bin/n|bin/b\nl|bin/l|b\nf|etc/conf|644|2\n"               \
	"f|usr/lib/x|644|2\nf|new/dir/y|600|2\nd|new/dir|500\nf|was/dir/z|644|2\nf|ro/x|644|2\n"   \
	"d|ro|555\np|run/p\n"
#define ROOT "l|lib64|usr/lib\nf|usr/lib/o|644|o\nf|new-not|644|o\n"

TEST(image_survives_being_killed_anywhere)
{
	static const struct scenario s = { work_upgrade, ROOT, FIRST, "f|etc/conf|644|mine\n",
		SECOND };
	run_scenario(&s);
}

TEST(image_merged_again_survives_being_killed_anywhere)
{
	static const struct scenario s = { work_again, ROOT, FIRST, "f|etc/conf|644|mine\n",
		SECOND };
	run_scenario(&s);
}

TEST(image_unmerge_survives_being_killed_anywhere)
{
	static const struct scenario s = { work_unmerge, ROOT, FIRST, "f|etc/conf|644|mine\n", "" };
	run_scenario(&s);
}

#endif
