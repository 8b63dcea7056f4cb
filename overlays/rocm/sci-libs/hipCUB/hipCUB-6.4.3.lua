-- CUB's interface over rocPRIM, as headers.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "Wrapper of rocPRIM and CUB",
	HOMEPAGE = "https://github.com/ROCm/hipCUB",
	LICENSE = "BSD",
	archives = { {
		"ROCm/hipCUB/archive/refs/tags/rocm-6.4.3", "hipCUB-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/h/hipcub/hipcub_6.4.3.orig.tar.gz",
	} },
	needs = { "dev-util/hip" },
	gpu_needs = { "sci-libs/rocPRIM" },
	build_needs = { "dev-build/rocm-cmake" },
	gpu = true,
	options = { BUILD_TEST = false, BUILD_BENCHMARK = false },
}
