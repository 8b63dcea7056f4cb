#include "bind_fixture.h"

#include "mem.h"
#include "proc.h"

#include <stdlib.h>

/* The build systems, each on a source that the recipe itself writes. */

#define HEAD(system) "return " system " {\n\tDESCRIPTION = 'd', LICENSE = 'l', IUSE = 'nls x',\n"

static bool host_has(const char *program)
{
	char *path = proc_which(program, "/usr/bin:/bin");
	free(path);
	return path != NULL;
}

/* Build and install; the file of the image (below the prefix) must hold want, with @P@ the prefix.
 */
static void check_installed(const char *recipe, const char *path, const char *want)
{
	struct bind_fixture f;
	struct err e = ERR_INIT;
	bind_fixture_open(&f, recipe);
	bind_fixture_write(&f, "../root/usr/share/gnuconfig/config.sub",
		"timestamp='2024-01-01'\n# the prefix's copy\n");
	bind_fixture_write(
		&f, "../root/usr/share/gnuconfig/config.guess", "timestamp='2024-01-01'\n");
	CHECK_OK(bind_fixture_run(&f, "x", PHASE_INSTALL, &e), e);
	char *in_image = xasprintf("image%s/%s", f.root, path),
	     *got = bind_fixture_read(&f, in_image);
	const char *mark = strstr(want, "@P@");
	char *full = mark == NULL
			     ? xstrdup(want)
			     : xasprintf("%.*s%s%s", (int)(mark - want), want, f.root, mark + 3);
	CHECK_STR(got, full);
	free(full);
	free(got);
	free(in_image);
	bind_fixture_close(&f);
}

#define CONFIGURE(save)                                                                            \
	"\t\tb:write('configure', [==[\n"                                                          \
	"# --disable-silent-rules is known here\n"                                                 \
	"for a; do echo \"$a\"; done >args\n"                                                      \
	"printf 'install:\\n\\tmkdir -p $(DESTDIR)%s\\n\\t" save                                   \
	" $(DESTDIR)%s/out\\n' \"${1#*=}\" \"${1#*=}\" >Makefile\n"                                \
	"]==], 493)\n"

TEST(bind_autotools_configures_outside_the_source)
{
	check_installed(HEAD("autotools") "\toptions = { enable 'nls', enable('y', 'x'), use.x "
					  "'--at=$EPREFIX' },\n"
					  "\tunpack = function(b)\n" CONFIGURE(
						  "tail -n 4 args >") "\tend,\n}\n",
		"usr/out", "--disable-silent-rules\n--disable-nls\n--enable-y\n--at=@P@\n");
	check_installed(HEAD("autotools") "\tunpack = function(b)\n" CONFIGURE(
				"head -n 3 args >") "\tend,\n}\n",
		"usr/out", "--prefix=@P@/usr\n--build=x-y-z\n--host=x-y-z\n");
}

TEST(bind_options_of_a_phase_come_last)
{
	check_installed(
		HEAD("autotools") "\toptions = { '--one' },\n"
				  "\tconfigure = function(b, "
				  "super)\n\t\ttable.insert(b.options_extra, '--two=$PN')\n"
				  "\t\tsuper(b)\n\tend,\n\tunpack = function(b)\n" CONFIGURE(
					  "tail -n 2 args >") "\tend,\n}\n",
		"usr/out", "--one\n--two=thing\n");
}

TEST(bind_an_old_config_sub_is_replaced)
{
	check_installed(HEAD("autotools") "\tunpack = function(b)\n"
					  "\t\tb:write('aux/config.sub', "
					  "\"timestamp='2001-01-01'\\nexit 1\\n\")\n" CONFIGURE(
						  "cat ../src/aux/config.sub >") "\tend,\n}\n",
		"usr/out", "timestamp='2024-01-01'\n# the prefix's copy\n");
	check_installed(HEAD("autotools") "\tunpack = function(b)\n"
					  "\t\tb:write('aux/config.sub', "
					  "\"timestamp='2001-01-01'\\nexit 0\\n\")\n" CONFIGURE(
						  "cat ../src/aux/config.sub >") "\tend,\n}\n",
		"usr/out", "timestamp='2001-01-01'\nexit 0\n");
}

TEST(bind_make_puts_tools_on_the_command_line)
{
	check_installed(
		HEAD("make") "\tmake_args = { 'EXTRA=$PN', use.x 'X=1' },\n\tunpack = function(b)\n"
			     "\t\tb:write('Makefile', 'CC = wrong\\nall:\\n\\techo $(CC) $(EXTRA) "
			     "$(X) >out\\n'\n"
			     "\t\t\t.. 'install: all\\n\\tmkdir -p $(DESTDIR)$(PREFIX)\\n\\tcp out "
			     "$(DESTDIR)$(PREFIX)\\n')\n\tend,\n}\n",
		"usr/out", "cc thing 1\n");
}

TEST(bind_cmake_takes_a_map_of_options)
{
	if (!host_has("cmake"))
		test_skip("cmake is not installed");
	check_installed(HEAD("cmake") "\toptions = { AA = use.x, BB = unless.x, C_C = 'a b', DD = "
				      "use.nls 'no', '-DEE=$PN' },\n"
				      "\tunpack = function(b)\n\t\tb:write('CMakeLists.txt', [[\n"
				      "cmake_minimum_required(VERSION 3.10)\nproject(thing NONE)\n"
				      "file(WRITE \"${CMAKE_BINARY_DIR}/out\" \"${AA} ${BB} ${C_C} "
				      "${DD} ${EE} ${CMAKE_BUILD_TYPE}\\n\")\n"
				      "install(FILES \"${CMAKE_BINARY_DIR}/out\" DESTINATION "
				      "share)\n]])\n\tend,\n}\n",
		"usr/share/out", "ON OFF a b  thing Release\n");
}

TEST(bind_python_installs_the_wheel_of_a_backend)
{
	if (!host_has("python3"))
		test_skip("python3 is not installed");
	check_installed(
		HEAD("python") "\tunpack = function(b)\n"
			       "\t\tb:write('pyproject.toml', "
			       "'[build-system]\\nbuild-backend=\"be\"\\nbackend-path=[\".\"]\\n')"
			       "\n"
			       "\t\tb:write('be.py', [[\nimport zipfile\n"
			       "def build_wheel(d, config_settings=None, "
			       "metadata_directory=None):\n"
			       "    with zipfile.ZipFile(d + '/t-1-py3-none-any.whl', 'w') as z:\n"
			       "        z.writestr('t.py', 'def main(): pass')\n"
			       "        z.writestr('t-1.dist-info/entry_points.txt', "
			       "'[console_scripts]\\nt = t:main')\n"
			       "    return 't-1-py3-none-any.whl'\n]])\n\tend,\n}\n",
		"usr/bin/t",
		"#!@P@/usr/bin/python3\nimport sys\nfrom t import main\nsys.exit(main())\n");
}
