#include "hostcheck_int.h"

#include "fs.h"
#include "mem.h"
#include "proc.h"
#include "sandbox.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void finding_add(struct hostcheck *h, enum severity severity, const char *id, const char *remedy,
	const char *fmt, ...)
{
	struct finding f = { .severity = severity, .id = id };
	va_list ap;
	va_start(ap, fmt);
	f.text = xvasprintf(fmt, ap);
	va_end(ap);
	f.remedy = remedy != NULL ? xstrdup(remedy) : NULL;
	vec_push(&h->findings, f);
}

const char *hostcheck_env(const struct hostcheck_opts *o, const char *name)
{
	size_t n = strlen(name);
	for (const char *const *v = o->env; v != NULL && *v != NULL; v++) {
		if (strncmp(*v, name, n) == 0 && (*v)[n] == '=' && (*v)[n + 1] != '\0')
			return *v + n + 1;
	}
	return NULL;
}

bool trial_run(const struct hostcheck_opts *o, const char *dir, const char *const *argv,
	struct trial *t, struct err *e)
{
	char *path = xasprintf("PATH=%s", o->path != NULL ? o->path : HOSTCHECK_PATH);
	char *tmp = xasprintf("TMPDIR=%s", dir);
	const char *const env[] = { path, tmp, "LC_ALL=C", "TERM=dumb", NULL };
	struct proc_result r = PROC_RESULT_INIT;
	struct err failed = ERR_INIT;
	*t = (struct trial){ .output = BUF_INIT };
	struct proc_spec spec = { .argv = argv,
		.env = env,
		.cwd = dir,
		.log_fd = -1,
		.timeout_s = 20,
		.tail_lines = 30,
		.out = &t->output };
	bool ran = proc_run(&spec, &r, &failed);
	t->status = ran ? r.status : 127;
	buf_adds(&t->output, ran ? buf_str(&r.tail) : failed.message);
	if (failed.code == ERR_INTERRUPTED)
		*e = failed;
	proc_result_fini(&r);
	free(path);
	free(tmp);
	return e->code == ERR_NONE;
}

bool trial_script(const struct hostcheck_opts *o, const char *dir, struct str script,
	struct trial *t, struct err *e)
{
	struct err failed = ERR_INIT;
	char *path = path_join(dir, "script");
	const char *const argv[] = { path, NULL };
	bool ok = true;
	if (fs_write(AT_FDCWD, path, script.p, script.n, 0755, &failed)) {
		ok = trial_run(o, dir, argv, t, e);
	} else {
		*t = (struct trial){ .status = 127 };
		buf_adds(&t->output, failed.message);
	}
	free(path);
	return ok;
}

void trial_fini(struct trial *t)
{
	buf_fini(&t->output);
}

struct str trial_line(const struct trial *t)
{
	struct str rest = str_of(buf_str(&t->output)), line = { "", 0 };
	while (str_split(&rest, '\n', &line) && str_trim(line).n == 0)
		;
	return str_trim(line);
}

static void check_user(struct hostcheck *h)
{
	if (geteuid() == 0)
		finding_add(h, SEVERITY_INFO, "user.root", NULL,
			"running as root: it works, but nothing here needs it");
}

static void check_sandbox(struct hostcheck *h)
{
	struct sandbox_support s;
	struct buf lost = BUF_INIT;
	sandbox_probe(&s);
	sandbox_lost(&s, &lost);
	if (lost.n > 0)
		finding_add(h, SEVERITY_WARNING, "sandbox.lost", NULL, "%s", buf_str(&lost));
	else
		finding_add(h, SEVERITY_INFO, "sandbox", NULL, "builds are confined by %s and a %s",
			s.files_how, s.network_how);
	buf_fini(&lost);
}

/* What is tried in directories; the length first, since nothing is made where it is refused. */
static bool try_things(
	const struct hostcheck_opts *o, struct hostcheck *h, struct scratch *s, struct err *e)
{
	size_t limit = 0;
	if (!scratch_for_programs(o, s, e))
		return false;
	if (s->exec != NULL && !shebang_limit(o, s->exec, &limit, e))
		return false;
	hostcheck_length(h, limit);
	if (h->eprefix != NULL && scratch_in_target(h, s) && !hostcheck_fs(o, h, s, e))
		return false;
	return o->no_tools || (hostcheck_compilers(o, h, s, e) && hostcheck_tools(o, h, s, e));
}

bool hostcheck_run(const struct hostcheck_opts *o, struct hostcheck *h, struct err *e)
{
	struct scratch s = SCRATCH_NONE;
	if (o->eprefix != NULL)
		hostcheck_path(o, h);
	check_user(h);
	bool ok = try_things(o, h, &s, e);
	scratch_remove(&s);
	hostcheck_jobs(o, h);
	hostcheck_limits(h);
	check_sandbox(h);
	hostcheck_environ(o, h);
	return ok;
}

void hostcheck_fini(struct hostcheck *h)
{
	for (size_t i = 0; i < h->findings.n; i++) {
		free(h->findings.v[i].text);
		free(h->findings.v[i].remedy);
	}
	vec_fini(&h->findings);
	free(h->eprefix);
	*h = HOSTCHECK_INIT;
}

enum severity hostcheck_worst(const struct hostcheck *h)
{
	enum severity worst = SEVERITY_INFO;
	for (size_t i = 0; i < h->findings.n; i++) {
		if (h->findings.v[i].severity > worst)
			worst = h->findings.v[i].severity;
	}
	return worst;
}

const char *severity_name(enum severity s)
{
	static const char *const names[] = { "info", "warning", "error" };
	return names[s];
}

static void json_string(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "\"%s\":", name);
	if (value != NULL)
		buf_json(out, str_of(value));
	else
		buf_adds(out, "null");
}

void hostcheck_json(const struct hostcheck *h, struct buf *out)
{
	buf_printf(out, "{\"fit\":%s,", hostcheck_worst(h) < SEVERITY_ERROR ? "true" : "false");
	json_string(out, "eprefix", h->eprefix);
	buf_printf(out, ",\"jobs\":%u,\"memory\":%llu,\"findings\":[", h->jobs,
		(unsigned long long)h->memory);
	for (size_t i = 0; i < h->findings.n; i++) {
		const struct finding *f = &h->findings.v[i];
		buf_adds(out, i > 0 ? ",{" : "{");
		json_string(out, "severity", severity_name(f->severity));
		buf_addc(out, ',');
		json_string(out, "id", f->id);
		buf_addc(out, ',');
		json_string(out, "text", f->text);
		buf_addc(out, ',');
		json_string(out, "remedy", f->remedy);
		buf_addc(out, '}');
	}
	buf_adds(out, "]}\n");
}
