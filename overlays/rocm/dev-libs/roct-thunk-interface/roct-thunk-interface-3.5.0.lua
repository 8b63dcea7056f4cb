-- The library that talks to the kernel driver.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute Thunk Interface",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/ROCT-Thunk-Interface",
	archives = { { "RadeonOpenCompute/ROCT-Thunk-Interface/archive/rocm-3.5.0", "roct-thunk-interface-3.5.0.tar.gz" } },
	DEPEND = { "sys-process/numactl" },
	RDEPEND = { "sys-process/numactl" },
	options = { BUILD_SHARED_LIBS = true },
}
