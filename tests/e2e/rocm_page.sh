#!/bin/sh
# The walk-through of somebody who installs ROCm 3.5 on Gentoo, with its files as it prints them, on the shipped overlays: from
# the registered overlay to the printed merge list, and what is said where the page leaves something out.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

P=$T/prefix
ETC=$P/etc/portage
mkdir -p "$ETC/repos.conf" "$ETC/package.accept_keywords" "$ETC/package.use" "$P/var/db/repos" "$P/var/db/pkg" "$P/var/lib/eprefix"
cp -R "$SRC/overlays/gentoo-prefix" "$SRC/overlays/rocm" "$P/var/db/repos/"
ln -s ../../var/db/repos/gentoo-prefix/profiles/linux/amd64 "$ETC/make.profile"
# shellcheck disable=SC2016 # Portage expands it
{
	printf '[DEFAULT]\nmain-repo = gentoo-prefix\n\n[gentoo-prefix]\nlocation = ${EPREFIX}/var/db/repos/gentoo-prefix\n' >"$ETC/repos.conf/base.conf"
	printf '[rocm]\nlocation = ${EPREFIX}/var/db/repos/rocm\n' >"$ETC/repos.conf/rocm.conf"
}
printf 'HIP_PLATFORM=rocclr\nMAKEOPTS="-j4"\n' >"$ETC/make.conf"
cat >"$T/keywords" <<'END'
=sci-libs/pytorch-1.6* ~amd64
=dev-libs/half-2.1.0 ~amd64
=dev-libs/rccl-3.5.0 ~amd64
=dev-libs/rocclr-3.5.0 ~amd64
=dev-libs/rocm-comgr-3.5.0 ~amd64
=dev-libs/rocm-device-libs-3.5.0 ~amd64
=dev-libs/rocm-opencl-runtime-3.5.0 ~amd64
=dev-libs/rocm-smi-lib-3.5.0 ~amd64
=dev-libs/rocr-runtime-3.5.0 ~amd64
=dev-libs/roct-thunk-interface-3.5.0 ~amd64
=dev-util/amd-rocm-meta-3.5.1 ~amd64
=dev-util/rocminfo-3.5.0 ~amd64
=dev-util/rocm-clang-ocl-3.5.0 ~amd64
=dev-util/rocm-cmake-3.5.0 ~amd64
=dev-util/rocm-smi-3.5.0 ~amd64
=dev-util/roctracer-3.5.0 ~amd64
=sci-libs/hipBLAS-3.5.0 ~amd64
=sci-libs/hipCUB-3.5.0 ~amd64
=sci-libs/hipSPARSE-3.5.0 ~amd64
=sci-libs/miopen-3.5.0 ~amd64
=sci-libs/rocFFT-3.5.0 ~amd64
=sci-libs/rocBLAS-3.5.0 ~amd64
=sci-libs/rocPRIM-3.5.1 ~amd64
=sci-libs/rocRAND-3.5.0 ~amd64
=sci-libs/rocSOLVER-3.5.0 ~amd64
=sci-libs/rocSPARSE-3.5.0 ~amd64
=sci-libs/rocThrust-3.5.0 ~amd64
=sys-devel/hcc-3.3.0 ~amd64 # Deprecated, no newer releases
=sys-devel/hip-3.5.1 ~amd64
=sys-devel/llvm-roc-3.5.1 ~amd64
dev-python/CppHeaderParser ~amd64
END

emerge() {
	eprefix emerge --prefix "$P" "$@"
}

# What the list holds of the overlay: names and versions, sorted.
of_rocm() {
	sed -n 's/^\[ebuild .*\] \([^ ]*\)-\([0-9][^-: ]*\):[^ ]*::rocm.*/\1-\2/p' "$T/out" | sort
}

begin "the short name resolves, and without keywords the lines to add are shown"
run emerge -pv amd-rocm-meta
want_rc 6
for line in '=dev-util/amd-rocm-meta-3.5.1 ~amd64' '=sys-devel/llvm-roc-3.5.1 ~amd64' '=sci-libs/rocPRIM-3.5.1 ~amd64' \
	'=dev-libs/rocr-runtime-3.5.0 ~amd64' '=sys-devel/hip-3.5.1 ~amd64'; do
	want_err "$line"
done
want_err "add the lines shown, or let --autounmask-write do it"
end

begin "all lines that are asked for stand on the page, whose list is complete"
sed -n 's/^\(=[^ ]* ~amd64\).*/\1/p' "$T/err" | sort >"$T/asked"
sed 's/ *#.*//' "$T/keywords" | sort >"$T/known"
want test -s "$T/asked"
want test -z "$(comm -23 "$T/asked" "$T/known")"
end

begin "--autounmask-write adds them"
run emerge --autounmask-write amd-rocm-meta
run emerge -pv amd-rocm-meta
want_rc 0
want_out "dev-util/amd-rocm-meta-3.5.1"
rm -rf "$ETC"/package.accept_keywords/*
end

cp "$T/keywords" "$ETC/package.accept_keywords/any-name"
begin "with the page's keywords the merge list is shown"
run emerge -pv amd-rocm-meta
want_rc 0
cat >"$T/list" <<'END'
dev-libs/elfutils-0.192
dev-libs/rocclr-3.5.0
dev-libs/rocm-comgr-3.5.0
dev-libs/rocm-device-libs-3.5.0
dev-libs/rocm-smi-lib-3.5.0
dev-libs/rocr-runtime-3.5.0
dev-libs/roct-thunk-interface-3.5.0
dev-util/amd-rocm-meta-3.5.1
dev-util/rocm-cmake-3.5.0
dev-util/rocm-smi-3.5.0
dev-util/rocminfo-3.5.0
sci-libs/hipBLAS-3.5.0
sci-libs/hipCUB-3.5.0
sci-libs/hipSPARSE-3.5.0
sci-libs/rocBLAS-3.5.0
sci-libs/rocFFT-3.5.0
sci-libs/rocPRIM-3.5.1
sci-libs/rocRAND-3.5.0
sci-libs/rocSOLVER-3.5.0
sci-libs/rocSPARSE-3.5.0
sci-libs/rocThrust-3.5.0
sys-devel/hip-3.5.1
sys-devel/llvm-roc-3.5.1
sys-process/numactl-2.0.19
END
LC_ALL=C of_rocm >"$T/got"
[ "$(cat "$T/got")" = "$(LC_ALL=C sort "$T/list")" ] || unmet "$(LC_ALL=C sort "$T/list" | diff - "$T/got" | tr '\n' '|')"
want_out 'USE="hip science -debug-tools -deeplearning -hcc -opencl -profiling"'
want_out 'AMDGPU_TARGETS="gfx803 -gfx900 -gfx906 -gfx908"'
want_out "Size of downloads:"
end

begin "keywords of what no repository has are told of"
want_err "=sci-libs/pytorch-1.6* matches no package"
end

begin "the page's package.use line names a package of another category"
echo 'sci-libs/amd-rocm-meta deeplearning' >"$ETC/package.use/any-name"
run emerge -pv amd-rocm-meta
want_rc 0
want_err "sci-libs/amd-rocm-meta matches no package; did you mean dev-util/amd-rocm-meta?"
want_out "-deeplearning"
end

begin "the package that was meant brings in rccl, roctracer and miopen"
echo 'dev-util/amd-rocm-meta deeplearning' >"$ETC/package.use/any-name"
run emerge -pv amd-rocm-meta
want_rc 0
for name in dev-libs/rccl-3.5.0 dev-util/roctracer-3.5.0 sci-libs/miopen-3.5.0 dev-python/CppHeaderParser-2.7.4; do
	want_out "$name"
done
end

begin "each other flag brings in its packages"
echo 'dev-util/amd-rocm-meta opencl profiling debug-tools -science -hip' >"$ETC/package.use/any-name"
for name in dev-util/rocm-bandwidth-test dev-libs/rocr-debug-agent dev-util/rocprofiler; do
	echo "$name ~amd64" >>"$ETC/package.accept_keywords/any-name"
done
run emerge -pv amd-rocm-meta
want_rc 0
for name in dev-libs/rocm-opencl-runtime dev-util/rocm-clang-ocl dev-util/rocm-bandwidth-test dev-libs/rocr-debug-agent \
	dev-util/rocprofiler dev-util/roctracer; do
	want_out "$name-3.5.0"
done
want_not grep -q 'sci-libs/' "$T/out"
end

begin "no target at all is a contradiction that is explained"
echo 'sci-libs/rocFFT -amdgpu_targets_gfx803' >"$ETC/package.use/any-name"
run emerge -pv '<sci-libs/rocFFT-4'
want_rc 6
want_err "amdgpu_targets_gfx803"
end

begin "the targets of make.conf are what is compiled for"
rm -f "$ETC/package.use/any-name"
echo 'AMDGPU_TARGETS="gfx906"' >>"$ETC/make.conf"
run emerge -pv sci-libs/rocFFT
want_rc 0
want_out 'gfx906'
end

begin "a target that the release lacks is told, with who still has it"
mkdir -p "$P/var/db/repos/rocm/sci-libs/newFFT"
for version in 3.5.0 6.4.0; do
	flags="amdgpu_targets_gfx90a"
	[ $version = 6.4.0 ] || flags="amdgpu_targets_gfx803 $flags"
	printf 'return plain {\n\tDESCRIPTION = "d", LICENSE = "MIT", KEYWORDS = "amd64", IUSE = "%s",\n\tinstall = function() end,\n}\n' "$flags" \
		>"$P/var/db/repos/rocm/sci-libs/newFFT/newFFT-$version.lua"
done
echo 'AMDGPU_TARGETS="gfx803 gfx90a gfx999"' >>"$ETC/make.conf"
run emerge -pv sci-libs/newFFT
want_rc 0
want_err "AMDGPU_TARGETS has gfx803, which newFFT-6.4.0 is not compiled for; newFFT-3.5.0 still is"
want_err "AMDGPU_TARGETS has gfx999, which no version of sci-libs/newFFT can be compiled for"
want_not grep -q 'has gfx90a' "$T/err"
end
