-- One sparse interface for ROCm and CUDA.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "ROCm SPARSE marshalling library",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/hipSPARSE",
	archives = { { "ROCmSoftwarePlatform/hipSPARSE/archive/rocm-3.5.0", "hipSPARSE-3.5.tar.gz" } },
	needs = { "sys-devel/hip", "sci-libs/rocSPARSE", "dev-util/rocminfo" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	options = { BUILD_CLIENTS_SAMPLES = false, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false },
}
