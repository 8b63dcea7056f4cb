#include "boot.h"

#include "fs.h"
#include "json_in.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define OPTIONS_FILE "var/lib/eprefix/options.json"
#define FACTS_FILE "var/lib/eprefix/host.json"

/* What decides the road of a bootstrap, once for the life of the prefix. */
struct choice {
	char *libc, *toolchain;
	char *stages; /* a stage file of the user's, "": the built-in ones */
};

static void choice_fini(struct choice *c)
{
	free(c->libc);
	free(c->toolchain);
	free(c->stages);
}

static char *member(const struct json *doc, const char *name, const char *fallback)
{
	struct str s = json_string(json_get(doc, name));
	return s.n > 0 ? xstrndup(s.p, s.n) : xstrdup(fallback);
}

/* The choices of an earlier run; those of a fresh prefix otherwise. */
static bool read_choice(struct boot *b, struct choice *c, bool *known, struct err *e)
{
	const char *path = boot_path(b, OPTIONS_FILE);
	struct buf text = BUF_INIT;
	struct utsname host;
	bool darwin = uname(&host) == 0 && strcmp(host.sysname, "Darwin") == 0;
	struct json *doc = NULL;
	bool ok = true;
	*known = fs_exists(AT_FDCWD, path);
	if (*known) {
		ok = fs_read(AT_FDCWD, path, &text, e) &&
		     (doc = json_parse((struct str){ text.p, text.n }, e)) != NULL;
		if (!ok)
			err_in(e, "%s", path);
	}
	c->libc = member(doc, "libc", darwin ? "host" : "prefix");
	c->toolchain = member(doc, "toolchain", "auto");
	c->stages = member(doc, "stages", "");
	json_free(doc);
	buf_fini(&text);
	return ok;
}

/* The command line may choose for a fresh prefix, and must not contradict an old one. */
static bool choose(struct boot *b, const char *option, char **value, bool known, struct err *e)
{
	const char *wish = cli_value(b->cli, option, *value);
	if (strcmp(wish, *value) == 0)
		return true;
	if (known)
		return err_set(e, ERR_USAGE, "boot.options",
			"%s was begun with --%s=%s; --%s=%s needs a new directory", b->eprefix,
			option, *value, option, wish);
	free(*value);
	*value = xstrdup(wish);
	return true;
}

static void add_member(struct buf *json, struct str name, struct str value)
{
	buf_addc(json, json->n > 0 ? ',' : '{');
	buf_json(json, name);
	buf_addc(json, ':');
	if (str_is(value, "true") || str_is(value, "false"))
		buf_add_str(json, value);
	else
		buf_json(json, value);
}

/* --set NAME=VALUE: for the stage file of this run. */
static bool add_settings(struct boot *b, struct err *e)
{
	struct strv given = cli_values(b->cli, "set");
	bool ok = true;
	for (size_t i = 0; ok && i < given.n; i++) {
		struct str value = str_of(given.v[i]), name;
		ok = strchr(given.v[i], '=') != NULL ||
		     err_set(e, ERR_USAGE, "boot.options", "--set wants NAME=VALUE, not \"%s\"",
			     given.v[i]);
		if (ok && str_split(&value, '=', &name))
			add_member(&b->options, name, value);
	}
	strv_fini(&given);
	return ok;
}

static bool save_choice(struct boot *b, const struct choice *c, struct err *e)
{
	struct buf text = BUF_INIT;
	add_member(&text, STR("libc"), str_of(c->libc));
	add_member(&text, STR("toolchain"), str_of(c->toolchain));
	if (c->stages[0] != '\0')
		add_member(&text, STR("stages"), str_of(c->stages));
	buf_clear(&b->options);
	buf_add(&b->options, text.p, text.n);
	buf_adds(&text, "}\n");
	const char *path = boot_path(b, OPTIONS_FILE);
	bool ok = cli_has(b->cli, "pretend") ||
		  fs_write_if_changed(AT_FDCWD, path, text.p, text.n, 0644, e);
	buf_fini(&text);
	ok = ok && add_settings(b, e);
	buf_adds(&b->options, "}\n");
	return ok;
}

/* A stage file of the user's is read in worker processes, too, which work elsewhere. */
static bool choose_stages(struct boot *b, struct choice *c, struct err *e)
{
	const char *file = cli_value(b->cli, "stages", NULL);
	if (file == NULL)
		return true;
	free(c->stages);
	c->stages = fs_real(file, e);
	return c->stages != NULL;
}

bool boot_options(struct boot *b, struct err *e)
{
	struct choice c = { 0 };
	bool known = false;
	bool ok = read_choice(b, &c, &known, e);
	bool fixed = known && ok && strcmp(c.toolchain, "auto") != 0;
	ok = ok && choose(b, "libc", &c.libc, known, e) &&
	     choose(b, "toolchain", &c.toolchain, fixed, e) && choose_stages(b, &c, e) &&
	     save_choice(b, &c, e);
	if (ok) {
		b->guest = strcmp(c.libc, "host") == 0;
		b->which = b->guest ? "guest" : "linux";
		if (c.stages[0] != '\0')
			b->which = arena_strdup(&b->arena, c.stages);
	}
	choice_fini(&c);
	return ok;
}

bool boot_fall_back(struct boot *b, struct err *e)
{
	struct choice c = { 0 };
	bool known;
	bool ok = read_choice(b, &c, &known, e);
	free(c.toolchain);
	c.toolchain = xstrdup("cross");
	ok = ok && save_choice(b, &c, e);
	choice_fini(&c);
	return ok;
}

static bool ask_machine(struct boot *b, struct err *e)
{
	const char *dir = b->scratch != NULL ? arena_printf(&b->arena, "%s/probe", b->scratch)
					     : boot_path(b, "var/tmp/eprefix-probe");
	struct err ignored = ERR_INIT;
	bool ok = fs_remove_tree(AT_FDCWD, dir, e) && fs_mkdirs(AT_FDCWD, dir, 0755, e) &&
		  lua_host_facts(b->lua, dir, buf_str(&b->options), &b->facts, e);
	fs_remove_tree(AT_FDCWD, dir, &ignored);
	return ok;
}

/* "unfit" lists what makes this machine unfit. */
static bool is_fit(const struct json *facts, struct err *e)
{
	const struct json *unfit = json_get(facts, "unfit");
	struct buf all = BUF_INIT;
	for (size_t i = 0; i < json_count(unfit); i++) {
		struct str s = json_string(json_at(unfit, i));
		buf_printf(&all, "%s%.*s", i > 0 ? "; " : "", STR_ARG(s));
	}
	bool fit = all.n == 0 ||
		   err_set(e, ERR_HOST, "boot.unfit", "this machine is unfit: %s", buf_str(&all));
	buf_fini(&all);
	return fit;
}

static bool take_facts(struct boot *b, struct err *e)
{
	struct json *doc = json_parse((struct str){ b->facts.p, b->facts.n }, e);
	if (doc == NULL)
		return err_in(e, "%s", boot_path(b, FACTS_FILE));
	free(b->arch);
	b->arch = member(doc, "arch", "");
	bool ok = is_fit(doc, e);
	json_free(doc);
	return ok;
}

bool boot_facts(struct boot *b, struct err *e)
{
	const char *path = boot_path(b, FACTS_FILE);
	if (fs_exists(AT_FDCWD, path))
		return fs_read(AT_FDCWD, path, &b->facts, e) && take_facts(b, e);
	/* What an unfit machine says is not kept: it may be mended by the next run. */
	if (!ask_machine(b, e) || !take_facts(b, e))
		return false;
	return cli_has(b->cli, "pretend") ||
	       fs_write(AT_FDCWD, path, b->facts.p, b->facts.n, 0644, e);
}
