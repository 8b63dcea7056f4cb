#!/bin/sh
# eprefix fetch: message and exit status for every way in which a server misbehaves, resuming after a kill, mirrors,
# TLS, offline. Times are never looked at.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/gentoo
DIST=$P/var/cache/distfiles
REPO=$T/repo
# What the environment of the tests says about certificates and proxies is not about these servers.
unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE NIX_SSL_CERT_FILE http_proxy https_proxy \
	HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY DISTDIR GENTOO_MIRRORS EPREFIX

# manifest FILE…: DIST lines
manifest() {
	python3 - "$@" <<'PY'
import hashlib, os, sys
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        data = file.read()
    print("DIST", os.path.basename(path), len(data), "BLAKE2B", hashlib.blake2b(data).hexdigest(),
          "SHA512", hashlib.sha512(data).hexdigest())
PY
}

# package NAME URI…: a recipe whose only source is data.bin, from these addresses in order
package() {
	package_dir=$REPO/app-misc/$1
	mkdir -p "$package_dir"
	{
		printf 'return plain {\n\tDESCRIPTION = "x",\n\tLICENSE = "0BSD",\n\tKEYWORDS = "amd64",\n\tsources = { any {\n'
		shift
		printf '\t\t"%s -> data.bin",\n' "$@"
		printf '\t} },\n}\n'
	} >"$package_dir/${package_dir##*/}-1.lua"
	cp "$T/Manifest" "$package_dir/Manifest"
}

make_prefix() {
	mkdir -p "$P/etc/portage" "$REPO/profiles" "$REPO/metadata" "$T/root"
	python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * i % 251 for i in range(300000)))' >"$T/root/data.bin"
	manifest "$T/root/data.bin" >"$T/Manifest"
	echo test >"$REPO/profiles/repo_name"
	echo app-misc >"$REPO/profiles/categories"
	echo 'masters =' >"$REPO/metadata/layout.conf"
	printf '[test]\nlocation = %s\n' "$REPO" >"$P/etc/portage/repos.conf"
	conf
}

# conf LINE…: make.conf
conf() {
	printf '%s\n' 'ACCEPT_KEYWORDS="**"' "$@" >"$P/etc/portage/make.conf"
}

# try NAME [options]: fetch the package into an empty DISTDIR
try() {
	rm -rf "$DIST"
	: >"$T/server.log"
	run eprefix fetch --prefix "$P" "$@"
}

want_data() {
	want cmp -s "$T/root/data.bin" "$DIST/data.bin"
}

want_no_data() {
	want_not test -e "$DIST/data.bin"
}

want_asked() {
	grep -qF -e "$1" "$T/server.log" || unmet "the server was not asked '$1'"
}

# fails WHAT PATH TEXT: the address is given up, TEXT says why, nothing is in place
fails() {
	begin "fetch: $1"
	package x "$URL/$2"
	try x
	want_rc 4
	want_err "$3"
	want_err "$URL/$2"
	want_no_data
	end
}

# works WHAT PATH
works() {
	begin "fetch: $1"
	package x "$URL/$2"
	try x
	want_rc 0
	want_data
	want_not test -e "$DIST/data.bin.__download__"
	end
}

if ! command -v python3 >/dev/null; then
	echo "skip fetch: there is no python3 for the server"
	exit 0
fi
make_prefix
serve "$T/root" --other ftp://host.invalid

works "a good server" ok/data.bin
works "no length announced" nolength/data.bin
works "redirects" redirect/3/data.bin
works "a page for those who hide their name" ua/data.bin
works "a bad gateway that recovers" fails/502/1/data.bin
works "connections that end early" flaky/100000/data.bin
works "a server that ignores Range" norange/100000/data.bin
works "a server that answers another Range" badrange/100000/data.bin
works "a server that refuses Range" 416/100000/data.bin
works "a file that changed between two parts" once_cut/100000/data.bin

fails "a web page" html200/data.bin 'a web page instead of the file: its title is "Please log in"'
fails "too short" short/data.bin 'wrong size: 299999 bytes, must be 300000'
fails "too long" long/data.bin 'wrong size, too large: 300001 bytes, must be 300000'
fails "without end" endless/data.bin 'wrong size, too large: more than 300000 bytes'
fails "empty" empty/data.bin 'wrong size: 0 bytes'
fails "404" 404/data.bin 'not found: HTTP status 404'
fails "403" status/403/data.bin 'access denied: HTTP status 403'
fails "a redirect loop" loop/data.bin 'redirect loop'
fails "a redirect to ftp" other/data.bin "-> ftp://host.invalid/data.bin: unusable redirect"

begin "fetch: wrong content is kept aside with both checksums shown"
package x "$URL/badhash/data.bin"
try x
want_rc 4
want_err 'wrong checksum: BLAKE2B is '
want_err ", must be $(sed 's/.*BLAKE2B \([0-9a-f]*\) .*/\1/' "$T/Manifest"); kept as data.bin._checksum_failure_."
want_no_data
want sh -c "ls '$DIST'/data.bin._checksum_failure_.*"
end

begin "fetch: the next address is tried"
package x "$URL/404/data.bin" "$URL/badhash/data.bin" "$URL/ok/data.bin"
try x
want_rc 0
want_data
end

begin "fetch: resumed after kill -9"
package x "$URL/stall/150000/data.bin"
rm -rf "$DIST"
"$EPREFIX_BIN" fetch --prefix "$P" x >/dev/null 2>&1 &
pid=$!
left=100
while [ "$(wc -c 2>/dev/null <"$DIST/data.bin.__download__" || echo 0)" -lt 150000 ] && [ $left -gt 0 ]; do
	sleep 0.1
	left=$((left - 1))
done
kill -9 $pid
wait $pid 2>/dev/null
package x "$URL/ok/data.bin"
: >"$T/server.log"
run eprefix fetch --prefix "$P" x
want_rc 0
want_data
want_asked 'bytes=150000-'
end

begin "fetch: stopped by SIGTERM, resumable"
package x "$URL/stall/150000/data.bin"
rm -rf "$DIST"
"$EPREFIX_BIN" fetch --prefix "$P" x >/dev/null 2>"$T/err" &
pid=$!
left=100
while [ "$(wc -c 2>/dev/null <"$DIST/data.bin.__download__" || echo 0)" -lt 150000 ] && [ $left -gt 0 ]; do
	sleep 0.1
	left=$((left - 1))
done
kill -TERM $pid
rc=0
wait $pid || rc=$?
want_rc 130
want_err 'interrupted'
want test -s "$DIST/data.bin.__download__"
end

begin "fetch: a second run asks nobody"
package x "$URL/ok/data.bin"
try x
: >"$T/server.log"
run eprefix fetch --prefix "$P" x
want_rc 0
want_not test -s "$T/server.log"
end

begin "fetch: a damaged file in DISTDIR is replaced"
printf x >>"$DIST/data.bin"
run eprefix fetch --prefix "$P" x
want_rc 0
want_data
want sh -c "ls '$DIST'/data.bin._checksum_failure_.*"
end

begin "fetch --offline lists all that is missing"
package y "$URL/ok/data.bin"
try x y --offline
want_rc 4
want_err 'app-misc/x-1:'
want_err 'app-misc/y-1:'
want_err 'data.bin (300000 bytes)'
want_not test -s "$T/server.log"
end

begin "fetch --offline takes local mirrors"
conf "GENTOO_MIRRORS=\"$T/root\""
try x --offline
want_rc 0
want_data
conf
end

begin "fetch: GENTOO_MIRRORS come first"
package x "$URL/404/data.bin"
conf "GENTOO_MIRRORS=\"file://$T/nothing $URL/ok\""
try x
want_rc 0
want_data
want_asked '/ok/distfiles/layout.conf'
conf
end

begin "fetch: mirror names of the user and of the repository"
package x mirror://here/data.bin
printf 'here %s/404\n' "$URL" >"$P/etc/portage/mirrors"
printf 'here %s/ok\n' "$URL" >"$REPO/profiles/thirdpartymirrors"
try x
want_rc 0
want_data
want_asked /404/data.bin
end

begin "fetch --list"
run eprefix fetch --prefix "$P" --list x
want_rc 0
want_out "$URL/404/data.bin	300000	BLAKE2B="
want_out "$URL/ok/data.bin	300000	BLAKE2B="
end

begin "fetch: an unknown mirror name"
package x mirror://unheard/data.bin
try x
want_rc 4
want_err 'mirror://unheard/data.bin: unusable address: no addresses are known for this mirror name'
end

begin "fetch: a host that does not exist"
package x http://host.invalid/data.bin
try x
want_rc 4
want_err 'host name not found'
want_err 'http_proxy'
end

begin "fetch: a proxy that wants a password"
first_url=$URL
serve "$T/root" --proxy 407
conf "http_proxy=\"$URL\""
try x
want_rc 4
want_err 'proxy wants a password (407)'
conf
URL=$first_url
end

begin "fetch: DISTDIR cannot be written"
conf 'DISTDIR="/dev/null/x"'
package x "$URL/ok/data.bin"
try x
want_rc 1
want_err '/dev/null'
conf
end

begin "fetch: packages that are not there"
run eprefix fetch --prefix "$P" nothing
want_rc 6
want_err 'no repository has a package named nothing'
run eprefix fetch --prefix "$P" app-misc/nothing
want_rc 6
want_err 'there is no such package'
run eprefix fetch --prefix "$P"
want_rc 2
end

mkdir "$T/certs"
if ! sh "$SRC/tests/server/certs.sh" "$T/certs"; then
	echo "skip fetch over https: openssl cannot make certificates"
	exit 0
fi

# https WHAT CERTIFICATE TRUSTED STATUS TEXT
https() {
	begin "fetch over https: $1"
	serve "$T/root" --tls "$T/certs/$2.pem" "$T/certs/$2.key" --other "$first_url"
	URL=https${URL#http}
	conf "SSL_CERT_FILE=\"$T/certs/$3.pem\""
	package x "$URL/${6:-ok}/data.bin"
	try x
	want_rc "$4"
	want_err "$5"
	end
}

https "a private authority" good ca 0 complete
https "an unknown authority" good name 4 'TLS: certificate of an unknown authority'
https "an expired certificate" expired ca 4 'TLS: certificate not valid at this time'
https "another host's certificate" name ca 4 'TLS: certificate is for another host'
https "a bundle that is not there" good missing 4 'SSL_CERT_FILE in make.conf names'
https "a redirect to http" good ca 4 'redirect from https to http refused' other/ok

begin "fetch over https: SSL_CERT_FILE of the environment"
conf
SSL_CERT_FILE=$T/certs/ca.pem
export SSL_CERT_FILE
package x "$URL/ok/data.bin"
try x
want_rc 0
want_data
end
