-- Compiles OpenCL kernels ahead of time.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "OpenCL compilation with clang compiler",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/clang-ocl",
	archives = { { "RadeonOpenCompute/clang-ocl/archive/rocm-3.5.0", "rocm-clang-ocl-3.5.0.tar.gz" } },
	needs = { "dev-libs/rocm-opencl-runtime" },
	build_needs = { "dev-util/rocm-cmake" },
}
