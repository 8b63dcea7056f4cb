#include "overlay.h"

#include "fs.h"
#include "linefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

void overlays_fini(struct overlays *o)
{
	vec_fini(&o->list);
	arena_fini(&o->arena);
}

const char *overlays_expand(struct overlays *o, struct str location)
{
	static const char *const names[] = { "${EPREFIX}", "%(EPREFIX)s", "$EPREFIX" };
	struct buf out = BUF_INIT;
	while (location.n > 0) {
		size_t skip = 0;
		for (size_t i = 0; skip == 0 && i < 3; i++)
			skip = str_starts(location, names[i]) ? strlen(names[i]) : 0;
		if (skip > 0)
			buf_adds(&out, o->eprefix);
		else
			buf_addc(&out, location.p[0]);
		skip += skip == 0;
		location = (struct str){ location.p + skip, location.n - skip };
	}
	char *clean = path_clean(buf_str(&out));
	const char *kept = arena_strdup(&o->arena, clean);
	free(clean);
	buf_fini(&out);
	return kept;
}

static void set_value(struct overlay *x, const struct ini_entry *entry)
{
	if (str_is(entry->key, "location"))
		x->location = entry->value;
	else if (str_is(entry->key, "sync-type"))
		x->sync_type = entry->value;
	else if (str_is(entry->key, "sync-uri"))
		x->sync_uri = entry->value;
}

static struct overlay *find(struct overlays *o, struct str name)
{
	for (size_t i = 0; i < o->list.n; i++) {
		if (str_eq(o->list.v[i].name, name))
			return &o->list.v[i];
	}
	return NULL;
}

const struct overlay *overlays_find(const struct overlays *o, const char *name)
{
	return find((struct overlays *)o, str_of(name));
}

static void add_sections(struct overlays *o, const struct ini *ini)
{
	for (size_t i = 0; i < ini->list.n; i++) {
		const struct ini_entry *entry = &ini->list.v[i];
		bool defaults = str_is(entry->section, "DEFAULT");
		struct overlay *x = find(o, entry->section);
		if (!defaults && x == NULL) {
			struct overlay fresh = { .name = entry->section, .file = entry->file };
			vec_push(&o->list, fresh);
			x = &o->list.v[o->list.n - 1];
		}
		if (!defaults)
			set_value(x, entry);
	}
	for (size_t i = 0; i < o->list.n; i++)
		o->list.v[i].path = overlays_expand(o, o->list.v[i].location);
}

bool overlays_read(struct overlays *o, const char *eprefix, struct err *e)
{
	struct strv files = STRV_INIT;
	struct ini ini = { 0 };
	char *path = path_join(eprefix, "etc/portage/repos.conf");
	o->eprefix = eprefix;
	bool ok = files_of(path, &files, e);
	for (size_t i = 0; ok && i < files.n; i++) {
		struct str text;
		ok = file_text(&o->arena, files.v[i], &text, e) &&
		     ini_parse(&o->arena, text, arena_strdup(&o->arena, files.v[i]), &ini, e);
	}
	if (ok)
		add_sections(o, &ini);
	vec_fini(&ini.list);
	strv_fini(&files);
	free(path);
	return ok;
}

const char *overlays_name_of(struct overlays *o, const char *dir)
{
	struct err ignored = ERR_INIT;
	struct str text, word;
	char *path = path_join(dir, "profiles/repo_name");
	bool ok = file_text(&o->arena, path, &text, &ignored) && str_word(&text, &word);
	free(path);
	return ok ? arena_strndup(&o->arena, word.p, word.n) : "";
}
