#!/bin/sh
# eprefix bootstrap on the tiny catalogue: order, resuming, failures, refusals, and what it says of them.
# also-as-root
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

"$SRC/tests/catalogue/make" "$T/good" || exit 1
"$SRC/tests/catalogue/make" "$T/fail" fail-compile || exit 1
"$SRC/tests/catalogue/make" "$T/slow" slow || exit 1
P=$T/prefix

# bootstrap PREFIX [options]: on the tiny catalogue, on the host's C library; $road: good, or how app-misc/fails behaves
road=good
bootstrap() {
	boot_prefix=$1
	shift
	eprefix bootstrap "$boot_prefix" --libc=host --overlays "$T/good/overlays" --stages "$T/$road/stages.lua" \
		--distdir "$T/good/distfiles" --offline "$@"
}

# What a re-run may not change: every name, mode, time and link.
listing() {
	(cd "$1" && find . -printf '%p %y %m %T@ %l %i\n' | sort)
}

begin "pretend shows all steps and makes nothing"
run bootstrap "$P" --pretend
want_rc 0
want_out "stage1:dev-libs/tiny-1.0"
want_out "stage3:app-misc/scripts-0.3"
want_out "7 of 7 steps to do"
want_not test -e "$P"
end

begin "a whole run"
run bootstrap "$P"
want_rc 0
want_err "7 of 7 steps done"
want_err "Enter the prefix: $P/startprefix"
want test -x "$P/startprefix"
want_not test -e "$P/tmp"
want test -f "$P/var/db/pkg/dev-libs/tiny-1.0/CONTENTS"
want test -x "$P/usr/bin/hello"
want_not ls "$P"/var/tmp/portage/*/*
end

begin "make.conf says what ROCm is built for, or how to say it"
want grep -q '^#*AMDGPU_TARGETS="gfx' "$P/etc/portage/make.conf"
end

begin "a finished prefix is left alone"
# The file that names the run's process comes and goes: of its directory only the time may change.
listing "$P" | sed '/^\.\/var\/lib\/eprefix d/s/ [0-9]*\.[0-9]* / /' >"$T/before"
run bootstrap "$P"
want_rc 0
want_err "Nothing to do: all 7 steps are current."
listing "$P" | sed '/^\.\/var\/lib\/eprefix d/s/ [0-9]*\.[0-9]* / /' >"$T/after"
want cmp "$T/before" "$T/after"
end

begin "a later run needs no options again"
run eprefix bootstrap "$P"
want_rc 0
want_err "Nothing to do: all 7 steps are current."
run eprefix bootstrap --prefix "$P" --pretend
want_rc 0
want_out "0 of 7 steps to do"
end

begin "status tells what was done"
run eprefix status "$P"
want_rc 0
want_out "done: 7 of 7 steps done"
run eprefix status "$P" --json
want_out '"state":"done"'
run eprefix status "$P" --steps
want_out "stage3 app-misc/hello-1.2"
end

begin "log finds a package's log"
run eprefix log --prefix "$P" stage3:app-misc/hello
want_rc 0
want_out "stage3/app-misc:hello-1.2.log"
run eprefix log --prefix "$P" nothing
want_rc 1
want_err "no log"
end

begin "a changed recipe rebuilds what depends on it and nothing else"
echo "-- changed" >>"$T/good/overlays/tiny/dev-libs/tiny/tiny-1.0.lua"
run bootstrap "$P" --pretend
want_rc 0
want_out "stage2:dev-libs/tiny-1.0"
want_out "stage3:app-misc/hello-1.2"
want_not grep -q "app-misc/links" "$T/out"
run bootstrap "$P"
want_rc 0
run bootstrap "$P"
want_err "Nothing to do"
end

begin "redo builds one package again"
run bootstrap "$P" --redo stage3:app-misc/scripts
want_rc 0
want_err "1 of 1 steps done"
run bootstrap "$P" --redo app-misc/nothing
want_rc 2
want_err "--redo app-misc/nothing names no step"
end

begin "until stops behind a stage"
run bootstrap "$T/until" --until stage1
want_rc 0
want test -d "$T/until/tmp/var/db/pkg/app-misc/hello-1.2"
want_not test -d "$T/until/var/db/pkg/app-misc"
run bootstrap "$T/until" --until nostage
want_rc 2
want_err 'there is no stage "nostage"; the stages are: stage1 stage2 stage3'
end

road=fail
begin "a failure names step, phase, log and the way on"
run bootstrap "$T/fails"
want_rc 5
want_err "stage3:app-misc/fails-1 failed in compile"
want_err "compile was told to fail"
want_err "Log: $T/fails/var/log/portage/stage3/app-misc:fails-1.log"
want_err "Give the same command again"
run eprefix status "$T/fails"
want_out "stage3:app-misc/fails-1 failed in compile"
end

begin "keep-going builds what does not depend on a failure"
run bootstrap "$T/fails" --keep-going
want_rc 5
want test -d "$T/fails/var/db/pkg/app-misc/scripts-0.3"
want_not test -d "$T/fails/var/db/pkg/app-misc/fails-1"
road=good
run bootstrap "$T/fails"
want_rc 0
want test -d "$T/fails/var/db/pkg/app-misc/fails-1"
end

road=slow
begin "another run in the same prefix is refused with the first one's pid"
bootstrap "$T/busy" >"$T/busy.log" 2>&1 &
busy_pid=$!
left=200
while ! grep -qs fails-1 "$T/busy.log" && [ $left -gt 0 ]; do
	sleep 0.1
	left=$((left - 1))
done
run bootstrap "$T/busy"
want_rc 7
want_err "in use by process"
run eprefix status "$T/busy"
want_out "running: "
wait "$busy_pid"
want test $? -eq 0
end

begin "SIGTERM stops in order and leaves a resumable state"
bootstrap "$T/term" >"$T/term.log" 2>&1 &
left=200
while ! grep -qs "fails-1 compile" "$T/term.log" && [ $left -gt 0 ]; do
	sleep 0.1
	left=$((left - 1))
done
term_pid=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$T/term/var/lib/eprefix/status.json")
kill -TERM "$term_pid"
rc=0
wait $! || rc=$?
want_rc 130
want grep -q "give the same command again to go on" "$T/term.log"
want_not pgrep -f "$T/term/var/tmp"
run bootstrap "$T/term"
want_rc 0
want_no_err "fails-1 unpack"
end

road=good
begin "all sources that cannot be had are told at once"
mkdir "$T/away"
mv "$T/good/distfiles/links-2.tar.gz" "$T/good/distfiles/scripts-0.3.tar.gz" "$T/away"
run bootstrap "$T/nosource"
want_rc 4
want_err "links-2.tar.gz"
want_err "scripts-0.3.tar.gz"
want_no_err "tiny-1.0 unpack"
mv "$T/away"/* "$T/good/distfiles/"
run bootstrap "$T/nosource"
want_rc 0
end

begin "a host compiler that cannot be retargeted is replaced by a cross compiler, for good"
mkdir -p "$T/good/overlays/tiny/sys-devel/retarget"
echo sys-devel >>"$T/good/overlays/tiny/profiles/categories"
cat >"$T/good/overlays/tiny/sys-devel/retarget/retarget-1.lua" <<'END'
return plain {
	DESCRIPTION = "A compiler that cannot be retargeted", LICENSE = "0BSD", KEYWORDS = "amd64 arm64",
	compile = function(b) b:run { "false" } end,
	install = function() end,
}
END
mkdir "$T/cross"
sed 's/packages = { "dev-libs\/tiny", "app-misc\/links" }/packages = { "dev-libs\/tiny", opt.toolchain == "cross" and "app-misc\/links" or "sys-devel\/retarget" }/
	s/return function(host)/return function(host, opt)/' "$T/good/stages.lua" >"$T/cross/stages.lua"
road=cross
run bootstrap "$T/moved"
want_rc 0
want_err "stage2:sys-devel/retarget-1 failed in compile"
want_err "building a cross compiler instead"
want test -d "$T/moved/var/db/pkg/app-misc/links-2"
run bootstrap "$T/moved"
want_rc 0
want_err "Nothing to do"
road=good
end

begin "wrong use is refused with the way out"
run bootstrap "$P" --libc=prefix
want_rc 2
run eprefix bootstrap "$P" --libc=prefix
want_rc 2
want_err "was begun with --libc=host"
run eprefix bootstrap "$P" --untl=stage1
want_rc 2
want_err "did you mean --until?"
run eprefix bootstrap "$T/empty dir"
want_rc 3
run bootstrap "$P" --set novalue
want_rc 2
want_err "--set wants NAME=VALUE"
end

begin "a careless user's environment changes nothing"
mkdir -p "$T/poison"
echo 'exit 9' >"$T/poison/env"
umask 077
run env -u HOME CPATH="$T/poison" C_INCLUDE_PATH="$T/poison" LIBRARY_PATH="$T/poison" LD_LIBRARY_PATH="$T/poison" CONFIG_SITE="$T/poison/env" \
	MAKEFLAGS=n CDPATH=/usr PKG_CONFIG_PATH="$T/poison" PERL5LIB="$T/poison" PYTHONPATH="$T/poison" PYTHONHOME="$T/poison" \
	ENV="$T/poison/env" BASH_ENV="$T/poison/env" GREP_OPTIONS=--no-such POSIXLY_CORRECT=1 TMPDIR=/nonexistent LC_ALL=tr_TR.UTF-8 \
	CC=false CXX=false CFLAGS=-bogus CXXFLAGS=-bogus LDFLAGS=-bogus \
	"$EPREFIX_BIN" bootstrap "$T/careless" --libc=host --overlays "$T/good/overlays" --stages "$T/good/stages.lua" \
	--distdir "$T/good/distfiles" --offline
umask 022
want_rc 0
want_err "7 of 7 steps done"
run "$T/careless/usr/bin/hello"
want_rc 0
want test "$(stat -c %a "$T/careless/usr/bin/hello")" = 755
end

begin "a uid without a passwd entry has its prefix, too"
mkdir -p "$T/free"
chmod 777 "$T/free"
if unshare -U --map-user=12345 --map-group=12345 true 2>/dev/null; then
	run unshare -U --map-user=12345 --map-group=12345 "$EPREFIX_BIN" bootstrap "$T/free/p" --libc=host --overlays "$T/good/overlays" \
		--stages "$T/good/stages.lua" --distdir "$T/good/distfiles" --offline
	want_rc 0
	want_err "7 of 7 steps done"
else
	skip_test "no user namespaces here"
fi
end
