/* Reading all of a prefix is what takes the time: it is done by several threads. */
#include "digest.h"
#include "verify_int.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_THREADS 16

/* What the threads share: a place in the list. */
struct queue {
	const struct verify *v;
	atomic_size_t next;
};

struct reader {
	struct queue *queue;
	struct flaws found;
	uint64_t bytes;
	pthread_t thread;
	bool started;
};

/* Map a file into memory. Files of a prefix are replaced, never shortened in place. */
static bool map_file(int root, const struct verify_file *file, struct str *data, int *sys)
{
	struct stat st;
	int fd = openat(root, file->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	bool ok = fd >= 0 && fstat(fd, &st) == 0;
	*data = (struct str){ "", 0 };
	if (ok && st.st_size > 0) {
		void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		ok = p != MAP_FAILED;
		if (ok)
			*data = (struct str){ p, (size_t)st.st_size };
	}
	*sys = errno;
	if (fd >= 0)
		close(fd);
	return ok;
}

static void compare(const struct verify_file *file, struct str data, struct flaws *f)
{
	char hex[DIGEST_HEX_MAX];
	digest_bytes(data.p, data.n, DIGEST_MD5, hex);
	if (file->entry->md5.n != strlen(hex) ||
		strncasecmp(file->entry->md5.p, hex, file->entry->md5.n) != 0)
		flaws_add(f, FLAW_CONTENT, file->path, "its MD5 is %s, recorded is %.*s", hex,
			STR_ARG(file->entry->md5));
}

static void read_file(struct reader *r, const struct verify_file *file)
{
	struct str data;
	int sys;
	if (!map_file(r->queue->v->o->root, file, &data, &sys)) {
		flaws_add(&r->found, FLAW_MISSING, file->path, "cannot be read: %s", strerror(sys));
		return;
	}
	if (file->compare)
		compare(file, data, &r->found);
	leak_check_file(&r->queue->v->leak, file->path, file->mode, data, &r->found);
	r->bytes += data.n;
	if (data.n > 0)
		munmap((void *)(uintptr_t)data.p, data.n);
}

static void *read_some(void *arg)
{
	struct reader *r = arg;
	const struct verify *v = r->queue->v;
	for (size_t i; (i = atomic_fetch_add(&r->queue->next, 1)) < v->files.n;)
		read_file(r, &v->files.v[i]);
	return NULL;
}

/* Large files first, so that no thread is left alone with one at the end. */
static int by_size(const void *pa, const void *pb)
{
	const struct verify_file *a = pa, *b = pb;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return strcmp(a->path, b->path);
}

void verify_read_files(struct verify *v)
{
	struct queue queue = { .v = v };
	struct reader readers[MAX_THREADS] = { 0 };
	unsigned n = v->o->threads < 1 ? 1 : v->o->threads;
	if (n > MAX_THREADS)
		n = MAX_THREADS;
	if (v->files.n > 1)
		qsort(v->files.v, v->files.n, sizeof *v->files.v, by_size);
	/* This thread reads too: where none can be started, it does all of it. */
	for (unsigned i = 0; i < n; i++) {
		readers[i].queue = &queue;
		if (i > 0)
			readers[i].started = pthread_create(&readers[i].thread, NULL, read_some,
						     &readers[i]) == 0;
	}
	read_some(&readers[0]);
	for (unsigned i = 0; i < n; i++) {
		if (readers[i].started)
			pthread_join(readers[i].thread, NULL);
		flaws_move(&v->r->found, &readers[i].found);
		v->r->bytes += readers[i].bytes;
	}
	v->r->files = v->files.n;
}
