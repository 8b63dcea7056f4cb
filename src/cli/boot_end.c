#include "boot.h"

#include "fs.h"
#include "progress.h"
#include "startprefix.h"
#include "verify.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FINISHED "var/lib/eprefix/finished"
#define VERIFIED "verified\n" /* what FINISHED says when nothing is left to be done */
#define FINDINGS_SHOWN 20

bool boot_is_finished(const struct boot *b)
{
	char *path = path_join(b->eprefix, FINISHED);
	bool there = fs_exists(AT_FDCWD, path);
	free(path);
	return there;
}

static bool write_startprefix(struct boot *b, struct err *e)
{
	struct buf text = BUF_INIT;
	startprefix_script(b->eprefix, &text);
	bool ok =
		fs_write_if_changed(AT_FDCWD, boot_path(b, "startprefix"), text.p, text.n, 0755, e);
	buf_fini(&text);
	return ok;
}

static bool verify(struct boot *b, struct vdb *vdb, int root, struct err *e)
{
	const struct verify_opts o = { .root = root,
		.eprefix = b->eprefix,
		.guest = b->guest,
		.vdb = vdb,
		.threads = b->tally.cpus };
	struct verify_result r = VERIFY_RESULT_INIT;
	bool ok = verify_run(&o, &r, e);
	for (size_t i = 0; ok && i < r.found.list.n && i < FINDINGS_SHOWN; i++) {
		const struct flaw *f = &r.found.list.v[i];
		cli_warn("%s: %s %s", f->path, flaw_title(f->kind), f->detail);
	}
	if (ok && r.found.list.n > 0)
		ok = err_set(e, ERR_FAILED, "boot.verify",
			"the prefix does not stand on its own: %zu findings; `eprefix verify "
			"--prefix %s` lists all",
			r.found.list.n, b->eprefix);
	if (ok && !b->cli->quiet)
		fprintf(stderr, "Verified: %zu packages, %zu files, nothing refers to the host.\n",
			r.packages, r.files);
	verify_result_fini(&r);
	return ok;
}

static bool verify_prefix(struct boot *b, struct err *e)
{
	struct vdb *vdb = NULL;
	int root = -1;
	bool ok = fs_open_dir(AT_FDCWD, b->eprefix, &root, e) &&
		  vdb_open(&vdb, root, b->eprefix, e) && verify(b, vdb, root, e);
	vdb_free(vdb);
	if (root >= 0)
		close(root);
	return ok;
}

static bool remove_tmp(struct boot *b, struct err *e)
{
	return fs_remove_tree(AT_FDCWD, boot_path(b, "tmp"), e) &&
	       fs_remove_tree(AT_FDCWD, boot_path(b, "var/lib/eprefix/steps/tmp"), e);
}

static bool mark(struct boot *b, const char *text, struct err *e)
{
	return fs_write_if_changed(AT_FDCWD, boot_path(b, FINISHED), text, strlen(text), 0644, e);
}

bool boot_is_verified(struct boot *b)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	fs_read(AT_FDCWD, boot_path(b, FINISHED), &text, &ignored);
	bool verified = strcmp(buf_str(&text), VERIFIED) == 0;
	buf_fini(&text);
	return verified;
}

bool boot_finish(struct boot *b, struct err *e)
{
	if (cli_has(b->cli, "no-verify"))
		return write_startprefix(b, e) && mark(b, VERIFIED, e) && remove_tmp(b, e);
	/* First the mark: a kill in between must not make the next run build tmp anew. */
	return write_startprefix(b, e) && mark(b, "", e) && remove_tmp(b, e) &&
	       verify_prefix(b, e) && mark(b, VERIFIED, e);
}

static bool add_size(void *ctx, const struct fs_entry *entry, struct err *e)
{
	uint64_t *bytes = ctx;
	(void)e;
	*bytes += (uint64_t)entry->st.st_blocks * 512;
	return true;
}

void boot_tell_end(struct boot *b)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	uint64_t bytes = 0;
	progress_summary(&b->tally, &text);
	if (fs_walk(AT_FDCWD, b->eprefix, add_size, &bytes, &ignored)) {
		buf_adds(&text, "Disk used: ");
		progress_bytes(&text, bytes);
		buf_addc(&text, '\n');
	}
	if (boot_is_finished(b))
		buf_printf(&text, "Enter the prefix: %s/startprefix\n", b->eprefix);
	fputs(buf_str(&text), stderr);
	buf_fini(&text);
}
