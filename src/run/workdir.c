#include "workdir.h"

#include "fs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long before the last sign of life of a build its files may be torn: a compiler writes its
 * object at the end of a run of at most a minute. */
#define TORN_WINDOW_S 60

static const char *stamp_name(enum phase p)
{
	static const char *const names[PHASE_COUNT] = {
		[PHASE_UNPACK] = ".unpacked",
		[PHASE_PREPARE] = ".prepared",
		[PHASE_CONFIGURE] = ".configured",
		[PHASE_COMPILE] = ".compiled",
		[PHASE_TEST] = ".tested",
		[PHASE_INSTALL] = ".installed",
	};
	return names[p];
}

/* Does the directory's .key say this step's key? */
static bool has_key(const struct step *s)
{
	char *path = path_join(s->workdir, ".key");
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	bool same = fs_read(AT_FDCWD, path, &text, &ignored) && strcmp(buf_str(&text), s->key) == 0;
	buf_fini(&text);
	free(path);
	return same;
}

static bool has_stamp(const struct step *s, enum phase p)
{
	char *path = path_join(s->workdir, stamp_name(p));
	bool there = fs_exists(AT_FDCWD, path);
	free(path);
	return there;
}

/* The first phase from unpack on that has no stamp. */
static enum phase next_phase(const struct step *s)
{
	enum phase p = PHASE_UNPACK;
	while (p < PHASE_MERGE && has_stamp(s, p))
		p++;
	return p;
}

bool workdir_resumes(const struct step *s)
{
	return has_key(s) && next_phase(s) > PHASE_UNPACK;
}

static bool remove_below(const struct step *s, const char *name, struct err *e)
{
	char *path = path_join(s->workdir, name);
	bool ok = fs_remove_tree(AT_FDCWD, path, e);
	free(path);
	return ok;
}

static bool make_dirs(const struct step *s, struct err *e)
{
	static const char *const names[] = { "work/src", "work/build", "image", "temp", "homedir" };
	bool ok = true;
	for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++) {
		char *path = path_join(s->workdir, names[i]);
		ok = fs_mkdirs(AT_FDCWD, path, 0755, e);
		free(path);
	}
	return ok;
}

static bool start_over(const struct step *s, struct err *e)
{
	char *path = path_join(s->workdir, ".key");
	bool ok = fs_remove_tree(AT_FDCWD, s->workdir, e) && make_dirs(s, e) &&
		  fs_write(AT_FDCWD, path, s->key, strlen(s->key), 0644, e);
	free(path);
	return ok;
}

static bool drop_torn(const struct step *s, struct err *e)
{
	int at = -1;
	if (!fs_open_dir(AT_FDCWD, s->workdir, &at, e))
		return false;
	bool ok = workdir_drop_torn(at, "work/build", ".configured", e) &&
		  workdir_drop_torn(at, "work/src", ".configured", e);
	close(at);
	return ok;
}

/* Clear what the phase that will run again may have left half-made. */
static bool clear_phase(const struct step *s, enum phase p, struct err *e)
{
	switch (p) {
	case PHASE_UNPACK:
	case PHASE_PREPARE:
		/* Edits and patches apply once only: begin with fresh sources. */
		return start_over(s, e);
	case PHASE_CONFIGURE:
		return remove_below(s, "work/build", e) && make_dirs(s, e);
	case PHASE_COMPILE:
		return drop_torn(s, e);
	case PHASE_INSTALL:
		return remove_below(s, "image", e) && make_dirs(s, e);
	default:
		/* Tests start anew by themselves, and merging leaves the image as it was. */
		return true;
	}
}

bool workdir_open(const struct step *s, enum phase *first, struct err *e)
{
	*first = PHASE_UNPACK;
	if (!has_key(s))
		return start_over(s, e);
	*first = next_phase(s);
	if (!clear_phase(s, *first, e))
		return false;
	if (*first == PHASE_PREPARE)
		*first = PHASE_UNPACK;
	return true;
}

bool workdir_stamp(const struct step *s, enum phase p, struct err *e)
{
	if (stamp_name(p) == NULL)
		return true;
	char *path = path_join(s->workdir, stamp_name(p));
	bool ok = fs_write(AT_FDCWD, path, "", 0, 0644, e);
	free(path);
	return ok;
}

/* One search through a tree for what a killed compile may have torn. */
struct torn {
	struct timespec since; /* the compile began then */
	struct timespec newest; /* the last sign of life */
	VEC(struct timespec) times; /* of the files in `paths` */
	struct strv paths;
};

static bool before(struct timespec a, struct timespec b)
{
	return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

static struct timespec mtime_of(const struct stat *st)
{
#ifdef __APPLE__
	return st->st_mtimespec;
#else
	return st->st_mtim;
#endif
}

/* Files that only direct a build, or that no rule could make again. */
static bool directs_build(const char *name)
{
	static const char *const names[] = { "Makefile", "makefile", "GNUmakefile", "libtool",
		"configure", "build.ninja", ".ninja_log", ".ninja_deps", "CMakeCache.txt" };
	static const char *const ends[] = { ".d", ".Po", ".Plo", ".log", ".cache", ".mk", ".cmake",
		".ninja" };
	struct str s = str_of(name);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (str_is(s, names[i]))
			return true;
	}
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (str_ends(s, ends[i]))
			return true;
	}
	return str_starts(s, "config.") || str_starts(s, "Makefile.");
}

/*
 * Assembler and linker create their output when they start and fill it when they end: what was
 * killed in a long run is an empty file that may be minutes old.
 */
static bool is_empty_output(const char *name, const struct stat *st)
{
	static const char *const ends[] = { ".o", ".lo", ".obj", ".a", ".so", ".gch" };
	struct str s = str_of(name);
	if (st->st_size > 0)
		return false;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (str_ends(s, ends[i]))
			return true;
	}
	return strchr(name, '.') == NULL;
}

static bool visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct torn *t = ctx;
	(void)e;
	struct timespec m = mtime_of(&entry->st);
	/* A source file dated into the future is none of the compile's doing. */
	if (!S_ISREG(entry->st.st_mode) || before(m, t->since) || m.tv_sec > time(NULL))
		return true;
	if (before(t->newest, m))
		t->newest = m;
	const char *name = path_base(entry->path);
	if (directs_build(name))
		return true;
	if (is_empty_output(name, &entry->st))
		m.tv_sec = time(NULL); /* as recent as can be */
	strv_push(&t->paths, entry->path);
	vec_push(&t->times, m);
	return true;
}

bool workdir_drop_torn(int at, const char *dir, const char *since, struct err *e)
{
	struct torn t = { 0 };
	struct stat st;
	int fd = -1;
	if (fstatat(at, since, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return err_sys(e, "run.resume", "reading the stamp %s", since);
	t.since = mtime_of(&st);
	/* A package that is built in its source has no build directory. */
	if (!fs_is_dir(at, dir))
		return true;
	if (!fs_open_dir(at, dir, &fd, e))
		return false;
	bool ok = fs_walk(at, dir, visit, &t, e);
	for (size_t i = 0; ok && i < t.paths.n; i++) {
		if (t.times.v[i].tv_sec >= t.newest.tv_sec - TORN_WINDOW_S)
			ok = fs_unlink(fd, t.paths.v[i], e);
	}
	close(fd);
	vec_fini(&t.times);
	strv_fini(&t.paths);
	return ok;
}
