-- Reads hardware counters of kernels; the metrics library it asks for at run time exists as a binary only.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "Profiler of HSA applications",
	HOMEPAGE = "https://github.com/ROCm-Developer-Tools/rocprofiler",
	archives = { { "ROCm-Developer-Tools/rocprofiler/archive/roc-3.5.0", "rocprofiler-3.5.0.tar.gz" } },
	needs = { "dev-libs/rocr-runtime" },
	RDEPEND = { "dev-lang/python" },
}
