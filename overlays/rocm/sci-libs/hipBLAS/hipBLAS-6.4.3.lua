-- One BLAS interface for ROCm and CUDA.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm BLAS marshalling library",
	HOMEPAGE = "https://github.com/ROCm/hipBLAS",
	archives = { { "ROCm/hipBLAS/archive/rocm-6.4.3", "hipBLAS-6.4.3.tar.gz" } },
	needs = { "dev-util/hip", "sci-libs/hipBLAS-common" },
	gpu_needs = { "sci-libs/rocBLAS", "sci-libs/rocSOLVER" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false, BUILD_CLIENTS_SAMPLES = false },
	prepare = rocm.without_fortran,
}
