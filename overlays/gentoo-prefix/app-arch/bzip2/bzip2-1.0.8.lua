-- bzip2 and its library, shared as every distribution has it.
return make {
	DESCRIPTION = "A high-quality data compressor used extensively by Gentoo Linux",
	HOMEPAGE = "https://sourceware.org/bzip2/",
	LICENSE = "BZIP2",
	SLOT = "0/1",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"mirror://sourceware/bzip2/bzip2-$PV.tar.gz",
		"mirror://debian/pool/main/b/bzip2/bzip2_$PV.orig.tar.gz -> bzip2-$PV.tar.gz",
	} },

	compile = function(b)
		b:make { "-f", "Makefile-libbz2_so", "CC=$CC", "CFLAGS=$CFLAGS -fpic -Wall -D_FILE_OFFSET_BITS=64", "all" }
		b:make { "CC=$CC", "AR=$AR", "RANLIB=$RANLIB", "CFLAGS=$CFLAGS -Wall -D_FILE_OFFSET_BITS=64", "bzip2recover" }
	end,
	install = function(b)
		b:newbin("bzip2-shared", "bzip2")
		b:dobin("bzip2recover", "bzdiff", "bzgrep", "bzmore")
		for _, link in ipairs { "bunzip2", "bzcat" } do
			b:dosym("bzip2", "/usr/bin/" .. link)
		end
		b:dosym("bzdiff", "/usr/bin/bzcmp")
		b:doins("/usr/include", "bzlib.h")
		b:doexe("/usr/lib", "libbz2.so.$PV")
		b:dosym("libbz2.so.$PV", "/usr/lib/libbz2.so.1.0")
		b:dosym("libbz2.so.$PV", "/usr/lib/libbz2.so.1")
		b:dosym("libbz2.so.1", "/usr/lib/libbz2.so")
		b:doman("bzip2.1")
	end,
}
