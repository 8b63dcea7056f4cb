/* Putting the fields of a record together in Portage's form (portage-formats §3.3). */
#include "fs.h"
#include "vdb_int.h"

#include <stdarg.h>
#include <stdlib.h>

/* The names are the caller's constants: anything else is a mistake in this program. */
static void check_name(const char *name)
{
	if (strcmp(name, "COUNTER") == 0 || strcmp(name, "CONTENTS") == 0 ||
		strcmp(name, "metadata") == 0 || strchr(name, '/') != NULL || name[0] == '.')
		abort();
}

/* Where the field is, or would be. */
static size_t position(const struct vdb_fields *f, const char *name, bool *found)
{
	size_t i = 0;
	while (i < f->list.n && strcmp(f->list.v[i].name, name) < 0)
		i++;
	*found = i < f->list.n && strcmp(f->list.v[i].name, name) == 0;
	return i;
}

static void put(struct vdb_fields *f, const char *name, struct str value)
{
	bool found;
	check_name(name);
	size_t at = position(f, name, &found);
	if (!found) {
		vec_push(&f->list, (struct image_field){ 0 });
		memmove(f->list.v + at + 1, f->list.v + at,
			(f->list.n - 1 - at) * sizeof *f->list.v);
		f->list.v[at].name = arena_strdup(&f->arena, name);
	}
	f->list.v[at].value = value;
}

/* Any bytes, with a NUL behind them. */
static struct str copy_bytes(struct vdb_fields *f, struct str bytes)
{
	char *copy = arena_alloc(&f->arena, bytes.n + 1);
	if (bytes.n > 0)
		memcpy(copy, bytes.p, bytes.n);
	copy[bytes.n] = '\0';
	return (struct str){ copy, bytes.n };
}

static void leave_out(struct vdb_fields *f, const char *name)
{
	bool found;
	size_t at = position(f, name, &found);
	if (!found)
		return;
	f->list.n--;
	memmove(f->list.v + at, f->list.v + at + 1, (f->list.n - at) * sizeof *f->list.v);
}

void vdb_set(struct vdb_fields *f, const char *name, const char *value)
{
	struct buf line = BUF_INIT;
	struct str rest = str_of(value != NULL ? value : ""), word;
	while (str_word(&rest, &word)) {
		if (line.n > 0)
			buf_addc(&line, ' ');
		buf_add_str(&line, word);
	}
	bool always = strcmp(name, "USE") == 0 || strcmp(name, "IUSE") == 0;
	if (line.n == 0 && !always) {
		leave_out(f, name);
	} else {
		buf_addc(&line, '\n');
		put(f, name, (struct str){ arena_strndup(&f->arena, line.p, line.n), line.n });
	}
	buf_fini(&line);
}

void vdb_setf(struct vdb_fields *f, const char *name, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *value = xvasprintf(fmt, ap);
	va_end(ap);
	vdb_set(f, name, value);
	free(value);
}

void vdb_set_bytes(struct vdb_fields *f, const char *name, struct str bytes)
{
	if (bytes.n == 0) {
		leave_out(f, name);
		return;
	}
	put(f, name, copy_bytes(f, bytes));
}

static void split_words(struct strv *out, const char *text)
{
	struct str rest = str_of(text), word;
	while (str_word(&rest, &word))
		strv_own(out, xstrndup(word.p, word.n));
}

void vdb_set_use(struct vdb_fields *f, const char *use, const char *iuse_effective)
{
	struct strv flags = STRV_INIT, known = STRV_INIT;
	struct buf line = BUF_INIT;
	split_words(&flags, use);
	split_words(&known, iuse_effective);
	strv_sort(&flags);
	for (size_t i = 0; i < flags.n; i++) {
		bool again = i > 0 && strcmp(flags.v[i], flags.v[i - 1]) == 0;
		if (!again && strv_has(&known, flags.v[i]))
			buf_printf(&line, "%s ", flags.v[i]);
	}
	vdb_set(f, "USE", buf_str(&line));
	strv_fini(&flags);
	strv_fini(&known);
	buf_fini(&line);
}

const char *vdb_fields_get(const struct vdb_fields *f, const char *name)
{
	bool found;
	size_t at = position(f, name, &found);
	if (!found)
		return NULL;
	struct str v = f->list.v[at].value;
	bool newline = v.n > 0 && v.p[v.n - 1] == '\n';
	/* The arena belongs to the fields, whoever looks at them. */
	return arena_strndup((struct arena *)&f->arena, v.p, v.n - newline);
}

static bool of_image(const char *name)
{
	return name[0] == '.' || strcmp(name, "COUNTER") == 0 || strcmp(name, "CONTENTS") == 0 ||
	       strcmp(name, "metadata") == 0;
}

bool vdb_fields_load(struct vdb_fields *f, const struct vdb_pkg *p, struct err *e)
{
	struct strv names = STRV_INIT;
	char *dir = xasprintf("%s/%s", p->category, p->pf);
	bool ok = fs_list(p->vdb->db, dir, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		struct buf text = BUF_INIT;
		if (of_image(names.v[i]))
			continue;
		ok = vdb_read(p, names.v[i], &text, e);
		if (ok)
			put(f, names.v[i], copy_bytes(f, (struct str){ text.p, text.n }));
		buf_fini(&text);
	}
	strv_fini(&names);
	free(dir);
	return ok;
}

void vdb_fields_fini(struct vdb_fields *f)
{
	vec_fini(&f->list);
	arena_fini(&f->arena);
}
