-- strict: a misspelt name is an error here and now, and no module leaves globals behind.
return setmetatable(_G, {
	__index = function(_, name)
		error(("undefined variable '%s'"):format(tostring(name)), 2)
	end,
	__newindex = function(_, name)
		error(("assignment to the global '%s'"):format(tostring(name)), 2)
	end,
})
