/* The USE flags of a merge list's line, as Portage shows them. */
#include "emerge_show.h"

#include <stdlib.h>

/* USE itself, or one variable of USE_EXPAND: the flags that are on, off, and gone from IUSE. */
struct group {
	const char *name, *prefix;
	struct buf on, off, gone;
	bool hidden;
};
struct groups {
	VEC(struct group) list; /* USE is the first */
	const struct emerge *m;
	bool color, all; /* all: unchanged flags of what is installed, too */
};

static int by_name(const void *a, const void *b)
{
	const struct iuse *x = a, *y = b;
	return str_cmp(x->name, y->name);
}

static int by_group(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	return strcmp(x->prefix, y->prefix);
}

/* "AMDGPU_TARGETS" → "amdgpu_targets_". */
static const char *prefix_of(struct arena *a, struct str name)
{
	char *prefix = arena_printf(a, "%.*s_", STR_ARG(name));
	for (char *p = prefix; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	return prefix;
}

static void find_groups(struct groups *g, struct arena *a)
{
	const struct config *c = g->m->engine.config;
	struct str rest = str_of(config_var(c, "USE_EXPAND")), word;
	vec_push(&g->list, (struct group){ .name = "USE", .prefix = "" });
	while (str_word(&rest, &word)) {
		const char *name = arena_strndup(a, word.p, word.n);
		vec_push(&g->list, (struct group){ .name = name,
					   .prefix = prefix_of(a, word),
					   .hidden = config_has(c, "USE_EXPAND_HIDDEN", name) });
	}
	qsort(g->list.v, g->list.n, sizeof *g->list.v, by_group);
}

/* The group with the longest prefix that fits; USE fits always. */
static struct group *group_of(struct groups *g, struct str flag)
{
	struct group *best = &g->list.v[0];
	for (size_t i = 1; i < g->list.n; i++) {
		struct group *one = &g->list.v[i];
		if (str_starts(flag, one->prefix) && strlen(one->prefix) > strlen(best->prefix))
			best = one;
	}
	return best;
}

/* How one flag is shown. */
struct look {
	const char *color, *sign, *marks;
	bool brackets;
};

static void add_flag(const struct groups *g, const struct group *to, struct buf *out,
	struct str flag, const struct look *look)
{
	size_t cut = strlen(to->prefix);
	struct buf text = BUF_INIT;
	buf_printf(&text, "%s%.*s", look->sign, (int)(flag.n - cut), flag.p + cut);
	buf_adds(out, out->n > 0 ? " " : "");
	buf_adds(out, look->brackets ? "(" : "");
	emerge_tint(out, g->color, look->color, buf_str(&text));
	buf_printf(out, "%s%s", look->marks, look->brackets ? ")" : "");
	buf_fini(&text);
}

static void add_present(struct groups *g, const struct iuse *flag, const struct pkg *old)
{
	const struct iuse *before = old != NULL ? emerge_declared(g->m, old, flag->name) : NULL;
	bool fixed = flag->forced || flag->masked;
	struct look look = { flag->on ? TINT_RED : TINT_BLUE, flag->on ? "" : "-", "", fixed };
	struct group *to = group_of(g, flag->name);
	if (old != NULL && before == NULL) {
		look.color = TINT_YELLOW;
		look.marks = flag->on ? "%*" : fixed ? "" : "%";
	} else if (before != NULL && before->on != flag->on) {
		look.color = TINT_GREEN;
		look.marks = "*";
	} else if (old != NULL && !g->all) {
		return;
	}
	add_flag(g, to, flag->on ? &to->on : &to->off, flag->name, &look);
}

static void add_gone(struct groups *g, const struct pkg *p, const struct pkg *old)
{
	for (size_t i = 0; i < old->n_iuse; i++) {
		const struct iuse *flag = &old->iuse[i];
		if (emerge_declared(g->m, old, flag->name) == NULL ||
			pkg_iuse(p, flag->name) != NULL)
			continue;
		const struct look look = { TINT_YELLOW, "-", flag->on ? "%*" : "%", true };
		struct group *to = group_of(g, flag->name);
		add_flag(g, to, &to->gone, flag->name, &look);
	}
}

static void print_group(struct group *g, struct buf *out)
{
	const struct buf *parts[] = { &g->on, &g->off, &g->gone };
	bool any = false;
	for (size_t i = 0; i < 3 && !g->hidden; i++) {
		if (parts[i]->n == 0)
			continue;
		if (!any)
			buf_printf(out, " %s=\"", g->name);
		buf_printf(out, "%s%s", any ? " " : "", buf_str(parts[i]));
		any = true;
	}
	buf_adds(out, any ? "\"" : "");
	buf_fini(&g->on);
	buf_fini(&g->off);
	buf_fini(&g->gone);
}

void emerge_add_use(const struct emerge_view *v, struct buf *out, const struct resolve_item *item)
{
	struct arena a = ARENA_INIT;
	const struct pkg *p = item->pkg;
	struct groups g = { .m = v->m,
		.color = v->color,
		.all = item->replaces == NULL || v->m->cli->verbose > 0 };
	find_groups(&g, &a);
	struct iuse *sorted = arena_calloc(&a, p->n_iuse + 1, sizeof *sorted);
	for (size_t i = 0; i < p->n_iuse; i++)
		sorted[i] = p->iuse[i];
	qsort(sorted, p->n_iuse, sizeof *sorted, by_name);
	for (size_t i = 0; i < p->n_iuse; i++)
		add_present(&g, &sorted[i], item->replaces);
	if (item->replaces != NULL)
		add_gone(&g, p, item->replaces);
	for (size_t i = 0; i < g.list.n; i++)
		print_group(&g.list.v[i], out);
	vec_fini(&g.list);
	arena_fini(&a);
}
