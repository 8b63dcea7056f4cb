#!/bin/sh
# eprefix emerge: how the list is shown, and real merges of the tiny catalogue with world file, failures and resuming.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# plan NAME: a prefix in $T/NAME as the resolver case on stdin describes it.
plan() {
	awk -v dir="$T/$1" -v out="$T/case" -f "$SRC/tests/resolver/make.awk" || exit 1
}

# shown LINE: the merge list has this whole line.
shown() {
	grep -qxF -e "$1" "$T/out" || unmet "no line '$1'"
}

plan lists <<'END'
request: a/top

== repository
a/top-1
	RDEPEND=a/lib[x] a/slotted:2 a/again
	IUSE=+b a masked targets_one +targets_two
	SRC_URI=https://example.invalid/top-1.tar.gz b? ( https://example.invalid/x.tgz -> b.tgz ) a? ( https://example.invalid/a.tgz )
	KEYWORDS=~amd64
a/lib-2
	IUSE=x new +kept changed
	SLOT=0/2
a/slotted-2
	SLOT=2
a/again-1
	IUSE=gone2
== installed
a/lib-1
	IUSE=x kept changed gone
	USE=kept x changed gone
	SLOT=0/1
a/slotted-1
	SLOT=1
a/again-1
	IUSE=gone2
== package.accept_keywords
a/top
== package.use
a/lib x -changed
a/top targets_one -targets_two masked
== file profile/use.mask
masked
== file profile/make.defaults
ARCH="amd64"
ACCEPT_KEYWORDS="amd64"
USE_EXPAND="TARGETS"
== file repos/main/a/top/Manifest
DIST top-1.tar.gz 1048577 BLAKE2B 00 SHA512 00
DIST b.tgz 1 BLAKE2B 00 SHA512 00
DIST a.tgz 999999 BLAKE2B 00 SHA512 00
== expect
nothing
END

begin "the list is shown in Portage's manner"
run eprefix emerge --prefix "$T/lists" -pvu a/top a/lib a/slotted:2
want_rc 0
shown '[ebuild     U  ] a/lib-2:0/2::main [1:0/1::main] USE="kept x -changed* -new% (-gone%*)" 0 KiB'
shown '[ebuild  NS    ] a/slotted-2:2::main [1:1::main] 0 KiB'
shown '[ebuild  N    ~] a/top-1:0::main  USE="b -a (-masked)" TARGETS="one -two" 1,025 KiB'
shown 'Total: 3 packages (1 upgrade, 1 new, 1 in new slot), Size of downloads: 1,025 KiB'
end

begin "without --verbose only changed flags of what is installed are shown"
run eprefix emerge --prefix "$T/lists" -p a/lib
shown '[ebuild     U  ] a/lib-2:0/2::main [1:0/1::main] USE="-changed* -new% (-gone%*)"'
run eprefix emerge --prefix "$T/lists" -p a/again
shown '[ebuild   R    ] a/again-1:0::main'
end

begin "a tree has packages above what they need"
run eprefix emerge --prefix "$T/lists" -ptq a/top
want_rc 0
shown '[ebuild  N    ~] a/top-1:0::main'
shown '[ebuild  NS    ]  a/slotted-2:2::main [1:1::main]'
want test "$(grep -n 'a/top-1' "$T/out" | cut -d : -f 1)" -lt "$(grep -n slotted "$T/out" | cut -d : -f 1)"
end

begin "columns have the versions below each other"
run eprefix emerge --prefix "$T/lists" -pq --columns a/again a/slotted:2
want_rc 0
want test "$(awk '{ print index($0, "[" substr($4, 2)) }' "$T/out" | sort -u | wc -l)" -eq 1
end

begin "colours only where they are wanted"
run eprefix emerge --prefix "$T/lists" -p a/top
want_not grep -q "$(printf '\033')" "$T/out"
run eprefix emerge --prefix "$T/lists" -p --color=always a/top
want grep -q "$(printf '\033')\[32;1mN" "$T/out"
end

begin "the list as JSON"
run eprefix emerge --prefix "$T/lists" -pu --json a/lib
want_rc 0
want_out '[{"action":"merge","cpv":"a/lib-2","slot":"0/2","repo":"main"'
want_out '"use":{"x":true,"new":false,"kept":true,"changed":false},"replaces":["a/lib-1"],"reason":"requested"}]'
run eprefix emerge --prefix "$T/lists" -p --json a/nothing
want_rc 6
want_out '{"error":{"kind":"'
end

begin "a misspelt name gets the one that was meant"
run eprefix emerge --prefix "$T/lists" -p a/slottde
want_rc 6
want_err 'there is no package named a/slottde in any repository; did you mean a/slotted?'
run eprefix emerge --prefix "$T/lists" -p slotetd
want_rc 6
want_err 'did you mean a/slotted?'
run eprefix emerge --prefix "$T/lists" -p b/slotted
want_rc 6
want_err 'did you mean a/slotted?'
run eprefix emerge --prefix "$T/lists" -p --json a/slottde
want_rc 6
want_out '"suggest":["a/slotted"]'
run eprefix emerge --prefix "$T/lists" -p quitedifferent
want_rc 6
want_not grep -q 'did you mean' "$T/err"
end

begin "JSON of a refusal holds the lines that would help"
mv "$T/lists/etc/portage/package.accept_keywords" "$T/keywords"
run eprefix emerge --prefix "$T/lists" -p --json a/top
want_rc 6
want_out '"suggest":["etc/portage/package.accept_keywords: =a/top-1 ~amd64"'
mv "$T/keywords" "$T/lists/etc/portage/package.accept_keywords"
end

begin "actions that exclude each other are refused"
run eprefix emerge --prefix "$T/lists" -C --depclean a/lib
want_rc 2
run eprefix emerge --prefix "$T/lists" --resume a/lib
want_rc 2
run eprefix emerge --prefix "$T/lists" --skipfirst a/lib
want_rc 2
run eprefix emerge --prefix "$T/lists"
want_rc 2
end

P=$T/prefix
W=$P/var/lib/portage/world
"$SRC/tests/catalogue/make" "$T/good" || exit 1
mkdir -p "$T/home"
HOME=$T/home eprefix bootstrap "$P" --libc=host --overlays "$T/good/overlays" --stages "$T/good/stages.lua" \
	--distdir "$T/good/distfiles" --offline >"$T/bootstrap.log" 2>&1 || {
	cat "$T/bootstrap.log"
	exit 1
}
echo 'ACCEPT_KEYWORDS="**"' >>"$P/etc/portage/make.conf"

emerge() {
	eprefix emerge --prefix "$P" --offline "$@"
}

# answer TEXT COMMAND...: as run, with TEXT typed.
answer() {
	echo "$1" >"$T/typed"
	shift
	rc=0
	"$@" <"$T/typed" >"$T/out" 2>"$T/err" || rc=$?
}

begin "what is asked for goes into the world file, --oneshot and --pretend leave it alone"
run emerge -p hello
want_not test -e "$W"
run emerge -1 app-misc/hello
want_rc 0
want_not test -e "$W"
run emerge hello
want_rc 0
want_err '>>> Recording app-misc/hello in "world" favorites file...'
want test "$(cat "$W")" = app-misc/hello
end

begin "--noreplace of what is there only remembers it"
run emerge --noreplace app-misc/links
want_rc 0
want grep -qx app-misc/links "$W"
want_not grep -q 'unpack' "$T/err"
end

begin "--deselect takes it out again"
run emerge -pW links
want_rc 0
want_out '>>> Would remove app-misc/links from "world" favorites file...'
want grep -qx app-misc/links "$W"
run emerge -W links
want_rc 0
want_not grep -q app-misc/links "$W"
want test -d "$P/var/db/pkg/app-misc/links-2"
run emerge -W links
want_rc 0
want_out 'No matching atoms found'
end

begin "--ask merges after a yes only"
answer No emerge -a1 app-misc/hello
want_rc 130
want_out 'Would you like to merge these packages? [Yes/No]'
answer '' emerge -a1 app-misc/hello
want_rc 0
want_err 'app-misc/hello-1.2 done'
end

begin "--fetchonly downloads and merges nothing"
run emerge --fetchonly app-misc/hello
want_rc 0
want_not grep -q 'hello-1.2 unpack' "$T/err"
end

begin "a failure leaves a list that --resume goes on with"
echo 'app-misc/fails fail-compile' >"$P/etc/portage/package.use"
run emerge links fails scripts
want_rc 5
want grep -qx 'merge =app-misc/fails-1::tiny' "$P/var/lib/eprefix/resume"
want grep -qx app-misc/links "$W"
want_not grep -q app-misc/fails "$W"
run emerge --resume --pretend
want_rc 0
want_out 'app-misc/fails-1:0::tiny'
want_not grep -q app-misc/links "$T/out"
: >"$P/etc/portage/package.use"
run emerge --resume
want_rc 0
want grep -qx app-misc/fails "$W"
want_not test -e "$P/var/lib/eprefix/resume"
run emerge --resume
want_rc 0
want_err 'nothing to resume'
end

begin "--resume --skipfirst leaves out the first, and what cannot be without it"
echo 'app-misc/fails fail-compile' >"$P/etc/portage/package.use"
run emerge -1 fails
want_rc 5
{
	echo oneshot
	echo 'merge =app-misc/fails-1::tiny'
	echo 'merge =app-misc/scripts-0.3::tiny'
} >"$P/var/lib/eprefix/resume"
mv "$P/var/db/pkg/app-misc/hello-1.2" "$T/hello"
run emerge --resume --skipfirst --pretend
want_rc 0
want_err '>>> Skipping =app-misc/fails-1::tiny'
want_err '>>> Leaving out =app-misc/scripts-0.3::tiny: it needs app-misc/hello'
mv "$T/hello" "$P/var/db/pkg/app-misc/hello-1.2"
run emerge --resume --skipfirst
want_rc 0
want_err 'app-misc/scripts-0.3 done'
want_not test -e "$P/var/lib/eprefix/resume"
end

begin "--keep-going merges what does not depend on the failure"
echo 'app-misc/fails fail-prepare' >"$P/etc/portage/package.use"
run emerge -1 --keep-going fails hello links
want_rc 5
want_err 'app-misc/hello-1.2 done'
want_err 'app-misc/links-2 done'
end

begin "what blocks a package is removed once that is built, and not before"
mkdir -p "$P/var/db/repos/tiny/app-misc/rival"
cat >"$P/var/db/repos/tiny/app-misc/rival/rival-1.lua" <<'END'
return plain {
	DESCRIPTION = "Takes the place of links",
	LICENSE = "0BSD",
	KEYWORDS = "amd64 arm64",
	IUSE = "fail",
	RDEPEND = { "!app-misc/links" },
	install = function(b)
		if b.use.fail then
			b:die("told to fail")
		end
		b:write("$ED/usr/share/chain", "a file where links has a symlink\n")
	end,
}
END
run emerge -1 rival
want_rc 6
want_err '!app-misc/links'
run emerge -W links
want_rc 0
run emerge -pv rival
want_rc 0
want_out '[uninstall     ] app-misc/links-2'
want_out '[blocks b      ] app-misc/links ("!app-misc/links" is soft blocking app-misc/rival-1)'
want_out 'Total: 1 package (1 new, 1 uninstall)'
want_out 'Conflict: 1 block'
echo 'app-misc/rival fail' >"$P/etc/portage/package.use"
run emerge -1 rival
want_rc 5
want grep -qx 'remove =app-misc/links-2 !app-misc/links' "$P/var/lib/eprefix/resume"
want test -L "$P/usr/share/chain"
want test -d "$P/var/db/pkg/app-misc/links-2"
: >"$P/etc/portage/package.use"
run emerge --resume
want_rc 0
want_not test -e "$P/var/db/pkg/app-misc/links-2"
want_not test -e "$P/usr/share/links"
want test -f "$P/usr/share/chain"
run emerge -C rival
want_rc 0
end

begin "a merged package is removed again, files and all"
run emerge -C app-misc/hello
want_rc 0
want_err 'app-misc/scripts-0.3 needs app-misc/hello (RDEPEND)'
want_not test -e "$P/usr/bin/hello"
want_not grep -q app-misc/hello "$W"
end
