-- How fast data goes between host and GPUs.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Bandwidth test for ROCm",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/rocm_bandwidth_test",
	archives = { { "RadeonOpenCompute/rocm_bandwidth_test/archive/rocm-3.5.0", "rocm-bandwidth-test-3.5.0.tar.gz" } },
	needs = { "dev-libs/rocr-runtime" },
}
