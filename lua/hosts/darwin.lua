-- darwin: facts about a macOS host. Only a guest prefix is offered: Apple ships no static C library to stand on.
-- Its decisions are tested with simulated probes; no Mac has run it yet.
local arches = { x86_64 = "amd64", arm64 = "arm64" }
local machines = { amd64 = "x86_64", arm64 = "aarch64" }

local hello = {
	c = "int main(void) { return 0; }\n",
	["c++"] = "#include <stdexcept>\nint main() { try { throw std::runtime_error(\"x\"); } catch (...) { return 0; } return 1; }\n",
}

-- What stands between the user and a working compiler, in Apple's terms.
local function developer_tools(probe)
	local status, output = probe.run { "xcode-select", "-p" }
	if status ~= 0 then
		return nil, "the Command Line Tools are not installed: run `xcode-select --install`"
	end
	local tools = output:match "^%S+"
	status, output = probe.run { "xcrun", "--show-sdk-path" }
	if status ~= 0 and output:find("license", 1, true) then
		return nil, "the Xcode licence is not accepted: run `sudo xcodebuild -license`"
	elseif status ~= 0 then
		return nil, "the Command Line Tools in " .. tools .. " hold no SDK: reinstall them with `xcode-select --install`"
	end
	return tools, output:match "^[^\n]+"
end

return function(probe, wish)
	local uname = probe.uname()
	local facts = { os = "darwin", machine = uname.machine, arch = arches[uname.machine], unfit = {} }
	if not facts.arch then
		facts.unfit = { "no recipes for a " .. uname.machine .. " processor: x86_64 and arm64 are known" }
		return facts
	end
	local tools, sdk = developer_tools(probe)
	if not tools then
		table.insert(facts.unfit, sdk)
		return facts
	end
	local _, release = probe.run { "uname", "-r" }
	facts.chost = machines[facts.arch] .. "-apple-darwin" .. (release:match "^%d+" or "")
	facts.sdk, facts.path, facts.libc, facts.retarget = sdk, probe.path(), "darwin", false
	facts.cc = probe.which(wish.cc or "clang") or probe.which "cc"
	facts.cxx = probe.which(wish.cxx or "clang++") or probe.which "c++"
	for language, program in pairs { c = facts.cc or false, ["c++"] = facts.cxx or false } do
		if not program or probe.program { program, language, hello[language] } ~= "ran" then
			table.insert(facts.unfit, "no compiler that makes a " .. language .. " program which runs: run `xcode-select --install`")
		end
	end
	facts.cc_kind, facts.make = "clang", probe.which "make" ~= nil
	facts.python3 = probe.which "python3" ~= nil and probe.run { "python3", "-c", "pass" } == 0
	if #facts.unfit == 0 then
		facts.unfit = nil
	end
	return facts
end
