-- Watching and setting GPUs, as a library.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "User space interface for applications to monitor and control GPU applications",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/rocm_smi_lib",
	archives = { { "RadeonOpenCompute/rocm_smi_lib/archive/rocm-3.5.0", "rocm-smi-lib-3.5.0.tar.gz" } },
}
