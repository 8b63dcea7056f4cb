-- gpu_targets: what each ROCm release of the overlay can be compiled for. `full`: its maths libraries have kernels and are
-- tested by AMD or Gentoo; `builds`: compiles, with parts that lack tuned kernels. What is in neither was dropped or is newer.
-- Sources: IUSE of the release's ebuilds (3.5: justxi's overlay; 6.4, 7.2: rocm.eclass of ::gentoo).
local targets = {}

targets.releases = {
	{ name = "3.5", full = "gfx803 gfx900 gfx906 gfx908", builds = "" },
	{ name = "6.4", full = "gfx908 gfx90a gfx942 gfx1030 gfx1100 gfx1101 gfx1200 gfx1201",
		builds = "gfx900 gfx906 gfx940 gfx941 gfx1010 gfx1011 gfx1012 gfx1031 gfx1102 gfx1103 gfx1150 gfx1151" },
	{ name = "7.2", full = "gfx908 gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1101 gfx1200 gfx1201",
		builds = "gfx900 gfx906 gfx1010 gfx1011 gfx1012 gfx1031 gfx1102 gfx1103 gfx1150 gfx1151" },
}

-- Chips that run the code of a sibling, which the runtime takes them for when HSA_OVERRIDE_GFX_VERSION says so.
targets.siblings = {
	gfx902 = { "gfx900", "9.0.0" }, gfx90c = { "gfx900", "9.0.0" }, gfx904 = { "gfx900", "9.0.0" },
	gfx1011 = { "gfx1010", "10.1.0" }, gfx1012 = { "gfx1010", "10.1.0" },
	gfx1031 = { "gfx1030", "10.3.0" }, gfx1032 = { "gfx1030", "10.3.0" }, gfx1033 = { "gfx1030", "10.3.0" },
	gfx1034 = { "gfx1030", "10.3.0" }, gfx1035 = { "gfx1030", "10.3.0" }, gfx1036 = { "gfx1030", "10.3.0" },
	gfx1102 = { "gfx1100", "11.0.0" }, gfx1103 = { "gfx1100", "11.0.0" },
}

local function has(list, target)
	return (" " .. list .. " "):find(" " .. target .. " ", 1, true) ~= nil
end

-- "full", "builds" or nil: what a release (an entry of releases) has for a target.
function targets.support(release, target)
	return has(release.full, target) and "full" or has(release.builds, target) and "builds" or nil
end

-- The newest release that has the target, and what it has for it; nil: none.
function targets.newest(target)
	for i = #targets.releases, 1, -1 do
		local support = targets.support(targets.releases[i], target)
		if support then
			return targets.releases[i], support
		end
	end
end

-- What a person with that card is told: a sentence, and what to do about it or nil.
function targets.advice(target)
	local current = targets.releases[#targets.releases]
	local release, support = targets.newest(target)
	local sibling = targets.siblings[target]
	if release == current and support == "full" then
		return ("supported by ROCm %s"):format(current.name)
	elseif sibling and not (release == current and support == "full") then
		return ("not among the targets with full support of ROCm %s"):format(current.name),
			("build for %s and run with HSA_OVERRIDE_GFX_VERSION=%s"):format(sibling[1], sibling[2])
	elseif release == current then
		return ("compiles with ROCm %s, but parts of its libraries have no tuned kernels for it"):format(current.name)
	elseif release then
		return ("dropped after ROCm %s"):format(release.name),
			("the overlay's %s release still has it: eprefix emerge '<dev-util/amd-rocm-meta-%d'"):format(release.name,
				tonumber(release.name:match("^%d+")) + 1)
	end
	return "in no ROCm release of the overlay"
end

return targets
