#include "bind_fixture.h"

#include "fs.h"
#include "mem.h"
#include "sandbox.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Phases: what `b` does, what the image becomes, how failures read. */

#define HEAD "return plain {\n\tDESCRIPTION = 'd', LICENSE = 'l', IUSE = 'nls',\n"
#define INSTALL(body) HEAD "\tinstall = function(b)\n" body "\n\tend,\n}\n"

/* Run all phases of a recipe; the file of the work directory must then hold `want`. */
static void check_file(const char *recipe, const char *path, const char *want)
{
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(&f, recipe);
	CHECK_OK(bind_fixture_run(&f, "nls", PHASE_INSTALL, &e), e);
	char *got = bind_fixture_read(&f, path);
	CHECK_STR(got, want);
	free(got);
	bind_fixture_close(&f);
}

/* The phases must fail with ERR_BUILD and this in the message. */
static void check_fails(const char *recipe, const char *want)
{
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(&f, recipe);
	CHECK(!bind_fixture_run(&f, "", PHASE_INSTALL, &e));
	CHECK(e.code == ERR_BUILD);
	if (strstr(e.message, want) == NULL)
		test_fail(__FILE__, __LINE__, "no '%s' in '%s'", want, e.message);
	bind_fixture_close(&f);
}

TEST(bind_commands_see_only_the_stages_environment)
{
	setenv("CPATH", "/leak", 1);
	check_file(INSTALL("b:run { 'sh', '-c', 'env | cut -d= -f1 | sort | tr \"\\\\n\" \" \" "
			   ">$T/env' }"),
		"temp/env",
		"CC CHOST CONFIG_SITE FROM_STAGE GIT_CONFIG_NOSYSTEM HOME LC_ALL PATH "
		"PKG_CONFIG_LIBDIR PWD "
		"PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONNOUSERSITE SHELL SOURCE_DATE_EPOCH "
		"TERM TMPDIR ");
	unsetenv("CPATH");
}

TEST(bind_recipe_env_and_call_env_reach_commands)
{
	check_file(HEAD "\tenv = { A = '$PN', FROM_STAGE = 'no' },\n\tinstall = function(b)\n"
			"\t\tb:run { 'sh', '-c', 'echo \"$$A $$FROM_STAGE $$B\" >$T/out', env = { "
			"B = 'b' } }\n\tend,\n}\n",
		"temp/out", "thing no b\n");
}

TEST(bind_capture_and_try_tell_what_happened)
{
	check_file(INSTALL("b:write('$T/out', b:capture { 'echo', 'a  b' } .. b:try { 'sh', '-c', "
			   "'exit 3' })"),
		"temp/out", "a  b3");
}

TEST(bind_failed_commands_name_phase_command_and_last_lines)
{
	check_fails(INSTALL("b:run { 'sh', '-c', 'echo broken pipe fitting; exit 4' }"),
		"'sh -c echo broken pipe fitting; exit 4' ended with status 4\nbroken "
		"pipe fitting");
	check_fails(INSTALL("b:die 'no luck in $PN'"), "no luck in thing");
	check_fails(INSTALL("b:run { 'no-such-command-here' }"), "no-such-command-here");
}

TEST(bind_the_source_directory_must_be_there)
{
	check_fails(HEAD "\tsubdir = 'sub',\n\tunpack = function(b) b:mkdir('../other') end,\n}\n",
		"subdir = 'sub' is not in the source, which holds: other");
	check_file(HEAD "\tunpack = function(b) b:run { 'sh', '-c', 'echo x >f' } end,\n}\n",
		"work/src/f", "x\n");
}

TEST(bind_commands_share_the_jobs_only_when_they_are_told_to)
{
	check_file(HEAD
		"\tprepare = function(b)\n"
		"\t\tb:run { 'sh', '-c', 'echo \"$$MAKEFLAGS\" >$T/out', jobserver = true }\n"
		"\t\tb:run { 'sh', '-c', 'echo \"$${MAKEFLAGS-none}\" >>$T/out' }\n\tend,\n}\n",
		"temp/out", "-j1\nnone\n");
}

TEST(bind_edits_before_the_build_keep_the_time)
{
	check_file(HEAD
		"\tprepare = function(b)\n\t\tb:write('f', 'one\\n')\n"
		"\t\tb:run { 'touch', '-t', '200001010000', 'f' }\n\t\tb:edit('f', { from = 'one', "
		"to = 'two' })\n"
		"\t\tb:run { 'sh', '-c', 'test f -ot /etc/passwd && cat f >$T/out' }\n\tend,\n}\n",
		"temp/out", "two\n");
}

TEST(bind_edits_that_find_nothing_fail)
{
	check_fails(HEAD "\tprepare = function(b)\n\t\tb:write('f', 'one')\n\t\tb:edit('f', { from "
			 "= 'x' })\n\tend,\n}\n",
		"/work/src/f: edit 1 found nothing: x");
	check_fails(HEAD "\tprepare = function(b) b:edit('f', { from = 'x' }) end,\n}\n",
		"/work/src/f: no such file to edit");
}

TEST(bind_phases_change_their_work_directory_only)
{
	check_fails(INSTALL("b:write('/tmp/eprefix-leak', 'x')"),
		"a phase changes files below its work directory only");
	check_fails(INSTALL("b:remove('$S/../../../other')"),
		"a phase changes files below its work directory only");
}

TEST(bind_commands_write_below_the_work_directory_only)
{
	struct sandbox_support support;
	struct bind_fixture f;
	struct err e = ERR_INIT;
	sandbox_probe(&support);
	if (!support.files)
		test_skip(support.files_how);
	bind_fixture_open(
		&f, INSTALL("b:run { 'sh', '-c', 'echo x >$T/fine && echo x >$TARGET/leak' }"));
	f.confine = true;
	CHECK(!bind_fixture_run(&f, "", PHASE_INSTALL, &e));
	CHECK(strstr(e.message, "/leak") != NULL);
	char *fine = bind_fixture_read(&f, "temp/fine"), *leak = path_join(f.root, "leak");
	CHECK_STR(fine, "x\n");
	CHECK(!fs_exists(AT_FDCWD, leak));
	free(leak);
	free(fine);
	bind_fixture_close(&f);
}

TEST(bind_use_flags_are_checked)
{
	check_file(INSTALL("b:write('$T/out', tostring(b.use.nls))"), "temp/out", "true");
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(&f, INSTALL("return b.use.nsl"));
	CHECK(!bind_fixture_run(&f, "", PHASE_INSTALL, &e));
	CHECK(strstr(e.message, "b.use.nsl: the flag is not in IUSE") != NULL);
	bind_fixture_close(&f);
}

TEST(bind_images_are_merged_into_usr)
{
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(
		&f, INSTALL("b:mkdir('$ED/sbin', '$ED/lib64/sub', '$ED/usr/lib/sub')\n"
			    "b:write('$ED/sbin/tool', '#!/bin/sh -e\\n', 493)\n"
			    "b:symlink('../usr/lib/sub', '$ED/lib64/sub-link')\n"
			    "b:write('$ED/lib64/sub/a', 'a')\nb:write('$ED/usr/lib/sub/b', 'b')\n"
			    "b:write('$ED/usr/lib/x.la', '# generated by libtool')"));
	CHECK_OK(bind_fixture_run(&f, "", PHASE_INSTALL, &e), e);
	char *image = path_join(f.work, "image"), *ed = path_join(image, f.root + 1);
	int fd = -1;
	CHECK_OK(fs_open_dir(AT_FDCWD, ed, &fd, &e), e);
	CHECK(!fs_exists(fd, "sbin") && !fs_exists(fd, "lib64") && !fs_exists(fd, "usr/lib/x.la"));
	CHECK(fs_exists(fd, "usr/lib/sub/a") && fs_exists(fd, "usr/lib/sub/b"));
	char *target = fs_readlink(fd, "usr/lib/sub-link", &e);
	CHECK_STR(target, "sub");
	struct buf text = BUF_INIT;
	CHECK_OK(fs_read(fd, "usr/bin/tool", &text, &e), e);
	char *want = xasprintf("#!%s/bin/sh -e\n", f.root);
	CHECK_STR(buf_str(&text), want);
	struct stat st;
	CHECK(fstatat(fd, "usr/bin/tool", &st, 0) == 0 && (st.st_mode & 0777) == 0755);
	free(want);
	buf_fini(&text);
	free(target);
	close(fd);
	free(ed);
	free(image);
	bind_fixture_close(&f);
}

TEST(bind_images_keep_to_the_prefix)
{
	check_fails(INSTALL("b:mkdir('$D/etc')\nb:write('$D/etc/passwd', 'x')"),
		"2 paths outside the prefix");
	check_fails(INSTALL("b:symlink('usr/bin', '$ED/bin')"), "the image holds a symlink bin");
	check_fails(INSTALL("b:write('$ED/bin/x', 'a')\nb:write('$ED/usr/bin/x', 'b')"),
		"bin/x and usr/bin/x are different files");
}

/* An installation in a stage of that name: ERR_NONE or what came of it. */
static enum err_code install_in(const char *stage, const char *recipe, const char *want)
{
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(&f, recipe);
	f.stage = stage;
	if (!bind_fixture_run(&f, "", PHASE_INSTALL, &e) && strstr(e.message, want) == NULL)
		test_fail(__FILE__, __LINE__, "no '%s' in '%s'", want, e.message);
	bind_fixture_close(&f);
	return e.code;
}

TEST(bind_objects_must_stay_in_a_standalone_prefix)
{
	static const char ls[] = INSTALL("b:copy('/bin/ls', '$ED/usr/bin/')");
	CHECK(install_in("one", ls, "") == ERR_NONE);
	CHECK(install_in("leaks", ls, "is the host's") == ERR_BUILD);
	CHECK(install_in("guest", ls, "") == ERR_NONE);
}

TEST(bind_references_must_stay_in_a_standalone_prefix)
{
	static const char link[] =
		INSTALL("b:mkdir('$ED/usr/bin')\nb:symlink('/bin/ls', '$ED/usr/bin/ls')");
	static const char script[] = INSTALL("b:write('$ED/usr/bin/x', '#!/opt/x/bin/tool', 493)");
	static const char noted[] = INSTALL("b:write('$ED/usr/bin/x-config', '$WORKDIR/x', 493)");
	CHECK(install_in("one", link, "") == ERR_NONE);
	CHECK(install_in("leaks", link, "usr/bin/ls: points at /bin/ls") == ERR_BUILD);
	CHECK(install_in("leaks", script, "usr/bin/x: is run by /opt/x/bin/tool") == ERR_BUILD);
	CHECK(install_in("leaks", noted, "") == ERR_NONE);
}

TEST(bind_patches_are_applied_in_prepare_also_the_users)
{
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(&f, HEAD "\tpatches = { 'one.patch' },\n"
				   "\tprepare = function(b, super)\n\t\tb:write('f', "
				   "'a\\n')\n\t\tsuper(b)\n\tend,\n}\n");
	bind_fixture_write(
		&f, "app-misc/thing/files/one.patch", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n");
	bind_fixture_write(&f, "../root/etc/portage/patches/app-misc/thing:0/z.patch",
		"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-b\n+c\n");
	CHECK_OK(bind_fixture_run(&f, "", PHASE_PREPARE, &e), e);
	char *got = bind_fixture_read(&f, "work/src/f");
	CHECK_STR(got, "c\n");
	free(got);
	bind_fixture_close(&f);
}

TEST(bind_an_interrupted_prepare_starts_from_the_sources)
{
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(&f,
		HEAD "\tprepare = function(b)\n\t\tb:append('f', 'once\\n')\n"
		     "\t\tif not b:exists('$T/go') then b:die 'interrupted' end\n\tend,\n}\n");
	CHECK(!bind_fixture_run(&f, "", PHASE_PREPARE, &e));
	e = ERR_INIT;
	char *go = path_join(f.work, "temp/go");
	CHECK_OK(fs_write(AT_FDCWD, go, "", 0, 0644, &e), e);
	CHECK_OK(bind_fixture_run(&f, "", PHASE_PREPARE, &e), e);
	char *got = bind_fixture_read(&f, "work/src/f");
	CHECK_STR(got, "once\n");
	free(got);
	free(go);
	bind_fixture_close(&f);
}

TEST(bind_merge_records_and_replaces)
{
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(&f, INSTALL("b:write('$ED/usr/share/thing', 'x')"));
	for (int i = 0; i < 2; i++)
		CHECK_OK(bind_fixture_run(&f, "nls", PHASE_MERGE, &e), e);
	char *record = path_join(f.root, "var/db/pkg/app-misc/thing-1.2/USE");
	struct buf text = BUF_INIT;
	CHECK_OK(fs_read(AT_FDCWD, record, &text, &e), e);
	CHECK_STR(buf_str(&text), "nls\n");
	char *file = path_join(f.root, "usr/share/thing");
	CHECK(fs_exists(AT_FDCWD, file));
	free(file);
	buf_fini(&text);
	free(record);
	bind_fixture_close(&f);
}
