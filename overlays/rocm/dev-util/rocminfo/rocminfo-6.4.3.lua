-- Tells what the runtime sees of the GPUs.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm application for reporting system information",
	HOMEPAGE = "https://github.com/ROCm/rocminfo",
	LICENSE = "UoI-NCSA",
	archives = { { "ROCm/rocminfo/archive/rocm-6.4.3", "rocminfo-6.4.3.tar.gz" } },
	needs = { "dev-libs/rocr-runtime" },
	RDEPEND = { "dev-lang/python" },
	options = { ROCRTST_BLD_TYPE = "Release" },

	install = function(b, super)
		super(b)
		rocm.explain_missing_driver(b, "rocminfo")
		rocm.explain_missing_driver(b, "rocm_agent_enumerator")
		b:dosym("../bin/rocm_agent_enumerator", "/usr/lib/rocm_agent_enumerator")
	end,
}
