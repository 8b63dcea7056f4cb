#include "state.h"

#include "fs.h"
#include "workdir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

const char *state_root_name(const char *eprefix, const char *root)
{
	return strcmp(eprefix, root) == 0 ? "prefix" : "tmp";
}

static char *state_dir(const char *eprefix, const char *root, const char *category)
{
	return xasprintf("%s/var/lib/eprefix/steps/%s/%s", eprefix, state_root_name(eprefix, root),
		category);
}

/* Append a small file to *out; absent is no error and adds nothing. */
static bool read_if_there(const char *path, struct buf *out, struct err *e)
{
	struct err failed = ERR_INIT;
	if (fs_read(AT_FDCWD, path, out, &failed) || failed.sys == ENOENT || failed.sys == ENOTDIR)
		return true;
	*e = failed;
	return false;
}

static unsigned long parse_counter(struct str s)
{
	unsigned long n = 0;
	for (size_t i = 0; i < s.n && chr_digit(s.p[i]); i++)
		n = n * 10 + (unsigned long)(s.p[i] - '0');
	return n;
}

static void parse_line(struct step_state *s, struct str line, struct str *stage)
{
	struct str name;
	if (!str_split(&line, '=', &name))
		return;
	if (str_is(name, "stage"))
		*stage = line;
	else if (str_is(name, "key"))
		strv_own(&s->keys, xasprintf("%.*s %.*s", STR_ARG(*stage), STR_ARG(line)));
	else if (str_is(name, "counter"))
		s->counter = parse_counter(line);
	else if (str_is(name, "before"))
		strv_own(&s->keys, xstrndup(line.p, line.n));
}

bool state_read(const char *eprefix, const char *root, const char *cat_pf, struct step_state *s,
	struct err *e)
{
	char *dir = state_dir(eprefix, root, cat_pf);
	struct buf text = BUF_INIT;
	*s = (struct step_state){ 0 };
	bool ok = read_if_there(dir, &text, e);
	struct str rest = { text.p, text.n }, line, stage = STR("");
	while (str_split(&rest, '\n', &line))
		parse_line(s, line, &stage);
	buf_fini(&text);
	free(dir);
	return ok;
}

void state_fini(struct step_state *s)
{
	strv_fini(&s->keys);
}

/* Is name "<pn>-<version>"? */
static bool is_version_of(const char *name, const char *pn)
{
	size_t n = strlen(pn);
	return strncmp(name, pn, n) == 0 && name[n] == '-' && chr_digit(name[n + 1]);
}

/* Names of the state files of the step's package, whatever their version. */
static bool list_versions(
	const char *eprefix, const struct step *s, struct strv *names, struct err *e)
{
	char *dir = state_dir(eprefix, s->root, s->category);
	struct strv all = STRV_INIT;
	bool ok = !fs_is_dir(AT_FDCWD, dir) || fs_list(AT_FDCWD, dir, &all, e);
	for (size_t i = 0; i < all.n; i++) {
		if (is_version_of(all.v[i], s->pn))
			strv_push(names, all.v[i]);
	}
	strv_fini(&all);
	free(dir);
	return ok;
}

/* Add "stage key" unless it is of this stage or its stage is there already. */
static void keep_before(struct strv *before, const char *stage_key, const char *stage)
{
	size_t n = strcspn(stage_key, " ") + 1;
	if (strncmp(stage_key, stage, n - 1) == 0 && stage[n - 1] == '\0')
		return;
	for (size_t i = 0; i < before->n; i++) {
		if (strncmp(before->v[i], stage_key, n) == 0)
			return;
	}
	strv_push(before, stage_key);
}

/* What other stages had finished for this package, the newest first. */
static bool gather_before(
	const char *eprefix, const struct step *s, struct strv *before, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = list_versions(eprefix, s, &names, e);
	for (size_t i = names.n; ok && i-- > 0;) {
		struct step_state old = { 0 };
		char *cat_pf = xasprintf("%s/%s", s->category, names.v[i]);
		ok = state_read(eprefix, s->root, cat_pf, &old, e);
		for (size_t j = 0; j < old.keys.n; j++)
			keep_before(before, old.keys.v[j], s->stage);
		state_fini(&old);
		free(cat_pf);
	}
	strv_fini(&names);
	return ok;
}

bool state_write(const char *eprefix, const struct step *s, unsigned long counter, struct err *e)
{
	struct strv before = STRV_INIT;
	struct buf text = BUF_INIT;
	char *dir = state_dir(eprefix, s->root, s->category);
	char *path = xasprintf("%s/%s-%s", dir, s->pn, s->pvr);
	bool ok = gather_before(eprefix, s, &before, e);
	buf_printf(&text, "stage=%s\nkey=%s\ncounter=%lu\n", s->stage, s->key, counter);
	for (size_t i = 0; i < before.n; i++)
		buf_printf(&text, "before=%s\n", before.v[i]);
	ok = ok && fs_mkdirs(AT_FDCWD, dir, 0755, e) &&
	     fs_write(AT_FDCWD, path, text.p, text.n, 0644, e);
	free(path);
	free(dir);
	buf_fini(&text);
	strv_fini(&before);
	return ok;
}

/* Does the record exist with just this COUNTER? */
static bool has_record(const struct step *s, const char *pf, unsigned long counter)
{
	char *path = xasprintf("%s/var/db/pkg/%s/%s/COUNTER", s->root, s->category, pf);
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	bool same = fs_read(AT_FDCWD, path, &text, &ignored) && text.n > 0 &&
		    parse_counter((struct str){ text.p, text.n }) == counter;
	buf_fini(&text);
	free(path);
	return same;
}

/* What one state file says about the step. */
struct verdict {
	bool finished, other_key, gone;
};

static bool judge(
	const char *eprefix, const struct step *s, const char *pf, struct verdict *v, struct err *e)
{
	struct step_state state = { 0 };
	char *cat_pf = xasprintf("%s/%s", s->category, pf);
	char *wanted = xasprintf("%s %s", s->stage, s->key);
	bool ok = state_read(eprefix, s->root, cat_pf, &state, e);
	if (ok && state.keys.n > 0) {
		bool there = has_record(s, pf, state.counter);
		bool has = strv_has(&state.keys, wanted);
		v->finished = v->finished || (there && has);
		v->gone = v->gone || (!there && has);
		v->other_key = v->other_key || (there && !has);
	}
	state_fini(&state);
	free(wanted);
	free(cat_pf);
	return ok;
}

bool state_reason(
	const char *eprefix, const struct step *s, enum step_reason *reason, struct err *e)
{
	struct strv names = STRV_INIT;
	struct verdict v = { 0 };
	bool ok = list_versions(eprefix, s, &names, e);
	for (size_t i = 0; ok && i < names.n; i++)
		ok = judge(eprefix, s, names.v[i], &v, e);
	strv_fini(&names);
	if (v.finished)
		*reason = REASON_CURRENT;
	else if (workdir_resumes(s))
		*reason = REASON_RESUME;
	else if (v.other_key)
		*reason = REASON_CHANGED;
	else
		*reason = v.gone ? REASON_GONE : REASON_NEW;
	return ok;
}

/* Does "cat/pn", "pn" or one of them behind "stage:" name the step? */
static bool names_step(const char *redo, const struct step *s)
{
	const char *colon = strchr(redo, ':');
	const char *name = colon != NULL ? colon + 1 : redo;
	if (colon != NULL && !str_is((struct str){ redo, (size_t)(colon - redo) }, s->stage))
		return false;
	if (strchr(name, '/') == NULL)
		return strcmp(name, s->pn) == 0;
	size_t n = strlen(s->category);
	return strncmp(name, s->category, n) == 0 && name[n] == '/' &&
	       strcmp(name + n + 1, s->pn) == 0;
}

static bool mark_redo(struct plan *p, const char *redo, struct err *e)
{
	bool found = false;
	for (size_t i = 0; i < p->steps.n; i++) {
		if (!names_step(redo, &p->steps.v[i]))
			continue;
		found = true;
		p->info.v[i].reason = REASON_REDO;
	}
	return found ||
	       err_set(e, ERR_USAGE, "run.redo",
		       "--redo %s names no step of this bootstrap; `--pretend` lists them", redo);
}

bool plan_reasons(struct plan *p, const struct strv *redo, struct err *e)
{
	for (size_t i = 0; i < p->steps.n; i++) {
		if (!state_reason(p->eprefix, &p->steps.v[i], &p->info.v[i].reason, e))
			return false;
	}
	for (size_t i = 0; i < redo->n; i++) {
		if (!mark_redo(p, redo->v[i], e))
			return false;
	}
	return true;
}
