#!/bin/sh
# The first real packages of a bootstrap (stage1: make, m4, bison, gawk), from real archives that the product fetches
# itself, with the fewest host tools, in a poisoned environment; killed on the way.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/prefix
FARM=$T/farm
mkdir -p "$FARM" "$T/poison" "$T/dist"
# What the README says a host must have: a shell, a compiler with binutils, the POSIX utilities.
for tool in sh cc c++ gcc g++ as ld ar nm ranlib strip objcopy objdump readelf \
	awk basename cat chmod cmp comm cp cut date dd diff dirname echo env expr false find getconf grep head hostname id install join \
	ln ls mkdir mktemp mv od paste printf pwd rm rmdir sed sleep sort split stat tail tar tee test touch tr true tsort tty uname uniq wc which xargs \
	gzip python3; do
	path=$(command -v "$tool" 2>/dev/null) && case $path in /*) ln -s "$path" "$FARM/$tool" ;; esac
done
echo '#error a header of the user' >"$T/poison/stdio.h"
echo 'exit 9' >"$T/poison/env"
echo 'ac_cv_func_malloc=no' >"$T/poison/site"

poisoned() {
	env -u HOME PATH="$FARM" CPATH="$T/poison" C_INCLUDE_PATH="$T/poison" LIBRARY_PATH="$T/poison" LD_LIBRARY_PATH="$T/poison" \
		CONFIG_SITE="$T/poison/site" MAKEFLAGS=n CDPATH=/usr PKG_CONFIG_PATH="$T/poison" PERL5LIB="$T/poison" PYTHONPATH="$T/poison" \
		PYTHONHOME="$T/poison" ENV="$T/poison/env" BASH_ENV="$T/poison/env" GREP_OPTIONS=--no-such POSIXLY_CORRECT=1 TMPDIR=/nonexistent \
		LC_ALL=tr_TR.UTF-8 CC=false CXX=false CFLAGS=-bogus CXXFLAGS=-bogus LDFLAGS=-bogus "$@"
}

bootstrap() {
	poisoned "$EPREFIX_BIN" bootstrap "$P" --source-dir "$SRC" --distdir "$T/dist" --until stage1 "$@"
}

records() {
	(cd "$P/tmp/var/db/pkg" 2>/dev/null && find . -name COUNTER -exec sh -c 'printf "%s %s\n" "$1" "$(cat "$1")"' sh {} \; | sort)
}

umask 077
begin "stage1 of a real bootstrap, killed on the way"
poisoned "$(command -v setsid)" "$EPREFIX_BIN" bootstrap "$P" --source-dir "$SRC" --distdir "$T/dist" --until stage1 >"$T/out" 2>"$T/err" </dev/null &
left=1200
while [ -z "$(records)" ] && kill -0 $! 2>/dev/null && [ $left -gt 0 ]; do
	sleep 0.5
	left=$((left - 1))
done
kill -KILL -$! 2>/dev/null
wait $! 2>/dev/null
records >"$T/before"
if [ ! -s "$T/before" ] && grep -q 'could not be had\|cannot be had\|could not be fetched' "$T/err"; then
	skip_test "the sources cannot be had here"
	end
	exit 0
fi
want test -s "$T/before"
end

begin "the same command ends it, and repeats no finished package"
run bootstrap
want_rc 0
records >"$T/after"
[ -z "$(comm -23 "$T/before" "$T/after")" ] || unmet "a finished package was built again"
for name in make m4 bison gawk; do
	want test -x "$P/tmp/usr/bin/$name"
done
want_not ls "$P"/var/tmp/portage/*/*
end

begin "what was built runs"
printf 'all:\n\t@echo made\n' >"$T/Makefile"
run "$P/tmp/usr/bin/make" -f "$T/Makefile"
want_rc 0
want_out made
end
