/* The host's utilities, by what they do and not by what they call themselves (field report F25). */
#include "hostcheck_int.h"

#include "mem.h"
#include "proc.h"

#include <stdlib.h>

/* One behaviour that the configure scripts rely on: a script for sh that has to print "fine". */
struct behaviour {
	const char *id, *tool, *script;
};

static const struct behaviour behaviours[] = {
	{ "tool.sh", "sh",
		"f() { printf '%s' \"${1#x}\"; }; x=$(f xfine) && case $x in f*) echo \"$x\";; "
		"esac" },
	{ "tool.awk", "awk",
		"echo 'a b' | awk -v w=FINE '{ sub(/b$/, tolower(w)); print $2 > \"/dev/stdout\" "
		"}'" },
	{ "tool.sed", "sed", "printf 'x=f\\nine\\n' | sed -n -e 's/^x=\\(.\\)$/\\1/;N;s/\\n//p'" },
	{ "tool.grep", "grep", "printf 'a\\nfine\\n' | grep -E '^(fine|b+)$' | grep -v -x -F a" },
	{ "tool.sort", "sort",
		"printf '2 b\\n1 fine\\n' | LC_ALL=C sort -k 1,1n | head -n 1 | "
		"cut -d ' ' -f 2 | tr -d '\\r'" },
	{ "tool.expr", "expr", "test \"$(expr xabc : 'x\\(.*\\)')\" = abc && echo fine" },
	{ "tool.find", "find",
		"mkdir -p t/u && : >t/u/f && find t -type f -name f -exec echo fine \\; "
		"&& rm -rf t" },
	{ "tool.xargs", "xargs", "printf 'fi\\nne\\n' | xargs printf '%s%s\\n'" },
	{ "tool.cp", "cp",
		"echo fine >a && cp -p a b && mv b c && ln -s c d && cat d && rm -f a c d" },
	{ "tool.cmp", "cmp", "echo x >a; echo x >b; cmp -s a b && echo fine; rm -f a b" },
	{ "tool.diff", "diff",
		"echo x >a; echo y >b; diff a b >/dev/null || echo fine; rm -f a b" },
	{ "tool.install", "install", "echo fine >a; install -m 644 a b && cat b; rm -f a b" },
};

#define UTILITIES_REMEDY                                                                           \
	"install the standard utilities (Debian: coreutils sed grep mawk findutils diffutils; "    \
	"Alpine: "                                                                                 \
	"the same and gawk), or repair this one"

static bool check_behaviour(const struct hostcheck_opts *o, struct hostcheck *h, const char *dir,
	const struct behaviour *b, struct err *e)
{
	const char *const argv[] = { "sh", "-c", b->script, NULL };
	struct trial t;
	bool ok = trial_run(o, dir, argv, &t, e);
	struct str line = trial_line(&t);
	if (ok && !str_is(line, "fine"))
		finding_add(h, SEVERITY_ERROR, b->id, UTILITIES_REMEDY,
			"the utility %s does not do what builds ask of it: %.*s", b->tool,
			STR_ARG(line.n > 0 ? line : STR("it answers nothing")));
	trial_fini(&t);
	return ok;
}

/* binutils by an archive that is made and read; as and ld have served the compilers already. */
static bool check_binutils(
	const struct hostcheck_opts *o, struct hostcheck *h, const char *dir, struct err *e)
{
	const char *const argv[] = { "sh", "-c",
		"echo fine >m && ar rc l.a m && ranlib l.a && ar p l.a m; rm -f m l.a", NULL };
	struct trial t;
	bool ok = trial_run(o, dir, argv, &t, e);
	struct str line = trial_line(&t);
	if (ok && !str_is(line, "fine"))
		finding_add(h, SEVERITY_ERROR, "binutils",
			"install binutils (macOS: xcode-select "
			"--install)",
			"ar and ranlib cannot make a library: %.*s",
			STR_ARG(line.n > 0 ? line : STR("they answer nothing")));
	trial_fini(&t);
	return ok;
}

/* What stage1 builds for itself where the host has none. */
static void list_optional(const struct hostcheck_opts *o, struct hostcheck *h)
{
	static const char *const names[] = { "make", "python3", "perl", "m4", "bison", "gawk",
		"patch", "tar", "xz" };
	const char *path = o->path != NULL ? o->path : HOSTCHECK_PATH;
	struct buf missing = BUF_INIT;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *found = proc_which(names[i], path);
		if (found == NULL)
			buf_printf(&missing, " %s", names[i]);
		free(found);
	}
	if (missing.n > 0)
		finding_add(h, SEVERITY_INFO, "tools.built", NULL,
			"not on this host, built where needed:%s", buf_str(&missing));
	buf_fini(&missing);
}

bool hostcheck_tools(
	const struct hostcheck_opts *o, struct hostcheck *h, const struct scratch *s, struct err *e)
{
	list_optional(o, h);
	if (s->exec == NULL)
		return true;
	for (size_t i = 0; i < sizeof behaviours / sizeof *behaviours; i++) {
		if (!check_behaviour(o, h, s->exec, &behaviours[i], e))
			return false;
	}
	return check_binutils(o, h, s->exec, e);
}
