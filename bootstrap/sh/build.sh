# shellcheck shell=sh
# The libraries: fetched, unpacked, compiled in one pool, installed. A library whose stamp is right is left alone.

build_libs() {
	COMMON_KEY=$({
		compiler_id
		cat "$BOOT_DIR"/sh/libs.sh "$BOOT_DIR"/config/*/*.h
	} | sha256_stdin)
	stale_libs
	[ -n "$STALE" ] || return 0
	take_lock
	stale_libs
	[ -n "$STALE" ] || return 0
	check_compilers
	say "building libraries with $JOBS jobs:$STALE"
	# shellcheck disable=SC2086 # names are words
	prepare_sources $STALE
	compile_libs
	for build_name in $STALE; do
		install_lib "$build_name"
	done
	rm -rf "$WORK_DIR"
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

stale_libs() {
	STALE=
	for stale_name in $LIB_NAMES; do
		lib_key "$stale_name" >"$RUN_DIR/key.$stale_name"
		cmp -s "$RUN_DIR/key.$stale_name" "$LIBS_DIR/.stamp/$stale_name" || STALE="$STALE $stale_name"
	done
}

# Fetch and unpack the libraries named and what they need. A work directory of another key is thrown away, one of
# this key holds what an interrupted run has done.
prepare_sources() {
	mkdir -p "$DIST_DIR"
	if [ "$(cat "$WORK_DIR/.key" 2>/dev/null)" != "$COMMON_KEY" ]; then
		rm -rf "$WORK_DIR"
		mkdir -p "$WORK_DIR/src" "$WORK_DIR/obj"
		cp -R "$CONFIG_DIR" "$WORK_DIR/config"
		echo "$COMMON_KEY" >"$WORK_DIR/.key"
	fi
	prep_names=
	for prep_name in "$@" $(for prep_lib in "$@"; do lib_needs "$prep_lib"; done); do
		case " $prep_names " in
		*" $prep_name "*) ;;
		*) [ -d "$WORK_DIR/src/$prep_name" ] || prep_names="$prep_names $prep_name" ;;
		esac
	done
	# shellcheck disable=SC2086 # names are words
	fetch_libs $prep_names
	# shellcheck disable=SC2086
	unpack_libs $prep_names
}

compile_libs() {
	: >"$RUN_DIR/objects"
	for build_name in $STALE; do
		rm -f "$LIBS_DIR/.stamp/$build_name"
		list_objects "$build_name" >>"$RUN_DIR/objects"
	done
	run_pool "$JOBS" compile_one "$RUN_DIR/objects" ||
		die 5 "a library could not be compiled (see above)." "The same command goes on from there."
}

# The objects of one library: "obj/NAME/x.o<TAB>src/NAME/x.c" relative to the work directory, and its options beside.
list_objects() {
	list_unwanted=$(lib_unwanted "$1")
	mkdir -p "$WORK_DIR/obj/$1"
	lib_cflags "$1" >"$WORK_DIR/obj/$1/.flags"
	(
		cd "$WORK_DIR/src/$1" || exit 1
		for list_src in $(lib_sources "$1"); do
			for list_pattern in $list_unwanted; do
				[ "$list_src" != "$list_pattern" ] || continue 2
			done
			printf 'obj/%s/%s.o\tsrc/%s/%s\n' "$1" "$(echo "$list_src" | tr / _)" "$1" "$list_src"
		done
	)
}

# The pool's unit of work. An object has its name only when it is whole.
compile_one() {
	cd "$WORK_DIR" || return 1
	one_obj=${1%%	*}
	one_src=${1#*	}
	[ ! -e "$one_obj" ] || return 0
	# shellcheck disable=SC2046,SC2086 # options are words
	run_child "$BUILD_CC" $LIB_FLAGS $(cat "${one_obj%/*}/.flags") -c "$one_src" -o "$one_obj.tmp" >"$one_obj.log" 2>&1 || {
		say "compiling $one_src failed:"
		sed 10q "$one_obj.log" >&2
		say "the whole log: $WORK_DIR/$one_obj.log"
		return 1
	}
	rm -f "$one_obj.log"
	mv "$one_obj.tmp" "$one_obj"
}

install_lib() {
	mkdir -p "$LIBS_DIR/include" "$LIBS_DIR/lib" "$LIBS_DIR/.stamp"
	install_a=$LIBS_DIR/lib/lib$(lib_archive "$1").a
	rm -f "$install_a.tmp"
	"$BUILD_AR" rcs "$install_a.tmp" "$WORK_DIR/obj/$1"/*.o || die 1 "cannot make $install_a."
	mv "$install_a.tmp" "$install_a"
	for install_header in $(lib_headers "$1"); do
		rm -rf "$LIBS_DIR/include/${install_header##*/}"
		cp -R "$WORK_DIR/src/$1/$install_header" "$LIBS_DIR/include/" || die 1 "cannot copy headers to $LIBS_DIR/include."
	done
	mv "$RUN_DIR/key.$1" "$LIBS_DIR/.stamp/$1"
}
