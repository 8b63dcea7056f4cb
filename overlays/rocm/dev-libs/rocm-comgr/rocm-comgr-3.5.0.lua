-- Compiles and links kernels at run time.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute Code Object Manager",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/ROCm-CompilerSupport",
	archives = { { "RadeonOpenCompute/ROCm-CompilerSupport/archive/rocm-3.5.0", "rocm-comgr-3.5.0.tar.gz" } },
	needs = { "dev-libs/rocm-device-libs", "sys-devel/llvm-roc" },
	subdir = "lib/comgr",
	options = { LLVM_DIR = "$EPREFIX/usr/lib/llvm/roc/lib/cmake/llvm", Clang_DIR = "$EPREFIX/usr/lib/llvm/roc/lib/cmake/clang", LLD_DIR = "$EPREFIX/usr/lib/llvm/roc/lib/cmake/lld", BUILD_TESTING = false },
}
