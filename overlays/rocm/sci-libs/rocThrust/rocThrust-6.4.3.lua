-- Thrust's interface over rocPRIM, as headers; the fallback is 6.4.4.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "HIP back end of the parallel algorithm library Thrust",
	HOMEPAGE = "https://github.com/ROCm/rocThrust",
	LICENSE = "Apache-2.0",
	archives = { {
		"ROCm/rocThrust/archive/refs/tags/rocm-6.4.3", "rocThrust-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocthrust/rocthrust_6.4.4.orig.tar.gz -> rocThrust-6.4.4-debian.tar.gz",
	} },
	needs = { "dev-util/hip" },
	gpu_needs = { "sci-libs/rocPRIM" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_TEST = false, BUILD_BENCHMARKS = false, BUILD_EXAMPLES = false },
}
