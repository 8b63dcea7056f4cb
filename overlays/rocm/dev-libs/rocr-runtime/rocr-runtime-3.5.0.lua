-- The HSA runtime; image kernels are left out, which would need xxd.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute Runtime",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/ROCR-Runtime",
	archives = { { "RadeonOpenCompute/ROCR-Runtime/archive/rocm-3.5.0", "rocr-runtime-3.5.0.tar.gz" } },
	needs = { "dev-libs/roct-thunk-interface" },
	build_needs = { "dev-libs/rocm-device-libs" },
	DEPEND = { "sys-process/numactl", "dev-libs/elfutils:=" },
	RDEPEND = { "sys-process/numactl", "dev-libs/elfutils:=" },
	subdir = "src",
	options = { IMAGE_SUPPORT = false, CMAKE_MODULE_PATH = "$S/cmake_modules" },
}
