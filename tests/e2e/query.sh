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
