-- One sparse interface for ROCm and CUDA.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm SPARSE marshalling library",
	HOMEPAGE = "https://github.com/ROCm/hipSPARSE",
	archives = { {
		"ROCm/hipSPARSE/archive/refs/tags/rocm-6.4.3", "hipSPARSE-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/h/hipsparse/hipsparse_6.4.3.orig.tar.gz",
	} },
	needs = { "dev-util/hip" },
	gpu_needs = { "sci-libs/rocSPARSE" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_BENCHMARKS = false, BUILD_CLIENTS_SAMPLES = false },
	prepare = rocm.without_fortran,
}
