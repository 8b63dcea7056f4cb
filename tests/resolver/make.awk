# Makes the prefix that a case describes. -v dir=PREFIX -v out=DIR for what is to be run and expected:
# out/options, out/request, out/expect, out/order.

function need(dirname) {
	if (!(dirname in made)) {
		made[dirname] = 1
		dirs = dirs " '" dirname "'"
	}
}

# All text is collected first: directories are made by one mkdir.
function put(path, line,   parent) {
	parent = path
	sub(/\/[^\/]*$/, "", parent)
	need(parent)
	if (!(path in text))
		order[++n_files] = path
	text[path] = text[path] line
}

function repository(name) {
	if (name in known)
		return
	known[name] = 1
	repos[++n_repos] = name
}

function fail(why) {
	printf "%s:%d: %s\n", FILENAME, FNR, why >"/dev/stderr"
	status = 1
	exit 1
}

# "a/pn-1.2-r3": cat, pn and pf are set.
function name(cpv,   slash) {
	slash = index(cpv, "/")
	cat = substr(cpv, 1, slash - 1)
	pf = substr(cpv, slash + 1)
	if (slash == 0 || !match(pf, /-[0-9]+(\.[0-9]+)*[a-z]?(_(alpha|beta|pre|rc|p)[0-9]*)*(-r[0-9]+)?$/))
		fail("\"" cpv "\" is no cat/name-version")
	pn = substr(pf, 1, RSTART - 1)
}

function flush_package(   key) {
	if (package == "")
		return
	name(package)
	if (section == "installed")
		flush_installed()
	else
		flush_ebuild()
	package = ""
	for (key in field)
		delete field[key]
}

function flush_ebuild(   file, key) {
	categories[cat] = 1
	put(dir "/repos/" repo "/" cat "/" pn "/" pf ".ebuild", "")
	file = dir "/repos/" repo "/metadata/md5-cache/" cat "/" pf
	for (key in field)
		put(file, key "=" field[key] "\n")
}

function flush_installed(   file, key) {
	file = dir "/var/db/pkg/" cat "/" pf "/"
	if (!("repository" in field))
		field["repository"] = "main"
	if (!("USE" in field))
		field["USE"] = ""
	if (!("IUSE" in field))
		field["IUSE"] = ""
	field["CATEGORY"] = cat
	field["PF"] = pf
	field["COUNTER"] = ++counter
	for (key in field)
		put(file key, field[key] "\n")
	put(file "CONTENTS", "")
}

function header(title) {
	flush_package()
	path = ""
	repo = ""
	section = title
	if (title ~ /^repository/) {
		section = "repository"
		repo = title == "repository" ? "main" : substr(title, 12)
		repository(repo)
	} else if (title == "world") {
		path = dir "/var/lib/portage/world"
	} else if (title ~ /^file /) {
		path = dir "/" substr(title, 6)
	} else if (title ~ /^expect/) {
		section = "expect"
		free_order = title == "expect in any order"
		path = out "/expect"
	} else if (title != "installed") {
		path = dir "/etc/portage/" title
	}
	if (path != "")
		put(path, "")
}

BEGIN {
	repository("main")
	section = ""
	put(dir "/var/db/pkg/.keep", "")
	put(dir "/var/lib/eprefix/.keep", "")
}

/^== / {
	header(substr($0, 4))
	next
}

section == "" {
	if ($0 ~ /^options:/)
		options = substr($0, 9)
	else if ($0 ~ /^request:/)
		request = substr($0, 9)
	else if ($0 !~ /^#/ && $0 != "")
		fail("neither comment, options, request nor \"== section\"")
	next
}

section == "repository" || section == "installed" {
	if ($0 == "")
		next
	if ($0 ~ /^[ \t]/) {
		sub(/^[ \t]+/, "")
		split($0, part, "=")
		field[part[1]] = substr($0, length(part[1]) + 2)
		next
	}
	flush_package()
	package = $0
	field["EAPI"] = 8
	field["SLOT"] = 0
	field["KEYWORDS"] = "amd64"
	field["DEFINED_PHASES"] = "-"
	next
}

section == "expect" && $0 == "" { next }

{ put(path, $0 "\n") }

END {
	if (status)
		exit 1
	flush_package()
	if (!((out "/expect") in text))
		fail("it does not say what is expected")
	conf = dir "/etc/portage/repos.conf"
	if (!(conf in text))
		put(conf, "[DEFAULT]\nmain-repo = main\n")
	for (i = 1; i <= n_repos; i++) {
		r = repos[i]
		if (index(text[conf], "[" r "]") == 0)
			put(conf, "[" r "]\nlocation = " dir "/repos/" r "\n")
		put(dir "/repos/" r "/profiles/repo_name", r "\n")
		layout = dir "/repos/" r "/metadata/layout.conf"
		if (!(layout in text))
			put(layout, r == "main" ? "masters =\n" : "masters = main\n")
		for (c in categories)
			put(dir "/repos/" r "/profiles/categories", c "\n")
		need(dir "/repos/" r "/metadata/md5-cache")
	}
	put(dir "/profile/make.defaults", "ARCH=\"amd64\"\nACCEPT_KEYWORDS=\"amd64\"\n")
	put(out "/options", options "\n")
	put(out "/request", request "\n")
	put(out "/order", free_order ? "free\n" : "fixed\n")
	if (system("mkdir -p" dirs) != 0 || system("ln -s ../../profile '" dir "/etc/portage/make.profile'") != 0)
		exit 1
	for (i = 1; i <= n_files; i++) {
		printf "%s", text[order[i]] >order[i]
		close(order[i])
	}
}
