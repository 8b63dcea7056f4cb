#!/bin/sh
# What make.conf and package.env say about builds and about every run of emerge.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/prefix
CONF=$P/etc/portage
"$SRC/tests/catalogue/make" "$T/good" || exit 1
mkdir -p "$T/home"
HOME=$T/home eprefix bootstrap "$P" --libc=host --overlays "$T/good/overlays" --stages "$T/good/stages.lua" \
	--distdir "$T/good/distfiles" --offline >"$T/bootstrap.log" 2>&1 || {
	cat "$T/bootstrap.log"
	exit 1
}
cp "$CONF/make.conf" "$T/make.conf"

# settings: make.conf as the bootstrap wrote it, and the lines on stdin.
settings() {
	{
		cat "$T/make.conf"
		echo 'ACCEPT_KEYWORDS="**"'
		cat
	} >"$CONF/make.conf"
}

emerge() {
	eprefix emerge --prefix "$P" --offline "$@"
}

# with NAME=VALUE COMMAND...
with() {
	(
		# shellcheck disable=SC2163 # the argument is an assignment
		export "$1"
		shift
		"$@"
	)
}

LOG=$P/var/log/portage/emerge/app-misc:hello-1.2.log
RECORD=$P/var/db/pkg/app-misc/hello-1.2

begin "the compiler's flags come from make.conf"
settings <<'END'
CFLAGS="-O1 -DOF_MAKE_CONF"
LDFLAGS="-Wl,-O1"
END
run emerge -1 hello
want_rc 0
want test "$(cat "$RECORD/CFLAGS")" = "-O1 -DOF_MAKE_CONF"
want grep -q -e '-DOF_MAKE_CONF' "$LOG"
end

begin "package.env has its own for one package, made from those of make.conf"
mkdir -p "$CONF/env"
cat >"$CONF/env/more" <<'END'
CFLAGS="${CFLAGS} -DOF_PACKAGE_ENV"
END
echo 'app-misc/hello more' >"$CONF/package.env"
run emerge -1 hello links
want_rc 0
want test "$(cat "$RECORD/CFLAGS")" = "-O1 -DOF_MAKE_CONF -DOF_PACKAGE_ENV"
want_not grep -q OF_PACKAGE_ENV "$P/var/db/pkg/app-misc/links-2/CFLAGS"
rm "$CONF/package.env"
end

begin "a file that package.env names and that is not there is an error"
echo 'app-misc/hello gone' >"$CONF/package.env"
run emerge -1 hello
want_rc 2
want_err "env/gone is not there, though package.env names it"
rm "$CONF/package.env"
end

begin "the toolchain's and the engine's own variables stay theirs"
settings <<'END'
PATH="/nowhere"
CHOST="pdp11-unknown-sysv"
MAKEFLAGS="n"
TMPDIR="/nonexistent"
END
run emerge -1 hello
want_rc 0
want_not grep -q pdp11 "$RECORD/CHOST"
end

begin "INSTALL_MASK keeps files out"
settings <<'END'
INSTALL_MASK="hal*"
END
run emerge -1 hello
want_rc 0
want test -e "$P/usr/bin/hello"
want_not test -e "$P/usr/bin/hallo"
want_not grep -q hallo "$RECORD/CONTENTS"
end

begin "FEATURES=test runs test suites"
settings <<'END'
END
run emerge -1 hello
want_rc 0
want_not grep -q 'make.* check' "$LOG"
run with FEATURES=test emerge -1 hello
want_rc 0
want grep -q 'make.* check' "$LOG"
end

begin "MAKEOPTS gives the number of jobs"
settings <<'END'
MAKEOPTS="-j1 -l4"
END
run emerge -1 hello
want_rc 0
settings <<'END'
MAKEOPTS="-jmany"
END
run emerge -1 hello
want_rc 2
want_err '"many" is no number of jobs'
settings <<'END'
MAKEOPTS="-j4096"
END
run emerge -1 hello
want_rc 2
want_err 'MAKEOPTS="-j4096": "4096" is no number of jobs'
end

begin "EMERGE_DEFAULT_OPTS stands before what is given"
settings <<'END'
EMERGE_DEFAULT_OPTS="--oneshot --color never --jobs=2"
END
run emerge hello
want_rc 0
want_not test -e "$P/var/lib/portage/world"
run emerge --ignore-default-opts hello
want_rc 0
want grep -qx app-misc/hello "$P/var/lib/portage/world"
run with EMERGE_DEFAULT_OPTS=--pretend emerge links
want_rc 0
want_out 'app-misc/links-2'
end

begin "EMERGE_DEFAULT_OPTS with what is no option is refused"
run with "EMERGE_DEFAULT_OPTS=--pretend hello" emerge links
want_rc 2
want_err 'EMERGE_DEFAULT_OPTS holds "hello", which is no option'
run with EMERGE_DEFAULT_OPTS=--pretned emerge links
want_rc 2
want_err 'did you mean --pretend?'
want_err EMERGE_DEFAULT_OPTS
end

begin "a build that was interrupted does not go on with another patch of the user's"
settings <<'END'
END
mkdir -p "$CONF/patches/app-misc/hello"
hello_patch() {
	cat <<END
--- a/hello.c
+++ b/hello.c
@@ -5,5 +5,6 @@
 {
 	printf("%s, %s\\n", tiny_greeting(), argc > 1 ? argv[1] : "world");
+	$1;
 	return 0;
 }
END
}
hello_patch 'no such statement' >"$CONF/patches/app-misc/hello/say.patch"
run emerge -1 hello
want_rc 5
hello_patch 'puts("second")' >"$CONF/patches/app-misc/hello/say.patch"
run emerge -1 hello
want_rc 0
want grep -q second "$P/usr/bin/hello"
end
