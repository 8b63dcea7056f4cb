/* The same questions to a tree before it is merged, while its package can still be put right. */
#include "fs.h"
#include "leak_int.h"

#include <sys/stat.h>

struct image_walk {
	const struct leak *l;
	struct flaws *f;
};

static void check_mode(const char *path, mode_t mode, struct flaws *f)
{
	if ((mode & (S_ISUID | S_ISGID)) != 0)
		flaws_add(f, FLAW_MODE, path, "has mode %04o", (unsigned)mode & 07777);
	else if ((mode & S_IWOTH) != 0)
		flaws_add(f, FLAW_MODE, path, "is writable by everybody");
}

static bool visit_file(const struct image_walk *w, const struct fs_entry *entry, struct err *e)
{
	struct buf data = BUF_INIT;
	check_mode(entry->path, entry->st.st_mode, w->f);
	if (!fs_read(entry->at, entry->path, &data, e)) {
		buf_fini(&data);
		return false;
	}
	struct str text = { buf_str(&data), data.n };
	if ((entry->st.st_mode & 0111) != 0)
		leak_check_script(w->l, entry->path, text, w->f);
	leak_check_text(w->l, entry->path, text, w->f);
	buf_fini(&data);
	return true;
}

static bool visit(void *ctx, const struct fs_entry *entry, struct err *e)
{
	const struct image_walk *w = ctx;
	if (S_ISREG(entry->st.st_mode))
		return visit_file(w, entry, e);
	if (!S_ISLNK(entry->st.st_mode))
		return true;
	char *target = fs_readlink(entry->at, entry->path, e);
	if (target == NULL)
		return false;
	leak_check_symlink(w->l, entry->path, target, w->f);
	free(target);
	return true;
}

bool leak_check_image(const struct leak *l, int image, struct flaws *f, struct err *e)
{
	struct image_walk w = { l, f };
	return fs_walk(image, ".", visit, &w, e);
}
