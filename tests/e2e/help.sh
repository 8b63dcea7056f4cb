#!/bin/sh
# Help, manual pages and shell completion: made from one table, so each must know every command and option.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

begin "the overview lists the commands"
run eprefix --help
want_rc 0
want_out "bootstrap"
want_out "Exit status"
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$T/out")
want test -n "$commands"
end

begin "every option of every command is in its help, its page and each completion"
for shell in bash zsh fish; do
	run eprefix help --completion "$shell"
	want_rc 0
	cp "$T/out" "$T/$shell"
done
for command in $commands; do
	run eprefix "$command" --help
	want_rc 0
	options=$(sed -n 's/^  ...  *--\([a-z-]*\).*/\1/p' "$T/out")
	run eprefix help --man "$command"
	want_rc 0
	want_out ".TH EPREFIX\\-$command 1"
	sed 's/[\\]//g' "$T/out" >"$T/page"
	for option in $options; do
		want grep -qF -e "--$option" "$T/page"
		want grep -qF -e "--$option" "$T/bash"
		want grep -qF -e "--$option" "$T/zsh"
		want grep -qF -e "-l $option " "$T/fish"
	done
done
end

# offers WORD…: what bash offers for the last word, one a line in $T/out
offers() {
	run bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }
		_eprefix eprefix "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$T/bash" "$@"
}

begin "bash completes commands, options, choices and verbs"
if command -v bash >/dev/null; then
	offers eprefix boo
	want_out "bootstrap"
	offers eprefix bootstrap --unt
	want_out "--until="
	offers eprefix bootstrap --libc = ho
	want_out "host"
	offers eprefix query ow
	want_out "owner"
else
	skip_test "no bash"
fi
end

begin "man pages are well-formed"
if command -v groff >/dev/null; then
	for command in "" $commands; do
		# shellcheck disable=SC2086 # none for the overview
		eprefix help --man $command >"$T/page"
		run groff -man -Tascii -ww "$T/page"
		want_rc 0
		want test ! -s "$T/err"
	done
else
	skip_test "no groff"
fi
end

begin "packages of the prefix complete"
mkdir -p "$T/p/var/db/repos/r/profiles" "$T/p/var/db/repos/r/app-misc/hello"
echo app-misc >"$T/p/var/db/repos/r/profiles/categories"
run eprefix help --packages --prefix "$T/p"
want_rc 0
want test "$(cat "$T/out")" = app-misc/hello
end

begin "wrong commands and options are told with the nearest"
run eprefix bootstrp
want_rc 2
want_err 'did you mean "bootstrap"?'
run eprefix help --completion tcsh
want_rc 2
want_err "is one of bash|zsh|fish"
run eprefix help nothing
want_rc 2
end
