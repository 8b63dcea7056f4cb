-- Says where a kernel went wrong.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Radeon Open Compute Debug Agent",
	HOMEPAGE = "https://github.com/ROCm-Developer-Tools/rocr_debug_agent",
	archives = { { "ROCm-Developer-Tools/rocr_debug_agent/archive/roc-3.5.0", "rocr-debug-agent-3.5.0.tar.gz" } },
	needs = { "dev-libs/rocr-runtime" },
	subdir = "src",
}
