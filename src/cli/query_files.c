/* eprefix query files, owner, check. */
#include "digest.h"
#include "fs.h"
#include "query.h"
#include "rootmap.h"

#include <errno.h>
#include <fcntl.h>

static void add_file(struct query *q, const struct contents_entry *entry, size_t i)
{
	if (!q->cli->json) {
		buf_add_str(&q->out, entry->path);
		if (q->cli->verbose > 0 && entry->type == CONTENTS_SYM)
			buf_printf(&q->out, " -> %.*s", STR_ARG(entry->target));
		buf_addc(&q->out, '\n');
		return;
	}
	buf_adds(&q->out, i > 0 ? ", {\"type\": \"" : "{\"type\": \"");
	buf_printf(&q->out, "%s\", \"path\": ", contents_word(entry->type));
	buf_json(&q->out, entry->path);
	if (entry->type == CONTENTS_OBJ) {
		buf_adds(&q->out, ", \"md5\": ");
		buf_json(&q->out, entry->md5);
	}
	if (entry->type == CONTENTS_SYM) {
		buf_adds(&q->out, ", \"target\": ");
		buf_json(&q->out, entry->target);
	}
	if (entry->type == CONTENTS_OBJ || entry->type == CONTENTS_SYM)
		buf_printf(&q->out, ", \"mtime\": %llu", (unsigned long long)entry->mtime);
	buf_addc(&q->out, '}');
}

bool query_files(struct query *q, struct err *e)
{
	for (size_t i = 0; i < q->packages.list.n; i++) {
		const struct vdb_pkg *p = q->packages.list.v[i];
		struct contents c = CONTENTS_INIT;
		struct buf text = BUF_INIT;
		bool ok = vdb_contents(p, &c, &text, e);
		if (q->cli->json) {
			query_object(q, p);
			buf_adds(&q->out, ", \"files\": [");
		}
		for (size_t k = 0; k < c.list.n; k++)
			add_file(q, &c.list.v[k], k);
		if (q->cli->json)
			buf_adds(&q->out, "]}");
		contents_fini(&c);
		buf_fini(&text);
		if (!ok)
			return false;
	}
	return true;
}

/* The path as records have it: absolute, its directory without symlinks. Caller's own string. */
static char *recorded_path(const struct query *q, const char *typed)
{
	struct err ignored = ERR_INIT;
	char *dir = path_dir(typed), *real = fs_real(dir, &ignored);
	char *whole = real != NULL ? path_join(real, path_base(typed)) : xstrdup(typed);
	free(dir);
	free(real);
	if (rootmap_relative(q->prefix, whole) != NULL || typed[0] != '/')
		return whole;
	/* "/usr/bin/x" may well mean that of the prefix. */
	free(whole);
	return xasprintf("%s%s", q->prefix, typed);
}

static void add_owner(struct query *q, const struct vdb_pkg *p, const char *path)
{
	if (q->cli->json) {
		query_object(q, p);
		query_member(q, "path", path);
		buf_addc(&q->out, '}');
		return;
	}
	query_cpv(&q->out, p);
	buf_printf(&q->out, " (%s)\n", path);
}

static bool owners_by_name(struct query *q, const char *name, bool *found, struct err *e)
{
	struct vdb_files files = { 0 };
	bool ok = vdb_owners_by_name(q->vdb, name, &files, e);
	for (size_t i = 0; i < files.list.n; i++)
		add_owner(q, files.list.v[i].pkg, files.list.v[i].path);
	*found = files.list.n > 0;
	vdb_files_fini(&files);
	return ok;
}

static bool owners_of(struct query *q, const char *typed, bool *found, struct err *e)
{
	struct vdb_list owners = { 0 };
	if (strchr(typed, '/') == NULL)
		return owners_by_name(q, typed, found, e);
	char *path = recorded_path(q, typed);
	bool ok = vdb_owners(q->vdb, path, &owners, e);
	for (size_t i = 0; i < owners.list.n; i++)
		add_owner(q, owners.list.v[i], path);
	*found = owners.list.n > 0;
	vec_fini(&owners.list);
	free(path);
	return ok;
}

bool query_owner(struct query *q, struct err *e)
{
	const char *unowned = NULL;
	for (char **path = q->operands; *path != NULL; path++) {
		bool found;
		if (!owners_of(q, *path, &found, e))
			return false;
		if (!found && unowned == NULL)
			unowned = *path;
	}
	return unowned == NULL ||
	       err_set(e, ERR_FAILED, "query.unowned", "no installed package owns %s", unowned);
}

/* What is wrong with a file, NULL when it is as recorded. */
static const char *difference(
	const struct query *q, const char *path, const struct contents_entry *entry)
{
	struct stat st;
	char hex[DIGEST_HEX_MAX];
	struct err ignored = ERR_INIT;
	if (fstatat(q->root, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return "is missing";
	bool right = entry->type == CONTENTS_OBJ   ? S_ISREG(st.st_mode)
		     : entry->type == CONTENTS_SYM ? S_ISLNK(st.st_mode)
		     : entry->type == CONTENTS_FIF ? S_ISFIFO(st.st_mode)
						   : true;
	if (entry->type == CONTENTS_DIR)
		right = fs_is_dir(q->root, path);
	if (!right)
		return "is of another kind";
	if (entry->type == CONTENTS_OBJ &&
		(!digest_file(q->root, path, DIGEST_MD5, hex, &ignored) ||
			entry->md5.n != strlen(hex) ||
			strncasecmp(hex, entry->md5.p, entry->md5.n) != 0))
		return "has another content";
	bool timed = entry->type == CONTENTS_OBJ || entry->type == CONTENTS_SYM;
	return timed && (uint64_t)st.st_mtime != entry->mtime ? "has another time" : NULL;
}

static size_t check_package(struct query *q, const struct vdb_pkg *p, const struct contents *c)
{
	size_t bad = 0;
	struct buf found = BUF_INIT;
	for (size_t i = 0; i < c->list.n; i++) {
		const struct contents_entry *entry = &c->list.v[i];
		char *whole = xstrndup(entry->path.p, entry->path.n);
		const char *path = rootmap_relative(q->prefix, whole);
		const char *why =
			path != NULL ? difference(q, path, entry) : "is outside the prefix";
		if (why != NULL && q->cli->json) {
			buf_adds(&found, bad > 0 ? ", {\"path\": " : "{\"path\": ");
			buf_json(&found, entry->path);
			buf_printf(&found, ", \"problem\": \"%s\"}", why);
		} else if (why != NULL) {
			buf_printf(&found, "  %s %s\n", whole, why);
		}
		bad += why != NULL;
		free(whole);
	}
	if (q->cli->json) {
		query_object(q, p);
		buf_printf(&q->out, ", \"files\": %zu, \"problems\": [%s]}", c->list.n,
			buf_str(&found));
	} else {
		query_cpv(&q->out, p);
		buf_printf(&q->out, ": %zu of %zu are as recorded\n%s", c->list.n - bad, c->list.n,
			buf_str(&found));
	}
	buf_fini(&found);
	return bad;
}

bool query_check(struct query *q, struct err *e)
{
	size_t bad = 0;
	for (size_t i = 0; i < q->packages.list.n; i++) {
		struct contents c = CONTENTS_INIT;
		struct buf text = BUF_INIT;
		bool ok = vdb_contents(q->packages.list.v[i], &c, &text, e);
		if (ok)
			bad += check_package(q, q->packages.list.v[i], &c);
		contents_fini(&c);
		buf_fini(&text);
		if (!ok)
			return false;
	}
	return bad == 0 || err_set(e, ERR_FAILED, "query.differs",
				   "%zu files are not as recorded; `eprefix emerge -1 PACKAGE` "
				   "installs a package anew",
				   bad);
}
