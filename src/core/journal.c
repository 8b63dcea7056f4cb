/* The journal as a file. */
#include "journal.h"

#include "fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define JOURNAL_DIR "var/lib/eprefix"
#define JOURNAL_FILE JOURNAL_DIR "/journal"
#define HEADER "eprefix journal 1"
#define COMMIT "commit\n"

void journal_add(struct journal *j, enum journal_verb verb, const char *path, const char *other)
{
	vec_push(&j->ops, (struct journal_op){ (char)verb, path, other });
}

static bool write_synced(int fd, struct str text, bool sync)
{
	while (text.n > 0) {
		ssize_t n = write(fd, text.p, text.n);
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			text = (struct str){ text.p + n, text.n - (size_t)n };
	}
	return !sync || fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool journal_put(int root, const char *path, struct str text, bool sync, struct err *e)
{
	char *aside = xasprintf("%s.new", path), *dir = path_dir(path);
	int fd = openat(root, aside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	bool ok = fd >= 0 && fchmod(fd, 0644) == 0 && write_synced(fd, text, sync);
	if (!ok)
		fs_fail(e, "write", root, aside);
	if (fd >= 0)
		close(fd);
	ok = ok && fs_rename(root, aside, path, e);
	if (ok && sync)
		fs_sync_dir(root, dir);
	free(aside);
	free(dir);
	return ok;
}

bool journal_save(const struct journal *j, int root, struct err *e)
{
	struct buf text = BUF_INIT;
	buf_adds(&text, HEADER "\n");
	for (size_t i = 0; i < j->ops.n; i++) {
		const struct journal_op *op = &j->ops.v[i];
		buf_addc(&text, op->verb);
		buf_addc(&text, '\0');
		buf_add(&text, op->path, strlen(op->path) + 1);
		buf_adds(&text, op->other);
		buf_addc(&text, '\n');
	}
	/* The number of lines: a file that a power cut has shortened is not taken for whole. */
	buf_printf(&text, "end %zu\n", j->ops.n);
	if (j->committed)
		buf_adds(&text, COMMIT);
	bool ok = fs_mkdirs(root, JOURNAL_DIR, 0755, e) &&
		  journal_put(root, JOURNAL_FILE, (struct str){ text.p, text.n }, !j->no_sync, e);
	buf_fini(&text);
	return ok;
}

bool journal_commit(struct journal *j, int root, struct err *e)
{
	int fd = openat(root, JOURNAL_FILE, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return fs_fail(e, "open", root, JOURNAL_FILE);
	bool ok = write_synced(fd, STR(COMMIT), !j->no_sync);
	if (!ok)
		fs_fail(e, "write", root, JOURNAL_FILE);
	close(fd);
	j->committed = ok;
	return ok;
}

static bool parse_op(struct journal *j, struct str line)
{
	struct str verb, path;
	if (!str_split(&line, '\0', &verb) || verb.n != 1 ||
		strchr("BMFNRDKWOTP", verb.p[0]) == NULL)
		return false;
	if (!str_split(&line, '\0', &path) || path.n == 0)
		return false;
	journal_add(j, (enum journal_verb)verb.p[0], arena_strndup(&j->arena, path.p, path.n),
		arena_strndup(&j->arena, line.n > 0 ? line.p : "", line.n));
	return true;
}

/* True when the text is whole. */
static bool parse(struct journal *j, struct str text)
{
	struct str line;
	if (!str_split(&text, '\n', &line) || !str_is(line, HEADER))
		return false;
	while (str_split(&text, '\n', &line) && !str_starts(line, "end ")) {
		if (!parse_op(j, line))
			return false;
	}
	char want[32];
	snprintf(want, sizeof want, "end %zu", j->ops.n);
	j->committed = str_is(text, COMMIT);
	return str_is(line, want);
}

bool journal_load(struct journal *j, int root, bool *found, struct err *e)
{
	struct buf text = BUF_INIT;
	struct err missing = ERR_INIT;
	*found = fs_read(root, JOURNAL_FILE, &text, &missing);
	bool ok = *found || missing.sys == ENOENT;
	if (!ok)
		*e = missing;
	if (*found && !parse(j, (struct str){ text.p, text.n })) {
		char *shown = fs_shown(root, JOURNAL_FILE);
		ok = err_set(e, ERR_FAILED, "journal.damaged",
			"%s is damaged: it should say what an interrupted merge has to finish. "
			"Move it away, then run `eprefix verify` to find files that are not as "
			"recorded and merge their packages again",
			shown);
		free(shown);
	}
	buf_fini(&text);
	return ok;
}

void journal_fini(struct journal *j)
{
	vec_fini(&j->ops);
	arena_fini(&j->arena);
	*j = JOURNAL_INIT;
}
