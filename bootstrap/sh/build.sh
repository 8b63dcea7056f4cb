# shellcheck shell=sh
# Unpacking and compiling the libraries, all of them in one pool of compilers.

# run_pool N FUNCTION LIST: FUNCTION is called with each line of LIST as its one argument, N at a time.
# A failing call makes a file $RUN_DIR/failed.
run_pool() {
	rm -f "$RUN_DIR/failed"
	pool_pids=
	pool_k=0
	while [ $pool_k -lt "$1" ]; do
		(
			trap - EXIT
			trap 'exit 130' INT TERM
			awk -v n="$1" -v k="$pool_k" 'NR % n == k' "$3" | while IFS= read -r pool_line; do
				[ ! -e "$RUN_DIR/failed" ] || exit 0
				"$2" "$pool_line" </dev/null || : >"$RUN_DIR/failed"
			done
		) &
		pool_pids="$pool_pids $!"
		pool_k=$((pool_k + 1))
	done
	CHILDREN=$pool_pids
	for pool_pid in $pool_pids; do
		wait "$pool_pid" || : >"$RUN_DIR/failed"
	done
	CHILDREN=
}

# unpack ARCHIVE DIR: the archive's one top directory becomes DIR.
unpack() {
	unpack_tmp=$2.tmp
	rm -rf "$unpack_tmp" "$2"
	mkdir -p "$unpack_tmp"
	unpack_log=$unpack_tmp/.log
	case $1 in
	*.gz) unpack_with "$1" gzip -dc ;;
	*.bz2) unpack_with "$1" "$BUNZIP2" -dc ;;
	*.xz) unpack_with "$1" "$UNXZ" -dc ;;
	esac || die 1 "cannot unpack $1:" "$(sed 3q "$unpack_log")" "Is the disk full? ($(df -k "$unpack_tmp" | tail -n 1))"
	rm -f "$unpack_log"
	mv "$unpack_tmp"/* "$2"
	rm -rf "$unpack_tmp"
}

unpack_with() {
	unpack_file=$1
	shift
	{ "$@" <"$unpack_file" || echo "$1 failed" >&2; } 2>>"$unpack_log" | (cd "$unpack_tmp" && tar xf - 2>>"$unpack_log") &&
		[ ! -s "$unpack_log" ]
}

# The pool's unit of work: "object<TAB>source"; compiler options by library.
compile_one() {
	one_obj=${1%%	*}
	one_src=${1#*	}
	[ ! -e "$one_obj" ] || return 0
	one_lib=${one_obj#"$WORK_DIR"/obj/}
	one_lib=${one_lib%%/*}
	# shellcheck disable=SC2046 # options are words
	if ! "$BUILD_CC" $LIB_FLAGS $(cat "$WORK_DIR/obj/$one_lib/.flags") -c "$one_src" -o "$one_obj.tmp" >"$one_obj.log" 2>&1; then
		say "compiling ${one_src#"$WORK_DIR"/src/} failed:"
		sed 10q "$one_obj.log" >&2
		say "whole log: $one_obj.log"
		return 1
	fi
	rm -f "$one_obj.log"
	mv "$one_obj.tmp" "$one_obj"
}

# The list of objects of one library.
list_objects() {
	list_unwanted=" $(lib_unwanted "$1" | tr '\n' ' ') "
	mkdir -p "$WORK_DIR/obj/$1"
	# shellcheck disable=SC2046 # lines become words
	echo $(lib_cflags "$1" "$WORK_DIR/src") >"$WORK_DIR/obj/$1/.flags"
	(
		cd "$WORK_DIR/src/$1" || exit 1
		for list_src in $(lib_sources "$1"); do
			# shellcheck disable=SC2254 # patterns are meant
			for list_pattern in $list_unwanted ''; do
				case $list_src in
				$list_pattern) continue 2 ;;
				esac
			done
			printf '%s\t%s\n' "$WORK_DIR/obj/$1/$(echo "$list_src" | tr / _).o" "$WORK_DIR/src/$1/$list_src"
		done
	)
}

install_lib() {
	mkdir -p "$LIBS_DIR/include" "$LIBS_DIR/lib"
	install_a=$LIBS_DIR/lib/lib$(lib_archive "$1").a
	rm -f "$install_a.tmp"
	"$BUILD_AR" rc "$install_a.tmp" "$WORK_DIR/obj/$1"/*.o || die 1 "cannot make $install_a"
	"$BUILD_AR" s "$install_a.tmp" || die 1 "cannot index $install_a"
	mv "$install_a.tmp" "$install_a"
	for install_header in $(lib_headers "$1"); do
		cp -R "$WORK_DIR/src/$1/$install_header" "$LIBS_DIR/include/" || die 1 "cannot copy headers to $LIBS_DIR/include"
	done
}

# What a library's stamp must say for it to be current.
lib_key() {
	{
		echo "$COMMON_KEY"
		lib_rows "$1"
	} | sha256_stdin
}

sha256_stdin() {
	cat >"$RUN_DIR/stdin"
	sha256_of "$RUN_DIR/stdin"
}

# Build whatever is not current.
build_libs() {
	COMMON_KEY=$({
		compiler_id
		cat "$BOOT_DIR"/sh/libs.sh "$BOOT_DIR"/config/*/*.h
	} | sha256_stdin)
	todo=
	for build_name in $LIB_NAMES; do
		lib_key "$build_name" >"$RUN_DIR/key.$build_name"
		cmp -s "$RUN_DIR/key.$build_name" "$LIBS_DIR/.stamp/$build_name" || todo="$todo $build_name"
	done
	[ -n "$todo" ] || return 0
	check_compiler
	say "building libraries:$todo"
	# libarchive and curl are compiled against the sources of what they use.
	# shellcheck disable=SC2086 # names are words
	prepare_sources $todo $(need_sources $todo)
	: >"$RUN_DIR/objects"
	for build_name in $todo; do
		rm -f "$LIBS_DIR/.stamp/$build_name"
		list_objects "$build_name" >>"$RUN_DIR/objects"
	done
	run_pool "$JOBS" compile_one "$RUN_DIR/objects"
	[ ! -e "$RUN_DIR/failed" ] || die 5 "a library could not be compiled (see above)." "The same command goes on from there."
	mkdir -p "$LIBS_DIR/.stamp"
	for build_name in $todo; do
		install_lib "$build_name"
		mv "$RUN_DIR/key.$build_name" "$LIBS_DIR/.stamp/$build_name"
	done
	rm -rf "$WORK_DIR"
}

need_sources() {
	for need_name in "$@"; do
		case $need_name in
		libarchive) echo zlib bzip2 xz zstd ;;
		curl) echo mbedtls ;;
		esac
	done
}

# Fetch and unpack; a work directory of another key is thrown away.
prepare_sources() {
	mkdir -p "$WORK_DIR" "$DIST_DIR"
	if [ "$(cat "$WORK_DIR/.key" 2>/dev/null)" != "$COMMON_KEY" ]; then
		rm -rf "$WORK_DIR"
		mkdir -p "$WORK_DIR"
		echo "$COMMON_KEY" >"$WORK_DIR/.key"
	fi
	mkdir -p "$WORK_DIR/src" "$WORK_DIR/obj"
	prep_names=
	for prep_name in "$@"; do
		case " $prep_names " in
		*" $prep_name "*) continue ;;
		esac
		[ -d "$WORK_DIR/src/$prep_name" ] || prep_names="$prep_names $prep_name"
	done
	# shellcheck disable=SC2086 # names are words
	fetch_libs $prep_names
	find_unpackers
	for prep_name in $prep_names; do
		unpack "$(cat "$RUN_DIR/archive.$prep_name")" "$WORK_DIR/src/$prep_name"
	done
}

find_unpackers() {
	have tar || die 3 "no tar: it is needed to unpack sources." "Install it (Debian, Fedora: tar)."
	have gzip || die 3 "no gzip: it is needed to unpack sources." "Install it (Debian, Fedora: gzip)."
	BUNZIP2=bzip2
	UNXZ=xz
}
