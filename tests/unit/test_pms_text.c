#include "ini.h"
#include "linefile.h"
#include "makeconf.h"
#include "pms_tree.h"
#include "test.h"

#include <stdlib.h>

static struct arena arena;

/* What `text` makes of VAR; "error: …" where it fails. */
static const char *value(const char *text, const char *name)
{
	struct vars out = VARS_INIT, expand = VARS_INIT;
	struct strv warnings = STRV_INIT;
	struct err e = ERR_INIT;
	struct makeconf m = { &arena, &expand, &out, &warnings, false };
	vars_set(&expand, "LOW", "low");
	const char *result = "error";
	if (makeconf_text(&m, str_of(text), "make.conf", &e))
		result = vars_get(&out, name) != NULL ? vars_get(&out, name) : "unset";
	else
		result = arena_printf(&arena, "error: %s", e.message);
	vars_fini(&out);
	vars_fini(&expand);
	strv_fini(&warnings);
	return result;
}

TEST(makeconf_values)
{
	CHECK_STR(value("A=b", "A"), "b");
	CHECK_STR(value("export A=\"b c\"\n", "A"), "b c");
	CHECK_STR(value("A=x#y\nB=1", "A"), "x");
	CHECK_STR(value("A='x#y' # comment", "A"), "x#y");
	CHECK_STR(value("A=\"x\ny\"", "A"), "x y");
	CHECK_STR(value("A=\"x\\\ny\"", "A"), "xy");
	CHECK_STR(value("A=\"a\\\"b\"", "A"), "a\"b");
	CHECK_STR(value("A='a\\b'", "A"), "a\\b");
	CHECK_STR(value("A=\"a\"'b'c", "A"), "abc");
	CHECK_STR(value("A=-O2\\ -g", "A"), "-O2 -g");
	CHECK_STR(value("A=1 A=2", "A"), "2");
	CHECK_STR(value("A=\"\"\nB=x", "A"), "");
	CHECK_STR(value("A=\nB=x", "B"), "x");
	CHECK_STR(value("# nothing", "A"), "unset");
	arena_fini(&arena);
}

TEST(makeconf_expands_once)
{
	CHECK_STR(value("A=$LOW-${LOW}x", "A"), "low-lowx");
	CHECK_STR(value("B='${LOW}' A='${B}'", "A"), "low");
	CHECK_STR(value("A=\"${NONE}x\"", "A"), "x");
	CHECK_STR(value("A='\\$LOW'", "A"), "$LOW");
	CHECK_STR(value("A='\\\\\\\\LOW'", "A"), "\\\\LOW");
	CHECK_STR(value("A='x$'", "A"), "x$");
	CHECK_STR(value("A=\"it's $LOW\"", "A"), "it's $LOW");
	arena_fini(&arena);
}

TEST(makeconf_errors_have_a_place)
{
	CHECK(strstr(value("A=1\nB C", "A"), "error: make.conf:2: ") != NULL);
	CHECK(strstr(value("A=\"x", "A"), "not closed") != NULL);
	CHECK(strstr(value("A=(x)", "A"), "error: make.conf:1") != NULL);
	CHECK(strstr(value("1A=x", "A"), "no variable name") != NULL);
	CHECK(strstr(value("A=${LOW:-y}", "A"), "substitution") != NULL);
	CHECK(strstr(value("A=x\nA+=y", "A"), "make.conf:2") != NULL);
	CHECK(strstr(value("source x", "A"), "error") != NULL);
	CHECK(strstr(value("A=x \\", "A"), "backslash") != NULL);
	arena_fini(&arena);
}

TEST(makeconf_sources_files_beside_it)
{
	struct tree t = tree_new();
	struct vars out = VARS_INIT, expand = VARS_INIT;
	struct strv warnings = STRV_INIT;
	struct makeconf m = { &arena, &expand, &out, &warnings, true };
	tree_write(&t, "etc/portage/make.conf/10", "A=1\nsource ../more\nB=$M");
	tree_write(&t, "etc/portage/make.conf/20", "A=$A$B");
	tree_write(&t, "etc/portage/make.conf/.hidden", "bad bad");
	tree_write(&t, "etc/portage/make.conf/30~", "bad bad");
	tree_write(&t, "etc/portage/more", "M=m");
	char *path = xasprintf("%s/etc/portage/make.conf", t.root);
	CHECK_OK(makeconf_read(&m, path, &t.e), t.e);
	CHECK_STR(vars_get(&out, "A"), "1m");
	free(path);
	path = xasprintf("%s/etc/loop", t.root);
	tree_write(&t, "etc/loop", "source loop\n");
	CHECK(!makeconf_read(&m, path, &t.e) && strstr(t.e.message, "too deeply") != NULL);
	free(path);
	vars_fini(&out);
	vars_fini(&expand);
	strv_fini(&warnings);
	tree_free(&t);
	arena_fini(&arena);
}

TEST(lines_of_files_and_directories)
{
	struct tree t = tree_new();
	struct line_list l = { 0 };
	tree_write(&t, "d/20-b", "b x # y\n# all\n\n  c#d #e\n");
	tree_write(&t, "d/10/z", "a");
	tree_write(&t, "d/.x", "hidden\n");
	tree_write(&t, "d/old~", "old\n");
	tree_write(&t, "d/CVS/x", "vcs\n");
	char *path = xasprintf("%s/d", t.root);
	CHECK_OK(lines_read(&arena, path, &l, &t.e), t.e);
	CHECK(l.list.n == 3);
	CHECK(str_is(l.list.v[0].words[0], "a") && l.list.v[0].n == 1);
	CHECK(l.list.v[1].n == 2 && str_is(l.list.v[1].words[1], "x"));
	CHECK(str_is(l.list.v[2].words[0], "c#d") && l.list.v[2].number == 4);
	CHECK(strstr(l.list.v[2].file, "/d/20-b") != NULL);
	free(path);
	vec_fini(&l.list);
	CHECK_OK(lines_read(&arena, "/nonexistent/x", &l, &t.e), t.e);
	CHECK(l.list.n == 0);
	tree_free(&t);
	arena_fini(&arena);
}

TEST(ini_sections_and_continuations)
{
	struct ini ini = { 0 };
	struct err e = ERR_INIT;
	const char *text = "# c\n[DEFAULT]\nMain-Repo = x\n[r]\na: b\n  c\n; c\nd = e = f\n";
	CHECK_OK(ini_parse(&arena, str_of(text), "f", &ini, &e), e);
	CHECK(ini.list.n == 5);
	CHECK(str_is(ini.list.v[1].key, "main-repo") && str_is(ini.list.v[1].value, "x"));
	CHECK(str_is(ini.list.v[3].value, "b c") && str_is(ini.list.v[3].section, "r"));
	CHECK(str_is(ini.list.v[4].value, "e = f") && ini.list.v[4].line == 8);
	vec_fini(&ini.list);
	CHECK(!ini_parse(&arena, STR("[r]\nword\n"), "f", &ini, &e));
	CHECK(strstr(e.message, "f:2: ") != NULL);
	vec_fini(&ini.list);
	e = ERR_INIT;
	CHECK(!ini_parse(&arena, STR("a = b\n"), "f", &ini, &e));
	vec_fini(&ini.list);
	arena_fini(&arena);
}
