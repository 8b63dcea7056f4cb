-- Tells what the runtime sees of the GPUs.
local rocm = lib "rocm"

return rocm.package {
	release = "3.5",
	DESCRIPTION = "ROCm Application for Reporting System Info",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/rocminfo",
	archives = { { "RadeonOpenCompute/rocminfo/archive/rocm-3.5.0", "rocminfo-3.5.0.tar.gz" } },
	needs = { "dev-libs/rocr-runtime" },
	RDEPEND = { "dev-lang/python" },

	install = function(b, super)
		super(b)
		rocm.explain_missing_driver(b, "rocminfo")
		rocm.explain_missing_driver(b, "rocm_agent_enumerator")
		b:dosym("../bin/rocm_agent_enumerator", "/usr/lib/rocm_agent_enumerator")
	end,
}
