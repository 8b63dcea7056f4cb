-- Factorisations and solvers over rocBLAS.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Implementation of a subset of LAPACK functionality on the ROCm platform",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/rocSOLVER",
	archives = { { "ROCmSoftwarePlatform/rocSOLVER/archive/rocm-3.5.0", "rocSOLVER-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip", "sci-libs/rocBLAS" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	LICENSE = "BSD-2",
	options = { BUILD_CLIENTS_SAMPLES = false, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false },
}
