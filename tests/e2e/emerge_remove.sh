#!/bin/sh
# eprefix emerge --unmerge, --depclean and --deselect on a small database written by hand.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/prefix

# record CAT/PF PN [FIELD=VALUE...]: an installed package with the file usr/share/PN.
record() {
	record_dir=$P/var/db/pkg/$1
	mkdir -p "$record_dir" "$P/usr/share"
	echo "$2" >"$P/usr/share/$2"
	touch -d @1700000000 "$P/usr/share/$2"
	{
		echo "dir $P/usr"
		echo "dir $P/usr/share"
		echo "obj $P/usr/share/$2 $(md5sum <"$P/usr/share/$2" | cut -d ' ' -f 1) 1700000000"
	} >"$record_dir/CONTENTS"
	echo 8 >"$record_dir/EAPI"
	echo 0 >"$record_dir/SLOT"
	echo main >"$record_dir/repository"
	: >"$record_dir/IUSE"
	: >"$record_dir/USE"
	shift 2
	for record_field in "$@"; do
		echo "${record_field#*=}" >"$record_dir/${record_field%%=*}"
	done
}

prefix() {
	rm -rf "$P"
	mkdir -p "$P/etc/portage" "$P/var/lib/portage" "$P/profile" "$P/repo/profiles" "$P/repo/metadata"
	echo main >"$P/repo/profiles/repo_name"
	echo 'masters =' >"$P/repo/metadata/layout.conf"
	printf '[main]\nlocation = %s\n' "$P/repo" >"$P/etc/portage/repos.conf"
	printf 'ARCH="amd64"\nACCEPT_KEYWORDS="amd64"\n' >"$P/profile/make.defaults"
	echo '*a/sys' >"$P/profile/packages"
	ln -s ../../profile "$P/etc/portage/make.profile"
	record a/sys-1 sys
	record a/top-1 top "RDEPEND=a/lib:0/1= || ( a/gone a/alt )"
	record a/lib-1 lib SLOT=0/1
	record a/alt-1 alt
	record a/orphan-1 orphan RDEPEND=a/leaf
	record a/leaf-1 leaf
	printf 'a/leaf\na/top\n' >"$P/var/lib/portage/world"
}

emerge() {
	eprefix emerge --prefix "$P" "$@"
}

# All that a run could have changed.
state() {
	(cd "$P" && find . -exec ls -dn {} + && find . -type f -exec cksum {} +)
}

begin "unmerge --pretend says what breaks and writes nothing"
prefix
state >"$T/before"
run emerge -pC a/lib alt
state >"$T/after"
want_rc 0
want_out 'All selected packages: =a/alt-1 =a/lib-1'
want_out 'selected: 1'
want_err 'a/top-1 needs a/lib:0/1= (RDEPEND)'
want_err 'a/top-1 needs || ( a/gone a/alt ) (RDEPEND)'
want cmp "$T/before" "$T/after"
end

begin "unmerge as JSON"
run emerge -pC --json a/lib
want_rc 0
want_out '"action":"unmerge","cpv":"a/lib-1","slot":"0/1","repo":"main"'
want_out '"breaks":[{"cpv":"a/top-1","kind":"RDEPEND","atom":"a/lib:0/1="}]'
end

begin "unmerge removes files, record and the line of the world file"
run emerge -C leaf
want_rc 0
want_err 'a/orphan-1 needs a/leaf (RDEPEND)'
want_err '>>> Unmerging (1 of 1) a/leaf-1...'
want test ! -e "$P/usr/share/leaf"
want test ! -e "$P/var/db/pkg/a/leaf-1"
want test "$(cat "$P/var/lib/portage/world")" = a/top
want test -e "$P/usr/share/lib"
end

begin "unmerge refuses packages of @system without a question"
prefix
run emerge -C a/sys
want_rc 6
want_err "'a/sys' is part of your system profile"
want_err '--force'
want test -e "$P/usr/share/sys"
run emerge -C --force a/sys
want_rc 0
want test ! -e "$P/usr/share/sys"
end

begin "unmerge --ask removes nothing without a yes"
prefix
run emerge -aC a/lib
want_rc 130
want_out 'Would you like to unmerge these packages? [Yes/No]'
want test -e "$P/usr/share/lib"
echo n >"$T/answer"
rc=0
emerge -aC a/lib <"$T/answer" >"$T/out" 2>"$T/err" || rc=$?
want_rc 130
want test -e "$P/usr/share/lib"
echo Yes >"$T/answer"
rc=0
emerge -aC a/lib <"$T/answer" >"$T/out" 2>"$T/err" || rc=$?
want_rc 0
want test ! -e "$P/usr/share/lib"
end

begin "depclean removes what nothing needs, dependants first"
prefix
echo a/top >"$P/var/lib/portage/world"
state >"$T/before"
run emerge -p --depclean
state >"$T/after"
want_rc 0
want_out 'All selected packages: =a/orphan-1 =a/leaf-1'
want_out 'Packages installed:   6'
want_out 'Number to remove:     2'
want cmp "$T/before" "$T/after"
run emerge -p --depclean --json
want_out '"cpv":"a/orphan-1"'
want_out '"reason":"unneeded"'
run emerge --depclean
want_rc 0
want_out 'Number removed:       2'
want test ! -e "$P/usr/share/orphan"
want test ! -e "$P/usr/share/leaf"
want test -e "$P/usr/share/alt"
run emerge -p --depclean
want_rc 0
want_out 'Number to remove:     0'
end

begin "depclean of a package says who needs it"
prefix
run emerge --depclean a/lib a/orphan
want_rc 0
want_out 'a/lib-1 pulled in by:'
want_out 'a/top-1 requires a/lib:0/1='
want test -e "$P/usr/share/lib"
want test ! -e "$P/usr/share/orphan"
end

begin "a library that others are linked with stays when its package is removed"
prefix
printf 'x86_64;%s/usr/share/lib;libx.so.1;;libc.so.6;x86_64\n' "$P" >"$P/var/db/pkg/a/lib-1/NEEDED.ELF.2"
printf 'x86_64;%s/usr/share/top;;;libx.so.1;x86_64\n' "$P" >"$P/var/db/pkg/a/top-1/NEEDED.ELF.2"
run emerge -C a/lib
want_rc 0
want_err "$P/usr/share/lib stays"
want test -e "$P/usr/share/lib"
want test ! -e "$P/var/db/pkg/a/lib-1"
want grep -q '"a/lib:0"' "$P/var/lib/portage/preserved_libs_registry"
end

begin "two packages that share a file leave nothing behind"
prefix
cp "$P/var/db/pkg/a/leaf-1/CONTENTS" "$P/var/db/pkg/a/orphan-1/CONTENTS"
run emerge -C a/leaf a/orphan
want_rc 0
want test ! -e "$P/usr/share/leaf"
end
