# shellcheck shell=sh
# The directory that is to become the prefix: what would fail an hour later is said in the first second.

# Normalises $PREFIX (absolute, no symlinks, no trailing slash) and makes it. `eprefix doctor` looks closer later.
check_prefix() {
	case $PREFIX in
	/*) ;;
	*) PREFIX=$PWD/$PREFIX ;;
	esac
	prefix_wrong=
	check_prefix_name
	if [ -z "$prefix_wrong" ]; then
		mkdir -p "$PREFIX" 2>/dev/null || prefix_bad "it cannot be made" "Create it with write permission for you, or choose another."
	fi
	if [ -z "$prefix_wrong" ]; then
		PREFIX=$(cd "$PREFIX" && pwd -P)
		check_prefix_name
		[ -w "$PREFIX" ] || prefix_bad "it is not writable for you" "Change its owner or mode, or choose another."
	fi
	[ -z "$prefix_wrong" ] || exit 3
}

prefix_bad() {
	prefix_wrong=yes
	say "$PREFIX cannot be the prefix: $1." "$2"
}

check_prefix_name() {
	case $PREFIX in
	*[!A-Za-z0-9/._+@%=,-]*)
		prefix_bad "its name holds a space, a colon or another character that build systems cannot handle" \
			"Choose a path of letters, digits and / . _ + @ % = , -"
		;;
	esac
	# Scripts start with #!PREFIX/usr/bin/...: kernels before 5.1 cut that line at 127 bytes.
	[ ${#PREFIX} -le 100 ] || prefix_bad "its path is ${#PREFIX} characters long, more than the 100 that fit a #! line" \
		"Choose a shorter one."
}
