#include "fetch_part.h"

#include "fs.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 256 * 1024 };

unsigned file_algos(const struct fetch_file *file)
{
	return (file->blake2b != NULL ? DIGEST_BLAKE2B : 0u) |
	       (file->sha512 != NULL ? DIGEST_SHA512 : 0u) |
	       (file->sha256 != NULL ? DIGEST_SHA256 : 0u);
}

char *digests_differ(const struct fetch_file *file, struct digest *d)
{
	const struct {
		const char *name, *want;
		enum digest_algo algo;
	} all[] = {
		{ "BLAKE2B", file->blake2b, DIGEST_BLAKE2B },
		{ "SHA512", file->sha512, DIGEST_SHA512 },
		{ "SHA256", file->sha256, DIGEST_SHA256 },
	};
	char got[DIGEST_HEX_MAX];
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (all[i].want == NULL)
			continue;
		digest_hex(d, all[i].algo, got);
		if (strcmp(got, all[i].want) != 0)
			return xasprintf("%s is %s, must be %s", all[i].name, got, all[i].want);
	}
	return NULL;
}

/* Only one process may fill it. Where the file system has no locks, digests still guard it. */
static bool lock_it(struct part *p, bool *busy, struct err *e)
{
	struct stat mine, there;
	if (flock(p->fd, LOCK_EX | LOCK_NB) != 0) {
		*busy = errno == EWOULDBLOCK;
		return *busy || errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOTSUP ||
		       errno == EINVAL || fs_fail(e, "lock", p->dir, p->name);
	}
	if (fstat(p->fd, &mine) != 0)
		return fs_fail(e, "read", p->dir, p->name);
	/* Its last owner may have renamed it between our open and our lock. */
	*busy = fstatat(p->dir, p->name, &there, AT_SYMLINK_NOFOLLOW) != 0 ||
		there.st_ino != mine.st_ino || there.st_dev != mine.st_dev;
	p->size = (uint64_t)mine.st_size;
	return true;
}

static char *line_or_null(struct str *rest)
{
	struct str line;
	if (!str_split(rest, '\n', &line) || line.n == 0)
		return NULL;
	return xstrndup(line.p, line.n);
}

static void forget_origin(struct part *p)
{
	free(p->origin);
	free(p->etag);
	free(p->last_modified);
	p->origin = p->etag = p->last_modified = NULL;
}

static void load_origin(struct part *p)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	forget_origin(p);
	if (p->size > 0 && fs_read(p->dir, p->side, &text, &ignored)) {
		struct str rest = { text.p, text.n };
		p->origin = line_or_null(&rest);
		p->etag = line_or_null(&rest);
		p->last_modified = line_or_null(&rest);
	}
	buf_fini(&text);
}

bool part_open(struct part *p, int dir, const struct fetch_file *file, bool *busy, struct err *e)
{
	*p = PART_NONE;
	p->dir = dir;
	p->file = file;
	p->name = xasprintf("%s.__download__", file->name);
	p->side = xasprintf(".%s.origin", file->name);
	*busy = false;
	p->fd = openat(dir, p->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	bool ok = p->fd >= 0 || fs_fail(e, "create", dir, p->name);
	ok = ok && lock_it(p, busy, e);
	if (ok && !*busy) {
		load_origin(p);
		return true;
	}
	if (p->fd >= 0)
		close(p->fd); /* not part_close: an empty file may be another's new one */
	p->fd = -1;
	part_close(p);
	return ok;
}

const char *part_validator(const struct part *p, const char *uri)
{
	if (p->origin == NULL || strcmp(p->origin, uri) != 0)
		return NULL;
	/* A weak validator must not be used in If-Range (RFC 9110 §13.1.5). */
	if (p->etag != NULL && p->etag[0] == '"')
		return p->etag;
	return p->last_modified;
}

static void start_hash(struct part *p)
{
	digest_free(p->digest);
	p->digest = digest_new(file_algos(p->file));
	p->hashed = 0;
}

bool part_rewind(struct part *p, struct err *e)
{
	start_hash(p);
	forget_origin(p);
	p->size = 0;
	if (ftruncate(p->fd, 0) != 0 || lseek(p->fd, 0, SEEK_SET) < 0)
		return fs_fail(e, "empty", p->dir, p->name);
	return true;
}

bool part_resume(struct part *p, struct err *e)
{
	if (p->digest != NULL && p->hashed == p->size)
		return true;
	start_hash(p);
	char *chunk = xmalloc(COPY_BYTES);
	ssize_t n = 1;
	while (p->hashed < p->size && n > 0) {
		n = pread(p->fd, chunk, COPY_BYTES, (off_t)p->hashed);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0) {
			digest_add(p->digest, chunk, (size_t)n);
			p->hashed += (uint64_t)n;
		}
	}
	free(chunk);
	if (n < 0 || lseek(p->fd, (off_t)p->hashed, SEEK_SET) < 0)
		return fs_fail(e, "read", p->dir, p->name);
	p->size = p->hashed;
	return true;
}

bool part_note_origin(struct part *p, const char *uri, const char *etag, const char *modified)
{
	struct err ignored = ERR_INIT;
	char *text = xasprintf("%s\n%s\n%s\n", uri, etag, modified);
	forget_origin(p);
	p->origin = xstrdup(uri);
	p->etag = etag[0] != '\0' ? xstrdup(etag) : NULL;
	p->last_modified = modified[0] != '\0' ? xstrdup(modified) : NULL;
	bool ok = fs_write(p->dir, p->side, text, strlen(text), 0644, &ignored);
	free(text);
	return ok;
}

bool part_write(struct part *p, const void *data, size_t n, struct err *e)
{
	const char *at = data;
	digest_add(p->digest, data, n);
	p->hashed += n;
	while (n > 0) {
		ssize_t done = write(p->fd, at, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return fs_fail(e, "write", p->dir, p->name);
		at += done;
		n -= (size_t)done;
		p->size += (uint64_t)done;
	}
	return true;
}

char *part_differs(struct part *p)
{
	if (p->file->size > 0 && p->size != p->file->size)
		return xasprintf("size is %llu, must be %llu", (unsigned long long)p->size,
			(unsigned long long)p->file->size);
	return digests_differ(p->file, p->digest);
}

bool part_commit(struct part *p, struct err *e)
{
	if (fsync(p->fd) != 0 && errno != EINVAL && errno != EROFS)
		return fs_fail(e, "write", p->dir, p->name);
	if (renameat(p->dir, p->name, p->dir, p->file->name) != 0)
		return fs_fail(e, "rename", p->dir, p->name);
	unlinkat(p->dir, p->side, 0);
	fs_sync_dir(p->dir, ".");
	part_close(p);
	return true;
}

bool set_aside(int dir, const char *name, const char *final_name, char **kept, struct err *e)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	unsigned seed = (unsigned)getpid();
	for (unsigned tries = 0; tries < 100; tries++) {
		char tail[7] = "";
		seed = seed * 1103515245u + 12345u + tries;
		for (unsigned i = 0, x = seed >> 4; i < 6; i++, x = x * 31u + seed)
			tail[i] = letters[x % (sizeof letters - 1)];
		char *to = xasprintf("%s._checksum_failure_.%s", final_name, tail);
		if (fs_exists(dir, to)) {
			free(to);
			continue;
		}
		*kept = to;
		return renameat(dir, name, dir, to) == 0 || fs_fail(e, "rename", dir, name);
	}
	return err_set(e, ERR_FAILED, "fetch.aside",
		"%s: no free name of the form %s._checksum_failure_.XXXXXX; remove old ones", name,
		final_name);
}

bool part_set_aside(struct part *p, char **kept, struct err *e)
{
	bool ok = set_aside(p->dir, p->name, p->file->name, kept, e);
	unlinkat(p->dir, p->side, 0);
	part_close(p);
	return ok;
}

void part_close(struct part *p)
{
	if (p->fd >= 0 && p->size == 0) {
		struct stat st;
		if (fstat(p->fd, &st) == 0 && st.st_nlink > 0 && st.st_size == 0) {
			unlinkat(p->dir, p->name, 0);
			unlinkat(p->dir, p->side, 0);
		}
	}
	if (p->fd >= 0)
		close(p->fd);
	digest_free(p->digest);
	forget_origin(p);
	free(p->name);
	free(p->side);
	*p = PART_NONE;
}
