#!/bin/sh
# eprefix overlay: registering repositories, and what its check finds.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/prefix
ETC=$P/etc/portage
mkdir -p "$ETC/repos.conf" "$P/var/db/repos" "$P/var/db/pkg" "$P/var/lib/eprefix"
cp -R "$SRC/overlays/gentoo-prefix" "$SRC/overlays/rocm" "$P/var/db/repos/"
ln -s ../../var/db/repos/gentoo-prefix/profiles/linux/amd64 "$ETC/make.profile"
# shellcheck disable=SC2016 # Portage expands it
printf '[DEFAULT]\nmain-repo = gentoo-prefix\n\n[gentoo-prefix]\nlocation = ${EPREFIX}/var/db/repos/gentoo-prefix\n' >"$ETC/repos.conf/base.conf"

overlay() {
	eprefix overlay "$@" --prefix "$P"
}

begin "a repository that bootstrap left is added by its name"
run overlay add rocm
want_rc 0
# shellcheck disable=SC2016 # as it stands in the file
want grep -q '^location = ${EPREFIX}/var/db/repos/rocm$' "$ETC/repos.conf/rocm.conf"
run overlay list
want_out "$P/var/db/repos/rocm"
run overlay list --json
want_out '"name":"rocm"'
end

begin "what is registered is not registered again"
run overlay add rocm
want_rc 2
want_err "a repository called rocm is registered already, at $P/var/db/repos/rocm"
end

begin "removing it leaves its files"
run overlay remove rocm
want_rc 0
want_not test -e "$ETC/repos.conf/rocm.conf"
want test -d "$P/var/db/repos/rocm"
run overlay remove rocm
want_rc 2
run overlay remove ../../x
want_rc 2
end

begin "a location that is not there is told"
run overlay add "$T/nothing"
want_rc 2
want_err "there is no directory $T/nothing"
end

begin "a directory without profiles/repo_name is told"
mkdir -p "$T/bare/profiles"
run overlay add "$T/bare"
want_rc 2
want_err "$T/bare is no repository"
end

begin "two repositories of one name are told"
cp -R "$SRC/overlays/rocm" "$T/other"
run overlay add "$T/other"
want_rc 0
run overlay add rocm
want_rc 2
want_err "$T/other"
run overlay remove rocm
end

begin "an unknown master is told, and nothing stays registered"
mkdir -p "$T/orphan/profiles" "$T/orphan/metadata"
echo orphan >"$T/orphan/profiles/repo_name"
echo 'masters = nobody' >"$T/orphan/metadata/layout.conf"
run overlay add "$T/orphan"
[ $rc -ne 0 ] || unmet "status 0"
want_err "nobody"
want_not test -e "$ETC/repos.conf/orphan.conf"
end

begin "the shipped overlays have nothing wrong"
run eprefix overlay check "$SRC/overlays/gentoo-prefix" "$SRC/overlays/rocm"
want_rc 0
want_out "nothing is wrong with 2 repositories"
end

# A repository with one mistake of each kind.
B=$T/broken
mkdir -p "$B/profiles" "$B/metadata" "$B/app-misc" "$B/not-listed/pkg"
echo broken >"$B/profiles/repo_name"
echo app-misc >"$B/profiles/categories"
echo 'masters =' >"$B/metadata/layout.conf"

# recipe NAME FIELDS: app-misc/NAME-1
recipe() {
	mkdir -p "$B/app-misc/$1"
	printf 'return plain {\n\tDESCRIPTION = "d", LICENSE = "MIT", KEYWORDS = "amd64",\n\t%s\n\tinstall = function() end,\n}\n' "$2" \
		>"$B/app-misc/$1/$1-1.lua"
}

BLAKE=$(printf '%0128d' 0)
recipe fine ''
recipe needs 'DEPEND = { "app-misc/missing" },'
recipe one 'DEPEND = { "app-misc/two" },'
recipe two 'BDEPEND = { "app-misc/one" },'
recipe flags 'RDEPEND = { use.nls "app-misc/fine" },'
recipe unlisted 'sources = { "https://example.org/unlisted.tar.gz" },'
recipe sums 'sources = { "https://example.org/sums.tar.gz" },'
echo "DIST sums.tar.gz 10 BLAKE2B 0123 SHA512 $BLAKE" >"$B/app-misc/sums/Manifest"
recipe stale ''
echo "DIST stale.tar.gz 10 BLAKE2B $BLAKE SHA512 $BLAKE" >"$B/app-misc/stale/Manifest"
mkdir -p "$B/app-misc/fine/files"
: >"$B/app-misc/fine/files/unused.patch"
cp "$B/app-misc/fine/fine-1.lua" "$B/not-listed/pkg/pkg-1.lua"

run eprefix overlay check "$B"
cp "$T/out" "$T/found"
cp "$T/err" "$T/said"
rc_of_check=$rc
# found NAME TEXT: one test for each kind
found() {
	begin "check finds $1"
	want test "$rc_of_check" -eq 1
	grep -qF "$2" "$T/found" || unmet "no \"$2\" in: $(tr '\n' '|' <"$T/found")"
	end
}
found "a dependency that nothing satisfies" "app-misc/needs-1: dependency: DEPEND: nothing satisfies app-misc/missing"
found "a cycle" "cycle: cannot be built before itself: app-misc/one-1 needs (DEPEND) app-misc/two-1 needs (BDEPEND) app-misc/one-1"
found "a flag that is not declared" "app-misc/flags-1: recipe:"
found "a source without a line in the Manifest" "source unlisted.tar.gz has no DIST line"
found "a checksum that is none" "app-misc/sums/Manifest: checksum: BLAKE2B of sums.tar.gz has 4 digits, not 128"
found "a Manifest line that nothing needs" "app-misc/stale/Manifest: unused: no recipe has the source stale.tar.gz"
found "a file that nothing needs" "app-misc/fine/files/unused.patch: unused: no recipe of the package names this file"
found "a category that is not listed" "broken: not-listed: category: holds packages (1) but is no category"

begin "check says how many it found, and finds nothing else"
want grep -q 'overlay check: 8 findings' "$T/said"
end

begin "check tells the same as JSON"
run eprefix overlay check --json "$B"
want_rc 1
cp "$T/out" "$T/json"
run python3 -c 'import json, sys
for repo in json.load(open(sys.argv[1])):
	print(repo["repository"], repo["packages"], *sorted(x["kind"] for x in repo["findings"]))' "$T/json"
want_out "broken 8 category checksum cycle dependency recipe recipe unused unused"
end

# again FIELDS: app-misc/fine alone, with these fields, is checked
again() {
	rm -rf "$B/not-listed" "$B/app-misc"
	recipe fine "$1"
}

begin "a USE dependency on a flag that is not there is found"
again 'IUSE = "x", DEPEND = { "app-misc/other[nls]", "app-misc/other[nls(-)]" },'
recipe other ''
run eprefix overlay check "$B"
want_rc 1
want_out "dependency: DEPEND: app-misc/other[nls]: no version that matches has the flag nls"
want_err "1 findings"
end

begin "a package that needs itself through the run-time dependencies of others is found"
again 'BDEPEND = { "app-misc/other" },'
recipe other 'IUSE = "+x y", RDEPEND = { use.x "app-misc/third" },'
recipe third 'RDEPEND = { "app-misc/fine" },'
run eprefix overlay check "$B"
want_rc 1
want_out "fine-1 needs (BDEPEND) app-misc/other-1 needs (RDEPEND) app-misc/third-1 needs (RDEPEND) app-misc/fine-1"
want_err "1 findings"
end

begin "a circle that no build waits for, or that a flag opens, is none"
again 'RDEPEND = { "app-misc/other" },'
recipe other 'IUSE = "x", RDEPEND = { "app-misc/fine" }, DEPEND = { use.x "app-misc/fine" },'
run eprefix overlay check "$B"
want_rc 0
end

begin "an alternative that can be had is enough, and files are found under their expanded names"
# shellcheck disable=SC2016 # a recipe's own names
again 'DEPEND = { any { "app-misc/missing", "app-misc/other" } }, env = { A = "$FILESDIR/a-$PV.conf", B = "$FILESDIR/dir" },'
recipe other ''
mkdir -p "$B/app-misc/fine/files/dir"
: >"$B/app-misc/fine/files/a-1.conf"
: >"$B/app-misc/fine/files/dir/b"
run eprefix overlay check "$B"
want_rc 0
end

begin "a file of the package that is not what its Manifest says is found"
echo "AUX a-1.conf 3 BLAKE2B $BLAKE SHA512 $BLAKE" >"$B/app-misc/fine/Manifest"
run eprefix overlay check "$B"
want_rc 1
want_out "app-misc/fine/Manifest: checksum: "
echo "DIST bad size" >"$B/app-misc/fine/Manifest"
run eprefix overlay check "$B"
want_rc 1
want_out "Manifest:1"
end

begin "masters that are not beside the repository are taken from the prefix"
mkdir -p "$T/away/child/profiles" "$T/away/child/metadata"
echo child >"$T/away/child/profiles/repo_name"
echo app-misc >"$T/away/child/profiles/categories"
echo 'masters = gentoo-prefix' >"$T/away/child/metadata/layout.conf"
B=$T/away/child
recipe more 'DEPEND = { "sys-devel/gcc" },'
run overlay check "$T/away/child"
want_rc 0
want_no_err "there is no repository"
end

begin "a directory is added under its name, \${EPREFIX} expanded, and no other name"
# shellcheck disable=SC2016 # eprefix expands it
run overlay add rocm '${EPREFIX}/var/db/repos/rocm'
want_rc 0
# shellcheck disable=SC2016 # as it stands in the file
want grep -qxF 'location = ${EPREFIX}/var/db/repos/rocm' "$ETC/repos.conf/rocm.conf"
run overlay remove rocm
run overlay add another "$P/var/db/repos/rocm"
want_rc 2
want_err "calls itself rocm"
want_not test -e "$ETC/repos.conf/another.conf"
end

begin "a git repository is cloned, updated, and refused when it is not there or not fit"
if command -v git >/dev/null; then
	commit() {
		git -C "$T/away/child" add -A
		git -C "$T/away/child" -c user.name=t -c user.email=t@example.org commit -qm "$1"
	}
	git init -q "$T/away/child"
	commit one
	run overlay add "file://$T/away/child"
	want_rc 2
	want_err "eprefix overlay add NAME file://"
	run overlay add child "file://$T/away/child"
	want_rc 0
	want test -e "$P/var/db/repos/child/app-misc/more/more-1.lua"
	want grep -qxF "sync-uri = file://$T/away/child" "$ETC/repos.conf/child.conf"
	echo new >"$T/away/child/news"
	commit two
	run overlay sync
	want_rc 0
	want test -e "$P/var/db/repos/child/news"
	run overlay sync gentoo-prefix
	want_rc 0
	want_out "nothing to do"
	run overlay sync nobody
	want_rc 2
	run overlay add named "file://$T/away/child"
	want_rc 2
	want_err "calls itself child"
	want_not test -e "$P/var/db/repos/named"
	run overlay add none "file://$T/none"
	want_rc 4
	want_err "cloning file://$T/none failed"
	want_not test -e "$P/var/db/repos/none"
	want_not test -e "$ETC/repos.conf/none.conf"
else
	skip_test "there is no git"
fi
end

begin "manifest lists new sources, drops old ones, and contradicts no line"
"$SRC/tests/catalogue/make" "$T/good" || exit 1
M=$T/good/overlays/tiny/app-misc/links
cp "$M/Manifest" "$T/links"
sed 's/links-2/gone-1/' "$T/links" >"$M/Manifest"
run overlay manifest --distdir "$T/good/distfiles" "$M"
want_rc 0
want_out "$M/Manifest: links-2.tar.gz"
want cmp "$M/Manifest" "$T/links"
run overlay manifest --distdir "$T/good/distfiles" "$M"
want_rc 0
want_not test -s "$T/out"
echo more >>"$T/good/distfiles/links-2.tar.gz"
run overlay manifest --distdir "$T/good/distfiles" "$M"
want_rc 4
want_err "links-2.tar.gz is not what the Manifest says"
want cmp "$M/Manifest" "$T/links"
run overlay manifest --distdir "$T/good/distfiles" --force "$M"
want_rc 0
want_not cmp -s "$M/Manifest" "$T/links"
rm "$M/Manifest" "$T/good/distfiles/links-2.tar.gz"
run overlay manifest --distdir "$T/good/distfiles" "$M"
want_rc 4
want_err "  links-2.tar.gz"
run overlay manifest --distdir "$T/good/distfiles" "$T/good/distfiles"
want_rc 2
want_err "is no package of a repository"
run overlay manifest "$M"
want_rc 2
end
