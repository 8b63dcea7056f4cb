-- Bitcode that every kernel is linked with, put where clang looks first: beside its own headers.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm device libraries",
	HOMEPAGE = "https://github.com/ROCm/llvm-project/tree/amd-staging/amd/device-libs",
	LICENSE = "UoI-NCSA",
	archives = { {
		"ROCm/llvm-project/archive/rocm-7.0.2", "llvm-project-rocm-7.0.2.tar.gz", only = { "amd/*" },
		mirror = "mirror://debian/pool/main/r/rocm-llvm/rocm-llvm_7.0.2+dfsg.orig.tar.xz -> rocm-llvm-7.0.2-debian.tar.xz",
	} },
	needs = { "llvm-core/llvm" },
	DEPEND = { "app-arch/zstd", "sys-libs/zlib" },
	subdir = "amd/device-libs",
	options = { ROCM_DEVICE_LIBS_BITCODE_INSTALL_LOC_NEW = "lib/llvm/21/lib/clang/21/lib/amdgcn" },
}
