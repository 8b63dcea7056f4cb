-- Sparse linear algebra.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Basic linear algebra subroutines for sparse computation",
	HOMEPAGE = "https://github.com/ROCm/rocSPARSE",
	archives = { {
		"ROCm/rocSPARSE/archive/refs/tags/rocm-6.4.3", "rocSPARSE-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocsparse/rocsparse_6.4.3.orig.tar.gz",
	} },
	needs = { "dev-util/hip", "dev-util/roctracer" },
	gpu_needs = { "sci-libs/rocPRIM", "sci-libs/rocBLAS" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false, BUILD_CLIENTS_SAMPLES = false },
}
