/* Trees of many shapes, merged and unmerged: the root is then as it was, bit for bit. */
#include "image_tree.h"

#include <string.h>

struct shape {
	const char *name;
	const char *root, *first, *second; /* second: an upgrade, or NULL */
};

#define A16 "aaaaaaaaaaaaaaaa"
#define A64 A16 A16 A16 A16
#define A240 A64 A64 A64 A16 A16 A16

static const struct shape shapes[] = {
	{ "one file", "", "f|a|644|x\n", NULL },
	{ "nothing at all", "f|a|644|x\n", "", NULL },
	{ "nested directories", "", "f|a/b/c/d/e|644|x\nf|a/b/f|755|y\n", NULL },
	{ "empty directory", "f|z|644|\n", "d|a/b|755\n", NULL },
	{ "empty file", "", "f|a/empty|600|\n", NULL },
	{ "shared directory", "f|usr/bin/other|755|o\n", "f|usr/bin/mine|755|m\n", NULL },
	{ "shared directory with another mode", "d|usr/bin|700\nf|usr/bin/o|755|o\n",
		"d|usr/bin|755\nf|usr/bin/m|755|m\n", NULL },
	{ "symlinked directory of the root", "l|lib64|usr/lib\nf|usr/lib/o|644|o\n",
		"f|lib64/a|644|x\nf|lib64/b/c|644|x\n", NULL },
	{ "symlinked directory by both names", "l|lib64|usr/lib\nf|usr/lib/o|644|o\n",
		"f|lib64/a|644|x\nf|usr/lib/b|644|x\n", "f|lib64/b|644|y\nf|usr/lib/a|644|y\n" },
	{ "chain of symlinked directories", "l|a|b\nl|b|c\nl|c|d/e\nf|d/e/o|644|o\n",
		"f|a/x|644|x\nf|b/y|644|x\nf|c/z/w|644|x\n", NULL },
	{ "symlinked directory that leaves the root", "l|ext|../outside\nf|../outside/o|644|o\n",
		"f|ext/x|644|x\nf|ext/y/z|644|x\n", NULL },
	{ "symlinked parent deep inside", "l|a/b|../c\nf|c/o|644|o\n", "f|a/b/d/e|644|x\n", NULL },
	{ "symlink to a directory of the package", "", "f|real/x|644|x\nl|alias|real\n", NULL },
	{ "symlink to a directory that sorts before", "", "f|a/x/y|644|x\nl|z|a\nl|b/c|../a\n",
		NULL },
	{ "symlink to a directory of others", "f|usr/share/o|644|o\n", "l|share|usr/share\n",
		NULL },
	{ "symlink to nowhere", "", "l|a/dangling|no/where\n", NULL },
	{ "symlink with arrows and blanks", "", "l|a -> b|c d 12\nl|e| f \n", NULL },
	{ "absolute symlink", "", "l|a|/usr/bin/env\nl|b|" OFFSET "/a\n", NULL },
	{ "symlink loop", "", "l|a|b\nl|b|a\n", NULL },
	{ "hard links in one directory", "", "f|a/x|755|x\nh|a/y|a/x\nh|a/z|a/x\n", NULL },
	{ "hard links across directories", "", "f|a/x|755|x\nh|b/c/x|a/x\nf|b/u|644|x\n", NULL },
	{ "hard links become files", "", "f|x|755|x\nh|y|x\n", "f|x|755|x2\nf|y|755|y2\n" },
	{ "files become hard links", "", "f|x|755|x2\nf|y|755|y2\n", "f|x|755|x\nh|y|x\n" },
	{ "blanks in names", "f|a b/o|644|\n", "f|a b/c  d|644|x\nf| lead|644|x\nf|trail |644|x\n",
		"f|a b/c  d|644|y\nf|trail |644|y\n" },
	{ "bytes that are not UTF-8", "", "f|\xff\xfe/\x80|644|x\nl|\xc3\x28|\xf0\n",
		"f|\xff\xfe/\x81|644|x\n" },
	{ "shell characters in names", "",
		"f|$(x)/*?[a]|644|x\nf|'q\"\\|644|x\nf|tab\there|644|x\n", NULL },
	{ "names like options and hidden ones", "", "f|-rf|644|x\nf|--|644|x\nf|.h/.i|644|x\n",
		NULL },
	{ "long names", "", "f|" A240 "aaaaaaaaaaaaaaa|644|x\nf|" A240 "/" A240 "|644|x\n", NULL },
	{ "names like our own", "f|.eprefix-0000000000000000|644|o\n",
		"f|.eprefix-0123456789abcdef|644|x\nf|etc/._cfg0000_x|644|y\n", NULL },
	{ "names that start alike", "",
		"f|a.b|644|1\nf|a/b|644|2\nf|a-b|644|3\nf|ab|644|4\nf|a b|644|5\n",
		"f|a.b|644|1\nf|ab|644|4\n" },
	{ "modes", "", "f|s|4755|x\nf|g|2711|x\nf|none|0|x\nd|sticky|1777\nd|gid|2750\n", NULL },
	{ "read-only directory", "", "f|ro/sub/x|444|x\nd|ro/sub|555\nd|ro|555\n",
		"f|ro/sub/y|444|x\nd|ro/sub|500\nd|ro|555\n" },
	{ "read-only directory of the root", "f|ro/o|644|o\nd|ro|555\n", "f|ro/x|644|x\n", NULL },
	{ "named pipe", "", "p|run/p\n", "p|run/q\n" },
	{ "configuration", "f|etc/o|644|o\n", "f|etc/foo/conf|644|1\nf|etc/env.d/50foo|644|A=b\n",
		NULL },
	{ "unchanged configuration upgraded", "", "f|etc/conf|644|1\nl|etc/link|conf\n",
		"f|etc/conf|644|2\nl|etc/link|./conf\n" },
	{ "replaced files", "", "f|bin/a|755|1\nf|bin/b|755|1\nl|bin/c|a\n",
		"f|bin/a|755|2\nf|bin/b|700|1\nl|bin/c|b\n" },
	{ "dropped files and directories", "f|share/o|644|o\n",
		"f|share/x/y|644|x\nf|share/x/z|644|x\nf|gone/too|644|x\nd|share/e|755\n",
		"f|share/x/y|644|x\n" },
	{ "file becomes symlink and back", "", "f|a|644|x\nl|b|a\n", "l|a|b\nf|b|644|y\n" },
	{ "file becomes directory", "", "f|a/b|644|x\nl|c|nowhere\n",
		"f|a/b/c/d|644|y\nf|c/d|644|y\n" },
	{ "directory moves", "", "f|lib/pkg/x|644|x\nd|lib/pkg/e|755\n", "f|share/pkg/x|644|x\n" },
};

static const char *const skip[] = { "image", "root/var/db/pkg", "root/var/cache/edb",
	"root/var/lib/eprefix", "root/var/lib/portage/config", NULL };

static void merge(const struct world_of_test *w, const struct protect *protect, const char *pf,
	const char *const *replaces)
{
	struct err e = ERR_INIT;
	struct image_report report = IMAGE_REPORT_INIT;
	struct image_merge m = { .image = w->image,
		.root = w->root,
		.offset = OFFSET,
		.category = "cat",
		.pf = pf,
		.replaces = replaces,
		.protect = protect,
		.no_sync = true };
	CHECK_OK(image_merge(&m, &report, &e), e);
	CHECK(report.updates.n == 0);
	image_report_fini(&report);
}

static void unmerge(const struct world_of_test *w, const struct protect *protect, const char *pf)
{
	struct err e = ERR_INIT;
	struct image_report report = IMAGE_REPORT_INIT;
	struct image_unmerge u = { .root = w->root,
		.offset = OFFSET,
		.category = "cat",
		.pf = pf,
		.protect = protect,
		.no_sync = true };
	CHECK_OK(image_unmerge(&u, &report, &e), e);
	image_report_fini(&report);
}

/* Every line of the image's print has to be in the root's, but for directories that were there. */
static void check_all_there(const struct world_of_test *w)
{
	char *start = xasprintf("%s%s", w->image, OFFSET);
	char *want = tree_text(start, NULL);
	struct str rest = str_of(want), line;
	while (str_split(&rest, '\n', &line)) {
		/* "path mode …": the mode of a directory starts with 40 and ends the line. */
		const char *mode = memrchr(line.p, ' ', line.n);
		size_t n = (size_t)(mode - line.p);
		bool dir = mode[1] == '4' && line.n - n == 6;
		char *path = xstrndup(line.p, n);
		CHECK(!dir || fs_is_dir(w->root, path));
		free(path);
	}
	free(start);
	free(want);
}

static void check_content(const struct world_of_test *w, const char *text)
{
	struct str rest = str_of(text), line;
	while (str_split(&rest, '\n', &line)) {
		if (line.n == 0 || line.p[0] != 'f')
			continue;
		struct err e = ERR_INIT;
		struct buf got = BUF_INIT;
		char *verb = tree_field(&line), *path = tree_field(&line),
		     *mode = tree_field(&line);
		CHECK_OK(fs_read(w->root, path, &got, &e), e);
		CHECK(str_eq((struct str){ buf_str(&got), got.n }, line));
		buf_fini(&got);
		free(verb);
		free(path);
		free(mode);
	}
}

static void run_shape(const struct shape *s)
{
	static const char *const first[] = { "foo-1", NULL };
	struct protect protect = PROTECT_INIT;
	struct world_of_test w = tree_world(s->root);
	protect_add(&protect, OFFSET, STR("/etc"), STR("/etc/env.d"));
	char *before = tree_text(w.dir, skip);
	tree_image(&w, s->first);
	merge(&w, &protect, "foo-1", NULL);
	check_all_there(&w);
	check_content(&w, s->first);
	if (s->second != NULL) {
		tree_image(&w, s->second);
		merge(&w, &protect, "foo-2", first);
		check_all_there(&w);
		check_content(&w, s->second);
	}
	unmerge(&w, &protect, s->second != NULL ? "foo-2" : "foo-1");
	char *after = tree_text(w.dir, skip);
	if (strcmp(before, after) != 0)
		test_fail(__FILE__, __LINE__, "%s:\n--- before\n%s--- after\n%s", s->name, before,
			after);
	CHECK(!fs_exists(w.root, "var/db/pkg/cat"));
	free(before);
	free(after);
	protect_fini(&protect);
	tree_world_end(&w);
}

TEST(image_shapes_leave_the_root_as_it_was)
{
	CHECK(sizeof shapes / sizeof *shapes >= 30);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		run_shape(&shapes[i]);
}
