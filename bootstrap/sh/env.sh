# shellcheck shell=sh
# The environment of the build: what of the user's may reach it, and which compiler does the work.

# Everything that can bend a compiler, a linker, a script or an interpreter from outside.
clean_environment() {
	unset CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH LD_RUN_PATH \
		LD_PRELOAD LD_AUDIT LD_OPTIONS DYLD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_FALLBACK_LIBRARY_PATH \
		GCC_EXEC_PREFIX COMPILER_PATH GCC_COMPARE_DEBUG SUNPRO_DEPENDENCIES DEPENDENCIES_OUTPUT \
		CC CXX CPP LD AR AS NM RANLIB STRIP CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LIBS TAR_OPTIONS GZIP BZIP BZIP2 \
		XZ_OPT XZ_DEFAULTS CONFIG_SITE CONFIG_SHELL MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKELEVEL CDPATH \
		PKG_CONFIG PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR CMAKE_PREFIX_PATH \
		PERL5LIB PERL5OPT PERLLIB PYTHONPATH PYTHONHOME PYTHONSTARTUP BASH_ENV ENV \
		GREP_OPTIONS GREP_COLOR GREP_COLORS POSIXLY_CORRECT LANGUAGE LANG DESTDIR SDKROOT_OVERRIDE \
		LC_CTYPE LC_MESSAGES LC_COLLATE LC_NUMERIC LC_TIME LUA_PATH LUA_CPATH LUA_INIT SOURCE_DATE_EPOCH 2>/dev/null || :
	LC_ALL=C
	export LC_ALL
	umask 022
	IFS=' 	
'
	if [ -n "${TMPDIR:-}" ] && ! { [ -d "$TMPDIR" ] && [ -w "$TMPDIR" ]; }; then
		unset TMPDIR
	fi
	system_path_first
	export PATH
}

# The system's own directories come before shims and foreign package managers, when a compiler is there.
# A PATH without them stays without them.
system_path_first() {
	path_system=''
	path_other=''
	path_rest=${PATH:-/usr/bin:/bin}:
	while [ -n "$path_rest" ]; do
		path_dir=${path_rest%%:*}
		path_rest=${path_rest#*:}
		case $path_dir in
		/usr/bin | /bin | /usr/sbin | /sbin) path_system=$path_system:$path_dir ;;
		/*) path_other=$path_other:$path_dir ;;
		esac
	done
	if [ -x /usr/bin/cc ] || [ -x /usr/bin/gcc ] || [ -x /usr/bin/clang ]; then
		PATH=$path_system$path_other
	else
		PATH=$path_other$path_system
	fi
	PATH=${PATH#:}
}

have() {
	command -v "$1" >/dev/null 2>&1
}

# Prints the first of the names that is a command.
first_command() {
	for first_name in "$@"; do
		if have "$first_name"; then
			command -v "$first_name"
			return 0
		fi
	done
	return 1
}

find_compilers() {
	BUILD_CC=$(asked_or_first "${EPREFIX_CC:-}" cc gcc clang) || no_compiler C cc "${EPREFIX_CC:-}"
	BUILD_CXX=$(asked_or_first "${EPREFIX_CXX:-}" c++ g++ clang++) || no_compiler C++ cxx "${EPREFIX_CXX:-}"
	BUILD_AR=$(first_command ar gcc-ar llvm-ar) ||
		die 3 "no ar in PATH ($PATH): the binutils are missing." "Install them (Debian, Fedora: binutils)."
}

# asked_or_first ASKED NAME...: the one asked for and no other, else the first that is there.
asked_or_first() {
	if [ -n "$1" ]; then
		command -v "$1"
	else
		first_command "$@"
	fi
}

no_compiler() {
	[ -z "$3" ] || die 3 "the $1 compiler asked for, $3, is not a command." "Give --$2 the path of one, or leave it out."
	die 3 "no $1 compiler in PATH ($PATH): neither cc, gcc, clang nor their C++ sides." \
		"GCC itself is written in C++, so both are needed." \
		"Install them (Debian: gcc g++; Fedora: gcc gcc-c++; macOS: xcode-select --install) or name one with --$2=PATH."
}

# What tells one compiler from another.
compiler_id() {
	"$BUILD_CC" --version 2>/dev/null | sed 1q
	"$BUILD_CC" -dumpmachine 2>/dev/null || uname -m
	echo "$BUILD_CC"
}

# Compile, link and run one program: a compiler that is there may still lack its headers or its linker.
check_compilers() {
	check_dir=$RUN_DIR/check
	mkdir -p "$check_dir"
	printf '#include <stdio.h>\n#include <pthread.h>\nint main(void) { return puts("ok") < 0; }\n' >"$check_dir/c.c"
	printf '#include <string>\n#include <cstdio>\nint main() { std::string s("ok"); return std::puts(s.c_str()) < 0; }\n' \
		>"$check_dir/cxx.cc"
	check_one "C" "$BUILD_CC" "$check_dir/c.c" "-std=gnu17" 'gcc 8 or newer, libc6-dev, binutils'
	check_one "C++" "$BUILD_CXX" "$check_dir/cxx.cc" "-std=gnu++14" 'g++, libstdc++-dev'
}

check_one() {
	if ! "$2" "$4" "$3" -o "$3.out" >"$3.log" 2>&1; then
		die 3 "the $1 compiler $2 cannot build a small program:" "$(sed 5q "$3.log")" \
			"Install what it lacks (Debian: $5) or name another compiler."
	fi
	[ "$("$3.out" 2>/dev/null)" = ok ] ||
		die 3 "a program built by $2 does not run from $check_dir." \
			"Is that directory on a file system mounted noexec? Choose another with EPREFIX_CACHE."
}

cpu_count() {
	cpu_n=$(getconf _NPROCESSORS_ONLN 2>/dev/null || nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 1)
	case $cpu_n in
	'' | *[!0-9]* | 0) cpu_n=1 ;;
	esac
	echo "$cpu_n"
}
