#!/bin/sh
# The libraries of ROCm 6.4 on the shipped overlays: what the meta package's flags bring in, that releases and targets agree, and
# what is said of a card that the release has dropped.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/prefix
ETC=$P/etc/portage
mkdir -p "$ETC/repos.conf" "$ETC/package.use" "$P/var/db/repos" "$P/var/db/pkg" "$P/var/lib/eprefix"
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

# Names and versions of the list that belong to the overlay, sorted.
of_rocm() {
	sed -n 's/^\[ebuild .*\] \([^ ]*\)-\([0-9][^-: ]*\):[^ ]*::rocm.*/\1-\2/p' "$T/out" | LC_ALL=C sort
}

begin "the meta package brings in the whole of the release, and nothing of another"
run emerge -p amd-rocm-meta
want_rc 0
cat >"$T/list" <<'END'
dev-build/rocm-cmake-6.4.3
dev-db/sqlite-3.46.1
dev-libs/elfutils-0.192
dev-libs/libfmt-9.1.0
dev-libs/rocm-comgr-7.0.2
dev-libs/rocm-device-libs-7.0.2
dev-libs/rocr-runtime-6.4.3
dev-python/CppHeaderParser-2.7.4
dev-python/ply-3.11
dev-util/amd-rocm-meta-6.4.3
dev-util/hip-6.4.3
dev-util/hipcc-7.0.2
dev-util/hipify-clang-7.0.2
dev-util/rocm-smi-6.4.3
dev-util/rocminfo-6.4.3
dev-util/roctracer-6.4.3
llvm-core/llvm-21.1.8
sci-libs/hipBLAS-6.4.3
sci-libs/hipBLAS-common-6.4.3
sci-libs/hipCUB-6.4.3
sci-libs/hipFFT-6.4.3
sci-libs/hipRAND-6.4.3
sci-libs/hipSOLVER-6.4.3
sci-libs/hipSPARSE-6.4.3
sci-libs/rocBLAS-6.4.3
sci-libs/rocFFT-6.4.3
sci-libs/rocPRIM-6.4.3
sci-libs/rocRAND-6.4.3
sci-libs/rocSOLVER-6.4.3
sci-libs/rocSPARSE-6.4.3
sci-libs/rocThrust-6.4.3
sys-process/numactl-2.0.19
x11-libs/libdrm-2.4.124
END
of_rocm >"$T/got"
[ "$(cat "$T/got")" = "$(cat "$T/list")" ] || unmet "$(diff "$T/list" "$T/got" | tr '\n' '|')"
end

begin "each flag brings in its packages, and leaves out the others'"
echo 'dev-util/amd-rocm-meta -science -hip debug-tools' >"$ETC/package.use/meta"
run emerge -p amd-rocm-meta
want_rc 0
want_out "dev-libs/rocdbgapi-6.4.3"
want_not grep -q -e 'sci-libs/' -e 'dev-util/hip-' -e 'dev-libs/rccl' "$T/out"
echo 'dev-util/amd-rocm-meta -science deeplearning profiling' >"$ETC/package.use/meta"
run emerge -p amd-rocm-meta
want_rc 0
for name in dev-libs/rccl-6.4.3 sci-libs/miopen-6.4.3 dev-util/roctracer-6.4.3; do
	want_out "$name"
done
want_not grep -q -e 'sci-libs/hipFFT' -e 'dev-libs/rocdbgapi' "$T/out"
rm "$ETC/package.use/meta"
end

# Each of these asks for one part of 6.4 and one of 3.5 that need the same package.
begin "libraries of two releases have no list in common"
for pair in 'sci-libs/hipFFT-6.4.3 =sci-libs/hipBLAS-3.5.0' 'sci-libs/hipCUB-6.4.3 =sci-libs/rocPRIM-3.5.1' \
	'sci-libs/hipSPARSE-6.4.3 =sci-libs/rocSPARSE-3.5.0' 'dev-util/amd-rocm-meta-6.4.3 =sci-libs/rocFFT-3.5.0'; do
	# shellcheck disable=SC2086 # two atoms
	run emerge -p =$pair
	want_rc 6
done
end

begin "a library is compiled for all targets of those that call it"
echo 'sci-libs/hipFFT amdgpu_targets_gfx1031' >"$ETC/package.use/targets"
run emerge -p --autounmask=n sci-libs/hipFFT
want_rc 6
want_err "sci-libs/rocFFT"
want_err "amdgpu_targets_gfx1031"
echo 'sci-libs/rocFFT amdgpu_targets_gfx1031' >>"$ETC/package.use/targets"
run emerge -p --autounmask=n sci-libs/hipFFT
want_rc 0
rm "$ETC/package.use/targets"
end

begin "a card that the release has dropped is named with the release that has it"
echo 'AMDGPU_TARGETS="gfx803 gfx90a"' >>"$ETC/make.conf"
run emerge -p sci-libs/rocFFT
want_rc 0
want_err "AMDGPU_TARGETS has gfx803, which rocFFT-6.4.3 is not compiled for; rocFFT-3.5.0 still is"
want_not grep -q 'has gfx90a' "$T/err"
end

begin "a recipe of a library has at most 25 lines"
find "$SRC/overlays/rocm" -name '*.lua' -path '*/sci-libs/*' >"$T/recipes"
want test -s "$T/recipes"
while read -r file; do
	[ "$(wc -l <"$file")" -le 25 ] || unmet "${file#"$SRC/"} has $(wc -l <"$file") lines"
done <"$T/recipes"
end
