-- rocm: what the packages of a ROCm release share. A release is one sub-slot: its packages ask each other for it, so that
-- no set of two releases can be put together.
local rocm = {}

-- The release numbers, in their one place, with the targets each can be compiled for (+: unless the user says otherwise), what
-- its hipcc calls the platform of AMD's cards, and what its build files ask of CMake.
rocm.releases = {
	["3.5"] = {
		targets = "+gfx803 gfx900 gfx906 gfx908", platform = "rocclr",
		-- Projects of that time ask for CMake 2.8, which CMake 4 no longer plays.
		cmake = { "-DCMAKE_POLICY_VERSION_MINIMUM=3.5" },
	},
}

-- Files in which upstream writes down where things are installed, and what is written there.
local NAMES_PATHS = { "CMakeLists.txt", "*.cmake", "*.cmake.in", "*.in", "*.py", "*.pl", "*.pm", "*.sh", "hipcc*", "hipconfig*" }

-- "dev-libs/rocr-runtime" → "dev-libs/rocr-runtime:0/3.5="
local function of_release(release, names)
	local atoms = {}
	for i, name in ipairs(names or {}) do
		atoms[i] = type(name) == "string" and name .. ":0/" .. release .. "=" or name
	end
	return atoms
end

local function joined(...)
	local out = {}
	for _, list in ipairs { ... } do
		table.move(list, 1, #list, #out + 1, out)
	end
	return out
end

local function target_flags(targets)
	local flags, names = {}, {}
	for mark, target in targets:gmatch "(%+?)(gfx%w+)" do
		flags[#flags + 1] = mark .. "amdgpu_targets_" .. target
		names[#names + 1] = "amdgpu_targets_" .. target
	end
	return table.concat(flags, " "), names
end

-- The targets this package is compiled for, in the order of its IUSE: { "gfx90a", "gfx1100" }
function rocm.targets(b)
	local list = {}
	for name in (b.spec.IUSE or ""):gmatch "amdgpu_targets_(gfx%w+)" do
		if b.use["amdgpu_targets_" .. name] then
			list[#list + 1] = name
		end
	end
	return list
end

-- Only the edits that find something: b:edit() fails where one does not.
local function fix_file(b, file)
	local text = b:read(file)
	if text:find "/opt/rocm/%w+/bin" then
		b:edit(file, { pattern = "/opt/rocm/%w+/bin", to = "$EPREFIX/usr/bin" })
	end
	if b:read(file):find("/opt/rocm", 1, true) then
		b:edit(file, { from = "/opt/rocm", to = "$EPREFIX/usr", all = true })
	end
end

-- /opt/rocm and the compiler in it are where upstream looks; here both are the prefix.
function rocm.fix_paths(b)
	for _, file in ipairs(b:find("$S", NAMES_PATHS)) do
		if b:read(file):find("/opt/rocm", 1, true) then
			fix_file(b, file)
		end
	end
end

-- Every name under which a package of one release or another asks for the targets, so that none ever probes.
local function target_options(b)
	local list = table.concat(rocm.targets(b), ";")
	if list == "" then
		return {}
	end
	b:log("compiling for " .. list)
	return { "-DAMDGPU_TARGETS=" .. list, "-DGPU_TARGETS=" .. list, "-DCMAKE_HIP_ARCHITECTURES=" .. list }
end

local function sources(spec)
	local list = {}
	for i, source in ipairs(spec.archives) do
		list[i] = { "https://github.com/" .. source[1] .. ".tar.gz -> " .. source[2], into = source.into }
	end
	return list
end

-- A package built by CMake. Beside a recipe's own fields: archives = { { "OWNER/REPO/archive/TAG", "FILE", into = } },
-- needs = packages of the same release it is built with and runs with, build_needs = those it is only built with,
-- gpu = true: compiled for targets, by hipcc. release: which one of the table.
function rocm.package(spec)
	local release = spec.release
	local needs, build_needs = of_release(release, spec.needs), of_release(release, spec.build_needs)
	local more_iuse, names = target_flags(spec.gpu and rocm.releases[release].targets or "")
	local own_configure, own_prepare = spec.configure, spec.prepare
	local result = {
		LICENSE = "MIT", SLOT = "0/" .. release, KEYWORDS = "~amd64", sources = sources(spec),
		prepare = function(b, super)
			super(b)
			rocm.fix_paths(b)
			if own_prepare then
				own_prepare(b)
			end
		end,
		configure = function(b, super)
			for _, list in ipairs { rocm.releases[release].cmake, target_options(b) } do
				table.move(list, 1, #list, #b.options_extra + 1, b.options_extra)
			end
			if own_configure then
				own_configure(b)
			end
			super(b)
		end,
	}
	for name, value in pairs(spec) do
		result[name] = result[name] or value
	end
	result.SLOT, result.KEYWORDS, result.LICENSE = result.SLOT, spec.KEYWORDS or result.KEYWORDS, spec.LICENSE or result.LICENSE
	result.IUSE = ((spec.IUSE or "") .. " " .. more_iuse):match "^%s*(.-)%s*$"
	result.DEPEND = joined(needs, build_needs, spec.DEPEND or {})
	result.RDEPEND = joined(needs, spec.RDEPEND or {})
	result.BDEPEND = spec.BDEPEND
	if #names > 0 then
		local choice = {}
		for i, name in ipairs(names) do
			choice[i] = name
		end
		result.REQUIRED_USE = { any(choice), spec.REQUIRED_USE }
		-- Kernels of a library take a compiler far more memory than C++ does.
		result.mem = spec.mem or 2500
		result.env = { CXX = "$EPREFIX/usr/bin/hipcc", HIP_PLATFORM = rocm.releases[release].platform, ROCM_PATH = "$EPREFIX/usr", HIP_PATH = "$EPREFIX/usr" }
	end
	for _, ours in ipairs { "release", "archives", "needs", "build_needs", "gpu" } do
		result[ours] = nil
	end
	return cmake(result)
end

-- What asks the kernel's driver says in one line what is missing where there is none: NAME of usr/bin moves behind a check.
function rocm.explain_missing_driver(b, name)
	b:dodir "/usr/libexec/rocm"
	b:move("$ED/usr/bin/" .. name, "$ED/usr/libexec/rocm/" .. name)
	b:write("$ED/usr/bin/" .. name, "#!$EPREFIX/bin/sh\n"
		.. "missing() {\n\techo \"" .. name .. ": $1\" >&2\n\texit 1\n}\n"
		.. "[ -e /sys/module/amdgpu ] || missing 'the kernel module amdgpu is not loaded: there is no AMD GPU, or modprobe amdgpu is wanted'\n"
		.. "[ -e /dev/kfd ] || missing '/dev/kfd is not there: the kernel lacks HSA_AMD, or this container was not given the device'\n"
		.. "[ -r /dev/kfd ] && [ -w /dev/kfd ] || missing \"no permission for /dev/kfd: join the group $(ls -l /dev/kfd | cut -d ' ' -f 4) and log in again\"\n"
		.. "exec $EPREFIX/usr/libexec/rocm/" .. name .. " \"$@\"\n", 493)
end

return rocm
