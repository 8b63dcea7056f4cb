/* Compilers, by compiling, linking and running (field reports F19-F25). */
#include "hostcheck_int.h"

#include "elf.h"
#include "fs.h"
#include "mem.h"
#include "proc.h"

#include <fcntl.h>
#include <stdlib.h>

struct language {
	const char *id, *name, *file, *source;
	const char
		*standard; /* what the compilers that are to be built are written in, NULL: any */
	const char *cannot;
	const char *names[4]; /* usual names of the compiler, NULL-terminated */
	const char *remedy;
};

static const struct language c_language = {
	.id = "cc",
	.name = "C",
	.file = "probe.c",
	.source = "#include <stdio.h>\nint main(void) { puts(\"fine\"); return 0; }\n",
	.cannot = "cannot compile and link a small program",
	.names = { "gcc", "cc", "clang", NULL },
	.remedy =
		"install a C compiler with its C library's headers and binutils (Debian: gcc "
		"libc6-dev; "
		"Fedora: gcc glibc-devel; Alpine: gcc musl-dev; macOS: xcode-select --install), or "
		"load one (on a cluster: module load gcc) and name it with --cc",
};

/* Exceptions and the library show whether its headers, libstdc++ and libgcc are there. */
static const struct language cxx_language = {
	.id = "cxx",
	.name = "C++",
	.file = "probe.cc",
	.source = "#include <stdexcept>\n#include <string>\n#include <cstdio>\n"
		  "int main() {\n\tauto same = [](auto x) { return x; };\n\ttry {\n"
		  "\t\tthrow std::runtime_error(std::string(\"fine\"));\n"
		  "\t} catch (const std::exception &e) {\n\t\tstd::puts(same(e.what()));\n\t}\n}\n",
	.standard = "-std=c++14",
	.cannot = "cannot compile and link a small program in C++14, which is needed",
	.names = { "g++", "c++", "clang++", NULL },
	.remedy = "install a C++ compiler with its library (Debian: g++; Fedora: gcc-c++; Alpine: "
		  "g++; "
		  "macOS: xcode-select --install), or load one (on a cluster: module load gcc) and "
		  "name it "
		  "with --cxx",
};

/* How far one compiler came. */
enum progress { NOT_COMPILED, NOT_RUN, FINE };

struct attempt {
	const struct hostcheck_opts *o;
	const struct language *language;
	const char *dir, *compiler;
	struct trial said; /* the last thing run */
};

static bool run(struct attempt *a, const char *const *argv, struct err *e)
{
	trial_fini(&a->said);
	return trial_run(a->o, a->dir, argv, &a->said, e);
}

static bool try_compiler(struct attempt *a, enum progress *p, struct err *e)
{
	const char *const compile[] = { a->compiler, "-o", "probe", a->language->file,
		a->language->standard, NULL };
	static const char *const program[] = { "./probe", NULL };
	*p = NOT_COMPILED;
	if (!run(a, compile, e))
		return false;
	if (a->said.status != 0)
		return true;
	if (!run(a, program, e))
		return false;
	*p = a->said.status == 0 && str_is(trial_line(&a->said), "fine") ? FINE : NOT_RUN;
	return true;
}

static bool say_failure(struct hostcheck *h, struct attempt *a, enum progress p, struct err *e)
{
	const char *const version[] = { a->compiler, "-dumpversion", NULL };
	struct trial v;
	if (!trial_run(a->o, a->dir, version, &v, e))
		return false;
	struct str number = v.status == 0 ? trial_line(&v) : STR("of unknown version");
	finding_add(h, SEVERITY_ERROR, a->language->id, a->language->remedy,
		"the %s compiler %s (%.*s) %s: %.*s", a->language->name, a->compiler,
		STR_ARG(number),
		p == NOT_COMPILED ? a->language->cannot : "makes programs that do not run here",
		STR_ARG(trial_line(&a->said)));
	trial_fini(&v);
	return true;
}

/* "gcc 12.2.0 for x86_64-linux-gnu"; the machine-made outputs, never prose (F14). */
static bool describe(struct hostcheck *h, struct attempt *a, struct err *e)
{
	const char *const version[] = { a->compiler, "-dumpfullversion", "-dumpversion", NULL };
	const char *const machine[] = { a->compiler, "-dumpmachine", NULL };
	struct trial m = { 0 };
	bool ok = run(a, version, e) && trial_run(a->o, a->dir, machine, &m, e);
	if (ok)
		finding_add(h, SEVERITY_INFO, a->language->id, NULL,
			"the %s compiler is %s %.*s for %.*s", a->language->name, a->compiler,
			STR_ARG(trial_line(&a->said)), STR_ARG(trial_line(&m)));
	trial_fini(&m);
	return ok;
}

/* Which C library the program that was just made runs on. */
static void check_libc(struct hostcheck *h, const char *dir)
{
	char *path = path_join(dir, "probe");
	struct buf b = BUF_INIT;
	struct err ignored = ERR_INIT;
	struct elf elf = ELF_INIT;
	bool is_elf = fs_read(AT_FDCWD, path, &b, &ignored) && elf_is(b.p, b.n) &&
		      elf_read(b.p, b.n, &elf, &ignored);
	if (is_elf && elf.interp != NULL) {
		const char *base = path_base(elf.interp);
		const char *kind = strncmp(base, "ld-musl", 7) == 0 ? "musl"
				   : strncmp(base, "ld-linux", 8) == 0 ||
						   strncmp(base, "ld64", 4) == 0 ||
						   strncmp(base, "ld.so", 5) == 0
					   ? "glibc"
					   : "an unknown one";
		finding_add(h, SEVERITY_INFO, "libc", NULL, "the host's C library is %s (%s)", kind,
			elf.interp);
	}
	elf_fini(&elf);
	buf_fini(&b);
	free(path);
}

/* Try the names in turn until one is fine; false only when interrupted. */
static bool try_names(struct hostcheck *h, struct attempt *a, const char *const *names,
	const char *path, struct err *e)
{
	enum progress p = NOT_COMPILED;
	size_t failure = 0;
	for (; p != FINE && *names != NULL; names++) {
		char *found = proc_which(*names, path);
		bool there = found != NULL;
		free(found);
		if (!there)
			continue;
		a->compiler = *names;
		if (!try_compiler(a, &p, e))
			return false;
		/* The first one's complaint is told: the others are stand-ins for it. */
		if (p != FINE && failure == 0) {
			if (!say_failure(h, a, p, e))
				return false;
			failure = h->findings.n;
		}
	}
	if (a->compiler != NULL && p == FINE && failure > 0)
		h->findings.v[failure - 1].severity = SEVERITY_WARNING;
	return p != FINE || describe(h, a, e);
}

static bool check_language(struct hostcheck *h, struct attempt *a, const char *wish, struct err *e)
{
	const char *const asked[] = { wish, NULL };
	const char *path = a->o->path != NULL ? a->o->path : HOSTCHECK_PATH;
	bool ok = try_names(h, a, wish != NULL ? asked : a->language->names, path, e);
	if (ok && a->compiler == NULL)
		finding_add(h, SEVERITY_ERROR, a->language->id, a->language->remedy,
			"there is no %s compiler%s%s in %s", a->language->name,
			wish != NULL ? " " : "", wish != NULL ? wish : "", path);
	trial_fini(&a->said);
	return ok;
}

bool hostcheck_compilers(
	const struct hostcheck_opts *o, struct hostcheck *h, const struct scratch *s, struct err *e)
{
	static const struct language *const languages[] = { &c_language, &cxx_language };
	const char *const wishes[] = { o->cc, o->cxx };
	if (s->exec == NULL) {
		finding_add(h, SEVERITY_WARNING, "cc",
			"set TMPDIR to a directory where programs may run",
			"the compilers could not be tried: programs run neither in TMPDIR nor in "
			"/tmp");
		return true;
	}
	for (size_t i = 0; i < 2; i++) {
		const struct language *l = languages[i];
		struct attempt a = { .o = o, .language = l, .dir = s->exec };
		struct err failed = ERR_INIT;
		char *file = path_join(s->exec, l->file);
		bool ok = fs_write(AT_FDCWD, file, l->source, strlen(l->source), 0644, &failed) &&
			  check_language(h, &a, wishes[i], e);
		free(file);
		if (!ok)
			return e->code == ERR_NONE;
		if (i == 0)
			check_libc(h, s->exec);
	}
	return true;
}
