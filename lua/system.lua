-- system: what every build system shares; each one in systems/ adds its own phases.
local patch = require("patch")
local px = require("px")
local unpack = require("unpack")

local system = {}

local function unpack_phase(b)
	unpack.all(b)
end

local function prepare_phase(b)
	patch.own(b)
end

-- More of a spec that follows from what it says: the programs that its fields need.
local function extend(spec)
	local more = {}
	if spec.patches and #spec.patches > 0 then
		more.BDEPEND = { "sys-devel/patch" }
	end
	return more
end

-- A build system: a table with its name and phases, the shared ones added where it has none of its own.
-- `defaults` (a spec) comes below every recipe's; extend(spec) returns more of the same.
function system.new(own)
	own.unpack = own.unpack or unpack_phase
	own.prepare = own.prepare or prepare_phase
	local own_extend = own.extend
	own.extend = function(spec)
		local more = extend(spec)
		for name, value in pairs(own_extend and own_extend(spec) or {}) do
			more[name] = more[name] and table.move(value, 1, #value, #more[name] + 1, more[name]) or value
		end
		return more
	end
	return own
end

-- The build directory, empty, unless it is the source itself.
function system.fresh_build(b)
	if b.build ~= b.s then
		px.fs.remove(b.build)
		px.fs.mkdirs(b.build)
	end
end

system.prepare = prepare_phase

return system
