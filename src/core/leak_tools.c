/* Where the prefix's own compiler and linker look, in their own words. */
#include "fs.h"
#include "leak_int.h"
#include "proc.h"

#define TOOL_TIMEOUT_S 60
#define TOOL_LINES 2000

/* One question: a program of the prefix, its arguments, and who reads the answer. */
struct question {
	const char *program; /* relative to the prefix */
	const char *args[8];
	void (*read)(const struct leak *l, const char *program, struct str answer, struct flaws *f);
};

static void check_dir(const struct leak *l, const char *program, struct str dir, struct flaws *f)
{
	char *value = xstrndup(dir.p, dir.n);
	if (value[0] != '/' || !leak_allows(l, FLAW_COMPILER, program, value))
		flaws_add(f, FLAW_COMPILER, program, "searches \"%s\"", value);
	free(value);
}

/*
 * gcc -v: the list of include directories, and, in front of it, those left out because they do not
 * exist here and now: on another machine they may.
 */
static void read_includes(
	const struct leak *l, const char *program, struct str answer, struct flaws *f)
{
	struct str line, quoted;
	bool listed = false;
	while (str_split(&answer, '\n', &line)) {
		struct str text = str_trim(line);
		if (str_starts(text, "#include "))
			listed = true;
		else if (str_starts(text, "End of search list"))
			listed = false;
		else if (listed && text.n > 0)
			check_dir(l, program, text, f);
		else if (str_starts(text, "ignoring nonexistent directory \"") &&
			 str_split(&text, '"', &quoted) && str_split(&text, '"', &quoted))
			check_dir(l, program, quoted, f);
	}
}

/* gcc -print-search-dirs: "install: DIR", "programs: =DIR:DIR", "libraries: =DIR:DIR". */
static void read_search_dirs(
	const struct leak *l, const char *program, struct str answer, struct flaws *f)
{
	struct str line, word, dir;
	while (str_split(&answer, '\n', &line)) {
		if (!str_word(&line, &word))
			continue;
		struct str dirs = str_trim(line);
		if (str_starts(dirs, "="))
			dirs = (struct str){ dirs.p + 1, dirs.n - 1 };
		while (str_split(&dirs, ':', &dir))
			if (dir.n > 0)
				check_dir(l, program, dir, f);
	}
}

/* ld --verbose: SEARCH_DIR("DIR"); for each. "=DIR" is below a sysroot, which a prefix has not. */
static void read_linker_dirs(
	const struct leak *l, const char *program, struct str answer, struct flaws *f)
{
	static const char mark[] = "SEARCH_DIR(\"";
	const char *end = answer.p + answer.n, *at = answer.p;
	while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1)) != NULL) {
		at += sizeof mark - 1;
		const char *quote = memchr(at, '"', (size_t)(end - at));
		if (quote == NULL)
			return;
		if (*at == '=')
			at++;
		check_dir(l, program, (struct str){ at, (size_t)(quote - at) }, f);
		at = quote;
	}
}

static const struct question questions[] = {
	{ "usr/bin/gcc", { "-v", "-E", "-x", "c", "/dev/null", "-o", "/dev/null" }, read_includes },
	{ "usr/bin/g++", { "-v", "-E", "-x", "c++", "/dev/null", "-o", "/dev/null" },
		read_includes },
	{ "usr/bin/gcc", { "-print-search-dirs" }, read_search_dirs },
	{ "usr/bin/ld", { "--verbose" }, read_linker_dirs },
};

/* Run one tool in a bare environment and let the question's reader look at all it says. */
static bool ask(const struct leak *l, const struct question *q, struct flaws *f, struct err *e)
{
	char *program = path_join(l->eprefix, q->program);
	char *path = xasprintf("PATH=%s/usr/bin", l->eprefix);
	const char *argv[10] = { program };
	for (size_t i = 0; i < 8 && q->args[i] != NULL; i++)
		argv[i + 1] = q->args[i];
	const char *const env[] = { path, "LC_ALL=C", NULL };
	struct proc_spec spec = { .argv = argv,
		.env = env,
		.cwd = "/",
		.log_fd = -1,
		.timeout_s = TOOL_TIMEOUT_S,
		.tail_lines = TOOL_LINES };
	struct proc_result result = PROC_RESULT_INIT;
	bool ok = proc_run(&spec, &result, e);
	if (ok && result.status != 0)
		ok = err_set(e, ERR_FAILED, "leak.tool",
			"%s %s ended with status %d; run it by hand to see why", program,
			q->args[0], result.status);
	if (ok)
		q->read(l, q->program, (struct str){ buf_str(&result.tail), result.tail.n }, f);
	proc_result_fini(&result);
	free(path);
	free(program);
	return ok;
}

/* ld reads PREFIX/etc/ld.so.conf, and where that is missing the host's (ld/ldelf.c). */
static void check_linker_conf(const struct leak *l, struct flaws *f)
{
	if (fs_exists(l->root, "usr/bin/ld") && !fs_exists(l->root, "usr/etc/ld.so.conf"))
		flaws_add(f, FLAW_COMPILER, "usr/bin/ld",
			"reads the host's /etc/ld.so.conf, because usr/etc/ld.so.conf is missing");
}

bool leak_check_tools(const struct leak *l, size_t *asked, struct flaws *f, struct err *e)
{
	*asked = 0;
	for (size_t i = 0; !l->guest && i < sizeof questions / sizeof *questions; i++) {
		if (!fs_exists(l->root, questions[i].program))
			continue;
		if (!ask(l, &questions[i], f, e))
			return false;
		++*asked;
	}
	if (!l->guest)
		check_linker_conf(l, f);
	return true;
}
