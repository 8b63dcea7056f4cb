#include "fs.h"
#include "mem.h"
#include "proc.h"
#include "startprefix.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A prefix whose programs are the host's, with its startprefix. Borrowed string. */
static const char *prefix(void)
{
	static const char *const links[][2] = { { "/bin/sh", "bin/sh" },
		{ "/bin/bash", "bin/bash" }, { "/usr/bin/env", "usr/bin/env" },
		{ "/usr/bin/sort", "usr/bin/sort" } };
	const char *dir = test_dir();
	struct err e = ERR_INIT;
	struct buf b = BUF_INIT;
	int at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK_OK(fs_mkdirs(at, "bin", 0755, &e) && fs_mkdirs(at, "usr/bin", 0755, &e) &&
			 fs_mkdirs(at, "etc", 0755, &e),
		e);
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		CHECK_OK(fs_symlink(links[i][0], at, links[i][1], &e), e);
	startprefix_script(dir, &b);
	CHECK_OK(fs_write(at, "startprefix", b.p, b.n, 0755, &e), e);
	buf_fini(&b);
	close(at);
	return dir;
}

struct entered {
	int status;
	struct buf out, err;
};

/* Run startprefix with these arguments (NULL-terminated after the first NULL slot) and variables.
 */
static struct entered enter(const char *dir, const char *const *args, const char *const *env)
{
	static const char *const plain[] = { "PATH=/usr/bin:/bin", NULL };
	struct entered r = { .status = -1 };
	struct proc_result result = PROC_RESULT_INIT;
	struct err e = ERR_INIT;
	const char *argv[8] = { 0 };
	char *path = path_join(dir, "startprefix");
	argv[0] = path;
	for (size_t i = 0; i < 6 && args[i] != NULL; i++)
		argv[i + 1] = args[i];
	struct proc_spec spec = { .argv = argv,
		.env = env != NULL ? env : plain,
		.log_fd = -1,
		.out = &r.out,
		.tail_lines = 20 };
	CHECK_OK(proc_run(&spec, &result, &e), e);
	r.status = result.status;
	r.err = result.tail;
	result.tail = BUF_INIT;
	proc_result_fini(&result);
	free(path);
	return r;
}

static void leave(struct entered *r)
{
	buf_fini(&r->out);
	buf_fini(&r->err);
}

#define ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

TEST(startprefix_passes_the_status_on)
{
	const char *dir = prefix();
	struct entered r =
		enter(dir, ARGS("-c", "echo \"$0-$1-$2\"; exit 7", "a", "b c", "$x"), NULL);
	CHECK(r.status == 7);
	CHECK_STR(buf_str(&r.out), "a-b c-$x\n");
	leave(&r);
}

TEST(startprefix_cleans_the_environment)
{
	const char *dir = prefix();
	const char *const env[] = { "PATH=/evil:/usr/bin", "CPATH=/x", "LD_LIBRARY_PATH=/y",
		"PERL5LIB=/z", "TERM=vt100", "SSH_AUTH_SOCK=/a b", "http_proxy=http://p", "HOME=/h",
		"BASH_ENV=/nowhere", "CDPATH=/", "FOO='\"$(x)`", "TMPDIR=/nonexistent",
		"LD_PRELOAD=/nonexistent.so", "EDITOR=it's \"$HOME\" `x`", NULL };
	struct entered r = enter(dir, ARGS("-c", "env | sort"), env);
	CHECK(r.status == 0);
	struct str rest = str_of(buf_str(&r.out)), line;
	struct buf names = BUF_INIT;
	while (str_split(&rest, '\n', &line)) {
		struct str name;
		if (str_split(&line, '=', &name))
			buf_printf(&names, "%.*s ", STR_ARG(name));
	}
	CHECK_STR(buf_str(&names),
		"EDITOR EPREFIX HOME PATH PWD SHELL SHLVL SSH_AUTH_SOCK TERM _ http_proxy ");
	CHECK(strstr(buf_str(&r.out), "EDITOR=it's \"$HOME\" `x`\n") != NULL);
	CHECK(strstr(buf_str(&r.out), "SSH_AUTH_SOCK=/a b\n") != NULL);
	buf_fini(&names);
	leave(&r);
}

TEST(startprefix_has_the_path_of_the_prefix_only)
{
	const char *dir = prefix();
	char *want = xasprintf("%s/usr/bin:%s/bin\n", dir, dir);
	char *with_host = xasprintf("%s/usr/bin:%s/bin:/usr/bin:/bin\n", dir, dir);
	struct entered r = enter(dir, ARGS("-c", "echo $PATH"), NULL);
	CHECK_STR(buf_str(&r.out), want);
	leave(&r);
	r = enter(dir, ARGS("--host-path", "-c", "echo $PATH"), NULL);
	CHECK_STR(buf_str(&r.out), with_host);
	leave(&r);
	free(want);
	free(with_host);
}

TEST(startprefix_reads_profile_env)
{
	const char *dir = prefix();
	struct err e = ERR_INIT;
	char *file = path_join(dir, "etc/profile.env");
	char *text = xasprintf("export PATH='%s/opt/bin:%s/usr/bin'\nexport X='a b'\n", dir, dir);
	char *want = xasprintf("%s/opt/bin:%s/usr/bin a b\n", dir, dir);
	CHECK_OK(fs_write(AT_FDCWD, file, text, strlen(text), 0644, &e), e);
	struct entered r = enter(dir, ARGS("-c", "echo $PATH $X"), NULL);
	CHECK_STR(buf_str(&r.out), want);
	leave(&r);
	free(file);
	free(text);
	free(want);
}

TEST(startprefix_keeps_a_locale_only_where_it_can_be)
{
	const char *dir = prefix();
	static const char *const env[] = { "PATH=/usr/bin:/bin", "LANG=de_DE.UTF-8", "LC_ALL=C",
		NULL };
	struct err e = ERR_INIT;
	char *lib = path_join(dir, "usr/lib"), *libc = path_join(lib, "libc.so.6");
	struct entered r = enter(dir, ARGS("-c", "echo $LANG $LC_ALL"), env);
	CHECK_STR(buf_str(&r.out), "de_DE.UTF-8 C\n");
	leave(&r);
	CHECK_OK(
		fs_mkdirs(AT_FDCWD, lib, 0755, &e) && fs_write(AT_FDCWD, libc, "", 0, 0644, &e), e);
	r = enter(dir, ARGS("-c", "echo $LANG $LC_ALL"), env);
	CHECK_STR(buf_str(&r.out), "C.UTF-8\n");
	leave(&r);
	free(lib);
	free(libc);
}

TEST(startprefix_refuses_nonsense)
{
	const char *dir = prefix();
	struct entered r = enter(dir, ARGS("--nonsense"), NULL);
	CHECK(r.status == 2 && strstr(buf_str(&r.err), "what is --nonsense?") != NULL);
	leave(&r);
	r = enter(dir, ARGS("-c"), NULL);
	CHECK(r.status == 2 && strstr(buf_str(&r.err), "-c wants a command") != NULL);
	leave(&r);
	r = enter(dir, ARGS("--help"), NULL);
	CHECK(r.status == 0 && strncmp(buf_str(&r.out), "usage: startprefix", 18) == 0);
	leave(&r);
}

TEST(startprefix_works_without_home_and_bash)
{
	const char *dir = prefix();
	struct err e = ERR_INIT;
	char *bash = path_join(dir, "bin/bash"), *want = xasprintf("%s %s/bin/sh\n", dir, dir);
	CHECK_OK(fs_unlink(AT_FDCWD, bash, &e), e);
	struct entered r = enter(dir, ARGS("-c", "echo $HOME $SHELL"), NULL);
	CHECK_STR(buf_str(&r.out), want);
	leave(&r);
	free(bash);
	free(want);
}

/* Interactive: commands from a terminal-less stdin, which is /dev/null here, end at once. */
TEST(startprefix_starts_an_interactive_shell)
{
	const char *dir = prefix();
	struct entered r = enter(dir, (const char *const[]){ NULL }, NULL);
	CHECK(r.status == 0);
	leave(&r);
}

TEST(startprefix_is_clean_shell)
{
	const char *dir = prefix();
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	char *path = path_join(dir, "startprefix");
	const char *const argv[] = { "shellcheck", "-s", "sh", path, NULL };
	struct proc_spec spec = { .argv = argv, .env = env, .log_fd = -1, .tail_lines = 40 };
	struct proc_result result = PROC_RESULT_INIT;
	struct err e = ERR_INIT;
	if (!proc_run(&spec, &result, &e))
		test_skip("shellcheck is not there");
	else if (result.status != 0)
		test_fail(__FILE__, __LINE__, "%s", buf_str(&result.tail));
	proc_result_fini(&result);
	free(path);
}
