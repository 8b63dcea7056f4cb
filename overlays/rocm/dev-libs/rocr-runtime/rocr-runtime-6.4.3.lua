-- The HSA runtime with the thunk to the kernel's driver in it.
local rocm = lib "rocm"

-- What "xxd -i" prints: xxd is a part of vim.
local HEX = [[
import re, sys
data, name = open(sys.argv[1], "rb").read(), re.sub(r"\W", "_", sys.argv[1])
print("unsigned char %s[] = {%s};\nunsigned int %s_len = %d;" % (name, ", ".join(map(hex, data)), name, len(data)))
]]

return rocm.package {
	release = "6.4",
	DESCRIPTION = "ROCm's runtime for AMD GPUs",
	HOMEPAGE = "https://github.com/ROCm/ROCR-Runtime",
	LICENSE = "UoI-NCSA MIT",
	archives = { {
		"ROCm/ROCR-Runtime/archive/rocm-6.4.3", "rocr-runtime-6.4.3.tar.gz",
		mirror = "mirror://debian/pool/main/r/rocr-runtime/rocr-runtime_6.4.3+dfsg.orig.tar.xz -> rocr-runtime-6.4.3-debian.tar.xz",
	} },
	build_needs = { "dev-libs/rocm-device-libs", "llvm-core/llvm" },
	DEPEND = { "x11-libs/libdrm", "dev-libs/elfutils:=", "sys-process/numactl" },
	RDEPEND = { "x11-libs/libdrm", "dev-libs/elfutils:=", "sys-process/numactl", "!dev-libs/roct-thunk-interface" },
	BDEPEND = { "dev-lang/python", "dev-util/pkgconf" },

	prepare = function(b)
		b:write("$S/hex.py", HEX)
		for _, script in ipairs(b:find("$S/runtime/hsa-runtime", { "create_*.sh" })) do
			b:edit(script, { from = "command -v xxd", to = "command -v python3" }, { from = "xxd -i", to = "python3 $S/hex.py" })
		end
	end,
}
