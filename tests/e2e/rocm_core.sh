#!/bin/sh
# The core of ROCm 6.4 on the shipped overlays: what HIP is put together from, and that no other release gets into it.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/prefix
ETC=$P/etc/portage
mkdir -p "$ETC/repos.conf" "$P/var/db/repos" "$P/var/db/pkg" "$P/var/lib/eprefix"
cp -R "$SRC/overlays/gentoo-prefix" "$SRC/overlays/rocm" "$P/var/db/repos/"
ln -s ../../var/db/repos/gentoo-prefix/profiles/linux/amd64 "$ETC/make.profile"
# shellcheck disable=SC2016 # Portage expands it
{
	printf '[DEFAULT]\nmain-repo = gentoo-prefix\n\n[gentoo-prefix]\nlocation = ${EPREFIX}/var/db/repos/gentoo-prefix\n' >"$ETC/repos.conf/base.conf"
	printf '[rocm]\nlocation = ${EPREFIX}/var/db/repos/rocm\n' >"$ETC/repos.conf/rocm.conf"
}
echo 'ACCEPT_KEYWORDS="~amd64"' >"$ETC/make.conf"

emerge() {
	eprefix emerge --prefix "$P" "$@"
}

# What the list holds of the overlay: names and versions, sorted.
of_rocm() {
	sed -n 's/^\[ebuild .*\] \([^ ]*\)-\([0-9][^-: ]*\):[^ ]*::rocm.*/\1-\2/p' "$T/out" | LC_ALL=C sort
}

begin "HIP brings in the runtime of 6.4.3 and the compiler's parts made for LLVM 21"
run emerge -p dev-util/hip
want_rc 0
cat >"$T/list" <<'END'
dev-libs/elfutils-0.192
dev-libs/rocm-comgr-7.0.2
dev-libs/rocm-device-libs-7.0.2
dev-libs/rocr-runtime-6.4.3
dev-util/hip-6.4.3
dev-util/hipcc-7.0.2
llvm-core/llvm-21.1.8
sys-process/numactl-2.0.19
x11-libs/libdrm-2.4.124
END
of_rocm >"$T/got"
[ "$(cat "$T/got")" = "$(cat "$T/list")" ] || unmet "$(diff "$T/list" "$T/got" | tr '\n' '|')"
end

begin "HIP and a tool of another release have no list in common"
run emerge -p =dev-util/hip-6.4.3 =dev-util/rocminfo-3.5.0
want_rc 6
want_err "dev-libs/rocr-runtime"
end

begin "hipcc without the compiler's run-time library is refused"
mkdir "$ETC/package.use"
echo 'llvm-core/llvm -compiler-rt' >"$ETC/package.use/llvm"
run emerge -p --autounmask=n dev-util/hipcc
want_rc 6
want_err "compiler-rt"
end
