-- One interface to random numbers for ROCm and CUDA.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Wrapper of rocRAND and cuRAND",
	HOMEPAGE = "https://github.com/ROCm/hipRAND",
	archives = { { "ROCm/hipRAND/archive/refs/tags/rocm-6.4.3", "hipRAND-rocm-6.4.3.tar.gz" } },
	needs = { "dev-util/hip" },
	gpu_needs = { "sci-libs/rocRAND" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_TEST = false, BUILD_BENCHMARK = false, BUILD_WITH_LIB = "ROCM" },
}
