-- CMake modules that the release builds with.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute CMake Modules",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/rocm-cmake",
	archives = { { "RadeonOpenCompute/rocm-cmake/archive/rocm-3.5.0", "rocm-cmake-3.5.0.tar.gz" } },
}
