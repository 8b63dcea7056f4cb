#include "config_int.h"

#include <stdlib.h>
#include <string.h>

/* Variables whose values add up over the layers (PMS 5.3.1 and portage-formats §6). */
bool config_incremental(const char *name)
{
	static const char *const names[] = { "ACCEPT_KEYWORDS", "ACCEPT_LICENSE",
		"ACCEPT_PROPERTIES", "ACCEPT_RESTRICT", "CONFIG_PROTECT", "CONFIG_PROTECT_MASK",
		"ENV_UNSET", "FEATURES", "IUSE_IMPLICIT", "PRELINK_PATH", "PRELINK_PATH_MASK",
		"PROFILE_ONLY_VARIABLES", "USE", "USE_EXPAND", "USE_EXPAND_HIDDEN",
		"USE_EXPAND_IMPLICIT", "USE_EXPAND_UNPREFIXED" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

struct str config_expand_prefix(struct arena *a, struct str name)
{
	char *prefix = arena_printf(a, "%.*s_", STR_ARG(name));
	for (char *c = prefix; *c != '\0'; c++) {
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	}
	return str_of(prefix);
}

static size_t find_word(const struct word_list *l, struct str word)
{
	size_t i = 0;
	while (i < l->list.n && !str_eq(l->list.v[i], word))
		i++;
	return i;
}

static void drop_word(struct word_list *l, struct str word)
{
	size_t i = find_word(l, word);
	if (l->list.v == NULL || i == l->list.n)
		return;
	l->list.n--;
	memmove(&l->list.v[i], &l->list.v[i + 1], (l->list.n - i) * sizeof *l->list.v);
}

/* Stack "x", "-x" and "-*" onto a list. */
static void stack_words(struct word_list *l, struct str text)
{
	struct str word;
	while (str_word(&text, &word)) {
		if (str_is(word, "-*"))
			l->list.n = 0;
		else if (word.p[0] == '-')
			drop_word(l, (struct str){ word.p + 1, word.n - 1 });
		else if (find_word(l, word) == l->list.n)
			vec_push(&l->list, word);
	}
}

static const char *join(struct config *c, const struct word_list *l)
{
	struct buf out = BUF_INIT;
	for (size_t i = 0; i < l->list.n; i++) {
		if (i > 0)
			buf_addc(&out, ' ');
		buf_add_str(&out, l->list.v[i]);
	}
	const char *text = arena_strdup(&c->arena, buf_str(&out));
	buf_fini(&out);
	return text;
}

/* Does "-x" keep its meaning for what is decided a package? Then the words stay as they are. */
static bool keeps_order(const char *name)
{
	return strcmp(name, "ACCEPT_LICENSE") == 0 || strcmp(name, "ACCEPT_PROPERTIES") == 0 ||
	       strcmp(name, "ACCEPT_RESTRICT") == 0;
}

static const char *stacked(struct config *c, const char *name)
{
	struct word_list words = { 0 };
	for (size_t i = 0; i < LAYERS; i++) {
		struct str text = str_of(vars_get(&c->layer[i], name)), word;
		if (keeps_order(name)) {
			while (str_word(&text, &word))
				vec_push(&words.list, word);
		} else {
			stack_words(&words, text);
		}
	}
	const char *value = join(c, &words);
	vec_fini(&words.list);
	return value;
}

/* The final value of every variable but USE. */
static void finish_vars(struct config *c)
{
	for (size_t i = 0; i < LAYERS; i++) {
		const struct strv *names = &c->layer[i].names;
		for (size_t j = 0; j < names->n; j++) {
			const char *name = names->v[j];
			if (!config_incremental(name))
				vars_set(&c->final, name, vars_get(&c->layer[i], name));
			else if (vars_get(&c->final, name) == NULL)
				vars_set(&c->final, name, stacked(c, name));
		}
	}
}

/* Add the words of a variable to a map, each with a prefix behind its '-'. */
static void add_prefixed(struct config *c, struct use_map *m, struct str prefix, struct str text)
{
	struct str word;
	while (str_word(&text, &word)) {
		bool off = word.p[0] == '-', sign = off || word.p[0] == '+';
		char *flag = arena_printf(&c->arena, "%s%.*s%.*s", off ? "-" : "", STR_ARG(prefix),
			(int)(word.n - sign), word.p + sign);
		use_map_add(m, str_of(flag));
	}
}

/*
 * Add the USE_EXPAND variables that vars sets. In make.defaults they add to what is below, in the
 * other layers they replace all flags of their prefix.
 */
static void add_expanded(struct config *c, struct use_map *m, const struct vars *vars, bool replace)
{
	struct str names = str_of(config_var(c, "USE_EXPAND_UNPREFIXED")), name;
	while (str_word(&names, &name))
		add_prefixed(c, m, STR(""), str_of(map_get(&vars->map, name)));
	names = str_of(config_var(c, "USE_EXPAND"));
	while (str_word(&names, &name)) {
		const char *value = map_get(&vars->map, name);
		if (value == NULL)
			continue;
		struct str prefix = config_expand_prefix(&c->arena, name);
		if (replace)
			use_map_add(m, str_of(arena_printf(&c->arena, "-%.*s*", STR_ARG(prefix))));
		add_prefixed(c, m, prefix, str_of(value));
	}
}

static void stack_layer_use(struct config *c, enum layer layer, struct use_map *m)
{
	use_map_add_words(m, str_of(vars_get(&c->layer[layer], "USE")));
	for (size_t i = 0; layer == LAYER_CONF && i < c->use.n_global; i++)
		use_map_add(m, c->use.global[i]);
	add_expanded(c, m, &c->layer[layer], true);
}

static void stack_make_defaults(struct config *c, struct policy *p, struct use_map *m)
{
	add_expanded(c, m, &p->make_defaults, false);
	use_map_add_words(m, str_of(vars_get(&p->make_defaults, "USE")));
}

/* Put a map on top of another one. */
static void stack_map(struct config *c, struct use_map *to, const struct use_map *from)
{
	if (from->cleared)
		use_map_add(to, STR("-*"));
	for (size_t i = 0; i < from->prefixes.n; i++) {
		const struct use_prefix *p = &from->prefixes.v[i];
		use_map_add(to, str_of(arena_printf(&c->arena, "%s%.*s*", p->on ? "" : "-",
					STR_ARG(p->prefix))));
	}
	for (size_t i = 0; i < from->flags.cap; i++) {
		struct str flag = from->flags.slots[i].key;
		if (from->flags.slots[i].value == NULL)
			continue;
		if (use_map_get(from, flag) < 0)
			flag = str_of(arena_printf(&c->arena, "-%.*s", STR_ARG(flag)));
		use_map_add(to, flag);
	}
}

static bool speaks_of_stable(const struct policy *p)
{
	return p->use_stable_mask.flags.n + p->use_stable_force.flags.n > 0 ||
	       p->package_use_stable_mask.all.list.n + p->package_use_stable_force.all.list.n > 0;
}

static void stack_masks(struct config *c, const struct policy *p)
{
	c->any_stable |= speaks_of_stable(p);
	for (int stable = 0; stable < 2; stable++) {
		stack_map(c, &c->masked[stable], &p->use_mask);
		stack_map(c, &c->forced[stable], &p->use_force);
	}
	stack_map(c, &c->masked[1], &p->use_stable_mask);
	stack_map(c, &c->forced[1], &p->use_stable_force);
}

static void stack_repository(struct config *c, struct policy *p)
{
	stack_make_defaults(c, p, &p->defaults);
	c->any_stable |= speaks_of_stable(p);
}

static void mark(struct config *c, struct implicit_use *to, struct str flag)
{
	map_set(&to->valid, flag, c);
}

static bool has_word(struct str text, struct str wanted)
{
	struct str word;
	while (str_word(&text, &word)) {
		if (str_eq(word, wanted))
			return true;
	}
	return false;
}

/* All of USE_EXPAND_VALUES_NAME, behind prefix. */
static void mark_values(struct config *c, struct str prefix, struct str name)
{
	char *variable = xasprintf("USE_EXPAND_VALUES_%.*s", STR_ARG(name));
	struct str values = str_of(config_var(c, variable)), word;
	while (str_word(&values, &word))
		mark(c, &c->implicit,
			str_of(arena_printf(
				&c->arena, "%.*s%.*s", STR_ARG(prefix), STR_ARG(word))));
	free(variable);
}

/* PMS 11.1.1: what EAPI 5 on may name without declaring it. */
static void find_implicit(struct config *c)
{
	struct str names = str_of(config_var(c, "IUSE_IMPLICIT")), name;
	struct str unprefixed = str_of(config_var(c, "USE_EXPAND_UNPREFIXED"));
	struct str expanded = str_of(config_var(c, "USE_EXPAND"));
	while (str_word(&names, &name))
		mark(c, &c->implicit, name);
	names = str_of(config_var(c, "USE_EXPAND_IMPLICIT"));
	while (str_word(&names, &name)) {
		if (has_word(unprefixed, name))
			mark_values(c, STR(""), name);
		if (has_word(expanded, name))
			mark_values(c, config_expand_prefix(&c->arena, name), name);
	}
}

static void mark_map(struct config *c, const struct use_map *m)
{
	for (size_t i = 0; i < m->flags.cap; i++) {
		if (m->flags.slots[i].value != NULL && use_map_get(m, m->flags.slots[i].key) > 0)
			mark(c, &c->implicit_old, m->flags.slots[i].key);
	}
}

/* Before EAPI 5: ARCH and its kin, hidden USE_EXPAND flags, whatever is masked or forced. */
static void find_implicit_old(struct config *c)
{
	struct str names = str_of(config_var(c, "USE_EXPAND_HIDDEN")), name;
	mark(c, &c->implicit_old, STR("build"));
	mark(c, &c->implicit_old, STR("bootstrap"));
	mark(c, &c->implicit_old, str_of(config_var(c, "ARCH")));
	mark_map(c, &c->masked[0]);
	mark_map(c, &c->forced[0]);
	struct str *prefixes = arena_alloc(&c->arena, (names.n / 2 + 1) * sizeof *prefixes);
	while (str_word(&names, &name))
		prefixes[c->implicit_old.n_prefixes++] = config_expand_prefix(&c->arena, name);
	c->implicit_old.prefixes = prefixes;
	for (size_t i = 0; i < c->repos->list.n; i++) {
		struct line_list lines = { 0 };
		struct err ignored = ERR_INIT;
		char *path = xasprintf("%s/profiles/arch.list", c->repos->list.v[i]->path);
		lines_read(&c->arena, path, &lines, &ignored);
		for (size_t j = 0; j < lines.list.n; j++)
			mark(c, &c->implicit_old, lines.list.v[j].words[0]);
		vec_fini(&lines.list);
		free(path);
	}
}

static void collect_flags(struct map *seen, const struct use_map *m)
{
	for (size_t i = 0; i < m->flags.cap; i++) {
		if (m->flags.slots[i].value != NULL)
			map_set(seen, m->flags.slots[i].key, seen);
	}
}

/* Flags that are on for no package in particular, and so which of the implicit ones are. */
static void find_global_use(struct config *c, struct strv *on)
{
	const struct use_map *maps[] = { &c->use_env_d, &c->use_defaults, &c->use_conf, &c->use_env,
		&c->forced[0] };
	struct use_layers layers = { 0 };
	struct map seen = MAP_INIT;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		vec_push(&layers.list, (struct use_layer){ .map = maps[i] });
		collect_flags(&seen, maps[i]);
	}
	for (size_t i = 0; i < seen.cap; i++) {
		struct str flag = seen.slots[i].key;
		if (seen.slots[i].value == NULL || use_layers_get(&layers, flag) <= 0 ||
			use_map_get(&c->masked[0], flag) > 0)
			continue;
		strv_own(on, xstrndup(flag.p, flag.n));
		map_set(&c->implicit.on, flag, c);
		map_set(&c->implicit_old.on, flag, c);
	}
	map_fini(&seen);
	vec_fini(&layers.list);
}

/* The variable USE, sorted. */
static void finish_use(struct config *c)
{
	struct strv on = STRV_INIT;
	struct buf text = BUF_INIT;
	find_global_use(c, &on);
	strv_sort(&on);
	for (size_t i = 0; i < on.n; i++)
		buf_printf(&text, "%s%s", i > 0 ? " " : "", on.v[i]);
	vars_set(&c->final, "USE", arena_strdup(&c->arena, buf_str(&text)));
	buf_fini(&text);
	strv_fini(&on);
}

static void split(const char *text, struct word_list *out)
{
	struct str rest = str_of(text), word;
	while (str_word(&rest, &word))
		vec_push(&out->list, word);
}

/* Words of the user's global lines follow those of the variable; groups are expanded. */
static void accept(
	struct config *c, const char *name, const struct user_table *t, struct word_list *out)
{
	struct str rest = str_of(config_var(c, name)), word;
	while (str_word(&rest, &word))
		config_license_words(c, word, out);
	for (size_t i = 0; i < t->n_global; i++)
		config_license_words(c, t->global[i], out);
}

static void accept_keywords(struct config *c)
{
	struct buf text = BUF_INIT;
	for (size_t i = 0; i < LAYERS; i++) {
		const char *words = vars_get(&c->layer[i], "ACCEPT_KEYWORDS");
		buf_printf(&text, "%s ", words != NULL ? words : "");
		for (size_t j = 0; i == LAYER_CONF && j < c->keywords.n_global; j++)
			buf_printf(&text, "%.*s ", STR_ARG(c->keywords.global[j]));
	}
	stack_words(&c->accept_keywords, str_of(arena_strdup(&c->arena, buf_str(&text))));
	buf_fini(&text);
	for (size_t i = 0; i < c->accept_keywords.list.n; i++) {
		struct str k = c->accept_keywords.list.v[i];
		if (k.p[0] != '~' && k.p[0] != '-')
			vec_push(&c->testing_keywords.list,
				str_of(arena_printf(&c->arena, "~%.*s", STR_ARG(k))));
	}
	split(vars_get(&c->layer[LAYER_ENV], "ACCEPT_KEYWORDS"), &c->env_keywords);
}

void config_stack(struct config *c)
{
	finish_vars(c);
	stack_layer_use(c, LAYER_ENV_D, &c->use_env_d);
	stack_layer_use(c, LAYER_CONF, &c->use_conf);
	stack_layer_use(c, LAYER_ENV, &c->use_env);
	for (size_t i = 0; i < c->profiles.list.n; i++) {
		struct policy *p = c->profiles.list.v[i];
		stack_make_defaults(c, p, &p->defaults);
		stack_make_defaults(c, p, &c->use_defaults);
		stack_masks(c, p);
	}
	for (size_t i = 0; i < c->repos->list.n; i++)
		stack_repository(c, &c->of_repo[i]);
	use_map_add(&c->forced[0], str_of(config_var(c, "ARCH")));
	use_map_add(&c->forced[1], str_of(config_var(c, "ARCH")));
	find_implicit(c);
	find_implicit_old(c);
	finish_use(c);
	accept_keywords(c);
	accept(c, "ACCEPT_LICENSE", &c->license, &c->accept_license);
	accept(c, "ACCEPT_PROPERTIES", &c->properties, &c->accept_properties);
	accept(c, "ACCEPT_RESTRICT", &c->restrict_, &c->accept_restrict);
}
