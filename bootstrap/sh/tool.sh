# shellcheck shell=sh
# The program itself: every src/LAYER/*.c and src/main.c, with lua/ embedded. Only what changed is compiled again.

# Warnings are the developers' business: CMakeLists.txt makes errors of them.
LAYERS='base os core pms run bind cli'
TOOL_FLAGS='-std=c17 -D_GNU_SOURCE -DCURL_STATICLIB -O2 -fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -w'

# An object is current when its .key is: the checksums of all project files that its .d names, and what is common.
# shellcheck disable=SC2016 # awk's variables
AWK_KEY='
	function key_of(dfile, line, n, word, i, key) {
		key = common
		while ((getline line <dfile) > 0) {
			n = split(line, word, /[ \\]+/)
			for (i = 1; i <= n; i++)
				if (word[i] in sum)
					key = key " " sum[word[i]]
		}
		close(dfile)
		return key
	}
	FNR == NR { sum[$3] = $1 ":" $2; next }'

build_tool() {
	TOOL=$CACHE_DIR/bin/eprefix
	TOOL_DIR=$CACHE_DIR/tool
	cd "$REPO_DIR" || exit 1
	tool_key >"$RUN_DIR/tool.key"
	if [ -x "$TOOL" ] && cmp -s "$RUN_DIR/tool.key" "$TOOL_DIR/key"; then
		return 0
	fi
	[ "$HOLDS_LOCK" = yes ] || take_lock
	say "building eprefix"
	mkdir -p "$TOOL_DIR/obj" "$CACHE_DIR/bin"
	embed_lua
	compile_tool
	link_tool
	mv "$RUN_DIR/tool.key" "$TOOL_DIR/key"
}

# Names relative to lua/, sorted.
lua_files() {
	in_lua find . -type f -name '*.lua' | sed 's,^\./,,' | sort
}

in_lua() {
	(cd lua && "$@")
}

tool_key() {
	{
		compiler_id
		cat "$LIBS_DIR"/.stamp/* "$BOOT_DIR/sh/tool.sh" "$BOOT_DIR/embed.c"
	} | sha256_stdin >"$RUN_DIR/tool.common"
	cat "$RUN_DIR/tool.common"
	# shellcheck disable=SC2046 # file names without spaces
	{
		cksum src/*/*.[ch] src/main.c
		in_lua cksum $(lua_files)
	} | sha256_stdin
}

# Lua files as C data, made by a small program of ours.
embed_lua() {
	"$BUILD_CC" -O1 -o "$RUN_DIR/embed" "$BOOT_DIR/embed.c" || die 5 "cannot build $BOOT_DIR/embed.c."
	# shellcheck disable=SC2046
	in_lua "$RUN_DIR/embed" "$TOOL_DIR/embed_data.c" $(lua_files) || die 5 "cannot embed the Lua files."
}

tool_sources() {
	for tool_layer in $LAYERS; do
		for tool_src in src/"$tool_layer"/*.c; do
			[ ! -e "$tool_src" ] || echo "$tool_src"
		done
	done
	echo src/main.c
}

tool_object() {
	echo "$TOOL_DIR/obj/$(echo "${1#src/}" | tr / _).o"
}

compile_tool() {
	# shellcheck disable=SC2046
	cksum src/*/*.[ch] src/main.c >"$RUN_DIR/sums"
	for tool_src in $(tool_sources); do
		printf '%s\t%s\n' "$(tool_object "$tool_src")" "$tool_src"
	done >"$RUN_DIR/tool.all"
	awk -F '[ \t]' -v common="$(cat "$RUN_DIR/tool.common")" "$AWK_KEY"'
		{
			split($0, pair, "\t")
			old = ""
			getline old <(pair[1] ".key")
			close(pair[1] ".key")
			if (old != key_of(pair[1] ".d"))
				print
		}' "$RUN_DIR/sums" "$RUN_DIR/tool.all" >"$RUN_DIR/tool.stale"
	run_pool "$JOBS" compile_tool_one "$RUN_DIR/tool.stale" ||
		die 5 "eprefix could not be compiled (see above)."
	run_child "$BUILD_CC" -O1 -I src/bind -c "$TOOL_DIR/embed_data.c" -o "$TOOL_DIR/obj/embed_data.o" ||
		die 5 "the embedded Lua files could not be compiled."
}

# A layer sees its own headers and those of the layers below it.
layer_includes() {
	for inc_layer in $LAYERS; do
		echo "-Isrc/$inc_layer"
		[ "src/$inc_layer" != "$1" ] || return 0
	done
}

compile_tool_one() {
	tool_obj=${1%%	*}
	tool_src=${1#*	}
	rm -f "$tool_obj.key"
	# shellcheck disable=SC2046,SC2086 # options are words
	run_child "$BUILD_CC" $TOOL_FLAGS $(layer_includes "${tool_src%/*}") -isystem "$LIBS_DIR/include" -MMD -MF "$tool_obj.d" \
		-c "$tool_src" -o "$tool_obj.tmp" || return 1
	mv "$tool_obj.tmp" "$tool_obj"
	awk -v common="$(cat "$RUN_DIR/tool.common")" "$AWK_KEY"'
		{ print key_of($0) }' "$RUN_DIR/sums" - >"$tool_obj.key" <<-EOF
			$tool_obj.d
		EOF
}

lib_link_flags() {
	for link_name in $LINK_ORDER; do
		printf -- '-l%s ' "$link_name"
	done
	case $(uname -s) in
	Darwin) echo '-framework CoreFoundation -framework CoreServices -framework SystemConfiguration' ;;
	*) echo '-lpthread -ldl -lm' ;;
	esac
}

link_tool() {
	set --
	while IFS= read -r link_line; do
		set -- "$@" "${link_line%%	*}"
	done <"$RUN_DIR/tool.all"
	# shellcheck disable=SC2046
	run_child "$BUILD_CC" -o "$TOOL.tmp" "$@" "$TOOL_DIR/obj/embed_data.o" -L"$LIBS_DIR/lib" $(lib_link_flags) ||
		die 5 "eprefix could not be linked (see above)."
	mv "$TOOL.tmp" "$TOOL"
}
