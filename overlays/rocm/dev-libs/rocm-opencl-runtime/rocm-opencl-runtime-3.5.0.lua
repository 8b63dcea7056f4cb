-- OpenCL on the common runtime.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute OpenCL Compatible Runtime",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/ROCm-OpenCL-Runtime",
	archives = { { "RadeonOpenCompute/ROCm-OpenCL-Runtime/archive/roc-3.5.0", "rocm-opencl-runtime-3.5.0.tar.gz" } },
	needs = { "dev-libs/rocr-runtime", "dev-libs/rocm-comgr", "dev-libs/rocm-device-libs", "dev-libs/rocclr" },
	build_needs = { "dev-util/rocm-cmake" },
	LICENSE = "Apache-2.0 MIT",
	options = { USE_COMGR_LIBRARY = true, BUILD_TESTING = false },
}
