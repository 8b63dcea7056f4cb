#include "fs.h"
#include "leak.h"
#include "make_elf.h"
#include "mem.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A prefix in a temporary directory. */
struct fixture {
	char *eprefix;
	int root;
	struct leak leak;
	struct flaws found;
	struct err e;
};

static void put(struct fixture *x, const char *path, const char *text, mode_t mode)
{
	char *dir = path_dir(path);
	CHECK_OK(fs_mkdirs(x->root, dir, 0755, &x->e), x->e);
	CHECK_OK(fs_write(x->root, path, text, strlen(text), mode, &x->e), x->e);
	free(dir);
}

static void begin(struct fixture *x, bool guest)
{
	*x = (struct fixture){ .eprefix = fs_real(test_dir(), &x->e) };
	CHECK_OK(fs_open_dir(AT_FDCWD, x->eprefix, &x->root, &x->e), x->e);
	put(x, "usr/lib/ld.so", "", 0755);
	put(x, "usr/lib/libc.so.6", "", 0755);
	put(x, "opt/lib/libopt.so.1", "", 0755);
	CHECK_OK(fs_mkdirs(x->root, "usr/bin", 0755, &x->e), x->e);
	leak_init(&x->leak, x->root, x->eprefix, guest);
}

static void end(struct fixture *x)
{
	flaws_fini(&x->found);
	leak_fini(&x->leak);
	close(x->root);
	free(x->eprefix);
}

/* In what is made here "$E" stands for the prefix; the caller's own string, NULL for NULL. */
static char *with_prefix(const struct fixture *x, const char *text)
{
	struct buf out = BUF_INIT;
	for (const char *p = text; p != NULL && *p != '\0'; p++) {
		bool mark = strncmp(p, "$E", 2) == 0;
		if (mark)
			buf_adds(&out, x->eprefix);
		else
			buf_addc(&out, *p);
		p += mark;
	}
	return text != NULL ? buf_take(&out) : NULL;
}

/* Append text with "$E" for the prefix again. */
static void without_prefix(const struct fixture *x, const char *text, struct buf *out)
{
	for (const char *hit; (hit = strstr(text, x->eprefix)) != NULL;
		text = hit + strlen(x->eprefix)) {
		buf_add(out, text, (size_t)(hit - text));
		buf_adds(out, "$E");
	}
	buf_adds(out, text);
}

/* "kind path: detail" of every finding, in order; they are forgotten. */
static char *told(struct fixture *x)
{
	struct strv lines = STRV_INIT;
	struct buf out = BUF_INIT;
	for (size_t i = 0; i < x->found.list.n; i++) {
		const struct flaw *f = &x->found.list.v[i];
		struct buf line = BUF_INIT;
		buf_printf(&line, "%s %s: ", flaw_name(f->kind), f->path);
		without_prefix(x, f->detail, &line);
		strv_own(&lines, buf_take(&line));
	}
	strv_sort(&lines);
	for (size_t i = 0; i < lines.n; i++)
		buf_printf(&out, "%s%s", i > 0 ? "\n" : "", lines.v[i]);
	strv_fini(&lines);
	flaws_fini(&x->found);
	return buf_take(&out);
}

#define CHECK_TOLD(x, want)                                                                        \
	do {                                                                                       \
		char *told_ = told(x);                                                             \
		CHECK_STR(told_, want);                                                            \
		free(told_);                                                                       \
	} while (0)

static void look_at(struct fixture *x, const char *path, mode_t mode, const char *text)
{
	char *real = with_prefix(x, text);
	leak_check_file(&x->leak, path, mode, str_of(real), &x->found);
	free(real);
}

static void look_at_elf(struct fixture *x, const char *path, const struct made_elf *want)
{
	struct made_elf real = *want;
	struct buf file = BUF_INIT;
	char *interp = with_prefix(x, want->interp), *runpath = with_prefix(x, want->runpath);
	char *rpath = with_prefix(x, want->rpath), *needed = with_prefix(x, want->needed[0]);
	real.interp = interp;
	real.runpath = runpath;
	real.rpath = rpath;
	real.needed[0] = needed;
	make_elf(&file, &real);
	leak_check_file(&x->leak, path, 0755, (struct str){ buf_str(&file), file.n }, &x->found);
	buf_fini(&file);
	free(interp);
	free(runpath);
	free(rpath);
	free(needed);
}

TEST(leak_finds_nothing_in_objects_that_stay_in_the_prefix)
{
	struct fixture x;
	begin(&x, false);
	look_at_elf(&x, "usr/bin/a",
		&(struct made_elf){ .interp = "$E/usr/lib/ld.so", .needed = { "libc.so.6" } });
	look_at_elf(&x, "usr/bin/b",
		&(struct made_elf){ .interp = "$E/usr/lib/ld.so",
			.runpath = "$ORIGIN/../../opt/lib:$E/usr/lib",
			.needed = { "libopt.so.1", "libc.so.6" } });
	look_at_elf(&x, "opt/lib/c",
		&(struct made_elf){ .runpath = "${ORIGIN}", .needed = { "libopt.so.1" } });
	look_at_elf(&x, "usr/lib/d", &(struct made_elf){ .needed = { "$E/opt/lib/libopt.so.1" } });
	CHECK_TOLD(&x, "");
	end(&x);
}

TEST(leak_finds_loaders_outside)
{
	struct fixture x;
	begin(&x, false);
	look_at_elf(&x, "a", &(struct made_elf){ .interp = "/lib64/ld-linux-x86-64.so.2" });
	look_at_elf(&x, "b", &(struct made_elf){ .interp = "$E/tmp/usr/lib/ld.so" });
	look_at_elf(&x, "c", &(struct made_elf){ .interp = "$E/usr/lib/gone.so" });
	look_at_elf(&x, "d", &(struct made_elf){ .interp = "$E/../../lib/ld.so" });
	look_at_elf(&x, "e", &(struct made_elf){ .interp = "$E-other/usr/lib/ld.so" });
	CHECK_TOLD(&x, "elf-loader a: is started by /lib64/ld-linux-x86-64.so.2\n"
		       "elf-loader b: is started by $E/tmp/usr/lib/ld.so\n"
		       "elf-loader c: is started by $E/usr/lib/gone.so, which is missing\n"
		       "elf-loader d: is started by $E/../../lib/ld.so\n"
		       "elf-loader e: is started by $E-other/usr/lib/ld.so");
	end(&x);
}

TEST(leak_finds_libraries_that_are_not_in_the_prefix)
{
	struct fixture x;
	begin(&x, false);
	look_at_elf(&x, "a", &(struct made_elf){ .needed = { "libopt.so.1", "libc.so.6" } });
	look_at_elf(&x, "b", &(struct made_elf){ .needed = { "/usr/lib/libc.so.6" } });
	look_at_elf(&x, "c",
		&(struct made_elf){ .runpath = "/lib:/usr/lib64", .needed = { "libgone.so" } });
	CHECK_TOLD(&x, "elf-needed a: needs libopt.so.1\nelf-needed b: needs /usr/lib/libc.so.6\n"
		       "elf-needed c: needs libgone.so\nelf-runpath c: searches \"/lib\"\n"
		       "elf-runpath c: searches \"/usr/lib64\"");
	end(&x);
}

TEST(leak_finds_run_paths_that_leave_the_prefix)
{
	struct fixture x;
	begin(&x, false);
	look_at_elf(
		&x, "usr/bin/a", &(struct made_elf){ .rpath = "$ORIGIN/../../../..:relative:" });
	look_at_elf(&x, "usr/bin/b", &(struct made_elf){ .runpath = "$E/tmp/usr/lib:$E/tmpfiles" });
	CHECK_TOLD(&x, "elf-runpath usr/bin/a: searches \"$ORIGIN/../../../..\"\n"
		       "elf-runpath usr/bin/a: searches \"relative\"\n"
		       "elf-runpath usr/bin/b: searches \"$E/tmp/usr/lib\"");
	end(&x);
}

TEST(leak_follows_ld_so_conf_once_ldconfig_has_run)
{
	struct fixture x;
	begin(&x, false);
	struct made_elf wants = { .needed = { "libopt.so.1" } };
	char *conf = with_prefix(&x, "# comment\ninclude ld.so.conf.d/*.conf\n");
	char *part = with_prefix(&x, "$E/opt/lib\n");
	put(&x, "etc/ld.so.conf", conf, 0644);
	put(&x, "etc/ld.so.conf.d/opt.conf", part, 0644);
	leak_fini(&x.leak);
	leak_init(&x.leak, x.root, x.eprefix, false);
	look_at_elf(&x, "a", &wants);
	CHECK_TOLD(&x, "elf-needed a: needs libopt.so.1");
	put(&x, "etc/ld.so.cache", "", 0644);
	leak_fini(&x.leak);
	leak_init(&x.leak, x.root, x.eprefix, false);
	look_at_elf(&x, "a", &wants);
	CHECK_TOLD(&x, "");
	free(conf);
	free(part);
	end(&x);
}

TEST(leak_finds_interpreters_of_scripts)
{
	struct fixture x;
	begin(&x, false);
	look_at(&x, "good", 0755, "#!$E/bin/sh\n");
	look_at(&x, "env", 0755, "#! /usr/bin/env python3\n");
	look_at(&x, "host", 0755, "#!/bin/sh");
	look_at(&x, "tmp", 0755, "#!$E/tmp/bin/bash -e\nexit\n");
	look_at(&x, "example", 0644, "#!/usr/bin/perl\n");
	look_at(&x, "template", 0755, "#!@PERL@\n");
	look_at(&x, "empty", 0755, "#!\n");
	CHECK_TOLD(&x, "script env: is run by /usr/bin/env\nscript host: is run by /bin/sh\n"
		       "script tmp: is run by $E/tmp/bin/bash");
	end(&x);
}

TEST(leak_reads_what_other_builds_read)
{
	struct fixture x;
	begin(&x, false);
	look_at(&x, "usr/lib/pkgconfig/good.pc", 0644,
		"# from /usr/src\nprefix=$E/usr\nlibdir=${prefix}/lib\nDescription: like /usr/lib\n"
		"URL: https://example.org/usr\nLibs: -L${libdir} -lgood\nCflags: "
		"-I$E/usr/include\n");
	look_at(&x, "usr/lib/pkgconfig/bad.pc", 0644,
		"prefix=/usr\nLibs: -L/usr/lib64 -Wl,-rpath,/lib\nCflags: -isystem/opt/i "
		"-I$E/tmp/usr\n");
	look_at(&x, "usr/lib/libbad.la", 0644, "dependency_libs=' -L/lib /usr/lib/libz.la'\n");
	look_at(&x, "usr/bin/bad-config", 0644, "cc=$E/tmp/usr/bin/gcc\nbin=/usr/bin\n");
	look_at(&x, "usr/bin/good-config", 0644, "tmp=$E/tmpfs and /bin\n");
	look_at(&x, "usr/lib/libgood.so", 0644,
		"/* GNU ld script\n   like /usr/lib */\nGROUP ( $E/usr/lib/libc.so.6  AS_NEEDED ( "
		"$E/x ) )\n");
	look_at(&x, "usr/lib/libc.so", 0644,
		"/* GNU ld script */\nOUTPUT_FORMAT(elf64-x86-64)\nGROUP ( /lib64/libc.so.6 )\n");
	look_at(&x, "usr/share/doc/x.txt", 0644, "$E/tmp/usr and /usr\n");
	CHECK_TOLD(&x, "text usr/bin/bad-config: names $E/tmp/usr/bin/gcc\n"
		       "text usr/lib/libbad.la: names /lib\n"
		       "text usr/lib/libbad.la: names /usr/lib/libz.la\n"
		       "text usr/lib/libc.so: names /lib64/libc.so.6\n"
		       "text usr/lib/pkgconfig/bad.pc: names $E/tmp/usr\n"
		       "text usr/lib/pkgconfig/bad.pc: names /lib\n"
		       "text usr/lib/pkgconfig/bad.pc: names /opt/i\n"
		       "text usr/lib/pkgconfig/bad.pc: names /usr\n"
		       "text usr/lib/pkgconfig/bad.pc: names /usr/lib64");
	end(&x);
}

TEST(leak_finds_symlinks_that_leave)
{
	struct fixture x;
	begin(&x, false);
	char *inside = with_prefix(&x, "$E/usr/lib"), *tmp = with_prefix(&x, "$E/tmp/x");
	leak_check_symlink(&x.leak, "a", inside, &x.found);
	leak_check_symlink(&x.leak, "usr/lib/b", "../lib/libc.so.6", &x.found);
	leak_check_symlink(&x.leak, "etc/resolv.conf", "/run/systemd/resolve/stub", &x.found);
	leak_check_symlink(&x.leak, "etc/mtab", "/proc/self/mounts", &x.found);
	CHECK_TOLD(&x, "");
	leak_check_symlink(&x.leak, "c", "/usr/lib/libc.so.6", &x.found);
	leak_check_symlink(&x.leak, "usr/d", "../../x", &x.found);
	leak_check_symlink(&x.leak, "e", tmp, &x.found);
	CHECK_TOLD(&x, "symlink c: points at /usr/lib/libc.so.6\nsymlink e: points at $E/tmp/x\n"
		       "symlink usr/d: points at ../../x");
	/* usr/far is a directory elsewhere in the prefix, so ".." there is not usr. */
	CHECK_OK(fs_mkdirs(x.root, "deep/er/dir", 0755, &x.e), x.e);
	CHECK_OK(fs_symlink("../deep/er/dir", x.root, "usr/far", &x.e), x.e);
	CHECK_OK(fs_symlink("../../../usr", x.root, "deep/er/dir/up", &x.e), x.e);
	leak_check_symlink(&x.leak, "usr/far/up", "../../../usr", &x.found);
	CHECK_TOLD(&x, "");
	free(inside);
	free(tmp);
	end(&x);
}

TEST(leak_lets_a_guest_stand_on_its_host)
{
	struct fixture x;
	begin(&x, true);
	look_at(&x, "sh", 0755, "#!/bin/sh\n");
	look_at(&x, "perl", 0755, "#!/usr/bin/perl\n");
	look_at(&x, "usr/lib/pkgconfig/a.pc", 0644, "CC = /usr/bin/gcc\n");
	look_at(&x, "usr/lib/pkgconfig/b.pc", 0644, "libdir=/usr/lib\n");
	look_at_elf(
		&x, "a", &(struct made_elf){ .runpath = "/usr/lib", .needed = { "libgone.so" } });
	CHECK_TOLD(&x, "elf-needed a: needs libgone.so\nelf-runpath a: searches \"/usr/lib\"\n"
		       "script perl: is run by /usr/bin/perl\n"
		       "text usr/lib/pkgconfig/b.pc: names /usr/lib");
	end(&x);
}

TEST(leak_finds_damaged_objects)
{
	struct fixture x;
	begin(&x, false);
	leak_check_file(&x.leak, "broken.so", 0644,
		(struct str){ "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\0", 17 }, &x.found);
	CHECK_TOLD(&x, "object broken.so: the ELF headers are cut short or point outside the file");
	end(&x);
}

/* Mach-O: one 64-bit little-endian library with a library it needs by path and one by @rpath. */
static void look_at_macho(struct fixture *x, const char *path)
{
	char file[512] = "\xcf\xfa\xed\xfe\x0c\0\0\1\0\0\0\0\6\0\0\0\3\0\0\0";
	size_t at = 32;
	static const struct {
		char cmd[4], where;
		const char *name;
	} cmds[] = { { "\xc", 24, "/opt/local/lib/libz.dylib" },
		{ "\xc", 24, "@rpath/libgone.dylib" },
		{ "\x1c\0\0", 12, "@loader_path/../../.." } };
	for (size_t i = 0; i < 3; i++) {
		memcpy(file + at, cmds[i].cmd, 4);
		file[at + 4] = 64;
		file[at + 8] = cmds[i].where;
		memcpy(file + at + cmds[i].where, cmds[i].name, strlen(cmds[i].name));
		at += 64;
	}
	file[20] = (char)(at - 32);
	leak_check_file(&x->leak, path, 0755, (struct str){ file, at }, &x->found);
}

TEST(leak_reads_mach_o_objects)
{
	struct fixture x;
	begin(&x, true);
	look_at_macho(&x, "lib/x.dylib");
	CHECK_TOLD(&x, "elf-needed lib/x.dylib: needs /opt/local/lib/libz.dylib\n"
		       "elf-needed lib/x.dylib: needs @rpath/libgone.dylib\n"
		       "elf-runpath lib/x.dylib: searches \"@loader_path/../../..\"");
	end(&x);
}

TEST(leak_asks_the_compiler)
{
	struct fixture x;
	size_t asked;
	begin(&x, false);
	CHECK_OK(leak_check_tools(&x.leak, &asked, &x.found, &x.e), x.e);
	CHECK(asked == 0);
	char *gcc = with_prefix(&x,
		"#!/bin/sh\nif test \"$1\" = -v; then cat >&2 <<X\n"
		"Configured with: /elsewhere/configure\n"
		"ignoring nonexistent directory \"/usr/local/include\"\n"
		"#include <...> search starts here:\n $E/usr/lib/gcc/../../include\n"
		" /usr/include\nEnd of search list.\nX\nelse\n"
		"echo install: $E/usr/lib/gcc/\necho programs: =$E/tmp/bin:$E/usr/bin\n"
		"echo libraries: =/lib/:$E/usr/lib/\nfi\n");
	char *ld = with_prefix(
		&x, "#!/bin/sh\necho 'SEARCH_DIR(\"=/usr/lib\"); SEARCH_DIR(\"$E/usr/lib\");'\n");
	put(&x, "usr/bin/gcc", gcc, 0755);
	put(&x, "usr/bin/ld", ld, 0755);
	/* The scripts' tools are the host's. */
	CHECK_OK(fs_symlink("/bin/cat", x.root, "usr/bin/cat", &x.e), x.e);
	CHECK_OK(leak_check_tools(&x.leak, &asked, &x.found, &x.e), x.e);
	CHECK(asked == 3);
	CHECK_TOLD(&x, "compiler usr/bin/gcc: searches \"$E/tmp/bin\"\n"
		       "compiler usr/bin/gcc: searches \"/lib/\"\n"
		       "compiler usr/bin/gcc: searches \"/usr/include\"\n"
		       "compiler usr/bin/gcc: searches \"/usr/local/include\"\n"
		       "compiler usr/bin/ld: reads the host's /etc/ld.so.conf, because "
		       "usr/etc/ld.so.conf is missing\n"
		       "compiler usr/bin/ld: searches \"/usr/lib\"");
	put(&x, "usr/bin/ld", "#!/bin/sh\nexit 3\n", 0755);
	CHECK(!leak_check_tools(&x.leak, &asked, &x.found, &x.e));
	CHECK(strstr(x.e.message, "usr/bin/ld --verbose ended with status 3") != NULL);
	free(gcc);
	free(ld);
	end(&x);
}

TEST(leak_looks_at_an_image_before_it_is_merged)
{
	struct fixture x;
	int image;
	begin(&x, false);
	leak_forbid(&x.leak, "/build/of/pkg-1");
	put(&x, "image/usr/bin/run", "#!/bin/bash\n", 0755);
	put(&x, "image/usr/bin/run-config", "src=/build/of/pkg-1/work and /build/of/pkg-10\n",
		0644);
	put(&x, "image/usr/share/doc/x", "/build/of/pkg-1", 0666);
	put(&x, "image/usr/bin/su", "", 04755);
	CHECK_OK(fs_symlink("/etc/passwd", x.root, "image/usr/bin/link", &x.e), x.e);
	CHECK_OK(fs_symlink("run", x.root, "image/usr/bin/good", &x.e), x.e);
	CHECK_OK(fs_open_dir(x.root, "image", &image, &x.e), x.e);
	CHECK_OK(leak_check_image(&x.leak, image, &x.found, &x.e), x.e);
	CHECK_TOLD(&x, "mode usr/bin/su: has mode 4755\n"
		       "mode usr/share/doc/x: is writable by everybody\n"
		       "script usr/bin/run: is run by /bin/bash\n"
		       "symlink usr/bin/link: points at /etc/passwd\n"
		       "text usr/bin/run-config: names /build/of/pkg-1/work");
	close(image);
	end(&x);
}
