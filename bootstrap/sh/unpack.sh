# shellcheck shell=sh
# Source archives into directories. What the host lacks for .bz2 and .xz is built from what comes as .gz.

unpack_libs() {
	have tar || die 3 "no tar: it is needed to unpack sources." "Install it (Debian, Fedora: tar)."
	have gzip || die 3 "no gzip: it is needed to unpack sources." "Install it (Debian, Fedora: gzip)."
	for unpack_name in "$@"; do
		unpack "$(cat "$RUN_DIR/archive.$unpack_name")" "$WORK_DIR/src/$unpack_name"
	done
}

# unpack ARCHIVE DIR: the archive's one top directory becomes DIR.
unpack() {
	UNPACK_TMP=$2.tmp
	rm -rf "$UNPACK_TMP"
	mkdir -p "$UNPACK_TMP/in"
	case $1 in
	*.gz) unpack_by=gzip ;;
	*.bz2) find_bunzip2 && unpack_by=$BUNZIP2 ;;
	*.xz) find_unxz && unpack_by=$UNXZ ;;
	esac
	run_child unpack_pipe "$1" "$unpack_by" 2>"$UNPACK_TMP/log" || {
		sed 5q "$UNPACK_TMP/log" >&2
		die 1 "cannot unpack $1." "Is there room? $(df -Pk "$UNPACK_TMP" | sed 1d)"
	}
	mv "$UNPACK_TMP"/in/* "$2"
	rm -rf "$UNPACK_TMP"
}

# tar may stop reading at the end mark while the unpacker still writes: only the unpacker's own failures count.
unpack_pipe() {
	{
		"$2" -dc <"$1" || : >"$UNPACK_TMP/failed"
	} | (
		cd "$UNPACK_TMP/in" && tar xf - && cat >/dev/null
	) && [ ! -e "$UNPACK_TMP/failed" ]
}

find_bunzip2() {
	BUNZIP2=bzip2
	have bzip2 && return 0
	BUNZIP2=$RUN_DIR/bzip2
	[ ! -x "$BUNZIP2" ] || return 0
	bz_src=$WORK_DIR/src/bzip2
	[ -d "$bz_src" ] || fetch_libs bzip2
	[ -d "$bz_src" ] || (unpack "$(cat "$RUN_DIR/archive.bzip2")" "$bz_src") || exit
	say "building bzip2, which this host lacks, to unpack sources"
	# shellcheck disable=SC2046 # names are words
	(cd "$bz_src" && "$BUILD_CC" -O2 -w -o "$BUNZIP2" bzip2.c $(lib_sources bzip2)) ||
		die 1 "cannot build a bzip2." "Install bzip2 and run again."
}

find_unxz() {
	UNXZ=xz
	have xz && return 0
	UNXZ=$RUN_DIR/unxz
	[ ! -x "$UNXZ" ] || return 0
	say "building a small unxz, which this host lacks, to unpack sources"
	"$BUILD_CC" -O2 -o "$UNXZ" "$BOOT_DIR/unxz.c" || die 1 "cannot build $BOOT_DIR/unxz.c." "Install xz and run again."
}
