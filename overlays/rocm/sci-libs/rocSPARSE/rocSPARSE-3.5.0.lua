-- Sparse linear algebra.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Common interface that provides Basic Linear Algebra Subroutines for sparse computation",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/rocSPARSE",
	archives = { { "ROCmSoftwarePlatform/rocSPARSE/archive/rocm-3.5.0", "rocSPARSE-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip", "sci-libs/rocPRIM" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	IUSE = "debug",
	options = { BUILD_CLIENTS_SAMPLES = false, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false },
}
