# Reads names of src files; prints each include of a header that a higher layer owns, and each use of a library
# outside the file that is there for it.
function layer_of(path, part) {
	split(path, part, "/")
	return part[2]
}
function allowed(path, re) {
	if (path !~ re)
		print path ":" line_no ": " header " is for " re " only"
}
BEGIN {
	n = split("base os core pms run bind cli", order, " ")
	for (i = 1; i <= n; i++)
		rank[order[i]] = i
}
{
	file[NR] = $0
	if ($0 ~ /\.h$/ && split($0, part, "/") == 3)
		owner[part[3]] = part[2]
}
END {
	for (f = 1; f <= NR; f++)
		check(file[f])
}
function check(path, line, mine) {
	mine = layer_of(path)
	line_no = 0
	while ((getline line <path) > 0) {
		line_no++
		if (line !~ /^#[ \t]*include/)
			continue
		header = line
		sub(/^[^"<]*["<]/, "", header)
		sub(/[">].*/, "", header)
		if (line ~ /"/ && header in owner && mine in rank && rank[owner[header]] > rank[mine])
			print path ":" line_no ": includes " header " of the higher layer " owner[header]
		if (header ~ /^curl\//)
			allowed(path, "^src/core/fetch")
		if (header ~ /^archive(_entry)?\.h$/)
			allowed(path, "^src/core/(archive|pack)")
		if (header ~ /^(lua|lauxlib|lualib)\.h$/)
			allowed(path, "^src/bind/")
		if (header == "picosat.h")
			allowed(path, "^src/pms/sat")
		if (header == "cJSON.h")
			allowed(path, "^src/pms/json")
		if (header ~ /^mbedtls\// || header == "blake2.h")
			allowed(path, "^src/os/digest")
	}
	close(path)
}
