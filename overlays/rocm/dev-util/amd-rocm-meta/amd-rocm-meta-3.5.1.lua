-- ROCm 3.5, as much of it as the flags say.
local function release(name)
	return name .. ":0/3.5="
end

return plain {
	DESCRIPTION = "Meta package for ROCm",
	HOMEPAGE = "https://rocm.docs.amd.com/",
	LICENSE = "metapackage",
	SLOT = "0/3.5",
	KEYWORDS = "~amd64",
	IUSE = "debug-tools deeplearning hcc +hip opencl profiling +science",
	RDEPEND = {
		release "dev-util/rocminfo", release "dev-libs/rocm-smi-lib", release "dev-util/rocm-smi",
		use.hcc ">=sys-devel/hcc-3.0.0",
		use.opencl { release "dev-libs/rocm-opencl-runtime", release "dev-util/rocm-clang-ocl" },
		use.hip { release "sys-devel/hip", use.science { release "sci-libs/hipBLAS" } },
		use.science {
			release "sci-libs/hipCUB", release "sci-libs/hipSPARSE", release "sci-libs/rocPRIM", release "sci-libs/rocRAND",
			release "sci-libs/rocFFT", release "sci-libs/rocSPARSE", release "sci-libs/rocThrust",
		},
		use.profiling { release "dev-util/rocm-bandwidth-test" },
		use["debug-tools"] { release "dev-libs/rocr-debug-agent", release "dev-util/rocprofiler", release "dev-util/roctracer" },
		use.deeplearning { release "dev-libs/rccl", release "dev-util/roctracer", release "sci-libs/miopen" },
	},

	install = function() end,
}
