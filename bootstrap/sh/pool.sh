# shellcheck shell=sh
# Several jobs at once, each of which can be stopped at any moment.

# Runs a command so that a signal for this shell reaches the command at once.
run_child() {
	"$@" &
	CHILDREN=$!
	wait "$CHILDREN"
}

# In the main shell and in each worker: pass a signal on to what is running.
stop_children() {
	for stop_pid in $CHILDREN; do
		kill "$stop_pid" 2>/dev/null || :
	done
}

# run_pool N FUNCTION LIST: FUNCTION is called with each line of LIST, N at a time, in N workers that take every
# N-th line. After a failing call no new ones are started. Status 1 when one failed.
run_pool() {
	rm -f "$RUN_DIR/failed"
	pool_pids=
	pool_k=0
	while [ "$pool_k" -lt "$1" ]; do
		awk -v n="$1" -v k="$pool_k" 'NR % n == k' "$3" >"$RUN_DIR/pool.$pool_k"
		pool_worker "$2" "$RUN_DIR/pool.$pool_k" &
		pool_pids="$pool_pids $!"
		pool_k=$((pool_k + 1))
	done
	CHILDREN=$pool_pids
	for pool_pid in $pool_pids; do
		wait "$pool_pid" || : >"$RUN_DIR/failed"
	done
	CHILDREN=
	[ ! -e "$RUN_DIR/failed" ]
}

# $$ stays the main shell's pid: a worker whose main shell was killed does not go on alone.
pool_worker() {
	CHILDREN=
	trap - EXIT
	trap 'stop_children; exit 130' INT TERM HUP
	while IFS= read -r pool_line; do
		[ ! -e "$RUN_DIR/failed" ] && kill -0 $$ 2>/dev/null || return 0
		if ! "$1" "$pool_line" </dev/null; then
			: >"$RUN_DIR/failed"
			return 1
		fi
	done <"$2"
}

# One bootstrap/run at a time per cache. The lock is a file with our pid, made by link(2), which is atomic.
take_lock() {
	echo $$ >"$RUN_DIR/pid"
	lock_said=
	while ! ln "$RUN_DIR/pid" "$CACHE_DIR/lock" 2>/dev/null; do
		lock_pid=$(cat "$CACHE_DIR/lock" 2>/dev/null || :)
		if [ -n "$lock_pid" ] && ! process_is_there "$lock_pid"; then
			say "removing the lock of process $lock_pid, which is gone"
			rm -f "$CACHE_DIR/lock"
			continue
		fi
		[ -e "$CACHE_DIR/lock" ] || [ -w "$CACHE_DIR" ] || die 1 "cannot write to $CACHE_DIR."
		[ -n "$lock_said" ] || say "waiting for process ${lock_pid:-?}, which is building in $CACHE_DIR"
		lock_said=yes
		sleep 1
	done
	HOLDS_LOCK=yes
	remove_leftovers
}

process_is_there() {
	kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]
}

drop_lock() {
	[ "$HOLDS_LOCK" = no ] || rm -f "$CACHE_DIR/lock"
	HOLDS_LOCK=no
}

# Run directories of killed runs.
remove_leftovers() {
	for left_dir in "$CACHE_DIR"/run.*; do
		left_pid=${left_dir##*.}
		[ ! -d "$left_dir" ] || process_is_there "$left_pid" || rm -rf "$left_dir"
	done
}
