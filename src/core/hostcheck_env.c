/* The user's environment: what of it builds will not see, by name (field reports part A). */
#include "hostcheck_int.h"

#include "mem.h"

#include <stdlib.h>

/* Variables that changed builds of others; a name ending in "*" stands for all that start so. */
static const char *const harmful[] = { "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
	"OBJC_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "LD_RUN_PATH", "LD_PRELOAD",
	"LD_AUDIT", "DYLD_*", "GCC_EXEC_PREFIX", "COMPILER_PATH", "CC", "CXX", "CPP", "LD", "AR",
	"AS", "NM", "RANLIB", "STRIP", "OBJCOPY", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS",
	"LIBS", "CROSS_COMPILE", "CONFIG_SITE", "CONFIG_SHELL", "MAKEFLAGS", "GNUMAKEFLAGS",
	"MAKEFILES", "MAKELEVEL", "CDPATH", "BASH_ENV", "ENV", "IFS", "GREP_OPTIONS", "GREP_COLORS",
	"POSIXLY_CORRECT", "TAR_OPTIONS", "GZIP", "XZ_OPT", "PKG_CONFIG", "PKG_CONFIG_*",
	"ACLOCAL_PATH", "AUTOM4TE", "M4PATH", "PERL5LIB", "PERL5OPT", "PERL_MM_OPT", "PERL_MB_OPT",
	"PERL_LOCAL_LIB_ROOT", "PYTHON*", "VIRTUAL_ENV", "CMAKE_*", "NINJAFLAGS", "CCACHE_*",
	"DISTCC_*", "GIT_*", "TEXINPUTS", "LANGUAGE", "LC_ALL", "EPREFIX", "ROOT", "DESTDIR",
	"PORTAGE_*" };

static bool matches(const char *pattern, struct str name)
{
	size_t n = strlen(pattern);
	if (pattern[n - 1] != '*')
		return str_is(name, pattern);
	return name.n >= n - 1 && memcmp(name.p, pattern, n - 1) == 0;
}

static bool is_harmful(struct str name)
{
	for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++) {
		if (matches(harmful[i], name))
			return true;
	}
	return false;
}

static void check_dropped(const struct hostcheck_opts *o, struct hostcheck *h)
{
	struct strv names = STRV_INIT;
	struct buf list = BUF_INIT;
	for (const char *const *v = o->env; *v != NULL; v++) {
		struct str name = { *v, strcspn(*v, "=") };
		if (is_harmful(name))
			strv_own(&names, xstrndup(name.p, name.n));
	}
	strv_sort(&names);
	for (size_t i = 0; i < names.n; i++)
		buf_printf(&list, " %s", names.v[i]);
	if (names.n > 0)
		finding_add(h, SEVERITY_INFO, "env.dropped", NULL,
			"set in your environment and kept away from builds:%s", buf_str(&list));
	buf_fini(&list);
	strv_fini(&names);
}

/* Other package managers, by a variable of theirs or a directory in PATH. */
static const struct {
	const char *name, *variable, *in_path;
} managers[] = {
	{ "conda", "CONDA_PREFIX", "conda" },
	{ "Spack", "SPACK_ROOT", "/spack/" },
	{ "Nix", "NIX_PROFILES", "/nix/" },
	{ "Guix", "GUIX_PROFILE", "/guix" },
	{ "Homebrew", "HOMEBREW_PREFIX", "brew/" },
	{ "MacPorts", NULL, "/opt/local/" },
	{ "environment modules", "LOADEDMODULES", NULL },
	{ "EasyBuild", "EASYBUILD_PREFIX", NULL },
	{ "pkgsrc", NULL, "/pkg/bin" },
	{ "pyenv", "PYENV_ROOT", "/.pyenv/" },
};

static void check_managers(const struct hostcheck_opts *o, struct hostcheck *h)
{
	const char *path = hostcheck_env(o, "PATH");
	struct buf list = BUF_INIT;
	for (size_t i = 0; i < sizeof managers / sizeof *managers; i++) {
		const char *by_variable = managers[i].variable != NULL
						  ? hostcheck_env(o, managers[i].variable)
						  : NULL;
		const char *by_path = path != NULL && managers[i].in_path != NULL
					      ? strstr(path, managers[i].in_path)
					      : NULL;
		if (by_variable != NULL)
			buf_printf(&list, "%s %s (%s)", list.n > 0 ? "," : "", managers[i].name,
				managers[i].variable);
		else if (by_path != NULL)
			buf_printf(
				&list, "%s %s (in PATH)", list.n > 0 ? "," : "", managers[i].name);
	}
	if (list.n > 0)
		finding_add(h, SEVERITY_INFO, "env.managers", NULL,
			"other package managers are active here, and nothing of them is used:%s",
			buf_str(&list));
	buf_fini(&list);
}

void hostcheck_environ(const struct hostcheck_opts *o, struct hostcheck *h)
{
	const char *preload = hostcheck_env(o, "LD_PRELOAD");
	if (o->env == NULL)
		return;
	check_dropped(o, h);
	check_managers(o, h);
	if (preload != NULL)
		finding_add(h, SEVERITY_WARNING, "env.preload",
			"unset LD_PRELOAD before starting eprefix",
			"LD_PRELOAD=%s acts on eprefix itself, though not on builds", preload);
}
