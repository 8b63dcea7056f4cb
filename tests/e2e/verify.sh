#!/bin/sh
# eprefix verify: a prefix made by hand, then one thing after the other goes wrong in it.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/gentoo

# record CATEGORY/PF LINE…: a package that has just these lines in CONTENTS
record() {
	record_dir=$P/var/db/pkg/$1
	shift
	mkdir -p "$record_dir"
	printf '8\n' >"$record_dir/EAPI"
	printf '0\n' >"$record_dir/SLOT"
	printf '%s\n' "$@" >"$record_dir/CONTENTS"
}

# obj PATH: the line of a file as it is now
obj() {
	obj_md5=$(md5sum "$P/$1" | cut -d' ' -f1)
	echo "obj $P/$1 $obj_md5 $(stat -c %Y "$P/$1")"
}

# A clean prefix: a library directory by two names, a script, a .pc file, configuration, caches.
make_prefix() {
	rm -rf "$P"
	mkdir -p "$P/usr/bin" "$P/usr/lib/pkgconfig" "$P/usr/lib/python3.13" "$P/etc" "$P/usr/share/info"
	ln -s usr/lib "$P/lib"
	printf '#!%s/bin/sh\necho hello\n' "$P" >"$P/usr/bin/hello"
	chmod 755 "$P/usr/bin/hello"
	# shellcheck disable=SC2016
	printf 'prefix=%s/usr\nLibs: -L${prefix}/lib\n' "$P" >"$P/usr/lib/pkgconfig/hello.pc"
	echo 'print()' >"$P/usr/lib/python3.13/x.py"
	ln -s libhello.so.1 "$P/usr/lib/libhello.so"
	echo lib >"$P/usr/lib/libhello.so.1"
	echo 'a = 1' >"$P/etc/hello.conf"
	record sys-apps/hello-1 "dir $P/usr" "dir $P/usr/bin" "$(obj usr/bin/hello)" "$(obj etc/hello.conf)" \
		"$(obj lib/libhello.so.1)" "sym $P/lib/libhello.so -> libhello.so.1 $(stat -c %Y "$P/usr/lib/libhello.so")" \
		"$(obj usr/lib/pkgconfig/hello.pc)" "sym $P/lib -> usr/lib $(stat -c %Y "$P/lib")"
	record dev-lang/python-3.13.5 "$(obj usr/lib/python3.13/x.py)"
	record sys-libs/glibc-2.41 "dir $P/usr/lib"
	mkdir -p "$P/usr/lib/python3.13/__pycache__" "$P/var/cache/distfiles"
	echo pyc >"$P/usr/lib/python3.13/__pycache__/x.pyc"
	echo dir >"$P/usr/share/info/dir"
	echo src >"$P/var/cache/distfiles/a.tar"
	echo start >"$P/startprefix"
}

verify() {
	run eprefix verify --prefix "$P" "$@"
}

begin "verify finds nothing in a clean prefix"
make_prefix
verify
want_rc 0
want_out "verified 3 packages: 5 files"
want_out "nothing is unowned"
end

begin "verify --quiet says nothing when there is nothing"
verify --quiet
want_rc 0
want test ! -s "$T/out"
end

begin "verify by another spelling of the prefix finds nothing either"
ln -s "$P" "$T/link"
run eprefix verify --prefix "$T/link/"
want_rc 0
end

begin "verify finds content, time, targets and files gone"
echo changed >"$P/usr/lib/libhello.so.1"
touch -d '2001-02-03 04:05:06' "$P/usr/bin/hello"
ln -sfn elsewhere "$P/usr/lib/libhello.so"
rm "$P/usr/lib/pkgconfig/hello.pc"
verify
want_rc 1
want_out "1 recorded files that are missing:"
want_out "  usr/lib/pkgconfig/hello.pc"
want_out "usr/lib/libhello.so.1: its MD5 is"
want_out "usr/lib/libhello.so: points at elsewhere, recorded is libhello.so.1"
want_out "usr/bin/hello: is of 9"
want_err "findings in $P"
end

begin "verify ATOM looks at that package alone"
verify dev-lang/python
want_rc 0
want_out "verified 1 packages"
verify python '>=sys-apps/hello-1'
want_rc 1
verify '>=sys-apps/hello-2'
want_rc 2
want_err "no installed package matches >=sys-apps/hello-2"
end

begin "verify takes edited configuration for what it is"
make_prefix
echo 'a = 2' >"$P/etc/hello.conf"
echo new >"$P/etc/new.conf"
verify
want_rc 0
end

begin "verify finds the host in scripts, build information and symlinks"
make_prefix
printf '#!/usr/bin/env python3\n' >"$P/usr/bin/hello"
printf 'prefix=/usr\n' >"$P/usr/lib/pkgconfig/hello.pc"
ln -sfn /usr/lib/libhello.so.1 "$P/usr/lib/libhello.so"
verify
want_rc 1
want_out "usr/bin/hello: is run by /usr/bin/env"
want_out "usr/lib/pkgconfig/hello.pc: names /usr"
want_out "usr/lib/libhello.so: points at /usr/lib/libhello.so.1"
end

begin "verify finds the host's loader and libraries in a real program"
make_prefix
cp "$(command -v ls)" "$P/usr/bin/list"
record sys-apps/list-1 "$(obj usr/bin/list)"
verify
want_rc 1
want_out "usr/bin/list: is started by /lib"
want_out "usr/bin/list: needs libc.so.6"
verify --libc host
want_rc 0
end

begin "verify asks the compiler of the prefix"
make_prefix
# shellcheck disable=SC2016
printf '#!/bin/sh\ncase $1 in -v) echo "#include <...> search starts here:\n /usr/include\nEnd of search list." >&2 ;;\n*) echo "libraries: =%s/usr/lib/:/usr/lib/" ;; esac\n' "$P" >"$P/usr/bin/gcc"
chmod 755 "$P/usr/bin/gcc"
record sys-devel/gcc-14 "$(obj usr/bin/gcc)"
verify
want_rc 1
want_out 'usr/bin/gcc: searches "/usr/include"'
want_out 'usr/bin/gcc: searches "/usr/lib/"'
end

begin "verify tells what belongs to no package, a directory once"
make_prefix
mkdir -p "$P/opt/left/over" "$P/tmp/usr/bin"
echo x >"$P/opt/left/over/a"
echo x >"$P/opt/left/b"
echo x >"$P/usr/bin/stray"
echo x >"$P/tmp/usr/bin/gcc"
verify
want_rc 1
want_out "3 files that belong to no package:"
want_out "  opt: directory with 2 files"
want_out "  tmp: directory with 1 files"
want_out "  usr/bin/stray"
end

begin "verify prints at most ten of a kind, all with --verbose"
make_prefix
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo x >"$P/usr/bin/stray$i"; done
verify
want_out "  and 2 more; --verbose shows all"
verify --verbose
want test "$(grep -c '  usr/bin/stray' "$T/out")" -eq 12
end

begin "verify --json is JSON, also with odd names"
make_prefix
printf x >"$P/usr/bin/a\"b
c"
verify --json
want_rc 1
# shellcheck disable=SC2016
want_out '"kind":"unowned","path":"usr/bin/a\"b\nc"'
if command -v python3 >/dev/null; then
	want python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert len(d["findings"]) == 1' "$T/out"
fi
end

begin "verify reports damaged records"
make_prefix
echo "nonsense" >>"$P/var/db/pkg/sys-apps/hello-1/CONTENTS"
echo "obj /etc/passwd 0123456789abcdef0123456789abcdef 1" >>"$P/var/db/pkg/sys-apps/hello-1/CONTENTS"
verify
want_rc 1
want_out "var/db/pkg/sys-apps/hello-1: CONTENTS has 1 lines that say nothing, the first is line 9"
want_out "lists /etc/passwd, which is outside the prefix"
end

begin "verify of what is no prefix says so"
mkdir -p "$T/none"
run eprefix verify --prefix "$T/none"
want_rc 1
want_err "holds no installed package; is it a prefix?"
run eprefix verify --prefix "$T/absent"
want_rc 2
end

begin "verify --rules lists every exception"
run eprefix verify --rules
want_rc 0
want_out "name service is the machine's"
want_out "Python's compiled modules"
end
