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
found "a dependency that nothing satisfies" "app-misc/needs-1: dependency: no repository has app-misc/missing"
found "a cycle" "app-misc/one -> app-misc/two -> app-misc/one"
found "a flag that is not declared" "app-misc/flags-1: recipe:"
found "a source without a line in the Manifest" "source unlisted.tar.gz has no DIST line"
found "a checksum that is none" "BLAKE2B of sums.tar.gz is not 128 hexadecimal digits"
found "a Manifest line that nothing needs" "no recipe asks for stale.tar.gz"
found "a file that nothing needs" "no recipe names files/unused.patch"
found "a category that is not listed" "not-listed: category: profiles/categories does not list it"

begin "check says how many it found, and finds nothing else"
want grep -q 'overlay check: 8 findings' "$T/said"
end
