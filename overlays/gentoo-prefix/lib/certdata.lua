-- certdata: NSS's list of certificate authorities (certdata.txt, PKCS #11 attributes as text) to PEM.
local certdata = {}

local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

-- RFC 4648 base 64.
function certdata.base64(bytes)
	local out = {}
	for i = 1, #bytes, 3 do
		local a, b, c = bytes:byte(i, i + 2)
		local n = a << 16 | (b or 0) << 8 | (c or 0)
		for shift = 18, 0, -6 do
			local at = (n >> shift & 63) + 1
			out[#out + 1] = alphabet:sub(at, at)
		end
		if not c then
			out[#out] = "="
		end
		if not b then
			out[#out - 1] = "="
		end
	end
	return table.concat(out)
end

-- One object a blank-line-separated block: its attributes, octal strings decoded.
local function objects(text)
	local list, object, value = {}, nil, nil
	for line in text:gmatch "[^\r\n]+" do
		local name, kind, rest = line:match "^(CKA_%S+)%s+(%S+)%s*(.*)$"
		if value then
			if line == "END" then
				value = nil
			else
				local field = object[value]
				object[value] = field .. line:gsub("\\(%d%d%d)", function(octal) return string.char(tonumber(octal, 8)) end)
			end
		elseif name == "CKA_CLASS" then
			object = { class = rest }
			list[#list + 1] = object
		elseif name and object and kind == "MULTILINE_OCTAL" then
			object[name], value = "", name
		elseif name and object then
			object[name] = rest
		end
	end
	return list
end

-- The PEM bundle of the authorities trusted for servers, and their number.
function certdata.pem(text)
	local certificates, trusted, out = {}, {}, {}
	for _, object in ipairs(objects(text)) do
		local id = (object.CKA_ISSUER or "") .. "\0" .. (object.CKA_SERIAL_NUMBER or "")
		if object.class == "CKO_CERTIFICATE" then
			certificates[#certificates + 1] = { id = id, label = object.CKA_LABEL or "", der = object.CKA_VALUE }
		elseif object.class == "CKO_NSS_TRUST" then
			trusted[id] = object.CKA_TRUST_SERVER_AUTH == "CKT_NSS_TRUSTED_DELEGATOR"
		end
	end
	for _, certificate in ipairs(certificates) do
		if trusted[certificate.id] and certificate.der then
			local body = certdata.base64(certificate.der):gsub(("."):rep(64), "%0\n")
			out[#out + 1] = "# " .. certificate.label:gsub('^"(.*)"$', "%1") .. "\n-----BEGIN CERTIFICATE-----\n"
				.. body:gsub("\n$", "") .. "\n-----END CERTIFICATE-----\n"
		end
	end
	return table.concat(out, "\n"), #out
end

return certdata
