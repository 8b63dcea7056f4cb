-- Bitcode that every kernel is linked with.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute Device Libraries",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/ROCm-Device-Libs",
	archives = { { "RadeonOpenCompute/ROCm-Device-Libs/archive/rocm-3.5.0", "rocm-device-libs-3.5.0.tar.gz" } },
	needs = { "sys-devel/llvm-roc" },
	options = { LLVM_DIR = "$EPREFIX/usr/lib/llvm/roc/lib/cmake/llvm", CMAKE_C_COMPILER = "$EPREFIX/usr/lib/llvm/roc/bin/clang" },
}
