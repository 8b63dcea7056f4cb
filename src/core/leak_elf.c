/* What the dynamic loader will look for, as glibc's ld.so(8) and macOS's dyld(1) tell. */
#include "elf.h"
#include "fs.h"
#include "leak_int.h"
#include "macho.h"

#include <unistd.h>

/* Where a guest's loader looks after the prefix; <multiarch> directories are found through them. */
static const char *const host_dirs[] = { "/lib", "/usr/lib", "/lib64", "/usr/lib64",
	"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
	"/usr/lib/aarch64-linux-gnu", NULL };

static void replace_all(struct buf *text, const char *from, const char *to)
{
	struct buf out = BUF_INIT;
	const char *rest = buf_str(text);
	for (const char *hit; (hit = strstr(rest, from)) != NULL; rest = hit + strlen(from)) {
		buf_add(&out, rest, (size_t)(hit - rest));
		buf_adds(&out, to);
	}
	buf_adds(&out, rest);
	buf_fini(text);
	*text = out;
}

/* An entry of a run path with $ORIGIN and $LIB replaced; the caller's own string. */
static char *expand(const struct leak *l, const char *path, struct str entry)
{
	struct buf text = BUF_INIT;
	char *full = path_join(l->eprefix, path), *origin = path_dir(full);
	buf_add_str(&text, entry);
	replace_all(&text, "${ORIGIN}", origin);
	replace_all(&text, "$ORIGIN", origin);
	replace_all(&text, "@loader_path", origin);
	replace_all(&text, "$LIB", "lib");
	replace_all(&text, "${LIB}", "lib");
	free(origin);
	free(full);
	return buf_take(&text);
}

/* Check each directory of a run path and add it, expanded, to *dirs. */
static void check_runpath(const struct leak *l, const char *path, const char *runpath,
	struct strv *dirs, struct flaws *f)
{
	struct str rest = str_of(runpath), entry;
	while (str_split(&rest, ':', &entry)) {
		char *dir = expand(l, path, entry);
		if (dir[0] != '/' || !leak_allows(l, FLAW_RUNPATH, path, dir))
			flaws_add(f, FLAW_RUNPATH, path, "searches \"%.*s\"", STR_ARG(entry));
		strv_own(dirs, dir);
	}
}

/* Is the library in this directory, and may it be used from there? */
static bool usable(const struct leak *l, const char *path, const char *dir, const char *name)
{
	char *full = path_join(dir, name);
	bool ok = leak_allows(l, FLAW_NEEDED, path, full) && access(full, F_OK) == 0;
	free(full);
	return ok;
}

static bool is_found(
	const struct leak *l, const char *path, const struct strv *dirs, const char *name)
{
	if (name[0] == '/')
		return usable(l, path, "/", name);
	for (size_t i = 0; i < dirs->n; i++)
		if (dirs->v[i][0] == '/' && usable(l, path, dirs->v[i], name))
			return true;
	for (size_t i = 0; i < l->library_dirs.n; i++)
		if (usable(l, path, l->library_dirs.v[i], name))
			return true;
	for (size_t i = 0; l->guest && host_dirs[i] != NULL; i++)
		if (usable(l, path, host_dirs[i], name))
			return true;
	return false;
}

static void check_loader(
	const struct leak *l, const char *path, const char *loader, struct flaws *f)
{
	if (!leak_allows(l, FLAW_INTERP, path, loader))
		flaws_add(f, FLAW_INTERP, path, "is started by %s", loader);
	else if (access(loader, F_OK) != 0)
		flaws_add(f, FLAW_INTERP, path, "is started by %s, which is missing", loader);
}

void leak_check_elf(const struct leak *l, const char *path, struct str data, struct flaws *f)
{
	struct elf elf = ELF_INIT;
	struct err e = ERR_INIT;
	struct strv dirs = STRV_INIT;
	if (!elf_read(data.p, data.n, &elf, &e)) {
		flaws_add(f, FLAW_OBJECT, path, "%s", e.message);
	} else if (elf.type == ELF_EXEC || elf.type == ELF_DYN) {
		if (elf.interp != NULL)
			check_loader(l, path, elf.interp, f);
		/* DT_RPATH does not count beside DT_RUNPATH, but would if that were removed. */
		if (elf.rpath != NULL)
			check_runpath(l, path, elf.rpath, &dirs, f);
		if (elf.runpath != NULL)
			check_runpath(l, path, elf.runpath, &dirs, f);
		for (size_t i = 0; i < elf.needed.n; i++)
			if (!is_found(l, path, &dirs, elf.needed.v[i]))
				flaws_add(f, FLAW_NEEDED, path, "needs %s", elf.needed.v[i]);
	}
	strv_fini(&dirs);
	elf_fini(&elf);
}

/* A Mach-O object names its libraries by path, @rpath, @loader_path or @executable_path. */
static void check_slice(
	const struct leak *l, const char *path, const struct macho_slice *s, struct flaws *f)
{
	struct strv dirs = STRV_INIT;
	if (s->dylinker != NULL && !leak_allows(l, FLAW_INTERP, path, s->dylinker))
		flaws_add(f, FLAW_INTERP, path, "is started by %s", s->dylinker);
	for (size_t i = 0; i < s->rpaths.n; i++)
		check_runpath(l, path, s->rpaths.v[i], &dirs, f);
	for (size_t i = 0; i < s->needed.n; i++) {
		const char *name = s->needed.v[i];
		bool found = name[0] == '@' || leak_allows(l, FLAW_NEEDED, path, name);
		if (strncmp(name, "@rpath/", 7) == 0)
			found = is_found(l, path, &dirs, name + 7);
		if (!found)
			flaws_add(f, FLAW_NEEDED, path, "needs %s", name);
	}
	strv_fini(&dirs);
}

void leak_check_macho(const struct leak *l, const char *path, struct str data, struct flaws *f)
{
	struct macho m = MACHO_INIT;
	struct err e = ERR_INIT;
	if (!macho_read(data.p, data.n, &m, &e))
		flaws_add(f, FLAW_OBJECT, path, "%s", e.message);
	for (size_t i = 0; i < m.slices.n; i++)
		check_slice(l, path, &m.slices.v[i], f);
	macho_fini(&m);
}
