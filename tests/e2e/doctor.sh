#!/bin/sh
# eprefix doctor: each unfit host with its message and exit status, and that nothing is left behind.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

unset EPREFIX

# A mount namespace of one's own, as root in it: for mounts on $T/m.
in_mount() {
	mount_options=$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	unshare -Urm sh -c 'mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"' sh "$mount_options" "$T/m" "$@"
}

mkdir -p "$T/m" "$T/home"
can_mount=false
in_mount size=1m true 2>/dev/null && can_mount=true

begin "doctor finds this host fit"
run eprefix doctor "$T/new/gentoo"
want_rc 0
want_out "the prefix is $T/new/gentoo"
want_out "the C compiler is"
want_out "the C++ compiler is"
want_out "CPUs busy: "
want_out "This host is fit."
want_not test -e "$T/new"
end

begin "doctor takes no more than three seconds of CPU"
times_before=$(awk '{ print $16 + $17 }' /proc/$$/stat)
run eprefix doctor --quiet "$T/new"
times_after=$(awk '{ print $16 + $17 }' /proc/$$/stat)
want test $((times_after - times_before)) -lt $((3 * $(getconf CLK_TCK)))
end

begin "doctor speaks JSON"
run eprefix doctor --json "$T/new"
want_rc 0
want python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["fit"] is True and d["jobs"] >= 1 and d["eprefix"] == sys.argv[2], d
assert d["facts"]["os"] == "linux", d["facts"]
assert all(f["severity"] in ("info", "warning", "error") and f["text"] for f in d["findings"])
' "$T/out" "$T/new"
end

begin "doctor without a directory looks at the machine"
run eprefix doctor
want_rc 0
want_out "the C++ compiler is"
end

begin "doctor tells everything at once"
run eprefix doctor --cxx no-such-g++ "$T/a b:c"
want_rc 3
want_out "has a space: make and the shell split words"
want_out 'has ":": a colon separates the entries of PATH'
want_out "there is no C++ compiler no-such-g++"
want_out "-> install a C++ compiler"
want_out "This host is not fit."
want_not test -e "$T/a b:c"
end

begin "doctor refuses a relative path, the root and a system directory"
run eprefix doctor some/where
want_rc 3
want_out "must start with /"
run eprefix doctor /
want_rc 3
want_out "/ belongs to the system"
run eprefix doctor /usr/
want_rc 3
want_out "/usr belongs to the system"
run env HOME="$T/home" "$EPREFIX_BIN" doctor "$T/home"
want_rc 3
want_out "is your home directory"
end

begin "doctor follows symlinks and cleans the spelling"
mkdir -p "$T/real"
ln -s real "$T/link"
for spelling in "$T/link/gentoo" "$T//real/./gentoo/" "$T/real/x/../gentoo"; do
	run eprefix doctor "$spelling"
	want_rc 0
	want_out "$spelling is $T/real/gentoo, and is called that everywhere"
done
want_not test -e "$T/real/gentoo"
end

begin "doctor states the longest path"
long=$T/$(printf '%0240d' 0)
run eprefix doctor "$long"
want_rc 3
want_out "bytes long; at most"
want_out "-> choose a shorter path"
want_not test -e "$long"
end

begin "doctor leaves nothing behind"
want test -z "$(find "$T" -name '.eprefix-probe*')"
end

begin "doctor tells noexec, with the mount"
if $can_mount; then
	run in_mount size=16g,noexec "$EPREFIX_BIN" doctor "$T/m/p"
	want_rc 3
	want_out "programs do not run in $T/m (tmpfs mounted at $T/m)"
	want_out "not mounted noexec"
else
	skip_test "no mount namespaces here"
fi
end

begin "doctor tells too little space and too few inodes"
if $can_mount; then
	run in_mount size=50m "$EPREFIX_BIN" doctor "$T/m/p"
	want_rc 3
	want_out "(tmpfs mounted at $T/m) 0.1 GB are free; a prefix needs about 12.0 GB"
	run in_mount size=16g,nr_inodes=1000 "$EPREFIX_BIN" doctor "$T/m/p"
	want_rc 3
	want_out "more files can be made (inodes); a prefix needs about 400000"
else
	skip_test "no mount namespaces here"
fi
end

begin "doctor tells a file system that is full or read-only"
if $can_mount; then
	run in_mount size=16g,nr_inodes=1 "$EPREFIX_BIN" doctor "$T/m/p"
	want_rc 3
	want_out "the file system of $T/m is full"
	run in_mount ro "$EPREFIX_BIN" doctor "$T/m/p"
	want_rc 3
	want_out "nothing can be made in $T/m: Read-only file system"
else
	skip_test "no mount namespaces here"
fi
end

begin "doctor tells a directory of others"
mkdir -p "$T/theirs"
chmod 555 "$T/theirs"
if [ "$(id -u)" -eq 0 ]; then
	chmod 755 "$T"
	run setpriv --reuid 65534 --regid 65534 --clear-groups "$EPREFIX_BIN" doctor "$T/theirs/p"
else
	run eprefix doctor "$T/theirs/p"
fi
if [ $rc -eq 126 ] || [ $rc -eq 127 ]; then
	skip_test "the program lies where an ordinary user cannot run it"
fi
want_rc 3
want_out "nothing can be made in $T/theirs: Permission denied"
end

# A library that lets calls fail below $T/m, as bad file systems do.
cat >"$T/shim.c" <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int broken(const char *what)
{
	const char *list = getenv("SHIM");
	return list != NULL && strstr(list, what) != NULL;
}

int symlinkat(const char *target, int at, const char *path)
{
	int (*next)(const char *, int, const char *) = dlsym(RTLD_NEXT, "symlinkat");
	errno = EPERM;
	return broken("symlink") ? -1 : next(target, at, path);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
	int (*next)(int, const char *, int, const char *, int) = dlsym(RTLD_NEXT, "linkat");
	errno = EPERM;
	return broken("hardlink") ? -1 : next(from_at, from, to_at, to, flags);
}

int fchmodat(int at, const char *path, mode_t mode, int flags)
{
	int (*next)(int, const char *, mode_t, int) = dlsym(RTLD_NEXT, "fchmodat");
	return broken("chmod") ? 0 : next(at, path, mode, flags);
}

int flock(int fd, int operation)
{
	int (*next)(int, int) = dlsym(RTLD_NEXT, "flock");
	errno = ENOLCK;
	return broken("flock") ? -1 : next(fd, operation);
}

int fstatat(int at, const char *path, struct stat *st, int flags)
{
	int (*next)(int, const char *, struct stat *, int) = dlsym(RTLD_NEXT, "fstatat");
	const char *folded = broken("case") && strcmp(path, "cASEpROBE") == 0 ? "CaseProbe" : path;
	int result = next(at, folded, st, flags);
	if (result == 0 && broken("clock"))
		st->st_mtim.tv_sec += 90;
	if (result == 0 && broken("times"))
		st->st_mtim.tv_nsec = 0;
	return result;
}
EOF
have_shim=false
cc -shared -fPIC -o "$T/shim.so" "$T/shim.c" -ldl 2>"$T/err" && have_shim=true

# broken WHAT: the check on a file system where WHAT does not work.
broken() {
	run env SHIM="$1" LD_PRELOAD="$T/shim.so" "$EPREFIX_BIN" doctor "$T/new"
}

begin "doctor tries what a file system can do"
if $have_shim; then
	broken symlink
	want_rc 3
	want_out "symlinks cannot be made: Operation not permitted"
	broken chmod
	want_rc 3
	want_out "files cannot be made executable"
	broken case
	want_rc 3
	want_out "names that differ only in case are the same file"
	broken hardlink
	want_rc 0
	want_out "hard links cannot be made"
	broken flock
	want_rc 0
	want_out "there are no locks"
	broken times
	want_rc 0
	want_out "times are not kept to the nanosecond"
else
	skip_test "cannot build the library that breaks calls"
fi
end

begin "doctor tells the clock of a file server"
if $have_shim; then
	broken clock
	want_rc 3
	want_out "differs by +90."
	want_out "tolerated: 2 s"
else
	skip_test "cannot build the library that breaks calls"
fi
end

begin "doctor names what it found in the environment"
run env CPATH=/x PYTHONHOME=/y CONDA_PREFIX=/opt/conda CC=false CFLAGS=-bogus MAKEFLAGS=n TMPDIR=/nonexistent \
	"$EPREFIX_BIN" doctor "$T/new"
want_rc 0
want_out "kept away from builds:"
want_out " CC CFLAGS "
want_out "conda (CONDA_PREFIX)"
end

begin "doctor works with HOME unset and a foreign locale"
run env -u HOME LC_ALL=tr_TR.UTF-8 "$EPREFIX_BIN" doctor "$T/new"
want_rc 0
end

begin "doctor works for a uid without a passwd entry"
if unshare -U --map-user=12345 --map-group=12345 true 2>/dev/null; then
	mkdir -p "$T/free"
	chmod 777 "$T/free"
	run unshare -U --map-user=12345 --map-group=12345 "$EPREFIX_BIN" doctor "$T/free/p"
	want_rc 0
else
	skip_test "no user namespaces here"
fi
end

begin "doctor obeys the affinity"
first=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
run taskset -c "$first" "$EPREFIX_BIN" doctor
want_rc 0
want_out "builds keep 1 CPUs busy: 1 of"
end

begin "doctor names the one tool that is amiss"
mkdir "$T/farm"
for dir in /usr/bin /bin; do
	for tool in "$dir"/*; do
		[ -e "$T/farm/${tool##*/}" ] || ln -s "$tool" "$T/farm/"
	done
done
rm "$T/farm/awk"
run eprefix doctor --host-path "$T/farm"
want_rc 3
want_out "the utility awk does not do what builds ask of it"
end

begin "doctor refuses nonsense"
run eprefix doctor --jobs none
want_rc 2
run eprefix doctor a b
want_rc 2
run eprefix doctor --no-such-option
want_rc 2
end

begin "doctor looks for AMD cards"
run eprefix doctor
want_rc 0
want_out "AMD GPU"
run eprefix doctor --json
want_out '"gpu":{'
end
