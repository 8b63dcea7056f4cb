#include "fetch_layout.h"
#include "fetch_sniff.h"
#include "fetch_url.h"
#include "mem.h"
#include "mirror.h"
#include "mirror_apt.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static void fuzz_apt(struct str text)
{
	struct apt_sources sources = { 0 };
	struct apt_conf conf = { 0 };
	apt_parse_list(text, &sources);
	apt_parse_sources(text, &sources);
	apt_conf_parse(text, &conf);
	apt_conf_get(&conf, "acquire::http::proxy");
	apt_sources_fini(&sources);
	apt_conf_fini(&conf);
}

static void fuzz_mirrors(struct str text)
{
	struct mirrors *m = mirrors_new();
	struct mirror_urls urls = { 0 };
	mirrors_add(m, text);
	mirrors_expand(m, "mirror://a/b", &urls);
	mirror_urls_fini(&urls);
	mirrors_free(m);
}

static void fuzz_layout(struct str text)
{
	struct fetch_file file = { .name = "a.tar", .blake2b = "0123", .sha512 = "4567" };
	struct layout l = layout_parse(text);
	free(layout_path(&l, &file, true));
}

static void fuzz_url(const char *url)
{
	free(url_authority(url));
	free(url_local_path(url));
	free(url_shown(url));
}

/* Everything that comes from servers, from apt's files or from a mirror list. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	struct str text = { (const char *)data, n };
	char *url = xstrndup(text.p, n);
	fuzz_apt(text);
	fuzz_mirrors(text);
	fuzz_layout(text);
	fuzz_url(url);
	if (sniff_is_page(text) && sniff_title(text).n > n)
		abort();
	free(url);
	return 0;
}
