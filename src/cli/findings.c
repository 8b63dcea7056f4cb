#include "findings.h"

#include <unistd.h>

static const char *paint(enum severity s)
{
	static const char *const colors[] = { "\033[32m", "\033[33m", "\033[31m" };
	return colors[s];
}

static void print_one(FILE *to, const struct finding *f, bool color)
{
	static const char *const labels[] = { "ok      ", "warning ", "error   " };
	fprintf(to, "%s%s%s %s\n", color ? paint(f->severity) : "", labels[f->severity],
		color ? "\033[0m" : "", f->text);
	if (f->remedy != NULL)
		fprintf(to, "         -> %s\n", f->remedy);
}

void cli_print_findings(FILE *to, const struct hostcheck *h, enum severity least, bool color)
{
	for (int s = SEVERITY_ERROR; s >= (int)least; s--) {
		for (size_t i = 0; i < h->findings.n; i++) {
			if ((int)h->findings.v[i].severity == s)
				print_one(to, &h->findings.v[i], color);
		}
	}
}

bool cli_preflight(
	const struct cli *c, const struct hostcheck_opts *o, struct hostcheck *h, struct err *e)
{
	if (!hostcheck_run(o, h, e))
		return false;
	enum severity least = c->verbose > 0 ? SEVERITY_INFO
			      : c->quiet     ? SEVERITY_ERROR
					     : SEVERITY_WARNING;
	fflush(stdout);
	cli_print_findings(stderr, h, least, term_use_color(STDERR_FILENO, c->color));
	if (hostcheck_worst(h) < SEVERITY_ERROR)
		return true;
	return err_set(e, ERR_HOST, "host.unfit",
		"this host is not fit for a prefix in %s: see above; nothing was changed",
		o->eprefix);
}
