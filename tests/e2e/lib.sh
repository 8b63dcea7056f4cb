# shellcheck shell=sh
# For tests of whole programs: each tests/e2e/NAME.sh starts with
#	. "$(dirname "$0")/lib.sh"
# and prints, for each test, one line "ok NAME", "not ok NAME: why" or "skip NAME: why".
#
#	begin "fetch resumes"                  a test begins
#	run eprefix fetch x                    runs; status in $rc, output in $T/out and $T/err
#	want_rc 0                              what is wanted of it; all wants of a test must hold
#	want_out 'text' / want_err 'text'      a fixed string in stdout / stderr
#	want test -e "$T/file"                 any command that must succeed
#	end                                    prints the line
#	skip_test "why"                        instead of wants
#
# $T: temporary directory, removed at the end; $SRC: the source tree; eprefix: the program under test.
# tests/run sets EPREFIX_BIN; by hand it is what bootstrap/run built.
set -u
LC_ALL=C
export LC_ALL
SRC=$(cd "$(dirname "$0")/../.." && pwd -P)
EPREFIX_BIN=${EPREFIX_BIN:-$SRC/.cache/eprefix/bin/eprefix}
T=$(mktemp -d "${TMPDIR:-/tmp}/eprefix-e2e.XXXXXX") || exit 1
T=$(cd "$T" && pwd -P)
server_pids=
why=
skipped=
failures=0
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

finish() {
	finish_status=$?
	trap - EXIT
	[ $finish_status -eq 0 ] || echo "not ok ${test_name:-start of $0}: the script ended with status $finish_status"
	for finish_pid in $server_pids; do
		kill "$finish_pid" 2>/dev/null
	done
	chmod -R u+rwX "$T" 2>/dev/null
	rm -rf "$T"
	[ $failures -eq 0 ] || exit 1
	exit $finish_status
}

eprefix() {
	"$EPREFIX_BIN" "$@"
}

begin() {
	test_name=$1
	why=
	skipped=
}

end() {
	if [ -n "$skipped" ]; then
		echo "skip $test_name: $skipped"
	elif [ -n "$why" ]; then
		echo "not ok $test_name: $why"
		sed 's/^/    err: /' "$T/err" 2>/dev/null | tail -n 12
		failures=$((failures + 1))
	else
		echo "ok $test_name"
	fi
	test_name=
}

skip_test() {
	skipped=$1
}

# The first unmet want is the reason.
unmet() {
	why=${why:-$1}
}

run() {
	rc=0
	"$@" >"$T/out" 2>"$T/err" </dev/null || rc=$?
}

want_rc() {
	[ "$rc" -eq "$1" ] || unmet "status $rc, wanted $1"
}

want_out() {
	grep -qF -e "$1" "$T/out" || unmet "stdout lacks '$1'"
}

want_err() {
	grep -qF -e "$1" "$T/err" || unmet "stderr lacks '$1'"
}

want_no_err() {
	! grep -qF -e "$1" "$T/err" || unmet "stderr has '$1'"
}

want() {
	"$@" >/dev/null 2>&1 || unmet "does not hold: $*"
}

want_not() {
	! "$@" >/dev/null 2>&1 || unmet "holds but should not: $*"
}

# serve DIR [options of tests/server/server.py]: $URL is its address, $T/server.log what it was asked.
serve() {
	serve_root=$1
	shift
	rm -f "$T/server.port"
	python3 "$SRC/tests/server/server.py" --root "$serve_root" --log "$T/server.log" --port-file "$T/server.port" "$@" &
	server_pids="$server_pids $!"
	serve_left=100
	while [ ! -s "$T/server.port" ] && [ $serve_left -gt 0 ]; do
		sleep 0.1
		serve_left=$((serve_left - 1))
	done
	# shellcheck disable=SC2034 # for the test
	URL=http://127.0.0.1:$(cat "$T/server.port")
}
