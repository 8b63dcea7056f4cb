-- One LAPACK interface for ROCm and CUDA; the fallback is 6.4.1.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm SOLVER marshalling library",
	HOMEPAGE = "https://github.com/ROCm/hipSOLVER",
	archives = { {
		"ROCm/hipSOLVER/archive/refs/tags/rocm-6.4.3", "hipSOLVER-rocm-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/h/hipsolver/hipsolver_6.4.1.orig.tar.gz -> hipSOLVER-6.4.1-debian.tar.gz",
	} },
	needs = { "dev-util/hip" },
	gpu_needs = { "sci-libs/rocBLAS", "sci-libs/rocSOLVER" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_WITH_SPARSE = false, BUILD_FORTRAN_BINDINGS = false, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false, BUILD_CLIENTS_SAMPLES = false },
}
