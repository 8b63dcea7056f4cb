#include "digest.h"

#include "fs.h"

#include "mem.h"

#include <assert.h>
#include <blake2.h>
#include <errno.h>
#include <fcntl.h>
#include <mbedtls/md5.h>
#include <mbedtls/sha256.h>
#include <mbedtls/sha512.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLAKE2B_BYTES = 64, READ_BYTES = 256 * 1024 };

struct digest {
	unsigned algos;
	mbedtls_md5_context md5;
	mbedtls_sha256_context sha256;
	mbedtls_sha512_context sha512;
	blake2b_state blake2b;
};

/* The software implementations cannot fail; a failure would mean a broken build. */
static void must(int rc)
{
	if (rc != 0)
		abort();
}

struct digest *digest_new(unsigned algos)
{
	struct digest *d = xcalloc(1, sizeof *d);
	d->algos = algos;
	mbedtls_md5_init(&d->md5);
	mbedtls_sha256_init(&d->sha256);
	mbedtls_sha512_init(&d->sha512);
	if ((algos & DIGEST_MD5) != 0)
		must(mbedtls_md5_starts(&d->md5));
	if ((algos & DIGEST_SHA256) != 0)
		must(mbedtls_sha256_starts(&d->sha256, 0));
	if ((algos & DIGEST_SHA512) != 0)
		must(mbedtls_sha512_starts(&d->sha512, 0));
	if ((algos & DIGEST_BLAKE2B) != 0)
		must(blake2b_init(&d->blake2b, BLAKE2B_BYTES));
	return d;
}

void digest_add(struct digest *d, const void *data, size_t n)
{
	if (n == 0)
		return;
	if ((d->algos & DIGEST_MD5) != 0)
		must(mbedtls_md5_update(&d->md5, data, n));
	if ((d->algos & DIGEST_SHA256) != 0)
		must(mbedtls_sha256_update(&d->sha256, data, n));
	if ((d->algos & DIGEST_SHA512) != 0)
		must(mbedtls_sha512_update(&d->sha512, data, n));
	if ((d->algos & DIGEST_BLAKE2B) != 0)
		must(blake2b_update(&d->blake2b, data, n));
}

/* Finish a copy of the running state, so that asking twice gives the same answer. */
static size_t finish(const struct digest *d, enum digest_algo algo, unsigned char out[64])
{
	struct digest copy = *d;
	switch (algo) {
	case DIGEST_MD5:
		must(mbedtls_md5_finish(&copy.md5, out));
		return 16;
	case DIGEST_SHA256:
		must(mbedtls_sha256_finish(&copy.sha256, out));
		return 32;
	case DIGEST_SHA512:
		must(mbedtls_sha512_finish(&copy.sha512, out));
		return 64;
	case DIGEST_BLAKE2B:
		must(blake2b_final(&copy.blake2b, out, BLAKE2B_BYTES));
		return BLAKE2B_BYTES;
	}
	return 0;
}

void digest_hex(struct digest *d, enum digest_algo algo, char hex[DIGEST_HEX_MAX])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[64] = { 0 };
	assert((d->algos & (unsigned)algo) != 0);
	size_t n = finish(d, algo, raw);
	for (size_t i = 0; i < n; i++) {
		hex[2 * i] = digits[raw[i] >> 4];
		hex[2 * i + 1] = digits[raw[i] & 15];
	}
	hex[2 * n] = '\0';
}

void digest_free(struct digest *d)
{
	if (d == NULL)
		return;
	mbedtls_md5_free(&d->md5);
	mbedtls_sha256_free(&d->sha256);
	mbedtls_sha512_free(&d->sha512);
	free(d);
}

static bool add_descriptor(struct digest *d, int fd, const char *path, struct err *e)
{
	char *chunk = xmalloc(READ_BYTES);
	ssize_t n;
	while ((n = read(fd, chunk, READ_BYTES)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		digest_add(d, chunk, (size_t)n);
	}
	free(chunk);
	return n == 0 || err_sys(e, "digest.read", "reading %s", path);
}

bool digest_file(
	int at, const char *path, enum digest_algo algo, char hex[DIGEST_HEX_MAX], struct err *e)
{
	int fd = fs_open_read(at, path, 0);
	if (fd < 0)
		return err_sys(e, "digest.open", "opening %s", path);
	struct digest *d = digest_new((unsigned)algo);
	bool ok = add_descriptor(d, fd, path, e);
	if (ok)
		digest_hex(d, algo, hex);
	digest_free(d);
	close(fd);
	return ok;
}

void digest_bytes(const void *data, size_t n, enum digest_algo algo, char hex[DIGEST_HEX_MAX])
{
	struct digest *d = digest_new((unsigned)algo);
	digest_add(d, data, n);
	digest_hex(d, algo, hex);
	digest_free(d);
}
