-- Random numbers on the GPU.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Generate pseudo-random and quasi-random numbers",
	HOMEPAGE = "https://github.com/ROCm/rocRAND",
	archives = { {
		"ROCm/rocRAND/archive/refs/tags/rocm-6.4.3", "rocRAND-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocrand/rocrand_6.4.3.orig.tar.gz",
	} },
	needs = { "dev-util/hip" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_TEST = false, BUILD_BENCHMARK = false },
}
