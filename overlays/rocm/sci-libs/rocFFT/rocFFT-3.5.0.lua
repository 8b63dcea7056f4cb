-- Fourier transforms on the GPU.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Next generation FFT implementation for ROCm",
	HOMEPAGE = "https://github.com/ROCmSoftwarePlatform/rocFFT",
	archives = { { "ROCmSoftwarePlatform/rocFFT/archive/rocm-3.5.0", "rocFFT-3.5.0.tar.gz" } },
	needs = { "sys-devel/hip" },
	build_needs = { "dev-util/rocm-cmake" },
	gpu = true,
	options = { BUILD_CLIENTS_SELFTEST = false, BUILD_CLIENTS_TESTS = false, BUILD_CLIENTS_SAMPLES = false, BUILD_CLIENTS_RIDER = false },
}
