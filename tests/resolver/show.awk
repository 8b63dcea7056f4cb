# The output of `eprefix emerge --pretend` in the short form of the cases. -v status=EXIT-STATUS
function letters(text) {
	gsub(/[ \t]/, "", text)
	return text
}

/^\[ebuild / {
	close_at = index($0, "]")
	flags = letters(substr($0, 9, close_at - 9))
	rest = substr($0, close_at + 2)
	split(rest, word, " ")
	what = word[1]
	sub(/::main$/, "", what)
	sub(/:0::/, "::", what)
	sub(/:0$/, "", what)
	rest = substr(rest, length(word[1]) + 1)
	sub(/ +[0-9,]+ KiB.*$/, "", rest)
	gsub(/  +/, " ", rest)
	gsub(/:0::main\]/, "]", rest)
	gsub(/::main\]/, "]", rest)
	line[++n] = flags " " what rest
	next
}

/^\[uninstall / || /^\[blocks / {
	split(substr($0, index($0, "]") + 2), word, " ")
	what = word[1]
	sub(/::main$/, "", what)
	sub(/:0$/, "", what)
	line[++n] = ($0 ~ /^\[blocks/ ? letters(substr($0, 9, index($0, "]") - 9)) " " : "remove ") what
	next
}

/^All selected packages:/ {
	for (i = 4; i <= NF; i++)
		line[++n] = "remove " substr($i, 2)
	next
}

/changes are necessary to proceed \(in etc\/portage\// {
	file = $0
	sub(/^.*etc\/portage\//, "", file)
	sub(/\).*$/, "", file)
	next
}

/^eprefix: / || $0 == "" { file = "" }
file != "" && $0 !~ /^#/ { line[++n] = "+ " file ": " $0 }
file == "" && $0 != "" { message[++n_messages] = $0 }

END {
	if (status != 0 && n == 0 || status != 0 && status != 6) {
		print status == 6 ? "fails" : "fails " status
		for (i = 1; i <= n_messages; i++)
			print message[i]
		exit
	}
	for (i = 1; i <= n; i++)
		print line[i]
	if (n == 0)
		print "nothing"
}
