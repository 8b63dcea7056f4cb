#include "fetch_plan.h"

#include "fetch_url.h"
#include "fs.h"

#include <fcntl.h>

static bool is_mirror_name(const char *uri)
{
	return strncmp(uri, "mirror://", 9) == 0;
}

static void read_local_layout(struct site *s)
{
	struct err ignored = ERR_INIT;
	struct buf text = BUF_INIT;
	char *path = site_layout_url(s);
	s->known = true;
	s->found = fs_read(AT_FDCWD, path, &text, &ignored);
	if (s->found)
		s->layout = layout_parse((struct str){ text.p, text.n });
	buf_fini(&text);
	free(path);
}

/* A local mirror may be the directory itself or, as on the net, have a distfiles/ below it. */
static void add_local(struct sites *s, char *base)
{
	struct site here = { .base = base, .local = true };
	struct site below = { .base = xasprintf("%s/distfiles", base), .local = true };
	read_local_layout(&here);
	read_local_layout(&below);
	vec_push(&s->all, here);
	vec_push(&s->all, below);
}

void sites_init(struct sites *s, const struct fetch_opts *o)
{
	*s = (struct sites){ 0 };
	for (size_t i = 0; i < o->n_mirrors; i++) {
		char *text = xstrdup(o->mirrors[i]);
		size_t n = strlen(text);
		while (n > 1 && text[n - 1] == '/')
			text[--n] = '\0';
		char *path = url_local_path(text);
		if (path != NULL)
			add_local(s, path);
		else
			vec_push(&s->all, (struct site){ .base = xasprintf("%s/distfiles", text) });
		free(text);
	}
}

void sites_fini(struct sites *s)
{
	for (size_t i = 0; i < s->all.n; i++)
		free(s->all.v[i].base);
	vec_fini(&s->all);
}

char *site_layout_url(const struct site *s)
{
	return xasprintf("%s/layout.conf", s->base);
}

static void add_url(struct mirror_urls *out, char *url)
{
	if (url != NULL)
		vec_push(out, (struct mirror_url){ .url = url });
}

/* The mirror's own address without the distfiles/ that sites_init put behind it. */
static char *flat_url(const struct site *s, const char *path)
{
	return xasprintf("%.*s/%s", (int)(strlen(s->base) - strlen("/distfiles")), s->base, path);
}

static void add_site(const struct site *s, const struct fetch_file *file, struct mirror_urls *out)
{
	static const struct layout flat = { .kind = LAYOUT_FLAT };
	char *path = layout_path(&s->layout, file, !s->local);
	if (path == NULL)
		path = layout_path(&flat, file, !s->local);
	add_url(out, xasprintf("%s/%s", s->base, path));
	/* A plain directory on a web server has neither layout.conf nor distfiles/. */
	if (!s->local && s->known && !s->found)
		add_url(out, flat_url(s, path));
	free(path);
}

void plan_urls(const struct fetch_opts *o, const struct sites *s, const struct fetch_file *file,
	struct mirror_urls *out)
{
	for (size_t i = 0; i < s->all.n && !file->no_mirrors; i++)
		add_site(&s->all.v[i], file, out);
	for (size_t i = 0; i < file->n_uris; i++) {
		if (!is_mirror_name(file->uris[i]))
			add_url(out, xstrdup(file->uris[i]));
	}
	for (size_t i = 0; i < file->n_uris; i++) {
		if (is_mirror_name(file->uris[i]) && !mirrors_expand(o->names, file->uris[i], out))
			add_url(out, xstrdup(file->uris[i]));
	}
}
