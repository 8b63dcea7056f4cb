-- One BLAS interface for ROCm and CUDA.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "ROCm BLAS marshalling library",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/hipBLAS",
	archives = { { "ROCmSoftwarePlatform/hipBLAS/archive/rocm-3.5.0", "hipBLAS-3.5.tar.gz" } },
	needs = { "sys-devel/hip", "sci-libs/rocBLAS", "sci-libs/rocSOLVER" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	options = { BUILD_CLIENTS_SAMPLES = false, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false },
}
