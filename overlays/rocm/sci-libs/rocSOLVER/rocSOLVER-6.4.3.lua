-- Factorisations and solvers over rocBLAS.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Implementation of a subset of LAPACK functionality on the ROCm platform",
	HOMEPAGE = "https://github.com/ROCm/rocSOLVER",
	LICENSE = "BSD-2",
	archives = { {
		"ROCm/rocSOLVER/archive/refs/tags/rocm-6.4.3", "rocSOLVER-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocsolver/rocsolver_6.4.3.orig.tar.gz",
	} },
	needs = { "dev-util/hip" },
	gpu_needs = { "sci-libs/rocBLAS", "sci-libs/rocPRIM" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_WITH_SPARSE = false, ROCSOLVER_EMBED_FMT = true, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false, BUILD_CLIENTS_SAMPLES = false },
	DEPEND = { "dev-libs/libfmt" },
}
