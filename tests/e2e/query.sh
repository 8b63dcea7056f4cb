#!/bin/sh
# eprefix query and eprefix config, on a small database written by hand.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/prefix
A=$P/var/db/pkg/dev-libs/a-1
B=$P/var/db/pkg/app-misc/b-2-r1
mkdir -p "$A" "$B" "$P/etc" "$P/usr/lib"
echo content >"$P/usr/lib/liba.so"
ln -s liba.so "$P/usr/lib/libb.so"
touch -h -d @1700000000 "$P/usr/lib/liba.so" "$P/usr/lib/libb.so"
cat >"$A/CONTENTS" <<END
dir $P/usr
dir $P/usr/lib
obj $P/usr/lib/liba.so f75b8179e4bbe7e2b4a074dcef62de95 1700000000
sym $P/usr/lib/libb.so -> liba.so 1700000000
END
: >"$B/CONTENTS"
echo 8 | tee "$A/EAPI" >"$B/EAPI"
echo 0/1 >"$A/SLOT"
echo 0 >"$B/SLOT"
echo "+x y" >"$A/IUSE"
echo x >"$A/USE"
echo 8 >"$A/SIZE"
echo "A library" >"$A/DESCRIPTION"
echo gentoo-prefix >"$A/repository"
echo "dev-libs/a:0/1= app-misc/none" >"$B/RDEPEND"

q() {
	eprefix query --prefix "$P" "$@"
}

begin "query list shows what is installed"
run q list
want_rc 0
want_out 'app-misc/b-2-r1'
want_out 'dev-libs/a-1'
run q list -v a
want_out 'dev-libs/a-1:0/1::gentoo-prefix'
run q list --json a
want_out '[{"cpv": "dev-libs/a-1", "slot": "0/1", "repo": "gentoo-prefix", "use": "x"}]'
end

begin "query files and owner agree"
run q files a
want_rc 0
want_out "$P/usr/lib/liba.so"
run q owner "$P/usr/lib/liba.so" /usr/lib/libb.so usr
want_rc 0
want_out "dev-libs/a-1 ($P/usr/lib/liba.so)"
want_out "dev-libs/a-1 ($P/usr/lib/libb.so)"
want_out "dev-libs/a-1 ($P/usr)"
run q owner liba.so nothing
want_rc 1
want_out "dev-libs/a-1 ($P/usr/lib/liba.so)"
want_err 'no installed package owns nothing'
end

begin "query depends both ways"
run q depends b
want_rc 0
want_out 'RDEPEND  dev-libs/a:0/1= (dev-libs/a-1)'
want_out 'RDEPEND  app-misc/none (not installed)'
run q rdepends a
want_out 'app-misc/b-2-r1  RDEPEND  dev-libs/a:0/1='
end

begin "query uses, meta and size"
run q uses a
want_out 'dev-libs/a-1: +x -y'
run q meta a
want_out 'description   A library'
run q size
want_out 'total of 2 packages: 2 files'
end

begin "query check finds what was changed"
run q check
want_rc 0
echo other >"$P/usr/lib/liba.so"
rm "$P/usr/lib/libb.so"
run q check a
want_rc 1
want_out "$P/usr/lib/liba.so has another content"
want_out "$P/usr/lib/libb.so is missing"
run q check --json a
want_rc 1
want_out '"problem": "is missing"'
end

begin "query says what it does not know"
run q list nothing
want_rc 1
want_err 'no installed package matches nothing'
run q list 'a b'
want_rc 2
run q colour
want_rc 2
run q files
want_rc 2
end

begin "config shows, accepts and rejects updates"
echo mine >"$P/etc/conf"
echo one >"$P/etc/._cfg0000_conf"
echo two >"$P/etc/._cfg0001_conf"
echo new >"$P/etc/._cfg0000_other"
echo old >"$P/etc/other"
run eprefix config --prefix "$P"
want_rc 0
want_out "$P/etc/conf <- ._cfg0001_conf"
run eprefix config --prefix "$P" diff "$P/etc/conf"
want_out '-mine'
want_out '+two'
run eprefix config --prefix "$P" accept
want_rc 2
run eprefix config --prefix "$P" accept /etc/conf
want_rc 0
want test "$(cat "$P/etc/conf")" = two
want test ! -e "$P/etc/._cfg0000_conf"
run eprefix config --prefix "$P" reject --all
want_rc 0
want test "$(cat "$P/etc/other")" = old
want test ! -e "$P/etc/._cfg0000_other"
run eprefix config --prefix "$P" accept etc/conf
want_rc 1
want_err 'has no update that waits'
end

awk -v dir="$T/tree" -v out="$T/case" -f "$SRC/tests/resolver/make.awk" <<'END' || exit 1
request: none

== repository
a/top-1
	RDEPEND=a/lib:= x? ( b/lib ) || ( a/gone a/masked )
	IUSE=x +y
	DESCRIPTION=The top
a/lib-1
a/lib-2
	SLOT=0/2
b/lib-1
a/masked-1
	KEYWORDS=~amd64
== repository other
a/lib-2
	SLOT=0/2
== installed
a/lib-1
== expect
nothing
END

a() {
	eprefix query --prefix "$T/tree" --available "$@"
}

# The whole output.
want_all() {
	[ "$(cat "$T/out")" = "$1" ] || unmet "other output than wanted"
}

begin "query --available knows what the repositories have"
run a list -v
want_rc 0
want_all "a/lib-1:0::main (installed)
a/lib-2:0/2::main
a/lib-2:0/2::other
a/masked-1:0::main (masked: ~amd64 keyword)
a/top-1:0::main
b/lib-1:0::main"
run a list 'lib'
want_all "a/lib-1 (installed)
a/lib-2
a/lib-2
b/lib-1"
run a list '>=lib-2'
want_all "a/lib-2
a/lib-2"
run a list 'a/*' top-1
want_out a/masked-1
run a list --json b/lib
want_all '[{"cpv": "b/lib-1", "repo": "main", "slot": "0", "masked": "", "installed": false}]'
run a uses top
want_all 'a/top-1: -x +y'
run a meta top
want_out 'description   The top'
end

begin "query --available knows dependencies both ways"
run a depends top
want_all "a/top-1
  RDEPEND  a/lib:= (a/lib-1)
  RDEPEND  b/lib (not installed; there is b/lib-1)
  RDEPEND  a/gone (not to be had)
  RDEPEND  a/masked (not to be had)"
run a rdepends a/lib
want_all 'a/top-1  RDEPEND  a/lib:='
run a rdepends --json b/lib
want_all '[{"cpv": "a/top-1", "repo": "main", "kind": "RDEPEND", "atom": "b/lib"}]'
run a files top
want_rc 2
run a list a/none
want_rc 1
want_err 'no repository has a package a/none'
end
