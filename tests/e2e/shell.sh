#!/bin/sh
# eprefix shell and eprefix env. What startprefix itself does is tested in tests/unit/test_startprefix.c.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

unset EPREFIX
mkdir -p "$T/p" "$T/unfinished"
cat >"$T/p/startprefix" <<'EOF'
#!/bin/sh
exec env -i PATH=/usr/bin:/bin QUOTE="it's
two \$lines" EMPTY= bash --norc "$@"
EOF
chmod +x "$T/p/startprefix"

begin "shell runs a command in the prefix"
# shellcheck disable=SC2016 # for the inner shell
run eprefix --prefix "$T/p" shell -c 'echo "$0-$1-$2 $QUOTE"; exit 7' a 'b c' d
want_rc 7
want_out "a-b c-d it's"
end

begin "shell finds the prefix by EPREFIX"
run env EPREFIX="$T/p" "$EPREFIX_BIN" shell -c 'exit 3'
want_rc 3
end

begin "shell passes signals on"
# shellcheck disable=SC2016 # for the inner shell
run eprefix --prefix "$T/p" shell -c 'kill -TERM $$'
want_rc 143
end

begin "shell and env refuse a prefix that is not finished"
run eprefix --prefix "$T/unfinished" shell
want_rc 1
want_err "$T/unfinished/startprefix is not there: the prefix is not finished"
run eprefix --prefix "$T/unfinished" env
want_rc 1
want_err "eprefix bootstrap $T/unfinished"
run eprefix --prefix "$T/none" shell
want_rc 2
run eprefix --prefix "$T/p" shell without-c
want_rc 2
end

begin "env prints what a shell can take"
run eprefix --prefix "$T/p" env
want_rc 0
want_out "export EMPTY=''"
want_not grep -q 'SHLVL\|PWD' "$T/out"
cp "$T/out" "$T/printed"
# shellcheck disable=SC2016 # for the inner shell
run sh -c 'eval "$(cat "$1")" && printf %s "$QUOTE" >"$2"' sh "$T/printed" "$T/value"
# shellcheck disable=SC2016 # as it is
printf 'it'\''s\ntwo $lines' >"$T/wanted"
want cmp "$T/value" "$T/wanted"
end

begin "env speaks JSON"
run eprefix --prefix "$T/p" env --json
want_rc 0
# shellcheck disable=SC2016 # python, not sh
want python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["QUOTE"] == "it\x27s\ntwo $lines" and d["EMPTY"] == "" and d["PATH"] == "/usr/bin:/bin", d
' "$T/out"
end

begin "env fails when the prefix's shell does"
printf '#!/bin/sh\necho broken >&2\nexit 9\n' >"$T/unfinished/startprefix"
chmod +x "$T/unfinished/startprefix"
run eprefix --prefix "$T/unfinished" env
want_rc 1
want_err "ended with status 9: broken"
end
