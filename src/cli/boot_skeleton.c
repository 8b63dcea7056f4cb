#include "boot.h"

#include "digest.h"
#include "fs.h"
#include "json_in.h"
#include "manifest.h"
#include "pack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool make_dirs(struct boot *b, struct err *e)
{
	static const char *const dirs[] = { "etc/portage/repos.conf", "var/db/pkg", "var/db/repos",
		"var/cache/distfiles", "var/cache/edb", "var/lib/eprefix", "var/lib/portage",
		"var/log/portage", "var/tmp/portage" };
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		if (!fs_mkdirs(AT_FDCWD, boot_path(b, dirs[i]), 0755, e))
			return false;
	}
	return true;
}

#define MAIN_CONF "etc/portage/repos.conf/gentoo-prefix.conf"
#define OWN_MANIFEST "sys-apps/eprefix/Manifest"

/* A tree being made equal to another one. */
struct mirroring {
	int from, to;
	bool own_manifest; /* OWN_MANIFEST is written by pack_self() */
};

/* Paths in the copy that are not of the copy. */
static bool is_left_alone(const struct mirroring *m, const char *path)
{
	static const char cache[] = "metadata/md5-cache";
	size_t n = sizeof cache - 1;
	if (strncmp(path, cache, n) == 0 && (path[n] == '\0' || path[n] == '/'))
		return true;
	return m->own_manifest && strcmp(path, OWN_MANIFEST) == 0;
}

/* Copy a regular file unless the same bytes are there. */
static bool copy_file(const struct mirroring *m, const char *path, mode_t mode, struct err *e)
{
	struct buf text = BUF_INIT;
	bool ok =
		fs_read(m->from, path, &text, e) && fs_write_if_changed(m->to, path, text.p, text.n,
							    (mode & 0111) != 0 ? 0755 : 0644, e);
	buf_fini(&text);
	return ok;
}

static bool copy_entry(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct mirroring *m = ctx;
	if (is_left_alone(m, entry->path))
		return true;
	if (S_ISDIR(entry->st.st_mode))
		return fs_mkdirs(m->to, entry->path, 0755, e);
	if (S_ISREG(entry->st.st_mode))
		return copy_file(m, entry->path, entry->st.st_mode, e);
	return true;
}

static bool note_stranger(void *ctx, const struct fs_entry *entry, struct err *e)
{
	struct strv *strangers = ctx;
	(void)e;
	strv_push(strangers, entry->path);
	return true;
}

/* Remove what the original no longer has; deeper names first. */
static bool prune(const struct mirroring *m, struct err *e)
{
	struct strv all = STRV_INIT;
	bool ok = fs_walk(m->to, ".", note_stranger, &all, e);
	for (size_t i = all.n; ok && i-- > 0;) {
		if (!is_left_alone(m, all.v[i]) && !fs_exists(m->from, all.v[i]))
			ok = fs_remove_tree(m->to, all.v[i], e);
	}
	strv_fini(&all);
	return ok;
}

static bool mirror_tree(const char *from, const char *to, bool own_manifest, struct err *e)
{
	struct mirroring m = { .from = -1, .to = -1, .own_manifest = own_manifest };
	bool ok = fs_mkdirs(AT_FDCWD, to, 0755, e) && fs_open_dir(AT_FDCWD, from, &m.from, e) &&
		  fs_open_dir(AT_FDCWD, to, &m.to, e) && fs_walk(m.from, ".", copy_entry, &m, e) &&
		  prune(&m, e);
	if (m.from >= 0)
		close(m.from);
	if (m.to >= 0)
		close(m.to);
	return ok;
}

static bool copy_overlays(struct boot *b, const char *overlays, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = fs_list(AT_FDCWD, overlays, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		char *from = path_join(overlays, names.v[i]);
		char *to = path_join(b->repo_dir, names.v[i]);
		char *repo_name = path_join(from, "profiles/repo_name");
		if (fs_exists(AT_FDCWD, repo_name))
			ok = mirror_tree(from, to, b->source_dir != NULL, e);
		free(repo_name);
		free(to);
		free(from);
	}
	strv_fini(&names);
	return ok;
}

/* A file that is written once and the user's from then on. */
static bool write_once(struct boot *b, const char *name, const char *text, struct err *e)
{
	const char *path = boot_path(b, name);
	return fs_exists(AT_FDCWD, path) || fs_write(AT_FDCWD, path, text, strlen(text), 0644, e);
}

/* Overlays that came along are registered beside the main one; who removes the file is rid of them.
 */
static bool register_overlays(struct boot *b, struct err *e)
{
	struct strv names = STRV_INIT;
	bool ok = fs_list(AT_FDCWD, b->repo_dir, &names, e);
	for (size_t i = 0; ok && i < names.n; i++) {
		const char *name = names.v[i];
		const char *conf = arena_printf(&b->arena, "etc/portage/repos.conf/%s.conf", name);
		const char *text = arena_printf(
			&b->arena, "[%s]\nlocation = ${EPREFIX}/var/db/repos/%s\n", name, name);
		if (strcmp(name, "gentoo-prefix") != 0)
			ok = write_once(b, conf, text, e);
	}
	strv_fini(&names);
	return ok;
}

/* What ROCm is built for: the cards that are there, or how to say it. */
static bool add_gpu(struct boot *b, struct buf *conf, struct err *e)
{
	struct json *doc = json_parse((struct str){ b->facts.p, b->facts.n }, e);
	const struct json *targets = json_get(json_get(doc, "gpu"), "targets");
	size_t n = json_count(targets);
	if (doc != NULL && n == 0)
		buf_adds(conf, "# No AMD GPU was found here. What ROCm is built for:\n"
			       "#AMDGPU_TARGETS=\"gfx90a gfx1100\"\n");
	else if (doc != NULL)
		buf_adds(conf, "# The AMD GPUs that were found here; `eprefix doctor` tells more.\n"
			       "AMDGPU_TARGETS=\"");
	for (size_t i = 0; i < n; i++)
		buf_printf(conf, "%s%.*s", i > 0 ? " " : "",
			STR_ARG(json_string(json_at(targets, i))));
	if (n > 0)
		buf_adds(conf, "\"\n");
	json_free(doc);
	return doc != NULL;
}

/* repos.conf of the main repository: ours, or the first of the overlays that came instead. */
static bool write_main(struct boot *b, struct err *e)
{
	static const char ours[] =
		"[DEFAULT]\nmain-repo = gentoo-prefix\n\n"
		"[gentoo-prefix]\nlocation = ${EPREFIX}/var/db/repos/gentoo-prefix\n";
	struct strv names = STRV_INIT;
	bool ok = fs_list(AT_FDCWD, b->repo_dir, &names, e);
	const char *text = ours;
	if (names.n > 0 && !strv_has(&names, "gentoo-prefix"))
		text = arena_printf(&b->arena, "[DEFAULT]\nmain-repo = %s\n", names.v[0]);
	ok = ok && write_once(b, MAIN_CONF, text, e);
	strv_fini(&names);
	return ok;
}

static bool write_config(struct boot *b, struct err *e)
{
	struct buf conf = BUF_INIT;
	buf_adds(&conf, "# Options for what you build in this prefix; see make.conf(5) and "
			"`eprefix emerge --help`.\n"
			"CFLAGS=\"-O2 -pipe\"\nCXXFLAGS=\"${CFLAGS}\"\n");
	const char *distdir = cli_value(b->cli, "distdir", NULL);
	char *physical = distdir != NULL ? fs_real(distdir, e) : NULL;
	if (physical != NULL)
		buf_printf(&conf, "DISTDIR=\"%s\"\n", physical);
	bool ok = e->code == ERR_NONE && add_gpu(b, &conf, e) &&
		  write_once(b, "etc/portage/make.conf", buf_str(&conf), e) && write_main(b, e);
	free(physical);
	buf_fini(&conf);
	return ok;
}

/*
 * The package sys-apps/eprefix is built from the very source this program comes from: packed into
 * DISTDIR, where the archive depends on the contents only, and listed in the copied Manifest.
 */
static bool pack_self(struct boot *b, const char *recipe, const char *version, struct err *e)
{
	static const char *const parts[] = { "CMakeLists.txt", "bootstrap", "lua", "overlays",
		"src", NULL };
	struct manifest m = { 0 };
	struct buf text = BUF_INIT;
	char *top = xasprintf("eprefix-%s", version);
	char *name = xasprintf("%s.tar.gz", top);
	char *archive = path_join(b->distdir, name);
	char *from = path_join(b->overlays, "gentoo-prefix/" OWN_MANIFEST);
	char *listed = path_join(recipe, "Manifest");
	int source = -1, distdir = -1;
	bool ok = fs_mkdirs(AT_FDCWD, b->distdir, 0755, e) &&
		  fs_open_dir(AT_FDCWD, b->distdir, &distdir, e) &&
		  fs_open_dir(AT_FDCWD, b->source_dir, &source, e) &&
		  archive_pack(archive, source, parts, top, e) &&
		  fs_read(AT_FDCWD, from, &text, e) &&
		  manifest_parse(&m, (struct str){ text.p, text.n }, from, e) &&
		  manifest_set_file(&m, MANIFEST_DIST, name, distdir, e);
	buf_clear(&text);
	if (ok) {
		manifest_format(&m, &text);
		ok = fs_write_if_changed(AT_FDCWD, listed, text.p, text.n, 0644, e);
	}
	if (source >= 0)
		close(source);
	if (distdir >= 0)
		close(distdir);
	manifest_fini(&m);
	buf_fini(&text);
	free(listed);
	free(from);
	free(archive);
	free(name);
	free(top);
	return ok;
}

/* The version of the recipe "eprefix-0.1.lua", the caller's own, or NULL. */
static char *self_version(const char *dir)
{
	struct strv names = STRV_INIT;
	struct err ignored = ERR_INIT;
	char *version = NULL;
	if (fs_is_dir(AT_FDCWD, dir))
		fs_list(AT_FDCWD, dir, &names, &ignored);
	for (size_t i = 0; i < names.n && version == NULL; i++) {
		struct str s = str_of(names.v[i]);
		if (str_starts(s, "eprefix-") && str_ends(s, ".lua"))
			version = xstrndup(s.p + 8, s.n - 8 - 4);
	}
	strv_fini(&names);
	return version;
}

/* The overlays and, in them, this program's own package. */
static bool place_repos(struct boot *b, struct err *e)
{
	if (b->overlays != NULL && !copy_overlays(b, b->overlays, e))
		return false;
	char *self = path_join(b->repo_dir, "gentoo-prefix/sys-apps/eprefix");
	char *version = b->source_dir != NULL ? self_version(self) : NULL;
	bool ok = version == NULL || pack_self(b, self, version, e);
	free(version);
	free(self);
	return ok;
}

bool boot_skeleton(struct boot *b, struct err *e)
{
	/* The main repository's file is written last: where it is, all of this was done before. */
	bool begun = fs_exists(AT_FDCWD, boot_path(b, MAIN_CONF));
	return make_dirs(b, e) && place_repos(b, e) && (begun || register_overlays(b, e)) &&
	       write_config(b, e);
}

bool boot_scratch(struct boot *b, struct err *e)
{
	const char *base = getenv("TMPDIR");
	bool usable = base != NULL && base[0] == '/' && fs_is_dir(AT_FDCWD, base);
	b->scratch = xasprintf("%s/eprefix-pretend.XXXXXX", usable ? base : "/tmp");
	if (mkdtemp(b->scratch) == NULL) {
		err_sys(e, "boot.scratch", "making a directory for --pretend, %s", b->scratch);
		free(b->scratch);
		b->scratch = NULL;
		return false;
	}
	if (b->overlays == NULL)
		return true;
	b->repo_dir = arena_strdup(&b->arena, b->scratch);
	free(b->distdir);
	b->distdir = path_join(b->scratch, "distfiles");
	return place_repos(b, e);
}
