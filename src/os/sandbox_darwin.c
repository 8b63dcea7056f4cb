/* macOS: a Seatbelt profile, as sandbox-exec(1) takes one, applied to the process itself. */
#ifdef __APPLE__
#include "sandbox_int.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* In libSystem; <sandbox.h> declares it as deprecated, in favour of nothing a tool could use. */
extern int sandbox_init(const char *profile, uint64_t flags, char **error);
extern void sandbox_free_error(char *error);

/* A string of the profile language: quoted, with \ before \ and ". */
static void add_quoted(struct buf *b, const char *path)
{
	buf_addc(b, '"');
	for (; *path != '\0'; path++) {
		if (*path == '"' || *path == '\\')
			buf_addc(b, '\\');
		buf_addc(b, *path);
	}
	buf_addc(b, '"');
}

static void write_profile(struct buf *b, const struct sandbox *s)
{
	buf_adds(b, "(version 1)(allow default)(deny file-write*)(allow file-write*");
	for (const char *const *p = s->writable; *p != NULL; p++) {
		buf_adds(b, " (subpath ");
		add_quoted(b, *p);
		buf_addc(b, ')');
	}
	buf_adds(b, " (literal \"/dev/null\") (literal \"/dev/zero\") (literal \"/dev/tty\")"
		    " (literal \"/dev/ptmx\") (regex #\"^/dev/(fd/|ttys|pty|dtracehelper)\"))");
	if (!s->network)
		buf_adds(b, "(deny network*)(allow network* (local ip \"localhost:*\"))"
			    "(allow network* (remote ip \"localhost:*\"))(allow network* (remote "
			    "unix-socket))(allow network* (local unix-socket))");
}

static bool apply(const struct sandbox *s, struct err *e)
{
	struct buf profile = BUF_INIT;
	char *why = NULL;
	write_profile(&profile, s);
	bool ok = sandbox_init(buf_str(&profile), 0, &why) == 0;
	if (!ok)
		err_set(e, ERR_FAILED, "sandbox.seatbelt", "cannot enter the sandbox: %s",
			why != NULL ? why : "no reason given");
	if (why != NULL)
		sandbox_free_error(why);
	buf_fini(&profile);
	return ok;
}

void sandbox_os_probe(struct sandbox_support *s)
{
	static const char *const nothing[] = { NULL };
	struct sandbox strict = { .writable = nothing };
	struct err e = ERR_INIT;
	int status = 1;
	*s = (struct sandbox_support){ 0 };
	pid_t pid = fork();
	if (pid == 0)
		_exit(apply(&strict, &e) ? 0 : 1);
	bool ok = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
	s->files = s->network = ok;
	s->net_by = ok ? SANDBOX_NET_SEATBELT : SANDBOX_NET_NONE;
	const char *how = ok ? "Seatbelt" : "sandbox_init is refused (inside another sandbox?)";
	snprintf(s->files_how, sizeof s->files_how, "%s", how);
	snprintf(s->network_how, sizeof s->network_how, "%s", how);
}

bool sandbox_os_enter(const struct sandbox *s, const struct sandbox_support *support, struct err *e)
{
	return !support->files || apply(s, e);
}
#else
typedef int sandbox_darwin_is_for_macos;
#endif
