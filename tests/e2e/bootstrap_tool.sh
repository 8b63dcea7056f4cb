#!/bin/sh
# shellcheck disable=SC2086 # $NO_NETWORK is words
# bootstrap/run: what it needs, what may not disturb it, and what it says when something is missing.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

DIST=${EPREFIX_TEST_DISTDIR:-$SRC/.cache/eprefix/distfiles}
BOOT=$SRC/bootstrap/run
FARM=$T/farm
NEEDED='sh cc c++ as ld ar tar gzip awk sed cat cp mv rm mkdir ln cut tr find sort cmp cksum df getconf sleep uname dirname
	sha256sum curl tail'

# A PATH with the tools that bootstrap/run says it needs and no others.
make_farm() {
	mkdir -p "$1"
	for farm_tool in $NEEDED; do
		ln -s "$(command -v "$farm_tool")" "$1/$farm_tool"
	done
}

# What is in $DIST, laid out as on the mirrors.
make_mirror() {
	grep 'mirror://debian/' "$SRC/bootstrap/libs.tsv" | while IFS='	' read -r _ _ _ mirror_file mirror_url; do
		mirror_path=$1/${mirror_url#mirror://debian/}
		mkdir -p "${mirror_path%/*}"
		ln -sf "$DIST/$mirror_file" "$mirror_path"
	done
}

# Nothing is reached but the loopback: a download from elsewhere fails at once.
NO_NETWORK='http_proxy=http://127.0.0.1:1 https_proxy=http://127.0.0.1:1 no_proxy=127.0.0.1'

# The environment of a careless user: each of these has broken a build somewhere.
poisoned() {
	env CPATH="$T/poison" C_INCLUDE_PATH="$T/poison" LIBRARY_PATH="$T/poison" CC=false CXX=false CFLAGS=-no-such-flag \
		LDFLAGS=-no-such-flag CPPFLAGS=-no-such-flag MAKEFLAGS=-no-such CONFIG_SITE="$T/poison/site" CDPATH=/usr \
		GREP_OPTIONS=--no-such TAR_OPTIONS=--no-such PERL5LIB="$T/poison" PYTHONPATH="$T/poison" PYTHONHOME="$T/poison" \
		POSIXLY_CORRECT=1 GCC_EXEC_PREFIX="$T/poison/" COMPILER_PATH="$T/poison" ENV="$T/poison/env" BASH_ENV="$T/poison/env" \
		TMPDIR="$T/not-there" LC_ALL=xx_YY LANGUAGE=xx LD_LIBRARY_PATH="$T/poison" "$@"
}

make_poison() {
	mkdir -p "$T/poison"
	echo '#error a header of the user' >"$T/poison/stdio.h"
	cp "$T/poison/stdio.h" "$T/poison/zlib.h"
	echo 'not a library' >"$T/poison/libc.a"
	cp "$T/poison/libc.a" "$T/poison/libz.a"
	echo 'exit 9' >"$T/poison/env"
	printf '#!/bin/sh\nexit 9\n' >"$T/poison/as"
	chmod +x "$T/poison/as"
}

without() {
	cp -R -P "$FARM" "$T/farm-without-$1"
	rm -f "$T/farm-without-$1/$1"
}

make_farm "$FARM"
make_poison
export EPREFIX_APT_DIR="$T/apt"
mkdir -p "$T/apt/sources.list.d"

begin "--help needs nothing and exits 0"
run env -i PATH="$FARM" "$BOOT" --help
want_rc 0
want_out 'usage: bootstrap/run EPREFIX'
end

begin "no directory is wrong usage"
run "$BOOT"
want_rc 2
want_err 'which directory'
end

begin "an option without its argument is wrong usage"
run "$BOOT" --tool-only --jobs
want_rc 2
end

for bad in 'with space' 'with:colon' "with'quote"; do
	begin "a prefix called '$bad' is refused with the reason"
	run env EPREFIX_CACHE="$T/c" "$BOOT" "$T/$bad"
	want_rc 3
	want_err 'cannot be the prefix'
	want_not test -e "$T/$bad"
	end
done

begin "a prefix with a long path is refused"
run env EPREFIX_CACHE="$T/c" "$BOOT" "$T/$(printf '%0120d' 0)"
want_rc 3
want_err 'characters long'
end

begin "a cache that cannot be written is named"
: >"$T/file"
run env EPREFIX_CACHE="$T/file/c" "$BOOT" --libs-only
want_rc 1
want_err "$T/file/c"
end

for tool in cc c++ ar tar gzip; do
	begin "a host without $tool is unfit, and told so"
	without $tool
	run env -i PATH="$T/farm-without-$tool" EPREFIX_CACHE="$T/c-$tool" "$BOOT" --libs-only --offline --distdir "$DIST"
	want_rc 3
	want_err 'Install'
	end
done

begin "a host without a downloader is told so"
without curl
run env -i PATH="$T/farm-without-curl" EPREFIX_CACHE="$T/c-curl" "$BOOT" --libs-only
want_rc 3
want_err 'no downloader'
want_err '--offline'
end

begin "a compiler asked for that is not there is named"
run env EPREFIX_CACHE="$T/c" "$BOOT" --libs-only --cxx=/no/such/g++
want_rc 3
want_err '/no/such/g++'
end

begin "a compiler that cannot link is shown with its message"
printf '#!/bin/sh\necho "cannot find -lc" >&2\nexit 1\n' >"$T/bad-cc"
chmod +x "$T/bad-cc"
run env EPREFIX_CACHE="$T/c" "$BOOT" --libs-only --offline --cc "$T/bad-cc"
want_rc 3
want_err 'cannot find -lc'
end

begin "offline, all missing archives are listed at once with their checksums"
run env EPREFIX_CACHE="$T/c-offline" "$BOOT" --libs-only --offline
want_rc 4
want_err 'no archive of zlib'
want_err 'no archive of libb2'
want_err 'SHA-256 ab5a03176ee106d3f0fa90e381da478ddae405918153cca248e682cd0c4a2269'
want_err '--distdir'
end

begin "hosts that cannot be reached are named with every address, and asked once"
run env $NO_NETWORK EPREFIX_CACHE="$T/c-dead" "$BOOT" --libs-only
want_rc 4
want_err 'https://zlib.net/fossils/zlib-1.3.1.tar.gz: '
want_err 'not asked, github.com could not be reached before'
end

if [ ! -f "$DIST/curl-8.14.1.tar.gz" ]; then
	begin "building"
	skip_test "no source archives in $DIST"
	end
	exit 0
fi

begin "a damaged archive is set aside, not used"
mkdir -p "$T/c-bad/distfiles"
cp "$DIST"/*.tar.* "$T/c-bad/distfiles/"
echo x >>"$T/c-bad/distfiles/curl-8.14.1.tar.gz"
run env EPREFIX_CACHE="$T/c-bad" "$BOOT" --libs-only --offline
want_rc 4
want_err 'no archive of curl'
want_no_err 'no archive of zlib'
want ls "$T/c-bad/distfiles/curl-8.14.1.tar.gz._checksum_failure_."*
end

make_mirror "$T/mirror"
serve "$T/mirror"

begin "an archive that a mirror serves damaged is told apart"
printf 'deb %s/ok suite main\n' "$URL" >"$T/apt/sources.list"
mkdir -p "$T/c-wrong/distfiles"
cp "$DIST"/*.tar.* "$T/c-wrong/distfiles/"
rm -f "$T/c-wrong/distfiles/picosat-965.tar.gz" "$T/mirror/pool/main/p/picosat/picosat_965.orig.tar.gz"
echo 'something else' >"$T/mirror/pool/main/p/picosat/picosat_965.orig.tar.gz"
run env $NO_NETWORK EPREFIX_CACHE="$T/c-wrong" "$BOOT" --libs-only
want_rc 4
want_err "picosat_965.orig.tar.gz: wrong SHA-256"
make_mirror "$T/mirror"
end

begin "an interrupted build stops at once and goes on where it was"
env EPREFIX_CACHE="$T/c-int" "$BOOT" --libs-only --offline --distdir "$DIST" >"$T/out" 2>"$T/err" </dev/null &
boot_pid=$!
left=600
while [ "$(find "$T/c-int/work/obj" -name '*.o' 2>/dev/null | wc -l)" -lt 10 ] && [ $left -gt 0 ]; do
	sleep 0.2
	left=$((left - 1))
done
kill -TERM $boot_pid
rc=0
wait $boot_pid || rc=$?
want_rc 143
want_not ls -d "$T/c-int"/run.*
want_not test -e "$T/c-int/lock"
find "$T/c-int/work/obj" -name '*.o' | sort >"$T/before"
sleep 1
find "$T/c-int/work/obj" -name '*.o' | sort | cmp -s - "$T/before" || unmet "a compiler went on after the end"
touch -d '2001-01-01' "$(sed 1q "$T/before")"
env EPREFIX_CACHE="$T/c-int" "$BOOT" --libs-only --offline --distdir "$DIST" >"$T/out" 2>"$T/err" </dev/null &
boot_pid=$!
left=600
while [ "$(find "$T/c-int/work/obj" -name '*.o' | wc -l)" -le "$(wc -l <"$T/before")" ] && [ $left -gt 0 ]; do
	sleep 0.2
	left=$((left - 1))
done
kill -KILL $boot_pid
wait $boot_pid 2>/dev/null
[ -z "$(find "$(sed 1q "$T/before")" -newer "$T/apt/sources.list")" ] || unmet "a finished object was compiled again"
end

begin "a lock left by a killed run is recognised"
want test -e "$T/c-int/lock"
run env EPREFIX_CACHE="$T/c-int" "$BOOT" --libs-only --offline --distdir "$T" --cc "$T/bad-cc"
want_rc 3
want_err 'which is gone'
want_not test -e "$T/c-int/lock"
rm -rf "$T/c-int"
end

# The one whole build: least tools, worst environment, odd directory names, sources from a mirror named in deb822 form.
begin "builds with the least tools, in a poisoned environment, from the host's apt mirrors"
rm -f "$T/apt/sources.list"
printf 'Types: deb\nURIs: http://127.0.0.1:1/nothing\n  %s/ok/\nSuites: s\nComponents: main\n\nEnabled: no\nURIs: http://127.0.0.1:2/off\n' \
	"$URL" >"$T/apt/sources.list.d/host.sources"
mkdir "$T/odd dir"
cp -R "$SRC" "$T/odd dir/src"
CACHE=$T/odd\ dir/cache
umask 077
run poisoned env -u HOME $NO_NETWORK PATH="$FARM" EPREFIX_CACHE="$CACHE" "$T/odd dir/src/bootstrap/run" --tool-only
want_rc 0
want test -x "$CACHE/bin/eprefix"
want "$CACHE/bin/eprefix" --version
want_err 'small unxz'
want_err 'building bzip2'
want_not ls -d "$CACHE"/run.* "$CACHE/lock" "$CACHE/work"
want_not grep -q '127.0.0.1:2' "$T/err"
end

begin "a second run does nothing"
touch "$T/mark"
sleep 1
run poisoned env -u HOME PATH="$FARM" EPREFIX_CACHE="$CACHE" "$T/odd dir/src/bootstrap/run" --tool-only --offline
want_rc 0
want_not test -s "$T/err"
[ -z "$(find "$CACHE" -type f -newer "$T/mark")" ] || unmet "files were written"
end

begin "a changed source is compiled again, an unchanged one is not"
echo '/* changed */' >>"$T/odd dir/src/src/base/err.c"
run env PATH="$FARM" EPREFIX_CACHE="$CACHE" "$T/odd dir/src/bootstrap/run" --tool-only --offline
want_rc 0
[ "$(find "$CACHE/tool/obj" -name '*.c.o' -newer "$T/mark" | wc -l)" -eq 1 ] || unmet "not exactly one object is new"
end

begin "nothing was written beside the cache and the sources are as they were"
rm -rf "$T/odd dir/cache"
[ "$(ls "$T/odd dir")" = src ] || unmet "there is $(ls "$T/odd dir")"
want_not test -e "$T/odd dir/src/.cache"
end
