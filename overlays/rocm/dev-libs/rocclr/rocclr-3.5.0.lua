-- What HIP and OpenCL have in common.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute Common Language Runtime",
	HOMEPAGE = "https://github.com/ROCm-Developer-Tools/ROCclr",
	archives = {
		{ "ROCm-Developer-Tools/ROCclr/archive/roc-3.5.0", "rocclr-3.5.0.tar.gz" },
		{ "RadeonOpenCompute/ROCm-OpenCL-Runtime/archive/roc-3.5.0", "rocm-opencl-runtime-3.5.0.tar.gz", into = "opencl" },
	},
	needs = { "dev-libs/rocm-comgr", "dev-libs/rocr-runtime" },
	build_needs = { "dev-util/rocm-cmake" },
	options = { OPENCL_DIR = "$S/opencl", USE_COMGR_LIBRARY = true },
}
