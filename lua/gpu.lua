-- gpu: AMD cards of a Linux machine and what they are compiled for, with nothing of ROCm installed: from the kernel's
-- topology (/sys/class/kfd) where the driver is loaded, else from PCI ids. `probe` is that of host.lua.
local ids = require("gpu_ids")
local targets = require("gpu_targets")

local gpu = {}

local NODES = "/sys/class/kfd/kfd/topology/nodes"
local DEVICES = "/sys/bus/pci/devices"
local AMD = 0x1002

-- "90010" → gfx90a: major, minor and stepping in decimal pairs, the last two printed in hexadecimal.
function gpu.target_of_version(version)
	if not version or version < 10000 then
		return nil
	end
	return ("gfx%d%x%x"):format(version // 10000, version // 100 % 100, version % 100)
end

local function properties(text)
	local found = {}
	for name, value in text:gmatch("([%w_]+) (%d+)") do
		found[name] = math.tointeger(tonumber(value))
	end
	return found
end

-- 0x0000, 0x0300 → "0000:03:00.0"
local function address(domain, location)
	return ("%04x:%02x:%02x.%x"):format(domain, location >> 8 & 0xff, location >> 3 & 0x1f, location & 7)
end

local function from_topology(probe, cards, by_address)
	for _, node in ipairs(probe.list(NODES)) do
		local p = properties(probe.read(NODES .. "/" .. node .. "/properties") or "")
		local target = gpu.target_of_version(p.gfx_target_version)
		if target and (p.simd_count or 0) > 0 then
			local card = {
				pci = address(p.domain or 0, p.location_id or 0), device = p.device_id, target = target, source = "kfd",
			}
			cards[#cards + 1] = card
			by_address[card.pci] = card
		end
	end
end

local function number(probe, path)
	return tonumber(((probe.read(path) or ""):match("^0x%x+")))
end

-- Display controllers (03xxxx) and processing accelerators (1200xx) of AMD's.
local function from_pci(probe, cards, by_address)
	for _, pci in ipairs(probe.list(DEVICES)) do
		local dir = DEVICES .. "/" .. pci
		local class = number(probe, dir .. "/class") or 0
		local kind = class >> 16 == 0x03 or class >> 8 == 0x1200
		if number(probe, dir .. "/vendor") == AMD and kind and not by_address[pci] then
			local device = number(probe, dir .. "/device")
			cards[#cards + 1] = { pci = pci, device = device, target = ids[device], source = "pci" }
		end
	end
end

local function finding(severity, id, text, remedy)
	return { severity = severity, id = "gpu." .. id, text = text, remedy = remedy }
end

local function card_finding(card)
	local what = ("AMD GPU %s (1002:%04x)"):format(card.pci, card.device or 0)
	if not card.target then
		return finding("warning", "unknown", what .. ": its target is not known",
			"set AMDGPU_TARGETS in etc/portage/make.conf by hand; rocminfo or the vendor's page names it")
	end
	local said, remedy = targets.advice(card.target)
	return finding(remedy and "warning" or "info", "card", ("%s is %s, %s"):format(what, card.target, said), remedy)
end

-- Can this user open the device? false with the group that may, or nil.
local function can_open(probe, path)
	if probe.run({ "/bin/sh", "-c", '[ -r "$1" ] && [ -w "$1" ]', "sh", probe.at(path) }) == 0 then
		return true
	end
	local _, listing = probe.run({ "ls", "-l", probe.at(path) })
	return false, listing:match("^%S+%s+%d+%s+%S+%s+(%S+)")
end

local function device_findings(probe, out)
	if not probe.exists("/sys/module/amdgpu") then
		out[#out + 1] = finding("warning", "module", "the kernel module amdgpu is not loaded, so nothing can compute on the card",
			"ask the administrator to load it (modprobe amdgpu); building for the card works without")
		return
	end
	if not probe.exists("/dev/kfd") then
		out[#out + 1] = finding("warning", "kfd", "/dev/kfd is not there: the kernel has no ROCm interface, or the container was not given it",
			"use a kernel with CONFIG_HSA_AMD; in a container pass --device /dev/kfd --device /dev/dri")
		return
	end
	local paths = { "/dev/kfd" }
	for _, name in ipairs(probe.list("/dev/dri")) do
		if name:match("^renderD%d+$") then
			paths[#paths + 1] = "/dev/dri/" .. name
		end
	end
	for _, path in ipairs(paths) do
		local ok, group = can_open(probe, path)
		if not ok then
			out[#out + 1] = finding("warning", "permission", ("this user may not read and write %s"):format(path),
				group and group ~= "root" and ("ask to be added to the group %s, then log in again"):format(group)
					or "ask the administrator for a group that may, usually render")
		end
	end
end

-- { cards = { { pci, device, target, source }, … }, targets = { "gfx90a", … }, findings = { … } }; findings as in
-- core/hostcheck.h. No card is no finding of weight: most machines have none.
function gpu.detect(probe)
	local cards, by_address, seen = {}, {}, {}
	local facts = { cards = cards, targets = {}, findings = {} }
	from_topology(probe, cards, by_address)
	from_pci(probe, cards, by_address)
	table.sort(cards, function(a, b) return a.pci < b.pci end)
	for _, card in ipairs(cards) do
		facts.findings[#facts.findings + 1] = card_finding(card)
		if card.target and not seen[card.target] then
			seen[card.target] = true
			facts.targets[#facts.targets + 1] = card.target
		end
	end
	table.sort(facts.targets)
	if #cards == 0 then
		facts.findings[1] = finding("info", "none", "no AMD GPU was found; AMDGPU_TARGETS in etc/portage/make.conf says what ROCm is built for")
	else
		device_findings(probe, facts.findings)
	end
	return facts
end

return gpu
