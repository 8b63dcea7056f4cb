#include "manifest.h"

#include "fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_BYTES = 256 * 1024 };

static const struct {
	const char *name;
	enum digest_algo algo;
} known[] = {
	{ "BLAKE2B", DIGEST_BLAKE2B },
	{ "SHA512", DIGEST_SHA512 },
	{ "SHA256", DIGEST_SHA256 },
	{ "MD5", DIGEST_MD5 },
};
enum { KNOWN = sizeof known / sizeof *known };

/* Hash a whole file with several algorithms in one pass. */
static bool hash_file(int at, const char *path, struct digest *d, uint64_t *size, struct err *e)
{
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fs_fail(e, "read", at, path);
	char *chunk = xmalloc(READ_BYTES);
	ssize_t n;
	*size = 0;
	while ((n = read(fd, chunk, READ_BYTES)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0) {
			digest_add(d, chunk, (size_t)n);
			*size += (uint64_t)n;
		}
	}
	bool ok = n == 0 || fs_fail(e, "read", at, path);
	free(chunk);
	close(fd);
	return ok;
}

/* Where the file is, relative to the package's directory (DIST: to DISTDIR). */
static char *path_of(enum manifest_tag tag, const char *name)
{
	return xasprintf("%s%s", tag == MANIFEST_AUX ? "files/" : "", name);
}

bool manifest_set_file(
	struct manifest *m, enum manifest_tag tag, const char *name, int at, struct err *e)
{
	char blake2b[DIGEST_HEX_MAX], sha512[DIGEST_HEX_MAX], *path = path_of(tag, name);
	const struct manifest_hash hashes[] = { { "BLAKE2B", blake2b }, { "SHA512", sha512 } };
	struct manifest_entry entry = { .tag = tag, .name = name, .hashes = hashes, .n_hashes = 2 };
	struct digest *d = digest_new(DIGEST_BLAKE2B | DIGEST_SHA512);
	bool ok = hash_file(at, path, d, &entry.size, e);
	if (ok) {
		digest_hex(d, DIGEST_BLAKE2B, blake2b);
		digest_hex(d, DIGEST_SHA512, sha512);
		manifest_set(m, &entry);
	}
	digest_free(d);
	free(path);
	return ok;
}

static unsigned listed_algos(const struct manifest_entry *entry)
{
	unsigned algos = 0;
	for (size_t i = 0; i < KNOWN; i++) {
		if (manifest_hash(entry, known[i].name) != NULL)
			algos |= (unsigned)known[i].algo;
	}
	return algos;
}

static char *compare(const struct manifest_entry *entry, struct digest *d)
{
	char got[DIGEST_HEX_MAX];
	for (size_t i = 0; i < KNOWN; i++) {
		const char *want = manifest_hash(entry, known[i].name);
		if (want == NULL)
			continue;
		digest_hex(d, known[i].algo, got);
		if (strcmp(got, want) != 0)
			return xasprintf("%s is %s, must be %s", known[i].name, got, want);
	}
	return NULL;
}

bool manifest_verify_file(
	const struct manifest_entry *entry, int at, const char *path, char **why, struct err *e)
{
	struct stat st;
	uint64_t size = 0;
	unsigned algos = listed_algos(entry);
	*why = NULL;
	if (fstatat(at, path, &st, 0) != 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return fs_fail(e, "read", at, path);
		*why = xstrdup("absent");
	} else if ((uint64_t)st.st_size != entry->size) {
		*why = xasprintf("size is %llu, must be %llu", (unsigned long long)st.st_size,
			(unsigned long long)entry->size);
	} else if (algos == 0) {
		*why = xstrdup("only hashes are listed that cannot be computed here");
	}
	if (*why != NULL)
		return true;
	struct digest *d = digest_new(algos);
	bool ok = hash_file(at, path, d, &size, e);
	if (ok)
		*why = compare(entry, d);
	digest_free(d);
	return ok;
}

/* The path of an entry that is about a file of the package; NULL for DIST. */
static char *entry_path(const struct manifest_entry *entry)
{
	return entry->tag != MANIFEST_DIST ? path_of(entry->tag, entry->name) : NULL;
}

struct coverage {
	const struct manifest *m;
	struct strv *report;
};

static bool is_listed(const struct manifest *m, const char *path)
{
	bool found = false;
	for (size_t i = 0; !found && i < m->v.n; i++) {
		char *listed = entry_path(&m->v.v[i]);
		found = listed != NULL && strcmp(listed, path) == 0;
		free(listed);
	}
	return found;
}

static bool visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct coverage *c = ctx;
	(void)e;
	bool hidden = entry->path[0] == '.' || strstr(entry->path, "/.") != NULL;
	if (!S_ISREG(entry->st.st_mode) || hidden || strcmp(entry->path, "Manifest") == 0)
		return true;
	if (!is_listed(c->m, entry->path))
		strv_own(c->report, xasprintf("%s: not listed in the Manifest", entry->path));
	return true;
}

bool manifest_verify_package(const struct manifest *m, int at, struct strv *report, struct err *e)
{
	struct coverage c = { m, report };
	bool thick = false;
	for (size_t i = 0; i < m->v.n; i++) {
		char *path = entry_path(&m->v.v[i]), *why = NULL;
		bool ok = path == NULL || manifest_verify_file(&m->v.v[i], at, path, &why, e);
		if (why != NULL)
			strv_own(report, xasprintf("%s: %s", path, why));
		thick = thick || path != NULL;
		free(path);
		free(why);
		if (!ok)
			return false;
	}
	return !thick || fs_walk(at, ".", visit, &c, e);
}
