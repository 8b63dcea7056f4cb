-- What debuggers ask of GPUs. Upstream's own archive has no published checksum, so the source is Debian's copy.
local rocm = lib "rocm"

return rocm.package {
	release = "6.4",
	DESCRIPTION = "AMD debugger API",
	HOMEPAGE = "https://github.com/ROCm/ROCdbgapi",
	archives = {},
	more_sources = { "mirror://debian/pool/main/r/rocdbgapi/rocdbgapi_6.4.3.orig.tar.gz -> rocdbgapi-6.4.3-debian.tar.gz" },
	needs = { "dev-libs/rocm-comgr", "dev-libs/rocr-runtime" },

	prepare = function(b) b:edit("CMakeLists.txt", { from = "-fno-rtti -Werror", to = "-fno-rtti" }) end,
}
