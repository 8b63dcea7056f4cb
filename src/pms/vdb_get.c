/* Reading the fields of a record: from its own files, or the consolidated one (§3.2, §3.4). */
#include "fs.h"
#include "place.h"
#include "vdb_int.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* What a current `metadata` file answers for, even by silence; sorted. */
static const char *const consolidated[] = { "BDEPEND", "BUILD_ID", "BUILD_TIME", "CHOST", "COUNTER",
	"DEFINED_PHASES", "DEPEND", "DESCRIPTION", "EAPI", "HOMEPAGE", "IDEPEND", "IUSE",
	"KEYWORDS", "LICENSE", "PDEPEND", "PROPERTIES", "PROVIDES", "RDEPEND", "REQUIRES",
	"RESTRICT", "SLOT", "USE", "repository" };

static struct vdb_record *record_of(const struct vdb_pkg *p)
{
	return &p->vdb->records[p->index];
}

/* All of a regular file: a read that comes back short has met the end. */
static bool read_whole(int fd, struct buf *out)
{
	char chunk[4096];
	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n > 0)
			buf_add(out, chunk, (size_t)n);
		else if (n < 0 && errno != EINTR)
			return false;
		if (n >= 0 && (size_t)n < sizeof chunk)
			return true;
	}
}

/* A plan reads ten thousand of these small files: three system calls for each, one if absent. */
bool vdb_read_file(
	const struct vdb_pkg *p, const char *name, struct buf *out, bool *found, struct err *e)
{
	struct buf path = BUF_INIT;
	buf_adds(&path, p->category);
	buf_addc(&path, '/');
	buf_adds(&path, p->pf);
	buf_addc(&path, '/');
	buf_adds(&path, name);
	int fd = openat(p->vdb->db, path.p, O_RDONLY | O_CLOEXEC);
	*found = fd >= 0;
	bool ok = fd >= 0 ? read_whole(fd, out) : errno == ENOENT || errno == ENOTDIR;
	if (!ok)
		fs_fail(e, "read", p->vdb->db, path.p);
	if (fd >= 0)
		close(fd);
	buf_fini(&path);
	return ok;
}

bool vdb_read(const struct vdb_pkg *p, const char *field, struct buf *out, struct err *e)
{
	bool found;
	if (!vdb_read_file(p, field, out, &found, e))
		return false;
	if (found)
		return true;
	err_set(e, ERR_FAILED, "vdb.field", "the record of %s/%s has no file %s", p->category,
		p->pf, field);
	e->sys = ENOENT;
	return false;
}

/* White space as Portage makes it: one blank between words. */
static const char *normal(struct vdb *v, struct str text)
{
	char *value = arena_alloc(&v->arena, text.n + 1);
	size_t n = 0;
	struct str word;
	while (str_word(&text, &word)) {
		if (n > 0)
			value[n++] = ' ';
		memcpy(value + n, word.p, word.n);
		n += word.n;
	}
	value[n] = '\0';
	return value;
}

/* Remember a field; returns its value. */
static const char *keep(const struct vdb_pkg *p, const char *name, struct str value)
{
	struct vdb_record *r = record_of(p);
	struct vdb *v = p->vdb;
	vec_push(&r->values, (struct vdb_value){ arena_strdup(&v->arena, name), normal(v, value) });
	return r->values.v[r->values.n - 1].value;
}

/* Nanoseconds of the directory's modification, as Portage prints them. */
static bool is_current(const struct vdb_pkg *p, struct str stamp)
{
	struct stat st;
	char now[32];
	char *path = xasprintf("%s/%s", p->category, p->pf);
	bool ok = fstatat(p->vdb->db, path, &st, 0) == 0;
	free(path);
	if (!ok)
		return false;
	struct timespec t = place_mtime(&st);
	snprintf(
		now, sizeof now, "%lld", (long long)t.tv_sec * 1000000000LL + (long long)t.tv_nsec);
	return str_is(str_trim(stamp), now);
}

static void parse_metadata(const struct vdb_pkg *p, struct str text)
{
	struct str rest = text, line, key;
	bool format = false, current = false;
	while (str_split(&rest, '\n', &line)) {
		if (!str_split(&line, '=', &key))
			continue;
		format = format || (str_is(key, "#format") && str_is(str_trim(line), "1"));
		current = current || (str_is(key, "#dir_mtime") && is_current(p, line));
	}
	if (!format || !current)
		return;
	record_of(p)->metadata = METADATA_CURRENT;
	for (rest = text; str_split(&rest, '\n', &line);) {
		if (line.n == 0 || line.p[0] == '#' || !str_split(&line, '=', &key))
			continue;
		char *name = xstrndup(key.p, key.n);
		keep(p, name, line);
		free(name);
	}
}

static void load_metadata(const struct vdb_pkg *p)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	bool found;
	record_of(p)->metadata = METADATA_NONE;
	if (vdb_read_file(p, "metadata", &text, &found, &ignored) && found)
		parse_metadata(p, (struct str){ text.p, text.n });
	buf_fini(&text);
}

static const char *kept(const struct vdb_record *r, const char *field)
{
	for (size_t i = 0; i < r->values.n; i++) {
		if (strcmp(r->values.v[i].name, field) == 0)
			return r->values.v[i].value;
	}
	return NULL;
}

static bool in_metadata(const char *field)
{
	for (size_t i = 0; i < sizeof consolidated / sizeof *consolidated; i++) {
		if (strcmp(consolidated[i], field) == 0)
			return true;
	}
	return false;
}

const char *vdb_get(const struct vdb_pkg *p, const char *field)
{
	struct vdb_record *r = record_of(p);
	if (r->metadata == METADATA_UNKNOWN)
		load_metadata(p);
	const char *value = kept(r, field);
	if (value != NULL)
		return value;
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	bool found;
	if (r->metadata != METADATA_CURRENT || !in_metadata(field))
		vdb_read_file(p, field, &text, &found, &ignored);
	value = keep(p, field, (struct str){ buf_str(&text), text.n });
	buf_fini(&text);
	return value;
}

const char *vdb_slot(const struct vdb_pkg *p)
{
	static const char name[] = "slot without sub-slot";
	const char *known = kept(record_of(p), name);
	if (known != NULL)
		return known;
	struct str rest = str_of(vdb_get(p, "SLOT")), slot = { "", 0 };
	str_split(&rest, '/', &slot);
	return keep(p, name, name_slot(slot) ? slot : STR("0"));
}

const char *vdb_repo(const struct vdb_pkg *p)
{
	const char *repo = vdb_get(p, "repository");
	return repo[0] != '\0' ? repo : "__unknown__";
}

uint64_t vdb_counter(const struct vdb_pkg *p)
{
	return strtoull(vdb_get(p, "COUNTER"), NULL, 10);
}

bool vdb_contents(const struct vdb_pkg *p, struct contents *c, struct buf *text, struct err *e)
{
	bool found;
	if (!vdb_read_file(p, "CONTENTS", text, &found, e))
		return false;
	contents_parse(c, (struct str){ buf_str(text), text->n });
	return true;
}
