#include "protect.h"

#include "digest.h"
#include "fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#define UPDATE_PREFIX 10 /* strlen("._cfg0000_") */

/* A word of CONFIG_PROTECT as a path relative to the root. */
static char *relative(const char *offset, struct str word)
{
	size_t n = strlen(offset);
	if (n > 0 && str_starts(word, offset) && (word.n == n || word.p[n] == '/')) {
		word.p += n;
		word.n -= n;
	}
	while (word.n > 0 && word.p[0] == '/') {
		word.p++;
		word.n--;
	}
	char *copy = xstrndup(word.n > 0 ? word.p : "", word.n);
	char *clean = path_clean(copy);
	free(copy);
	if (strcmp(clean, ".") == 0)
		clean[0] = '\0';
	return clean;
}

static void add_words(struct strv *out, const char *offset, struct str words)
{
	struct str word;
	while (str_word(&words, &word)) {
		char *path = relative(offset, word);
		if (!strv_has(out, path))
			strv_push(out, path);
		free(path);
	}
}

void protect_add(struct protect *p, const char *offset, struct str on, struct str off)
{
	add_words(&p->on, offset, on);
	add_words(&p->off, offset, off);
}

/* The value of "export NAME='value'" in a profile.env; empty when it is not there. */
static struct str exported(struct str text, const char *name)
{
	struct str line;
	while (str_split(&text, '\n', &line)) {
		size_t n = strlen(name);
		if (!str_starts(line, "export "))
			continue;
		line = (struct str){ line.p + 7, line.n - 7 };
		if (str_starts(line, name) && line.n >= n + 3 && line.p[n] == '=' &&
			line.p[n + 1] == '\'' && line.p[line.n - 1] == '\'')
			return (struct str){ line.p + n + 2, line.n - n - 3 };
	}
	return (struct str){ "", 0 };
}

bool protect_load(struct protect *p, int root, const char *offset, struct err *e)
{
	struct buf env = BUF_INIT;
	struct err missing = ERR_INIT;
	protect_add(p, offset, STR("/etc"), STR("/etc/env.d"));
	bool ok = fs_read(root, "etc/profile.env", &env, &missing) || missing.sys == ENOENT;
	struct str text = { env.p, env.n };
	if (ok)
		protect_add(p, offset, exported(text, "CONFIG_PROTECT"),
			exported(text, "CONFIG_PROTECT_MASK"));
	else
		*e = missing;
	buf_fini(&env);
	return ok;
}

/* Length of the longest word that path is or lies below, -1: none. */
static ptrdiff_t longest(const struct strv *words, const char *path)
{
	ptrdiff_t best = -1;
	for (size_t i = 0; i < words->n; i++) {
		size_t n = strlen(words->v[i]);
		bool below = strncmp(path, words->v[i], n) == 0 &&
			     (n == 0 || path[n] == '/' || path[n] == '\0');
		if (below && (ptrdiff_t)n > best)
			best = (ptrdiff_t)n;
	}
	return best;
}

bool protect_has(const struct protect *p, const char *path)
{
	return longest(&p->on, path) > longest(&p->off, path);
}

void protect_fini(struct protect *p)
{
	strv_fini(&p->on);
	strv_fini(&p->off);
}

/* The number NNNN of "._cfgNNNN_name", or -1. */
static int update_number(const char *entry, const char *name)
{
	int number = 0;
	if (strncmp(entry, "._cfg", 5) != 0 || strlen(entry) <= UPDATE_PREFIX ||
		entry[UPDATE_PREFIX - 1] != '_' || strcmp(entry + UPDATE_PREFIX, name) != 0)
		return -1;
	for (int i = 5; i < UPDATE_PREFIX - 1; i++) {
		if (!chr_digit(entry[i]))
			return -1;
		number = number * 10 + (entry[i] - '0');
	}
	return number;
}

/* Does the update that is already there hold just this? */
static bool same_update(int root, const char *path, const char *md5)
{
	char hex[DIGEST_HEX_MAX] = "";
	struct err ignored = ERR_INIT;
	struct stat st;
	if (fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	if (S_ISLNK(st.st_mode)) {
		char *target = fs_readlink(root, path, &ignored);
		if (target != NULL)
			digest_bytes(target, strlen(target), DIGEST_MD5, hex);
		free(target);
	} else if (S_ISREG(st.st_mode)) {
		digest_file(root, path, DIGEST_MD5, hex, &ignored);
	}
	return strcmp(hex, md5) == 0;
}

char *protect_update_name(int root, const char *path, const char *md5, struct err *e)
{
	struct strv names = STRV_INIT;
	struct err missing = ERR_INIT;
	char *dir = path_dir(path), *result = NULL;
	const char *name = path_base(path);
	int last = -1;
	if (!fs_list(root, dir, &names, &missing) && missing.sys != ENOENT) {
		*e = missing;
		goto out;
	}
	for (size_t i = 0; i < names.n; i++) {
		int number = update_number(names.v[i], name);
		last = number > last ? number : last;
	}
	const char *at = strcmp(dir, ".") == 0 ? "" : dir, *slash = at[0] != '\0' ? "/" : "";
	if (last >= 0) {
		result = xasprintf("%s%s._cfg%04d_%s", at, slash, last, name);
		if (same_update(root, result, md5))
			goto out;
		free(result);
	}
	result = xasprintf("%s%s._cfg%04d_%s", at, slash, last + 1, name);
out:
	strv_fini(&names);
	free(dir);
	return result;
}
