-- Watching and setting GPUs, from the command line.
return plain {
	DESCRIPTION = "ROCm System Management Interface",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/ROC-smi",
	LICENSE = "MIT",
	SLOT = "0/3.5",
	KEYWORDS = "~amd64",
	RDEPEND = { "dev-libs/rocr-runtime:0/3.5=", "dev-lang/python" },
	sources = { "https://github.com/RadeonOpenCompute/ROC-smi/archive/rocm-3.5.0.tar.gz -> rocm-smi-3.5.0.tar.gz" },

	install = function(b)
		b:dobin("$S/rocm_smi.py")
		b:dosym("rocm_smi.py", "/usr/bin/rocm-smi")
	end,
}
