/* The only file that knows libarchive. What it reads is written by archive_tree. */
#include "archive_tree.h"
#include "mem.h"
#include "unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define READ_BLOCK ((size_t)256 * 1024)
#define DEFAULT_BYTES ((uint64_t)64 << 30)
#define DEFAULT_ENTRIES 2000000

static const char *const deb_data[] = { "data.tar*", NULL };

/* One archive being read: a file, or the data of the current member of `outer`. */
struct reader {
	struct archive *a;
	struct reader *outer; /* owned */
	int fd; /* of the outermost, else -1 */
	char *block; /* data of outer's member on the way in */
	const char *file; /* for messages; borrowed */
	struct buf member; /* the name of the member being read, or the last one; empty: none yet */
	uint64_t entries, max_entries, written, max_bytes;
};

/* Formats and filters that are compiled into libarchive; never those it would run a program for. */
static void enable(struct archive *a, bool seekable)
{
	archive_read_support_format_tar(a);
	/* The directory of a zip is at its end: read from the front, a cut one looks whole. */
	if (seekable)
		archive_read_support_format_zip_seekable(a);
	else
		archive_read_support_format_zip_streamable(a);
	archive_read_support_format_cpio(a);
	archive_read_support_format_ar(a);
	archive_read_support_filter_compress(a);
	if (archive_zlib_version() != NULL)
		archive_read_support_filter_gzip(a);
	if (archive_bzlib_version() != NULL)
		archive_read_support_filter_bzip2(a);
	if (archive_liblzma_version() != NULL) {
		archive_read_support_filter_xz(a);
		archive_read_support_filter_lzma(a);
		archive_read_support_filter_lzip(a);
	}
	if (archive_libzstd_version() != NULL)
		archive_read_support_filter_zstd(a);
}

/* "unpacking FILE: member MEMBER" in front of an error that is set. */
static bool in_member(const struct reader *r, struct err *e)
{
	if (r->member.n == 0)
		return err_in(e, "unpacking %s", r->file);
	char *shown = archive_show(buf_str(&r->member));
	err_in(e, "unpacking %s: member \"%s\"", r->file, shown);
	free(shown);
	return false;
}

/* libarchive's own message, which is all that it tells. */
static bool damaged(const struct reader *r, struct err *e)
{
	const char *why = archive_error_string(r->a);
	/* No format bid for it: not an archive, or its compression is damaged at the start. */
	if (r->entries == 0 && archive_format(r->a) == 0)
		return err_set(e, ERR_FAILED, "archive.format",
			"%s is no tar, zip, deb, ar or cpio archive, or is damaged at its start "
			"(%s)",
			r->file, why != NULL ? why : "unknown format");
	err_set(e, ERR_FAILED, "archive.corrupt",
		"the archive is damaged or cut short here (%s); remove it to have it fetched again",
		why != NULL ? why : "no details");
	return in_member(r, e);
}

static struct reader *reader_new(const char *file, bool seekable, const struct unpack_opts *o)
{
	struct reader *r = xcalloc(1, sizeof *r);
	r->file = file;
	r->fd = -1;
	r->max_bytes = o->max_bytes != 0 ? o->max_bytes : DEFAULT_BYTES;
	r->max_entries = o->max_entries != 0 ? o->max_entries : DEFAULT_ENTRIES;
	r->a = archive_read_new();
	if (r->a == NULL)
		abort();
	enable(r->a, seekable);
	return r;
}

/* Accepts NULL. */
static void reader_free(struct reader *r)
{
	while (r != NULL) {
		struct reader *outer = r->outer;
		archive_read_free(r->a);
		if (r->fd >= 0)
			close(r->fd);
		buf_fini(&r->member);
		free(r->block);
		free(r);
		r = outer;
	}
}

/* Limits hold for what is written and for what a stream expands to, members left out included. */
static bool within_limits(const struct reader *r, uint64_t written, struct err *e)
{
	uint64_t expanded = (uint64_t)archive_filter_bytes(r->a, 0);
	if (r->entries > r->max_entries)
		err_set(e, ERR_FAILED, "archive.limit", "more than %llu members",
			(unsigned long long)r->max_entries);
	else if (written > r->max_bytes || expanded > r->max_bytes)
		err_set(e, ERR_FAILED, "archive.limit", "it expands to more than %llu bytes",
			(unsigned long long)r->max_bytes);
	else
		return true;
	return in_member(r, e);
}

/* Next member; *entry is NULL at the end. */
static bool next(struct reader *r, struct archive_entry **entry, struct err *e)
{
	int result = archive_read_next_header(r->a, entry);
	if (result == ARCHIVE_EOF) {
		*entry = NULL;
		return true;
	}
	/* A warning is about what is dropped anyway (ACLs, attributes) or the name's encoding;
	 * ARCHIVE_RETRY is a damaged header that could be skipped, which loses a member. */
	if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
		return damaged(r, e);
	const char *name = archive_entry_pathname(*entry);
	if (name == NULL)
		name = archive_entry_pathname_utf8(*entry);
	r->entries++;
	if (name == NULL)
		return err_set(e, ERR_FAILED, "archive.corrupt",
			"unpacking %s: member %llu has no readable name", r->file,
			(unsigned long long)r->entries);
	buf_clear(&r->member);
	buf_adds(&r->member, name);
	return within_limits(r, r->written, e);
}

/* The name of the member being read. */
static const char *member(const struct reader *r)
{
	return buf_str(&r->member);
}

static bool is_ar(const struct reader *r)
{
	return (archive_format(r->a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_AR;
}

static bool write_at(int fd, const char *p, size_t n, off_t at)
{
	while (n > 0) {
		ssize_t done = pwrite(fd, p, n, at);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
		at += done;
	}
	return true;
}

/* The member's data into fd; holes stay holes. */
static bool copy_data(struct reader *r, struct archive_entry *entry, int fd, struct err *e)
{
	const void *block;
	size_t n;
	la_int64_t at, end = 0;
	int result;
	while ((result = archive_read_data_block(r->a, &block, &n, &at)) == ARCHIVE_OK) {
		if (at < 0 || !within_limits(r, r->written + (uint64_t)at + n, e))
			return e->code != ERR_NONE ? false : damaged(r, e);
		if (!write_at(fd, block, n, at)) {
			err_sys(e, "archive.write", "writing");
			return in_member(r, e);
		}
		end = at + (la_int64_t)n;
	}
	if (result != ARCHIVE_EOF)
		return damaged(r, e);
	la_int64_t size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : end;
	if (size > end && !within_limits(r, r->written + (uint64_t)size, e))
		return false;
	if (size > end && ftruncate(fd, size) != 0) {
		err_sys(e, "archive.write", "writing");
		return in_member(r, e);
	}
	r->written += (uint64_t)(size > end ? size : end);
	return true;
}

/* Link targets, with the same fallback as names. */
static const char *hardlink_of(struct archive_entry *entry)
{
	const char *s = archive_entry_hardlink(entry);
	return s != NULL ? s : archive_entry_hardlink_utf8(entry);
}

static const char *symlink_of(struct archive_entry *entry)
{
	const char *s = archive_entry_symlink(entry);
	return s != NULL ? s : archive_entry_symlink_utf8(entry);
}

/* What an unpacking works with. */
struct unpack {
	struct reader *r;
	struct archive_tree tree;
	const struct unpack_opts *o;
	struct buf path, target;
	uint64_t taken; /* members written */
};

static bool unpack_file(struct unpack *u, struct archive_entry *entry,
	const struct archive_meta *meta, struct err *e)
{
	int fd;
	if (!archive_tree_file(&u->tree, buf_str(&u->path), &fd, e))
		return in_member(u->r, e);
	bool ok = copy_data(u->r, entry, fd, e);
	if (!archive_tree_close(&u->tree, fd, meta, e) && ok)
		return in_member(u->r, e);
	return ok;
}

/* A hard link; in cpio archives and some tars the last link is the one that carries the data. */
static bool unpack_hardlink(struct unpack *u, struct archive_entry *entry,
	const struct archive_meta *meta, struct err *e)
{
	const char *path = buf_str(&u->path);
	int fd;
	if (!archive_name(hardlink_of(entry), u->o->strip, &u->target, e) ||
		!archive_tree_hardlink(&u->tree, path, buf_str(&u->target), e))
		return in_member(u->r, e);
	if (!archive_entry_size_is_set(entry) || archive_entry_size(entry) == 0)
		return true;
	if (!archive_tree_reopen(&u->tree, path, &fd, e))
		return in_member(u->r, e);
	bool ok = copy_data(u->r, entry, fd, e);
	if (!archive_tree_close(&u->tree, fd, meta, e) && ok)
		return in_member(u->r, e);
	return ok;
}

static bool unpack_other(struct unpack *u, struct archive_entry *entry,
	const struct archive_meta *meta, struct err *e)
{
	const char *path = buf_str(&u->path), *target = symlink_of(entry);
	bool ok;
	if (archive_entry_filetype(entry) == AE_IFDIR)
		ok = archive_tree_dir(&u->tree, path, meta, e);
	else if (archive_entry_filetype(entry) == AE_IFLNK && target != NULL)
		ok = archive_tree_symlink(&u->tree, path, target, meta, e);
	else
		ok = err_set(e, ERR_FAILED, "archive.unsafe",
			"it is a device, fifo or socket, which no source needs");
	return ok || in_member(u->r, e);
}

static bool wanted(const struct unpack_opts *o, const char *path)
{
	if (*path == '\0' || (o->except != NULL && archive_matches(o->except, path)))
		return false;
	return o->only == NULL || archive_matches(o->only, path);
}

static bool unpack_member(struct unpack *u, struct archive_entry *entry, struct err *e)
{
	struct archive_meta meta = { .mode = archive_entry_perm(entry),
		.has_mtime = archive_entry_mtime_is_set(entry),
		.mtime = { archive_entry_mtime(entry), archive_entry_mtime_nsec(entry) } };
	/* The symbol and name tables of ar are no members. */
	if (is_ar(u->r) && *member(u->r) == '/')
		return true;
	if (!archive_name(member(u->r), u->o->strip, &u->path, e))
		return in_member(u->r, e);
	if (!wanted(u->o, buf_str(&u->path)))
		return true;
	u->taken++;
	if (hardlink_of(entry) != NULL)
		return unpack_hardlink(u, entry, &meta, e);
	if (archive_entry_filetype(entry) == AE_IFREG)
		return unpack_file(u, entry, &meta, e);
	return unpack_other(u, entry, &meta, e);
}

static bool unpack_all(struct unpack *u, struct archive_entry *entry, struct err *e)
{
	while (entry != NULL)
		if (!unpack_member(u, entry, e) || !next(u->r, &entry, e))
			return false;
	return true;
}

/* The inner archive's source: the data of the outer one's current member, holes filled. */
static la_ssize_t read_outer(struct archive *a, void *ctx, const void **block)
{
	struct reader *r = ctx;
	la_ssize_t n = archive_read_data(r->outer->a, r->block, READ_BLOCK);
	if (n < 0)
		archive_set_error(a, EIO, "%s", archive_error_string(r->outer->a));
	*block = r->block;
	return n < 0 ? ARCHIVE_FATAL : n;
}

/* Go on with the first member of *r that matches, as an archive: *r becomes its reader. */
static bool descend(
	struct reader **r, struct archive_entry **entry, const char *const *globs, struct err *e)
{
	struct reader *outer = *r;
	while (*entry != NULL && !(archive_entry_filetype(*entry) == AE_IFREG &&
					 archive_matches(globs, member(outer))))
		if (!next(outer, entry, e))
			return false;
	if (*entry == NULL)
		return err_set(e, ERR_FAILED, "archive.format",
			"%s holds no file that matches \"%s\"", outer->file, globs[0]);
	struct unpack_opts limits = { .max_bytes = outer->max_bytes,
		.max_entries = outer->max_entries };
	*r = reader_new(outer->file, false, &limits);
	(*r)->outer = outer;
	(*r)->block = xmalloc(READ_BLOCK);
	if (archive_read_open((*r)->a, *r, NULL, read_outer, NULL) != ARCHIVE_OK)
		return damaged(*r, e);
	return next(*r, entry, e);
}

/* Open a file at the first member that counts. *r is the caller's also after a failure. */
static bool open_file(struct reader **r, const char *file, const struct unpack_opts *o,
	struct archive_entry **entry, struct err *e)
{
	const char *const nested[] = { o->nested, NULL };
	*r = reader_new(file, true, o);
	(*r)->fd = open(file, O_RDONLY | O_CLOEXEC);
	if ((*r)->fd < 0)
		return err_sys(e, "archive.open", "opening %s", file);
	if (archive_read_open_fd((*r)->a, (*r)->fd, READ_BLOCK) != ARCHIVE_OK)
		return damaged(*r, e);
	if (!next(*r, entry, e) || (o->nested != NULL && !descend(r, entry, nested, e)))
		return false;
	bool deb = *entry != NULL && is_ar(*r) && strcmp(member(*r), "debian-binary") == 0;
	return !deb || descend(r, entry, deb_data, e);
}

bool archive_unpack(const char *file, int dest, const struct unpack_opts *o, struct err *e)
{
	struct unpack u = { .o = o };
	struct archive_entry *entry = NULL;
	archive_tree_init(&u.tree, dest);
	bool ok = open_file(&u.r, file, o, &entry, e) && unpack_all(&u, entry, e);
	if (ok && u.taken == 0)
		ok = err_set(e, ERR_FAILED, "archive.format",
			"nothing was unpacked from %s: all of its %llu members were left out by "
			"strip, "
			"only or except",
			file, (unsigned long long)u.r->entries);
	archive_tree_finish(&u.tree);
	archive_tree_fini(&u.tree);
	reader_free(u.r);
	buf_fini(&u.path);
	buf_fini(&u.target);
	return ok;
}

static struct archive_member describe(struct reader *r, struct archive_entry *entry)
{
	const char *hard = hardlink_of(entry), *soft = symlink_of(entry);
	struct archive_member m = {
		.path = member(r), .type = '?', .mode = archive_entry_perm(entry)
	};
	m.target = hard != NULL ? hard : soft;
	if (hard != NULL)
		m.type = 'h';
	else if (archive_entry_filetype(entry) == AE_IFREG)
		m.type = 'f';
	else if (archive_entry_filetype(entry) == AE_IFDIR)
		m.type = 'd';
	else if (archive_entry_filetype(entry) == AE_IFLNK)
		m.type = 'l';
	if (m.type == 'f' && archive_entry_size(entry) > 0)
		m.size = (uint64_t)archive_entry_size(entry);
	return m;
}

bool archive_list(const char *file, archive_visit *visit, void *ctx, struct err *e)
{
	static const struct unpack_opts all;
	struct reader *r = NULL;
	struct archive_entry *entry = NULL;
	bool ok = open_file(&r, file, &all, &entry, e);
	while (ok && entry != NULL) {
		struct archive_member m = describe(r, entry);
		ok = visit(ctx, &m, e) && next(r, &entry, e);
	}
	reader_free(r);
	return ok;
}
