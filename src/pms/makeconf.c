#include "makeconf.h"

#include "fs.h"
#include "linefile.h"
#include "shlex.h"

#include <stdlib.h>
#include <string.h>

/* Files that source each other without end are stopped here. */
#define MAX_SOURCE_DEPTH 16

const char *vars_get(const struct vars *v, const char *name)
{
	return map_get(&v->map, str_of(name));
}

void vars_set(struct vars *v, const char *name, const char *value)
{
	if (map_get(&v->map, str_of(name)) == NULL) {
		strv_push(&v->names, name);
		name = v->names.v[v->names.n - 1];
	}
	map_set(&v->map, str_of(name), (void *)value);
}

void vars_fini(struct vars *v)
{
	map_fini(&v->map);
	strv_fini(&v->names);
}

/* One file being read. */
struct reader {
	const struct makeconf *m;
	const char *file;
	struct shlex lex;
	unsigned depth;
	struct err *e;
};

static bool read_text(
	const struct makeconf *m, struct str text, const char *file, unsigned depth, struct err *e);

static bool bad(struct reader *r, const char *what, const char *token)
{
	return err_set(r->e, ERR_USAGE, "config.syntax", "%s:%u: %s%s%s%s", r->file, r->lex.line,
		what, token != NULL ? " '" : "", token != NULL ? token : "",
		token != NULL ? "'" : "");
}

/* The next token into *token, NULL at the end of the file. */
static bool next(struct reader *r, char **token)
{
	const char *why = NULL;
	*token = shlex_next(&r->lex, &why);
	return why == NULL || bad(r, why, NULL);
}

static bool is_name(const char *s)
{
	if (!chr_alpha(*s) && *s != '_')
		return false;
	while (chr_alnum(*s) || *s == '_')
		s++;
	return *s == '\0';
}

static char *expand(struct reader *r, const char *value)
{
	struct buf out = BUF_INIT;
	const char *why = NULL;
	if (!shlex_expand(str_of(value), r->m->expand, &out, &why))
		bad(r, why, value);
	char *kept = why == NULL ? arena_strdup(r->m->arena, buf_str(&out)) : NULL;
	buf_fini(&out);
	return kept;
}

static bool source(struct reader *r)
{
	char *token = NULL, *path = NULL, *dir = NULL;
	struct str text;
	bool ok = next(r, &token);
	if (ok && token == NULL)
		ok = bad(r, "'source' needs a file", NULL);
	if (ok && r->depth >= MAX_SOURCE_DEPTH)
		ok = bad(r, "files source each other too deeply at", token);
	const char *name = ok ? expand(r, token) : NULL;
	if (name != NULL) {
		const char *slash = strrchr(r->file, '/');
		dir = slash != NULL ? xstrndup(r->file, (size_t)(slash - r->file)) : xstrdup(".");
		path = path_join(dir, name);
		ok = file_text(r->m->arena, path, &text, r->e) ||
		     err_in(r->e, "%s:%u: source", r->file, r->lex.line);
		ok = ok &&
		     read_text(r->m, text, arena_strdup(r->m->arena, path), r->depth + 1, r->e);
	}
	free(dir);
	free(path);
	free(token);
	return ok && name != NULL;
}

/* The value behind "NAME="; one that is left out is empty, which Portage takes for an error. */
static bool assigned(struct reader *r, const char *name)
{
	char *token = NULL;
	const char *value = "";
	if (shlex_at_line_end(&r->lex)) {
		strv_own(r->m->warnings, xasprintf("%s:%u: %s= has no value; write %s=\"\"",
						 r->file, r->lex.line, name, name));
	} else {
		if (!next(r, &token))
			return false;
		value = expand(r, token);
	}
	free(token);
	if (value == NULL)
		return false;
	vars_set(r->m->out, name, value);
	vars_set(r->m->expand, name, value);
	return true;
}

/* What starts with the word `name`. */
static bool statement(struct reader *r, const char *name)
{
	char *equals = NULL;
	if (strcmp(name, "source") == 0 && r->m->sourcing)
		return source(r);
	bool ok = next(r, &equals);
	if (ok && (equals == NULL || strcmp(equals, "=") != 0))
		ok = bad(r, "expected NAME=value, but no '=' follows", name);
	free(equals);
	if (ok && !is_name(name))
		ok = bad(r, "this is no variable name:", name);
	return ok && assigned(r, name);
}

static bool read_text(
	const struct makeconf *m, struct str text, const char *file, unsigned depth, struct err *e)
{
	struct reader r = { .m = m, .file = file, .depth = depth, .e = e };
	r.lex = (struct shlex){ .rest = text, .line = 1 };
	char *name;
	bool ok = next(&r, &name);
	while (ok && name != NULL) {
		if (strcmp(name, "export") == 0) {
			free(name);
			ok = next(&r, &name);
			continue;
		}
		ok = statement(&r, name);
		free(name);
		name = NULL;
		ok = ok && next(&r, &name);
	}
	free(name);
	return ok;
}

bool makeconf_text(const struct makeconf *m, struct str text, const char *file, struct err *e)
{
	return read_text(m, text, file, 0, e);
}

bool makeconf_read(const struct makeconf *m, const char *path, struct err *e)
{
	struct strv files = STRV_INIT;
	bool ok = files_of(path, &files, e);
	for (size_t i = 0; ok && i < files.n; i++) {
		struct str text;
		ok = file_text(m->arena, files.v[i], &text, e) &&
		     read_text(m, text, arena_strdup(m->arena, files.v[i]), 0, e);
	}
	strv_fini(&files);
	return ok;
}
