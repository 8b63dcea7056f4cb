#include "use_map.h"

#include <stdlib.h>

static char use_on, use_off;

static bool has_prefix(struct str s, struct str prefix)
{
	return s.n >= prefix.n && memcmp(s.p, prefix.p, prefix.n) == 0;
}

/* The "p_" of "p_*"; empty when the token has another form. */
static struct str prefix_of(struct str token)
{
	bool has = token.n > 2 && str_ends(token, "_*");
	return has ? (struct str){ token.p, token.n - 1 } : STR("");
}

static void set_prefix(struct use_map *m, struct str prefix, bool on)
{
	for (size_t i = 0; i < m->flags.cap; i++) {
		struct map_slot *s = &m->flags.slots[i];
		if (s->value != NULL && has_prefix(s->key, prefix))
			s->value = on ? &use_on : &use_off;
	}
	vec_push(&m->prefixes, (struct use_prefix){ prefix, on });
}

void use_map_add(struct use_map *m, struct str token)
{
	bool on = !str_starts(token, "-");
	struct str flag = { token.p + !on, token.n - !on };
	if (on && str_starts(flag, "+"))
		flag = (struct str){ flag.p + 1, flag.n - 1 };
	if (flag.n == 0)
		return;
	if (!on && str_is(flag, "*")) {
		use_map_fini(m);
		m->cleared = true;
		return;
	}
	struct str prefix = prefix_of(flag);
	if (prefix.n > 0)
		set_prefix(m, prefix, on);
	else
		map_set(&m->flags, flag, on ? &use_on : &use_off);
}

void use_map_add_words(struct use_map *m, struct str text)
{
	struct str word;
	while (str_word(&text, &word))
		use_map_add(m, word);
}

void use_map_fini(struct use_map *m)
{
	map_fini(&m->flags);
	vec_fini(&m->prefixes);
	m->cleared = false;
}

int use_map_get(const struct use_map *m, struct str flag)
{
	const void *state = map_get(&m->flags, flag);
	if (state != NULL)
		return state == &use_on ? 1 : -1;
	for (size_t i = m->prefixes.n; i-- > 0;) {
		if (has_prefix(flag, m->prefixes.v[i].prefix))
			return m->prefixes.v[i].on ? 1 : -1;
	}
	return m->cleared ? -1 : 0;
}

int use_token_says(struct str token, struct str flag)
{
	int sign = str_starts(token, "-") ? -1 : 1;
	size_t skip = sign < 0 || str_starts(token, "+");
	struct str name = { token.p + skip, token.n - skip };
	if (str_eq(name, flag) || (sign < 0 && str_is(name, "*")))
		return sign;
	struct str prefix = prefix_of(name);
	return prefix.n > 0 && has_prefix(flag, prefix) ? sign : 0;
}

int use_layers_get(const struct use_layers *l, struct str flag)
{
	for (size_t i = l->list.n; i-- > 0;) {
		const struct use_layer *layer = &l->list.v[i];
		int says = layer->map != NULL ? use_map_get(layer->map, flag) : 0;
		for (size_t j = layer->n; says == 0 && j-- > 0;)
			says = use_token_says(layer->words[j], flag);
		if (says != 0)
			return says;
	}
	return 0;
}
