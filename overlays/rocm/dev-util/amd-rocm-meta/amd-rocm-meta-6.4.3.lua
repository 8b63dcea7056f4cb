-- ROCm 6.4, as much of it as the flags say.
local function release(name)
	return name .. ":0/6.4="
end

return plain {
	DESCRIPTION = "Meta package for ROCm",
	HOMEPAGE = "https://rocm.docs.amd.com/",
	LICENSE = "metapackage",
	SLOT = "0/6.4",
	KEYWORDS = "~amd64",
	IUSE = "debug-tools deeplearning +hip profiling +science",
	RDEPEND = {
		release "dev-util/rocminfo", release "dev-util/rocm-smi",
		use.hip { release "dev-util/hip", release "dev-util/hipcc", release "dev-util/hipify-clang" },
		use.science {
			release "sci-libs/rocPRIM", release "sci-libs/hipCUB", release "sci-libs/rocThrust", release "sci-libs/hipRAND",
			release "sci-libs/hipBLAS", release "sci-libs/hipSPARSE", release "sci-libs/hipFFT", release "sci-libs/hipSOLVER",
		},
		use.profiling { release "dev-util/roctracer" },
		use["debug-tools"] { release "dev-libs/rocdbgapi" },
		use.deeplearning { release "dev-libs/rccl", release "sci-libs/miopen" },
	},

	install = function() end,
}
