-- plain: no build system; the recipe gives the phases it needs.
local system = require("system")

return system.new({ name = "plain" })
