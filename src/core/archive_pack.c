#include "pack.h"

#include "fs.h"
#include "mem.h"
#include "str.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* 2024-01-01 00:00 UTC, the same moment that builds get as SOURCE_DATE_EPOCH. */
#define PACK_TIME 1704067200

struct pack {
	struct archive *out;
	const char *top;
	const char *base; /* path of the walk's start, relative to the caller's directory */
	struct buf bytes; /* the archive */
};

static la_ssize_t keep(struct archive *a, void *ctx, const void *data, size_t n)
{
	(void)a;
	buf_add(&((struct pack *)ctx)->bytes, data, n);
	return (la_ssize_t)n;
}

static bool write_member(
	struct pack *p, const char *path, const struct buf *content, mode_t mode, struct err *e)
{
	struct archive_entry *entry = archive_entry_new();
	char *name = xasprintf("%s/%s", p->top, path);
	archive_entry_set_pathname(entry, name);
	archive_entry_set_size(entry, (la_int64_t)content->n);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, (mode & S_IXUSR) != 0 ? 0755 : 0644);
	archive_entry_set_mtime(entry, PACK_TIME, 0);
	bool ok = archive_write_header(p->out, entry) == ARCHIVE_OK &&
		  (content->n == 0 || archive_write_data(p->out, content->p, content->n) ==
					      (la_ssize_t)content->n);
	if (!ok)
		err_set(e, ERR_FAILED, "archive.pack", "packing %s: %s", name,
			archive_error_string(p->out));
	archive_entry_free(entry);
	free(name);
	return ok;
}

static bool hidden(const char *path)
{
	return path[0] == '.' || strstr(path, "/.") != NULL;
}

static bool pack_file(struct pack *p, int at, const char *from, const char *as, struct err *e)
{
	struct buf content = BUF_INIT;
	struct stat st;
	if (fstatat(at, from, &st, 0) != 0)
		return err_sys(e, "archive.pack", "%s", from);
	bool ok = fs_read(at, from, &content, e) && write_member(p, as, &content, st.st_mode, e);
	buf_fini(&content);
	return ok;
}

static bool visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct pack *p = ctx;
	if (!S_ISREG(entry->st.st_mode) || hidden(entry->path))
		return true;
	char *as = path_join(p->base, entry->path);
	bool ok = pack_file(p, entry->at, entry->path, as, e);
	free(as);
	return ok;
}

static bool pack_path(struct pack *p, int at, const char *path, struct err *e)
{
	struct stat st;
	if (fstatat(at, path, &st, 0) != 0)
		return err_sys(e, "archive.pack", "%s", path);
	if (S_ISREG(st.st_mode))
		return pack_file(p, at, path, path, e);
	p->base = path;
	return fs_walk(at, path, visit, p, e);
}

bool archive_pack(
	const char *file, int at, const char *const *paths, const char *top, struct err *e)
{
	struct pack p = { .out = archive_write_new(), .top = top };
	bool ok = archive_write_set_format_ustar(p.out) == ARCHIVE_OK &&
		  archive_write_add_filter_gzip(p.out) == ARCHIVE_OK &&
		  archive_write_set_options(p.out, "gzip:!timestamp") == ARCHIVE_OK &&
		  archive_write_open(p.out, &p, NULL, keep, NULL) == ARCHIVE_OK;
	if (!ok)
		err_set(e, ERR_FAILED, "archive.pack", "packing %s: %s", file,
			archive_error_string(p.out));
	for (size_t i = 0; ok && paths[i] != NULL; i++)
		ok = pack_path(&p, at, paths[i], e);
	if (ok && archive_write_close(p.out) != ARCHIVE_OK)
		ok = err_set(e, ERR_FAILED, "archive.pack", "packing %s: %s", file,
			archive_error_string(p.out));
	archive_write_free(p.out);
	ok = ok && fs_write_if_changed(AT_FDCWD, file, p.bytes.p, p.bytes.n, 0644, e);
	buf_fini(&p.bytes);
	return ok;
}
