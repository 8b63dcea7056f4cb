#include "leak.h"

#include "elf.h"
#include "fs.h"
#include "leak_int.h"
#include "macho.h"

#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>

/* Kernel interfaces are no host software; the rest is the host's configuration, shared on purpose:
 * users, name service and time zone are the machine's. */
const struct leak_exception leak_exceptions[] = {
	{ FLAW_SYMLINK, false, "*", "/dev/*", "device of the kernel" },
	{ FLAW_SYMLINK, false, "*", "/proc/*", "kernel interface" },
	{ FLAW_SYMLINK, false, "etc/passwd", "/etc/passwd", "users are the machine's" },
	{ FLAW_SYMLINK, false, "etc/group", "/etc/group", "users are the machine's" },
	{ FLAW_SYMLINK, false, "etc/hosts", "/etc/hosts", "name service is the machine's" },
	{ FLAW_SYMLINK, false, "etc/resolv.conf", "/*", "name service is the machine's" },
	{ FLAW_SYMLINK, false, "etc/nsswitch.conf", "/etc/*", "name service is the machine's" },
	{ FLAW_SYMLINK, false, "etc/localtime", "/*", "the time zone is the machine's" },
	{ FLAW_INTERP, true, "*", "/lib*/ld*", "a guest uses the host's loader" },
	{ FLAW_INTERP, true, "*", "/usr/lib/dyld", "a guest uses the host's loader" },
	{ FLAW_NEEDED, true, "*", "/lib*", "a guest uses the host's C library" },
	{ FLAW_NEEDED, true, "*", "/usr/lib*", "a guest uses the host's system libraries" },
	{ FLAW_NEEDED, true, "*", "/System/*", "a guest uses macOS's frameworks" },
	{ FLAW_SCRIPT, true, "*", "/bin/sh", "a guest has the host's shell" },
	{ FLAW_SCRIPT, true, "*", "/usr/bin/env", "a guest has the host's env" },
	{ FLAW_TEXT, true, "*.pc", "/usr/bin/*", "a guest uses the host's compiler" },
	{ FLAW_TEXT, true, "*.pc", "/Applications/*", "the SDK of macOS" },
	{ FLAW_TEXT, true, "*.pc", "/Library/*", "the SDK of macOS" },
	{ FLAW_KINDS, false, NULL, NULL, NULL },
};

/* Symlinks to each other in a prefix of ours; each is asked, for a prefix made by others. */
static const char *const default_dirs[] = { "usr/lib", "lib", "usr/lib64", "lib64" };

static void read_ld_so_conf(struct leak *l, const char *path, unsigned depth);

/* "include PATTERN", relative to the directory of the file it is in. */
static void include_conf(struct leak *l, const char *from, const char *pattern, unsigned depth)
{
	char *dir = path_dir(from), *in_prefix = path_join(dir, pattern), *full;
	const char *inner = leak_below(l, in_prefix);
	full = path_join(l->eprefix, inner != NULL ? inner : in_prefix);
	glob_t found;
	if (leak_below(l, full) != NULL && glob(full, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			read_ld_so_conf(l, leak_below(l, found.gl_pathv[i]), depth + 1);
		globfree(&found);
	}
	free(full);
	free(in_prefix);
	free(dir);
}

static void read_ld_so_conf(struct leak *l, const char *path, unsigned depth)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	struct str rest, line, word;
	if (depth > 8 || !fs_read(l->root, path, &text, &ignored)) {
		buf_fini(&text);
		return;
	}
	rest = (struct str){ buf_str(&text), text.n };
	while (str_split(&rest, '\n', &line)) {
		if (!str_word(&line, &word) || word.p[0] == '#')
			continue;
		bool include = str_is(word, "include");
		if (include && !str_word(&line, &word))
			continue;
		char *value = xstrndup(word.p, word.n);
		if (include)
			include_conf(l, path, value, depth);
		else
			strv_push(&l->library_dirs, value);
		free(value);
	}
	buf_fini(&text);
}

void leak_init(struct leak *l, int root, const char *eprefix, bool guest)
{
	*l = (struct leak){ .root = root, .eprefix = eprefix, .guest = guest };
	strv_own(&l->forbidden, path_join(eprefix, "tmp"));
	for (size_t i = 0; i < sizeof default_dirs / sizeof *default_dirs; i++)
		strv_own(&l->library_dirs, path_join(eprefix, default_dirs[i]));
	if (fs_exists(root, "etc/ld.so.cache"))
		read_ld_so_conf(l, "etc/ld.so.conf", 0);
}

void leak_forbid(struct leak *l, const char *dir)
{
	strv_push(&l->forbidden, dir);
}

void leak_fini(struct leak *l)
{
	strv_fini(&l->forbidden);
	strv_fini(&l->library_dirs);
}

static const char *below(const char *dir, const char *path)
{
	size_t n = strlen(dir);
	if (strncmp(path, dir, n) != 0 || (path[n] != '\0' && path[n] != '/'))
		return NULL;
	return path + n + (path[n] == '/');
}

const char *leak_below(const struct leak *l, const char *path)
{
	return below(l->eprefix, path);
}

static bool excepted(const struct leak *l, enum flaw_kind kind, const char *file, const char *value)
{
	for (const struct leak_exception *x = leak_exceptions; x->value != NULL; x++)
		if (x->kind == kind && (l->guest || !x->guest_only) &&
			fnmatch(x->path, file, 0) == 0 && fnmatch(x->value, value, 0) == 0)
			return true;
	return false;
}

bool leak_allows(const struct leak *l, enum flaw_kind kind, const char *file, const char *value)
{
	char *clean = path_clean(value);
	bool ok = leak_below(l, clean) != NULL;
	for (size_t i = 0; ok && i < l->forbidden.n; i++)
		ok = below(l->forbidden.v[i], clean) == NULL;
	ok = ok || excepted(l, kind, file, clean);
	free(clean);
	return ok;
}

void leak_check_symlink(const struct leak *l, const char *path, const char *target, struct flaws *f)
{
	char *full = path_join(l->eprefix, path), *dir = path_dir(full);
	char *meant = path_join(dir, target);
	struct err ignored = ERR_INIT;
	/* Through a symlinked directory ".." means something else than it looks. */
	char *real = target[0] == '/' ? NULL : fs_real(full, &ignored);
	if (!leak_allows(l, FLAW_SYMLINK, path, real != NULL ? real : meant))
		flaws_add(f, FLAW_SYMLINK, path, "points at %s", target);
	free(real);
	free(meant);
	free(dir);
	free(full);
}

/* A relative interpreter is a template, not a path. */
void leak_check_script(const struct leak *l, const char *path, struct str data, struct flaws *f)
{
	struct str line = data, first, word;
	if (data.n < 2 || memcmp(data.p, "#!", 2) != 0)
		return;
	line.p += 2;
	line.n -= 2;
	if (!str_split(&line, '\n', &first) || !str_word(&first, &word) || word.p[0] != '/')
		return;
	char *interpreter = xstrndup(word.p, word.n);
	if (!leak_allows(l, FLAW_SCRIPT, path, interpreter))
		flaws_add(f, FLAW_SCRIPT, path, "is run by %s", interpreter);
	free(interpreter);
}

void leak_check_file(
	const struct leak *l, const char *path, mode_t mode, struct str data, struct flaws *f)
{
	if (elf_is(data.p, data.n))
		leak_check_elf(l, path, data, f);
	else if (macho_is(data.p, data.n))
		leak_check_macho(l, path, data, f);
	else if ((mode & 0111) != 0)
		leak_check_script(l, path, data, f);
	leak_check_text(l, path, data, f);
}
