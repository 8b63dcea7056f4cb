-- Perfect hash functions.
return autotools {
	DESCRIPTION = "A perfect hash function generator",
	HOMEPAGE = "https://www.gnu.org/software/gperf/",
	LICENSE = "GPL-3+",
	KEYWORDS = "amd64 ~arm64 ~arm64-macos ~x64-macos",
	sources = { any {
		"mirror://gnu/gperf/gperf-$PV.tar.gz",
		"mirror://debian/pool/main/g/gperf/gperf_$PV.orig.tar.gz -> gperf-$PV.tar.gz",
	} },
}
