# shellcheck shell=sh
# Pinned source archives: found on disk or downloaded, and never used before their SHA-256 is right.

sha256_of() {
	case $SHA256_TOOL in
	sha256sum) sha256sum <"$1" | cut -c1-64 ;;
	shasum) shasum -a 256 <"$1" | cut -c1-64 ;;
	openssl) openssl dgst -sha256 -r <"$1" | cut -c1-64 ;;
	python3) python3 -I -c 'import hashlib,sys
print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$1" ;;
	perl) perl -MDigest::SHA -e 'print Digest::SHA->new(256)->addfile($ARGV[0], "b")->hexdigest, "\n"' "$1" ;;
	esac
}

find_sha256_tool() {
	for SHA256_TOOL in sha256sum shasum openssl python3 perl; do
		# The well-known digest of nothing: the tool is there and does what we think.
		if have $SHA256_TOOL && [ "$(sha256_of /dev/null 2>/dev/null)" = \
			e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ]; then
			return 0
		fi
	done
	die 3 "nothing here computes SHA-256: none of sha256sum, shasum, openssl, python3, perl works." \
		"Install one of them; archives are not used unverified."
}

find_downloader() {
	if have curl; then
		DOWNLOADER=curl
	elif have python3 && python3 -I -c 'import ssl, urllib.request' 2>/dev/null; then
		DOWNLOADER=python3
	elif have wget; then
		DOWNLOADER=wget
	elif have perl && perl -MHTTP::Tiny -e 1 2>/dev/null; then
		DOWNLOADER=perl
	else
		die 3 "no downloader: none of curl, wget, python3, perl (with HTTP::Tiny) is in PATH." \
			"Install one of them, or bring the archives yourself: bootstrap/run --tool-only --offline lists them."
	fi
}

# download URL FILE replaces the shell it runs in: status 0 done, 8 or 22 the server answered with an error, else it
# could not be reached. The reason goes to stdout or stderr.
download() {
	case $1 in
	file:*) cp "${1#file://}" "$2" || exit 8 ;;
	*) "download_$DOWNLOADER" "$1" "$2" ;;
	esac
}

download_curl() {
	exec curl -q -fsSL --connect-timeout 15 --speed-time 30 --speed-limit 1000 --retry 1 -o "$2" "$1"
}

download_wget() {
	WGETRC=/dev/null
	export WGETRC
	exec wget -nv -T 30 -t 2 -O "$2" "$1"
}

download_python3() {
	exec python3 -I -c '
import shutil, sys, urllib.error, urllib.request
try:
	with urllib.request.urlopen(sys.argv[1], timeout=30) as r, open(sys.argv[2], "wb") as f:
		shutil.copyfileobj(r, f)
except urllib.error.HTTPError as e:
	print("HTTP", e.code, e.reason)
	sys.exit(8)
except Exception as e:
	print(getattr(e, "reason", e))
	sys.exit(1)' "$1" "$2"
}

download_perl() {
	exec perl -MHTTP::Tiny -e '
my $r = HTTP::Tiny->new(timeout => 30)->mirror($ARGV[0], $ARGV[1]);
exit 0 if $r->{success};
print $r->{status} == 599 ? $r->{content} : "HTTP $r->{status} $r->{reason}";
exit($r->{status} == 599 ? 1 : 8);' "$1" "$2"
}

# The base addresses of the host's own apt sources, Debian archives first: both the one-line and the deb822 form.
apt_bases() {
	for apt_file in "$APT_DIR"/sources.list "$APT_DIR"/sources.list.d/*.list "$APT_DIR"/sources.list.d/*.sources; do
		if [ -r "$apt_file" ]; then
			echo "#file $apt_file"
			cat "$apt_file"
			echo
		fi
	done | awk '
		function base(u) {
			sub(/\/+$/, "", u)
			if (u !~ /^(https?|file):/ || seen[u]++)
				return
			n++
			url[n] = u
			rank[n] = (u ~ /debian/) ? (u ~ /security/ ? 2 : 1) : 3
		}
		function stanza(i) {
			if (enabled)
				for (i = 1; i <= waiting; i++)
					base(wait[i])
			waiting = 0
			enabled = 1
		}
		function uris(from, i) {
			for (i = from; i <= NF; i++)
				wait[++waiting] = $i
		}
		BEGIN { enabled = 1 }
		/^#file / { stanza(); deb822 = ($0 ~ /\.sources$/); next }
		/^[ \t]*#/ { next }
		deb822 && /^[ \t]*$/ { stanza(); field = ""; next }
		deb822 && /^[^ \t]/ {
			field = tolower($1)
			sub(/:.*/, "", field)
			sub(/^[^:]*:/, "")
			if (field == "enabled" && tolower($1) == "no")
				enabled = 0
			if (field == "uris")
				uris(1)
			next
		}
		deb822 { if (field == "uris") uris(1); next }
		$1 == "deb" || $1 == "deb-src" {
			sub(/\[[^]]*\]/, "")
			base($2)
		}
		END {
			stanza()
			for (r = 1; r <= 3; r++)
				for (i = 1; i <= n; i++)
					if (rank[i] == r)
						print url[i]
		}'
}

# The addresses behind one of the table: mirror://debian/PATH stands for PATH below each apt source.
expand_url() {
	case $1 in
	mirror://debian/*)
		while read -r expand_base; do
			echo "$expand_base/${1#mirror://debian/}"
		done <"$RUN_DIR/apt-bases"
		;;
	*) echo "$1" ;;
	esac
}

url_host() {
	url_rest=${1#*://}
	echo "${url_rest%%/*}"
}

# Rows of the table for one library: sha256 file url.
lib_rows() {
	awk -F '\t' -v name="$1" '$1 == name { print $3, $4, $5 }' "$LIBS_TABLE"
}

# Is a right archive on disk? Prints its path.
find_archive() {
	lib_rows "$1" | while read -r find_sum find_file find_url; do
		for find_dir in ${DISTDIR:+"$DISTDIR"} ${EPREFIX_DISTDIR:+"$EPREFIX_DISTDIR"} "$DIST_DIR"; do
			for find_name in "$find_file" "${find_url##*/}"; do
				[ -f "$find_dir/$find_name" ] || continue
				if [ "$(sha256_of "$find_dir/$find_name")" = "$find_sum" ]; then
					echo "$find_dir/$find_name"
					exit 0
				fi
				wrong_archive "$find_dir/$find_name" "$find_dir"
			done
		done
	done | sed 1q
}

# A file with the right name and the wrong bytes: moved out of the way where it is ours, else left alone.
wrong_archive() {
	if [ "$2" = "$DIST_DIR" ]; then
		mv "$1" "$1._checksum_failure_.$$" && say "$1 has the wrong SHA-256; set aside as ${1##*/}._checksum_failure_.$$"
	else
		say "$1 has the wrong SHA-256; not used"
	fi
}

# Get one library's archive; its path ends up in $RUN_DIR/archive.NAME, the reasons of a failure in $RUN_DIR/why.NAME.
fetch_lib() {
	fetch_name=$1
	find_archive "$fetch_name" >"$RUN_DIR/archive.$fetch_name"
	[ ! -s "$RUN_DIR/archive.$fetch_name" ] && [ "$OFFLINE" = no ] || return 0
	lib_rows "$fetch_name" >"$RUN_DIR/rows.$fetch_name"
	while read -r fetch_sum fetch_file fetch_url; do
		for fetch_one in $(expand_url "$fetch_url"); do
			if fetch_try "$fetch_one" "$fetch_sum" "$fetch_file"; then
				echo "$DIST_DIR/$fetch_file" >"$RUN_DIR/archive.$fetch_name"
				return 0
			fi
		done
	done <"$RUN_DIR/rows.$fetch_name"
}

# fetch_try URL SHA256 FILE: one address. A host that could not be reached is not asked again in this run.
fetch_try() {
	try_host=$(url_host "$1")
	try_part=$DIST_DIR/.part.$$.$3
	try_said=$RUN_DIR/said.$fetch_name
	if [ -e "$RUN_DIR/dead.$try_host" ]; then
		fetch_why "$1: not asked, $try_host could not be reached before"
		return 1
	fi
	try_rc=0
	run_child download "$1" "$try_part" >"$try_said" 2>&1 || try_rc=$?
	case $try_rc in
	0) ;;
	8 | 22) fetch_why "$1: $(sed 1q "$try_said")" ;;
	*)
		: >"$RUN_DIR/dead.$try_host"
		fetch_why "$1: $(sed 1q "$try_said")"
		;;
	esac
	[ $try_rc -eq 0 ] || {
		rm -f "$try_part"
		return 1
	}
	try_sum=$(sha256_of "$try_part")
	if [ "$try_sum" != "$2" ]; then
		fetch_why "$1: wrong SHA-256 $try_sum, expected $2 (kept as $3._checksum_failure_.$$)"
		mv "$try_part" "$DIST_DIR/$3._checksum_failure_.$$"
		return 1
	fi
	mv "$try_part" "$DIST_DIR/$3"
}

fetch_why() {
	echo "$1" >>"$RUN_DIR/why.$fetch_name"
}

# All archives of the libraries named, several at a time. What cannot be had is told all at once.
fetch_libs() {
	[ $# -gt 0 ] || return 0
	apt_bases >"$RUN_DIR/apt-bases"
	printf '%s\n' "$@" >"$RUN_DIR/fetch.list"
	[ "$OFFLINE" = yes ] || find_downloader
	run_pool 4 fetch_lib "$RUN_DIR/fetch.list" || die 1 "fetching sources was stopped."
	missing=
	for fetch_lib_name in "$@"; do
		[ -s "$RUN_DIR/archive.$fetch_lib_name" ] || missing="$missing $fetch_lib_name"
	done
	[ -z "$missing" ] || explain_missing "$missing"
}

explain_missing() {
	for miss_name in $1; do
		say "no archive of $miss_name:"
		if [ -s "$RUN_DIR/why.$miss_name" ]; then
			sed 's/^/    /' "$RUN_DIR/why.$miss_name" >&2
		else
			lib_rows "$miss_name" | while read -r miss_sum miss_file miss_url; do
				printf '    %s\n        as %s, SHA-256 %s\n' "$miss_url" "$miss_file" "$miss_sum" >&2
			done
		fi
	done
	if [ "$OFFLINE" = yes ]; then
		die 4 "offline, and archives are missing:$1." \
			"Bring one file of each to $DIST_DIR (or any directory, with --distdir=DIR) and run again."
	fi
	die 4 "could not download:$1 (addresses and reasons above)." \
		"Check the network and the proxy variables, then run again: what is there already is kept." \
		"Or bring the files by hand: the same command with --offline lists them."
}
