-- Perl, told everything its Configure would otherwise ask the host for.
local shell = lib "shell"

return plain {
	DESCRIPTION = "Larry Wall's Practical Extraction and Report Language",
	HOMEPAGE = "https://www.perl.org/",
	LICENSE = "Artistic GPL-1+",
	SLOT = "0/5.40",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"mirror://cpan/src/5.0/perl-$PV.tar.xz",
		"mirror://debian/pool/main/p/perl/perl_$PV.orig.tar.xz -> perl-$PV.tar.xz",
	} },
	in_source = true,

	configure = function(b)
		local sh = shell.path(b)
		-- What Configure finds out about the day and the machine has no place in a package.
		b:write("config.over", "cf_by=eprefix\ncf_email=eprefix@localhost\ncf_time='Thu Jan  1 00:00:00 UTC 1970'\n"
			.. "myhostname=localhost\nmydomain=.localdomain\nmyuname=" .. b.host.os .. "\nperladmin=root@localhost\nosvers=''\n")
		b:run {
			"sh", "./Configure", "-des", "-Dcc=$CC", "-Dar=$AR", "-Dnm=$NM", "-Dranlib=$RANLIB", "-Doptimize=$CFLAGS",
			"-Dprefix=$EPREFIX/usr", "-Dvendorprefix=$EPREFIX/usr", "-Dusrinc=$TARGET/usr/include", "-Dlibpth=$TARGET/usr/lib",
			"-Dglibpth=$TARGET/usr/lib", "-Dplibpth=$TARGET/usr/lib", "-Dlocincpth= ", "-Dloclibpth= ", "-Duseshrplib", "-Dusethreads",
			"-Dman1dir=none", "-Dman3dir=none", "-Dsh=" .. sh, "-Dstartsh=#!" .. sh, "-Dstartperl=#!$EPREFIX/usr/bin/perl",
			"-Dperlpath=$EPREFIX/usr/bin/perl", "-Di_db=undef", "-Di_gdbm=undef", "-Di_ndbm=undef", "-Di_crypt=undef", "-Dd_crypt=undef",
		}
	end,
	-- On the host's C library MakeMaker would make its directories run paths.
	compile = function(b) b:make { b.tools.guest and "LD_RUN_PATH=" or nil } end,
	-- Without the manuals, which Configure was told to leave out.
	install = function(b) b:make { "DESTDIR=$D", "install.perl", b.tools.guest and "LD_RUN_PATH=" or nil } end,
}
