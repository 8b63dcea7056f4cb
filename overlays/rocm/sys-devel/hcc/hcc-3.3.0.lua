-- The compiler before hip-clang. Upstream published it as a git repository with submodules and no archive, so there is
-- nothing whose checksum could be stated: the package is listed, and says so when it is to be built.
return plain {
	DESCRIPTION = "HCC - An open source C++ compiler for heterogeneous devices",
	HOMEPAGE = "https://github.com/RadeonOpenCompute/hcc",
	LICENSE = "UoI-NCSA",
	SLOT = "0/3.3",
	KEYWORDS = "~amd64",
	RDEPEND = { "dev-libs/rocr-runtime:0/3.5=", "dev-util/rocminfo:0/3.5=" },

	compile = function(b)
		b:die "hcc 3.3.0 was published as a git repository only, which cannot be verified; ROCm 3.5 works without it: USE=-hcc for amd-rocm-meta"
	end,
	install = function() end,
}
