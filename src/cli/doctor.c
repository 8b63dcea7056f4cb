#include "commands.h"

#include "findings.h"
#include "fs.h"
#include "json_in.h"
#include "lua_api.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* What the Lua host file says of this machine, as JSON. */
static bool ask_host_file(const struct cli *c, struct buf *facts, struct err *e)
{
	struct lua *lua = NULL;
	struct buf options = BUF_INIT;
	struct err ignored = ERR_INIT;
	const char *names[] = { "cc", "cxx" };
	char dir[] = "/tmp/eprefix-doctor.XXXXXX";
	bool made = mkdtemp(dir) != NULL;
	buf_adds(&options, "{\"doctor\":true");
	for (size_t i = 0; i < 2; i++) {
		const char *value = cli_value(c, names[i], NULL);
		if (value == NULL)
			continue;
		buf_printf(&options, ",\"%s\":", names[i]);
		buf_json(&options, str_of(value));
	}
	buf_addc(&options, '}');
	bool ok = (made || err_sys(e, "doctor.tmp", "cannot make a directory in /tmp")) &&
		  lua_new(&lua, getenv("EPREFIX_LUA"), e) &&
		  lua_host_facts(lua, dir, buf_str(&options), facts, e);
	lua_free(lua);
	buf_fini(&options);
	if (made)
		fs_remove_tree(AT_FDCWD, dir, &ignored);
	return ok;
}

static char *copy_of(const struct json *string)
{
	struct str s = json_string(string);
	return string != NULL ? xstrndup(s.p, s.n) : NULL;
}

/* Findings that the host file worded itself: { severity, id, text, remedy }. */
static void add_told(struct hostcheck *h, const struct json *list)
{
	for (size_t i = 0; i < json_count(list); i++) {
		const struct json *told = json_at(list, i);
		bool warns = str_is(json_string(json_get(told, "severity")), "warning");
		struct finding f = { .severity = warns ? SEVERITY_WARNING : SEVERITY_INFO,
			.id = "gpu",
			.text = copy_of(json_get(told, "text")),
			.remedy = copy_of(json_get(told, "remedy")) };
		vec_push(&h->findings, f);
	}
}

/* What makes the machine unfit in the eyes of the host file becomes a finding like the others. */
static bool add_unfit(struct hostcheck *h, const struct buf *facts, struct err *e)
{
	struct json *doc = json_parse((struct str){ facts->p, facts->n }, e);
	const struct json *unfit = json_get(doc, "unfit");
	for (size_t i = 0; i < json_count(unfit); i++) {
		struct str s = json_string(json_at(unfit, i));
		struct finding f = { .severity = SEVERITY_ERROR, .id = "host.unfit" };
		f.text = xstrndup(s.p, s.n);
		vec_push(&h->findings, f);
	}
	add_told(h, json_get(json_get(doc, "gpu"), "findings"));
	json_free(doc);
	return e->code == ERR_NONE;
}

static void print_json(const struct hostcheck *h, const struct buf *facts)
{
	struct buf b = BUF_INIT;
	hostcheck_json(h, &b);
	/* The facts as one more member of the object. */
	while (b.n > 0 && b.p[b.n - 1] != '}')
		b.n--;
	b.n--;
	buf_printf(&b, ",\"facts\":%s}\n", facts->n > 0 ? buf_str(facts) : "null");
	fputs(buf_str(&b), stdout);
	buf_fini(&b);
}

static void print_text(const struct cli *c, const struct hostcheck *h, const struct buf *facts)
{
	cli_print_findings(stdout, h, c->quiet ? SEVERITY_WARNING : SEVERITY_INFO,
		term_use_color(STDOUT_FILENO, c->color));
	if (c->verbose > 0 && facts->n > 0)
		printf("facts    %s\n", buf_str(facts));
	if (!c->quiet)
		puts(hostcheck_worst(h) < SEVERITY_ERROR ? "This host is fit."
							 : "This host is not fit.");
}

/* The directory to look at: an operand, --prefix, $EPREFIX, or none. */
static const char *directory(const struct cli *c, int argc, char **argv)
{
	const char *env = getenv("EPREFIX");
	if (argc > 0)
		return argv[0];
	return cli_value(c, "prefix", env != NULL && *env != '\0' ? env : NULL);
}

static int run(struct cli *c, int argc, char **argv)
{
	struct hostcheck_opts o = { .eprefix = directory(c, argc, argv),
		.cc = cli_value(c, "cc", NULL),
		.cxx = cli_value(c, "cxx", NULL),
		.path = cli_value(c, "host-path", NULL),
		.env = (const char *const *)environ,
		.need_bytes = HOSTCHECK_BYTES,
		.need_inodes = HOSTCHECK_INODES };
	struct hostcheck h = HOSTCHECK_INIT;
	struct buf facts = BUF_INIT;
	struct err e = ERR_INIT;
	bool ok = cli_number(c, "jobs", (unsigned[]){ 1, 4096 }, &o.jobs, &e) &&
		  hostcheck_run(&o, &h, &e) && ask_host_file(c, &facts, &e) &&
		  add_unfit(&h, &facts, &e);
	if (ok && c->json)
		print_json(&h, &facts);
	else if (ok)
		print_text(c, &h, &facts);
	int status = !ok ? cli_fail(&e) : hostcheck_worst(&h) < SEVERITY_ERROR ? 0 : ERR_HOST;
	buf_fini(&facts);
	hostcheck_fini(&h);
	return status;
}

static const struct cli_option options[] = {
	{ 'j', "jobs", "N", "judge the memory for so many jobs", NULL },
	{ 0, "cc", "PROGRAM", "the C compiler to use", NULL },
	{ 0, "cxx", "PROGRAM", "the C++ compiler to use", NULL },
	{ 0, "host-path", "LIST", "where the host's tools are, in place of " HOSTCHECK_PATH, NULL },
	{ 0, NULL, NULL, NULL, NULL },
};

const struct cli_command cmd_doctor = {
	.name = "doctor",
	.summary = "tell whether this host is fit for a prefix, and what to do where it is not",
	.usage = "[EPREFIX]",
	.details = "Everything is found by trying it out: the file system of EPREFIX, the "
		   "compilers, the "
		   "utilities, the kernel's sandbox. Each finding that matters comes with its "
		   "remedy, all "
		   "at once. EPREFIX need not exist, and nothing is left in it. Each `eprefix "
		   "bootstrap` "
		   "starts with the same check.\n\n"
		   "Exit status: 0 the host is fit, 3 it is not.",
	.options = options,
	.max_args = 1,
	.run = run,
};
