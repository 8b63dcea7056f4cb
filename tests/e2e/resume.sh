#!/bin/sh
# SIGKILL to the whole process group at random moments of runs on the tiny catalogue: what comes out in the end is the
# same tree as without, and nothing that was finished is done again. RESUME_KILLS (20) kills, RESUME_SEED repeats a run.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

KILLS=${RESUME_KILLS:-20}
SEED=${RESUME_SEED:-$(date +%s)}
P=$T/prefix
"$SRC/tests/catalogue/make" "$T/cat" || exit 1

set -- "$EPREFIX_BIN" bootstrap "$P" --libc=host --overlays "$T/cat/overlays" --stages "$T/cat/stages.lua" \
	--distdir "$T/cat/distfiles" --offline --jobs 2

# The tree: names, modes, links, contents; of records all but times and what depends on the order of merges.
tree() {
	(
		cd "$P" || exit 1
		find . \( -path ./var/log -o -path ./var/lib/eprefix -o -path ./var/tmp -o -path ./var/cache \) -prune -o \
			-printf '%p %y %m %l %n\n' | sed '/ d /s/ [0-9]*$//' | sort
		find . \( -path ./var/log -o -path ./var/lib/eprefix -o -path ./var/tmp -o -path ./var/cache \) -prune -o \
			-type f ! -name COUNTER ! -name BUILD_TIME ! -name environment.bz2 ! -name CONTENTS -print |
			sort | xargs -d '\n' sha256sum
		find ./var/db/pkg -name CONTENTS | sort | while IFS= read -r contents; do
			echo "== $contents"
			sed 's/ [0-9]*$//' "$contents"
		done
		find ./var/tmp ./tmp -mindepth 1 ! -type d 2>/dev/null
	)
}

# COUNTER of each finished record: a package that is merged again gets another one.
counters() {
	(cd "$P/var/db/pkg" 2>/dev/null && grep -r . --include=COUNTER . | grep -v /-MERGING- | sort)
}

# A number below $1 from the seed.
random() {
	SEED=$(((SEED * 1103515245 + 12345) % 2147483648))
	echo $((SEED / 65536 % $1))
}

# How long an undisturbed run takes, in milliseconds; leaves the wanted tree.
begin "an undisturbed run (seed $SEED)"
start=$(date +%s%N)
run "$@"
whole=$((($(date +%s%N) - start) / 1000000))
want_rc 0
tree >"$T/wanted"
want test -s "$T/wanted"
end

killed=0
round=0
while [ $killed -lt "$KILLS" ]; do
	round=$((round + 1))
	rm -rf "$P"
	begin "round $round: killed, killed again, then the same tree"
	: >"$T/finished"
	in_round=0
	moments=
	while [ $in_round -lt 4 ] && [ $killed -lt "$KILLS" ]; do
		ms=$(random "$whole")
		moments="$moments $ms"
		setsid "$@" >"$T/killed.log" 2>&1 &
		group=$!
		sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
		kill -KILL -$group 2>/dev/null
		wait $group 2>/dev/null
		counters >"$T/now"
		# All that was finished before is still there as it was.
		want test -z "$(comm -23 "$T/finished" "$T/now")"
		mv "$T/now" "$T/finished"
		killed=$((killed + 1))
		in_round=$((in_round + 1))
	done
	run "$@"
	want_rc 0
	counters >"$T/now"
	want test -z "$(comm -23 "$T/finished" "$T/now")"
	tree >"$T/got"
	if ! cmp -s "$T/wanted" "$T/got"; then
		unmet "after$moments ms: $(diff "$T/wanted" "$T/got" | head -n 3 | tr '\n' '|')"
	fi
	end
done
