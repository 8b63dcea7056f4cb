#include "verify.h"

#include "fs.h"
#include "verify_int.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

bool verify_has_libc(const struct vdb *v)
{
	size_t n;
	return vdb_of_name(v, "sys-libs", "glibc", &n) != NULL ||
	       vdb_of_name(v, "sys-libs", "musl", &n) != NULL;
}

/* Note the path and the directories above it as belonging to a package. */
static void own(struct verify *v, struct str path)
{
	static char yes;
	while (path.n > 0 && map_get(&v->owned, path) == NULL) {
		map_set(&v->owned, path, &yes);
		while (path.n > 0 && path.p[path.n - 1] != '/')
			path.n--;
		if (path.n > 0)
			path.n--;
	}
}

static const char *type_name(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory";
	if (S_ISLNK(mode))
		return "a symlink";
	return S_ISREG(mode) ? "a file" : "something else";
}

/* Does what is there have the recorded type? A recorded directory may have become a symlink to
 * one: Portage keeps such links. */
static bool same_type(
	const struct verify *v, const struct contents_entry *entry, const char *path, mode_t mode)
{
	switch (entry->type) {
	case CONTENTS_DIR:
		return S_ISDIR(mode) || (S_ISLNK(mode) && fs_is_dir(v->o->root, path));
	case CONTENTS_OBJ:
		return S_ISREG(mode);
	case CONTENTS_SYM:
		return S_ISLNK(mode);
	case CONTENTS_FIF:
	case CONTENTS_DEV:
		break;
	}
	return true;
}

static void check_symlink(
	struct verify *v, const struct contents_entry *entry, const char *path, bool compare)
{
	struct err e = ERR_INIT;
	char *target = fs_readlink(v->o->root, path, &e);
	v->r->symlinks++;
	if (target == NULL) {
		flaws_add(&v->r->found, FLAW_MISSING, path, "%s", e.message);
		return;
	}
	if (compare && !str_is(entry->target, target))
		flaws_add(&v->r->found, FLAW_CONTENT, path, "points at %s, recorded is %.*s",
			target, STR_ARG(entry->target));
	leak_check_symlink(&v->leak, path, target, &v->r->found);
	free(target);
}

/* One line of a record against what is there; the bytes of files come later. */
static void check_entry(struct verify *v, const struct contents_entry *entry, const char *path)
{
	const struct verify_state *state = verify_state_of(path);
	bool compare = state == NULL || !state->changes;
	struct stat st;
	if (fstatat(v->o->root, path, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		if (compare)
			flaws_add(&v->r->found, FLAW_MISSING, path, "%s",
				errno == ENOENT || errno == ENOTDIR ? "" : strerror(errno));
		return;
	}
	if (!same_type(v, entry, path, st.st_mode)) {
		if (compare)
			flaws_add(&v->r->found, FLAW_MISSING, path, "is %s, recorded as %s",
				type_name(st.st_mode), contents_word(entry->type));
		return;
	}
	bool timed = entry->type == CONTENTS_OBJ || entry->type == CONTENTS_SYM;
	if (compare && timed && (uint64_t)st.st_mtime != entry->mtime)
		flaws_add(&v->r->found, FLAW_MTIME, path, "is of %lld, recorded is %llu",
			(long long)st.st_mtime, (unsigned long long)entry->mtime);
	if (S_ISREG(st.st_mode))
		vec_push(&v->files, (struct verify_file){ path, entry, st.st_mode, st.st_size,
					    compare && entry->md5.n > 0 });
	else if (S_ISLNK(st.st_mode) && entry->type == CONTENTS_SYM)
		check_symlink(v, entry, path, compare);
}

/* The physical path of an entry, relative to the prefix; NULL when the record is wrong about it. */
static const char *locate(struct verify *v, const struct contents_entry *entry, const char *pf)
{
	char *full = arena_strndup(&v->map.arena, entry->path.p, entry->path.n);
	const char *inside = rootmap_relative(v->o->eprefix, full);
	struct str real = inside != NULL ? rootmap_real(&v->map, str_of(inside)) : STR("/");
	if (real.n > 0 && real.p[0] != '/')
		return arena_strndup(&v->map.arena, real.p, real.n);
	flaws_add(&v->r->found, FLAW_RECORD, pf, "lists %s, which is outside the prefix", full);
	return NULL;
}

static void check_record(struct verify *v, const struct verify_record *record, const char *pf)
{
	if (record->contents.bad > 0)
		flaws_add(&v->r->found, FLAW_RECORD, pf,
			"CONTENTS has %zu lines that say nothing, the first is line %zu",
			record->contents.bad, record->contents.first_bad);
	for (size_t i = 0; i < record->contents.list.n; i++) {
		const struct contents_entry *entry = &record->contents.list.v[i];
		const char *path = locate(v, entry, pf);
		if (path == NULL)
			continue;
		own(v, str_of(path));
		check_entry(v, entry, path);
	}
}

static bool check_package(
	struct verify *v, const struct vdb_pkg *p, struct verify_record *record, struct err *e)
{
	if (!vdb_contents(p, &record->contents, &record->text, e))
		return false;
	char *pf = arena_printf(&v->map.arena, "var/db/pkg/%s/%s", p->category, p->pf);
	check_record(v, record, pf);
	v->r->packages++;
	return true;
}

static bool check_records(struct verify *v, struct err *e)
{
	const struct verify_opts *o = v->o;
	v->n_records = o->packages != NULL ? o->n_packages : vdb_count(o->vdb);
	v->records = xcalloc(v->n_records + 1, sizeof *v->records);
	for (size_t i = 0; i < v->n_records; i++) {
		const struct vdb_pkg *p = o->packages != NULL ? o->packages[i] : vdb_at(o->vdb, i);
		if (!check_package(v, p, &v->records[i], e))
			return false;
	}
	return true;
}

bool verify_run(const struct verify_opts *o, struct verify_result *r, struct err *e)
{
	struct verify v = { .o = o, .r = r };
	leak_init(&v.leak, o->root, o->eprefix, o->guest);
	rootmap_init(&v.map, o->root, o->eprefix);
	bool ok = check_records(&v, e);
	if (ok)
		verify_read_files(&v);
	if (ok && o->packages == NULL)
		ok = verify_find_unowned(&v, e) &&
		     leak_check_tools(&v.leak, &r->tools, &r->found, e);
	flaws_sort(&r->found);
	for (size_t i = 0; i < v.n_records; i++) {
		contents_fini(&v.records[i].contents);
		buf_fini(&v.records[i].text);
	}
	free(v.records);
	vec_fini(&v.files);
	map_fini(&v.owned);
	rootmap_fini(&v.map);
	leak_fini(&v.leak);
	return ok;
}

void verify_result_fini(struct verify_result *r)
{
	flaws_fini(&r->found);
}
