-- HIP: the C++ dialect and runtime, on the common runtime and the compiler of the release.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "C++ Heterogeneous-Compute Interface for Portability",
	HOMEPAGE = "https://github.com/ROCm-Developer-Tools/HIP",
	archives = { { "ROCm-Developer-Tools/HIP/archive/rocm-3.5.1", "rocm-hip-3.5.1.tar.gz" } },
	needs = { "dev-libs/rocclr", "dev-util/rocminfo", "sys-devel/llvm-roc", "dev-libs/rocm-device-libs" },
	IUSE = "debug",
	RDEPEND = { "dev-lang/perl" },
	options = {
		HIP_COMPILER = "clang", HIP_PLATFORM = "rocclr", HSA_PATH = "$EPREFIX/usr", ROCM_PATH = "$EPREFIX/usr", __HIP_ENABLE_PCH = false,
		CMAKE_BUILD_TYPE = "Release", HIP_CLANG_PATH = "$EPREFIX/usr/lib/llvm/roc/bin",
	},
}
