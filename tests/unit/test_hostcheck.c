#include "cgroup.h"
#include "fs.h"
#include "hostcheck.h"
#include "hostcheck_int.h"
#include "mem.h"
#include "mount.h"
#include "test.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct finding *find(const struct hostcheck *h, const char *id)
{
	for (size_t i = 0; i < h->findings.n; i++) {
		if (strcmp(h->findings.v[i].id, id) == 0)
			return &h->findings.v[i];
	}
	return NULL;
}

static void check_says(const struct hostcheck *h, const char *id, const char *text)
{
	const struct finding *f = find(h, id);
	if (f == NULL)
		test_fail(__FILE__, __LINE__, "no finding %s (wanted: %s)", id, text);
	else if (strstr(f->text, text) == NULL)
		test_fail(__FILE__, __LINE__, "%s says \"%s\", not \"%s\"", id, f->text, text);
}

static void put(const char *dir, const char *name, const char *text)
{
	struct err e = ERR_INIT;
	char *path = path_join(dir, name), *parent = path_dir(path);
	CHECK_OK(fs_mkdirs(AT_FDCWD, parent, 0755, &e), e);
	CHECK_OK(fs_write(AT_FDCWD, path, text, strlen(text), 0755, &e), e);
	free(parent);
	free(path);
}

/* The part of the check that is about the path only. */
static struct hostcheck path_check(const char *typed, const char *home)
{
	char *home_env = xasprintf("HOME=%s", home != NULL ? home : "");
	const char *const env[] = { home_env, NULL };
	struct hostcheck_opts o = { .eprefix = typed, .env = env };
	struct hostcheck h = HOSTCHECK_INIT;
	hostcheck_path(&o, &h);
	free(home_env);
	return h;
}

static void check_refused(const char *typed, const char *id, const char *text)
{
	struct hostcheck h = path_check(typed, NULL);
	check_says(&h, id, text);
	CHECK(h.eprefix == NULL);
	CHECK(hostcheck_worst(&h) == SEVERITY_ERROR);
	CHECK(find(&h, id) == NULL || find(&h, id)->remedy != NULL);
	hostcheck_fini(&h);
}

TEST(hostcheck_refuses_characters_with_the_reason)
{
	static const char *const cases[][2] = {
		{ "/nowhere/a b", "has a space: make and the shell split" },
		{ "/nowhere/a\tb", "has byte 0x09: make" },
		{ "/nowhere/a\nb", "has byte 0x0a: make" },
		{ "/nowhere/a'b", "has \"'\": shells take quotes away" },
		{ "/nowhere/a\"b", "quotes" },
		{ "/nowhere/a:b", "PATH" },
		{ "/nowhere/a;b", "end of a command" },
		{ "/nowhere/a$b", "expand" },
		{ "/nowhere/a\\b", "backslash" },
		{ "/nowhere/a%b", "pattern" },
		{ "/nowhere/a=b", "assignment" },
		{ "/nowhere/a#b", "comment" },
		{ "/nowhere/~x", "home directory" },
		{ "/nowhere/caf\303\251", "beyond ASCII" },
		{ "/nowhere/a\001b", "control character" },
		{ "/nowhere/a\177b", "control character" },
		{ "/nowhere/a*b", "pattern" },
		{ "/nowhere/a,b", "-Wl" },
		{ "/nowhere/a@b", "templates" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_refused(cases[i][0], "path.characters", cases[i][1]);
	CHECK(!fs_exists(AT_FDCWD, "/nowhere"));
}

TEST(hostcheck_names_each_bad_character_once)
{
	struct hostcheck h = path_check("/nowhere/a b c:d\303\251\303\251", NULL);
	size_t n = 0;
	for (size_t i = 0; i < h.findings.n; i++)
		n += strcmp(h.findings.v[i].id, "path.characters") == 0;
	CHECK(n == 3);
	hostcheck_fini(&h);
}

TEST(hostcheck_refuses_places)
{
	check_refused("", "path.empty", "is empty");
	check_refused("a/b", "path.relative", "must start with /");
	check_refused("/", "path.system", "/ belongs to the system");
	check_refused("//", "path.system", "belongs to the system");
	check_refused("/usr/../usr/", "path.system", "/usr belongs");
	check_refused("/nowhere/../etc", "path.system", "/etc belongs");
	check_refused("/proc/x", "path.system", "/proc/x belongs");
	check_refused("/dev/x/y", "path.system", "/dev/x/y belongs");
	check_refused("/dev/null/x", "path.not-a-directory", "/dev/null is not a directory");
	check_refused("/etc/passwd", "path.not-a-directory", "/etc/passwd is not a directory");
}

TEST(hostcheck_refuses_the_home_directory_itself)
{
	const char *home = test_dir();
	char *in = path_join(home, "gentoo");
	struct hostcheck h = path_check(home, home), below = path_check(in, home);
	check_says(&h, "path.home", "is your home directory");
	CHECK(hostcheck_worst(&below) == SEVERITY_INFO);
	CHECK_STR(below.eprefix, in);
	hostcheck_fini(&h);
	hostcheck_fini(&below);
	free(in);
}

static void check_same(const char *typed, const char *want)
{
	struct hostcheck h = path_check(typed, NULL);
	CHECK_STR(h.eprefix, want);
	CHECK((find(&h, "path.normalised") != NULL) == (strcmp(typed, want) != 0));
	hostcheck_fini(&h);
}

TEST(hostcheck_normalises_the_path)
{
	struct err e = ERR_INIT;
	const char *dir = test_dir();
	static const char *const spellings[] = { "/real/gentoo", "/real/gentoo/", "//real/./gentoo",
		"/real/x/../gentoo/", "/link/gentoo", "/link/../real/gentoo", "/abs/gentoo" };
	char *real = path_join(dir, "real"), *link = path_join(dir, "link");
	char *abs = path_join(dir, "abs"), *want = path_join(real, "gentoo");
	CHECK_OK(fs_mkdirs(AT_FDCWD, real, 0755, &e), e);
	CHECK(symlink("real", link) == 0 && symlink(real, abs) == 0);
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
		char *typed = xasprintf("%s%s", dir, spellings[i]);
		check_same(typed, want);
		free(typed);
	}
	CHECK(!fs_exists(AT_FDCWD, want));
	free(real);
	free(link);
	free(abs);
	free(want);
}

TEST(hostcheck_refuses_a_dangling_symlink)
{
	const char *dir = test_dir();
	char *link = path_join(dir, "link");
	CHECK(symlink("absent", link) == 0);
	check_refused(link, "path.dangling", "leads nowhere");
	free(link);
}

TEST(hostcheck_tells_foreign_content)
{
	const char *dir = test_dir();
	put(dir, "thesis.tex", "x");
	put(dir, "var/cache/distfiles/a", "x");
	struct hostcheck h = path_check(dir, NULL);
	check_says(
		&h, "path.content", "1 entries that are no part of a prefix, such as thesis.tex");
	CHECK(!h.exists);
	hostcheck_fini(&h);
	put(dir, "var/db/pkg/x", "");
	h = path_check(dir, NULL);
	CHECK(find(&h, "path.content") == NULL && h.exists);
	hostcheck_fini(&h);
}

TEST(hostcheck_length_at_the_limit)
{
	struct hostcheck fits = { .eprefix = xasprintf("/%0101d", 0) };
	struct hostcheck beyond = { .eprefix = xasprintf("/%0102d", 0) };
	hostcheck_length(&fits, 125);
	hostcheck_length(&beyond, 125);
	CHECK(fits.eprefix != NULL && hostcheck_worst(&fits) == SEVERITY_INFO);
	CHECK(beyond.eprefix == NULL && hostcheck_worst(&beyond) == SEVERITY_ERROR);
	check_says(&beyond, "path.length", "at most 102");
	hostcheck_fini(&fits);
	hostcheck_fini(&beyond);
}

/* The kernel's own limit: one byte more than what was found fails, and a shell is not asked. */
TEST(hostcheck_finds_the_shebang_limit)
{
	struct err e = ERR_INIT;
	struct hostcheck_opts o = { 0 };
	size_t limit = 0;
	CHECK_OK(shebang_limit(&o, test_dir(), &limit, &e), e);
	CHECK(limit >= 125 && limit < 4096);
}

static struct hostcheck jobs_check(const char *sysroot, unsigned wish, const char *const *env)
{
	struct hostcheck_opts o = { .sysroot = sysroot, .jobs = wish, .env = env };
	struct hostcheck h = HOSTCHECK_INIT;
	hostcheck_jobs(&o, &h);
	return h;
}

static const char meminfo[] = "MemTotal:       64000000 kB\nMemFree:         1000000 kB\n"
			      "MemAvailable:   40000000 kB\n";

TEST(hostcheck_jobs_obey_the_affinity)
{
	int status = -1;
	const char *root = test_dir();
	put(root, "proc/meminfo", meminfo);
	pid_t pid = fork();
	if (pid == 0) {
		cpu_set_t one;
		CPU_ZERO(&one);
		sched_getaffinity(0, sizeof one, &one);
		int first = 0;
		while (!CPU_ISSET(first, &one))
			first++;
		CPU_ZERO(&one);
		CPU_SET(first, &one);
		bool ok = sched_setaffinity(0, sizeof one, &one) == 0;
		struct hostcheck h = jobs_check(root, 0, NULL);
		ok = ok && h.jobs == 1 && strstr(find(&h, "jobs")->text, "1 of") != NULL;
		hostcheck_fini(&h);
		_exit(ok ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	CHECK(status == 0);
}

/* A quota below what this machine has can be told from the CPUs only by the number itself. */
TEST(hostcheck_reads_cgroup_v2)
{
	const char *root = test_dir();
	put(root, "proc/self/cgroup", "0::/user.slice/job\n");
	put(root, "sys/fs/cgroup/cpu.max", "max 100000\n");
	put(root, "sys/fs/cgroup/user.slice/cpu.max", "300000 100000\n");
	put(root, "sys/fs/cgroup/user.slice/memory.max", "max\n");
	put(root, "sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n");
	put(root, "sys/fs/cgroup/user.slice/job/memory.max", "3000000000\n");
	struct cgroup_limits l = cgroup_limits(root);
	CHECK(l.cpus == 3.0);
	CHECK(l.memory == UINT64_C(3000000000));
}

TEST(hostcheck_reads_cgroup_at_the_root)
{
	const char *root = test_dir();
	put(root, "sys/fs/cgroup/cpu.max", "300000 100000");
	CHECK(cgroup_limits(root).cpus == 3.0);
	put(root, "proc/self/cgroup", "0::/../../outside\n");
	CHECK(cgroup_limits(root).cpus == 3.0);
}

TEST(hostcheck_reads_cgroup_v1)
{
	const char *root = test_dir();
	put(root, "proc/self/cgroup",
		"5:cpu,cpuacct:/batch/job1\n3:memory:/batch/job1\n1:name=x:/y\n");
	put(root, "sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us", "-1\n");
	put(root, "sys/fs/cgroup/cpu,cpuacct/batch/job1/cpu.cfs_quota_us", "250000\n");
	put(root, "sys/fs/cgroup/cpu,cpuacct/batch/job1/cpu.cfs_period_us", "100000\n");
	put(root, "sys/fs/cgroup/memory/batch/job1/memory.limit_in_bytes", "9223372036854771712\n");
	put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "8000000000\n");
	struct cgroup_limits l = cgroup_limits(root);
	CHECK(l.cpus == 2.5);
	CHECK(l.memory == UINT64_C(8000000000));
}

TEST(hostcheck_counts_what_the_kernel_killed)
{
	const char *root = test_dir();
	put(root, "proc/self/cgroup", "3:memory:/job\n0::/job\n");
	put(root, "sys/fs/cgroup/job/memory.events", "low 0\noom 7\noom_kill 2\n");
	put(root, "sys/fs/cgroup/memory/job/memory.oom_control", "under_oom 0\noom_kill 3\n");
	CHECK(cgroup_limits(root).oom_kills == 5);
	CHECK(cgroup_limits("/nowhere").oom_kills == 0);
}

TEST(hostcheck_ignores_bad_cgroup_files)
{
	const char *root = test_dir();
	put(root, "proc/self/cgroup", "\n:\n::\nx\n0:\n0::\n0::relative\n4:memory\n");
	put(root, "sys/fs/cgroup/cpu.max", "x y z");
	put(root, "sys/fs/cgroup/memory.max", "-5");
	struct cgroup_limits l = cgroup_limits(root);
	CHECK(l.cpus == 0 && l.memory == 0);
	CHECK(cgroup_limits("/nowhere").cpus == 0);
}

TEST(hostcheck_jobs_obey_memory)
{
	const char *root = test_dir();
	put(root, "proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 1500000 kB\n");
	struct hostcheck h = jobs_check(root, 0, NULL);
	CHECK(h.jobs == 1 && h.memory == UINT64_C(1500000) * 1024);
	check_says(&h, "jobs", "1.5 GB of memory (available) are enough for 1");
	check_says(&h, "memory", "linking the compiler wants");
	hostcheck_fini(&h);
	put(root, "proc/meminfo", meminfo);
	put(root, "sys/fs/cgroup/memory.max", "1000000000\n");
	h = jobs_check(root, 7, NULL);
	CHECK(h.jobs == 7 && h.memory == 1000000000);
	check_says(&h, "jobs", "builds run 7 jobs, as asked for");
	check_says(&h, "jobs", "(the cgroup's limit)");
	hostcheck_fini(&h);
}

TEST(hostcheck_jobs_obey_the_batch_system)
{
	static const char *const env[] = { "SLURM_CPUS_PER_TASK=1", NULL };
	const char *root = test_dir();
	put(root, "proc/meminfo", meminfo);
	struct hostcheck h = jobs_check(root, 0, env);
	CHECK(h.jobs == 1);
	check_says(&h, "jobs", "SLURM_CPUS_PER_TASK is 1");
	hostcheck_fini(&h);
}

TEST(hostcheck_knows_the_mount)
{
	static const char text[] = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
				   "40 22 0:33 / /home rw - nfs4 server:/home rw\n"
				   "41 22 0:34 / /home rw - autofs x rw\n"
				   "42 22 0:35 / /mnt/with\\040blank rw,noexec - tmpfs tmpfs rw\n"
				   "bad line\n43 22 0:36 / /x rw\n";
	static const char *const cases[][3] = {
		{ "/home/me", "/home", "autofs" },
		{ "/homes", "/", "ext4" },
		{ "/mnt/with blank/x", "/mnt/with blank", "tmpfs" },
		{ "/x", "/", "ext4" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mount m = MOUNT_INIT;
		CHECK(mount_parse(text, cases[i][0], &m));
		CHECK_STR(m.dir, cases[i][1]);
		CHECK_STR(m.type, cases[i][2]);
		mount_fini(&m);
	}
	struct mount none = MOUNT_INIT;
	CHECK(!mount_parse("", "/x", &none));
	CHECK(mount_of("/proc", &none));
	CHECK_STR(none.type, "proc");
	mount_fini(&none);
}

TEST(hostcheck_names_what_builds_will_not_see)
{
	static const char *const env[] = { "CPATH=/x", "HOME=/h", "PKG_CONFIG_PATH=/y",
		"PYTHONPATH=/z", "CONDA_PREFIX=/opt/conda", "PATH=/usr/bin:/home/u/.linuxbrew/bin",
		"LD_PRELOAD=/p.so", "CPATHX=1", NULL };
	struct hostcheck_opts o = { .env = env };
	struct hostcheck h = HOSTCHECK_INIT;
	hostcheck_environ(&o, &h);
	check_says(&h, "env.dropped", "builds: CPATH LD_PRELOAD PKG_CONFIG_PATH PYTHONPATH");
	CHECK(strstr(find(&h, "env.dropped")->text, "CPATHX") == NULL);
	check_says(&h, "env.managers", "conda (CONDA_PREFIX), Homebrew (in PATH)");
	check_says(&h, "env.preload", "LD_PRELOAD=/p.so acts on eprefix itself");
	hostcheck_fini(&h);
}

/* A directory with the host's tools by symlink, but for one that is a script of the test. */
static char *farm(const char *dir, const char *name, const char *script)
{
	static const char *const places[] = { "/usr/bin", "/bin" };
	char *bin = path_join(dir, "bin");
	struct err e = ERR_INIT;
	CHECK_OK(fs_mkdirs(AT_FDCWD, bin, 0755, &e), e);
	for (size_t i = 0; i < 2; i++) {
		struct strv names = STRV_INIT;
		CHECK_OK(fs_list(AT_FDCWD, places[i], &names, &e), e);
		for (size_t k = 0; k < names.n; k++) {
			char *to = path_join(bin, names.v[k]),
			     *from = path_join(places[i], names.v[k]);
			if (strcmp(names.v[k], name) != 0 && symlink(from, to) != 0)
				CHECK(fs_exists(AT_FDCWD, to));
			free(to);
			free(from);
		}
		strv_fini(&names);
	}
	if (script != NULL)
		put(bin, name, script);
	return bin;
}

static struct hostcheck tools_check(const char *name, const char *script)
{
	const char *dir = test_dir();
	struct err e = ERR_INIT;
	char *work = path_join(dir, "work"), *bin = farm(dir, name, script);
	struct hostcheck_opts o = { .path = bin };
	struct hostcheck h = HOSTCHECK_INIT;
	struct scratch s = { .exec = work };
	CHECK_OK(fs_mkdirs(AT_FDCWD, work, 0755, &e), e);
	CHECK_OK(hostcheck_compilers(&o, &h, &s, &e), e);
	CHECK_OK(hostcheck_tools(&o, &h, &s, &e), e);
	free(work);
	free(bin);
	return h;
}

static void check_tool(const char *name, const char *script, const char *id, const char *text)
{
	struct hostcheck h = tools_check(name, script);
	check_says(&h, id, text);
	CHECK(hostcheck_worst(&h) == SEVERITY_ERROR);
	for (size_t i = 0; i < h.findings.n; i++) {
		const struct finding *f = &h.findings.v[i];
		if (f->severity == SEVERITY_ERROR)
			CHECK(f->remedy != NULL && strcmp(f->id, id) == 0);
	}
	hostcheck_fini(&h);
}

TEST(hostcheck_finds_the_host_fit)
{
	struct hostcheck h = tools_check("", NULL);
	CHECK(hostcheck_worst(&h) == SEVERITY_INFO);
	check_says(&h, "cc", "the C compiler is gcc ");
	check_says(&h, "cxx", "the C++ compiler is g++ ");
	check_says(&h, "libc", "the host's C library is ");
	hostcheck_fini(&h);
}

TEST(hostcheck_names_the_tool_that_is_amiss)
{
	check_tool("awk", "#!/bin/sh\nexit 2\n", "tool.awk", "awk does not do");
	check_tool("sed", NULL, "tool.sed", "sed");
	check_tool("ar", NULL, "binutils", "cannot make a library");
}

static const char old_gxx[] =
	"#!/bin/sh\nfor a; do case $a in -dumpversion) echo 4.4.7; exit;;\n"
	"-std=c++14) echo 'unrecognized command line option \"-std=c++14\"' >&2\n"
	"exit 1;; esac; done\nexec /usr/bin/g++ \"$@\"\n";

TEST(hostcheck_tells_an_old_compiler)
{
	/* The stand-ins are there and fine: a warning, and the host can be used. */
	struct hostcheck h = tools_check("g++", old_gxx);
	check_says(&h, "cxx", "g++ (4.4.7) cannot compile and link a small program in C++14");
	check_says(&h, "cxx", "unrecognized command line option");
	CHECK(hostcheck_worst(&h) == SEVERITY_WARNING);
	hostcheck_fini(&h);
}

TEST(hostcheck_tells_that_there_is_no_compiler)
{
	struct err e = ERR_INIT;
	const char *dir = test_dir();
	struct hostcheck_opts o = { .cxx = "g++-99", .path = "/usr/bin:/bin" };
	struct hostcheck h = HOSTCHECK_INIT;
	char *work = xstrdup(dir);
	struct scratch s = { .exec = work };
	CHECK_OK(hostcheck_compilers(&o, &h, &s, &e), e);
	const struct finding *last = &h.findings.v[h.findings.n - 1];
	CHECK_STR(last->text, "there is no C++ compiler g++-99 in /usr/bin:/bin");
	CHECK(strstr(last->remedy, "Fedora: gcc-c++") != NULL && last->severity == SEVERITY_ERROR);
	hostcheck_fini(&h);
	free(work);
}

TEST(hostcheck_prints_json)
{
	struct hostcheck h = { .eprefix = xstrdup("/p"), .jobs = 3, .memory = 5 };
	struct buf b = BUF_INIT;
	finding_add(&h, SEVERITY_WARNING, "a.b", "do \"this\"", "text %d", 1);
	finding_add(&h, SEVERITY_INFO, "c", NULL, "t");
	hostcheck_json(&h, &b);
	CHECK_STR(buf_str(&b),
		"{\"fit\":true,\"eprefix\":\"/p\",\"jobs\":3,\"memory\":5,\"findings\":["
		"{\"severity\":\"warning\",\"id\":\"a.b\",\"text\":\"text 1\",\"remedy\":\"do "
		"\\\"this\\\"\"},"
		"{\"severity\":\"info\",\"id\":\"c\",\"text\":\"t\",\"remedy\":null}]}\n");
	buf_fini(&b);
	hostcheck_fini(&h);
}
