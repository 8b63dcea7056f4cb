#include "dep.h"

#include "eapi.h"
#include "vec.h"
#include "version.h"

/* An open group, and where its next child goes. */
struct frame {
	struct dep *group; /* NULL: the top */
	const struct dep **tail;
};

struct parser {
	const struct dep_parse *how;
	struct arena *arena;
	struct err *e;
	unsigned features;
	struct str rest; /* behind the current token */
	struct str token;
	size_t number; /* of the current token, from 1 */
	bool need_group; /* "(" must follow */
	bool need_file; /* a file name must follow */
	struct dep *pending; /* the operator that waits for its "(" */
	VEC(struct frame) open;
};

static bool bad(struct parser *p, const char *why)
{
	return err_set(p->e, ERR_CONFLICT, "pms.dep", "token %zu, '%.*s': %s", p->number,
		STR_ARG(p->token), why);
}

static struct frame *top(struct parser *p)
{
	return &p->open.v[p->open.n - 1];
}

/* Add a node with the current token to the open group. */
static struct dep *add(struct parser *p, enum dep_kind kind)
{
	struct dep *d = arena_calloc(p->arena, 1, sizeof *d);
	d->kind = kind;
	d->text = p->token;
	struct frame *f = top(p);
	*f->tail = d;
	f->tail = &d->next;
	return d;
}

static bool open_group(struct parser *p)
{
	if (p->need_file)
		return bad(p, "a file name must follow '->'");
	struct str rest = p->rest, next;
	bool empty = str_word(&rest, &next) && str_is(next, ")");
	if (empty && p->how->syntax != DEP_OF_FLAGS)
		return bad(p, "the group is empty");
	if (p->open.n > DEP_MAX_DEPTH)
		return bad(p, "groups are nested too deeply");
	struct dep *group = p->pending != NULL ? p->pending : add(p, DEP_ALL);
	p->pending = NULL;
	p->need_group = false;
	vec_push(&p->open, (struct frame){ group, &group->child });
	return true;
}

static bool close_group(struct parser *p)
{
	if (p->need_file)
		return bad(p, "a file name must follow '->'");
	if (p->open.n == 1)
		return bad(p, "there is no '(' for it");
	p->open.n--;
	return true;
}

static bool start_group(struct parser *p, struct dep *d)
{
	p->pending = d;
	p->need_group = true;
	return true;
}

static bool conditional(struct parser *p)
{
	if (p->need_file)
		return bad(p, "a file name must follow '->'");
	struct str flag = { p->token.p, p->token.n - 1 };
	bool negated = str_starts(flag, "!");
	flag = (struct str){ flag.p + negated, flag.n - negated };
	if (!name_flag(flag))
		return bad(p, "the condition names no USE flag");
	struct dep *d = add(p, DEP_USE);
	d->negated = negated;
	d->text = flag;
	return start_group(p, d);
}

/* "||", "^^" or "??"; DEP_WORD when the token is none of them here. */
static enum dep_kind operator_kind(const struct parser *p)
{
	bool flags = p->how->syntax == DEP_OF_FLAGS;
	if (str_is(p->token, "||"))
		return DEP_ANY;
	if (flags && str_is(p->token, "^^"))
		return DEP_ONE;
	if (flags && str_is(p->token, "??"))
		return DEP_AT_MOST_ONE;
	return DEP_WORD;
}

static bool operator(struct parser *p, enum dep_kind kind)
{
	if (p->how->syntax == DEP_OF_URIS)
		return bad(p, "SRC_URI has no any-of groups");
	if (kind == DEP_AT_MOST_ONE && !(p->features & EAPI_AT_MOST_ONE_OF))
		return bad(p, "this EAPI has no at-most-one-of groups");
	return start_group(p, add(p, kind));
}

static bool arrow(struct parser *p)
{
	if (p->need_file)
		return bad(p, "a file name must follow '->'");
	if (p->how->syntax != DEP_OF_URIS)
		return bad(p, "'->' belongs to SRC_URI only");
	if (!(p->features & EAPI_SRC_URI_ARROWS))
		return bad(p, "this EAPI has no '->' in SRC_URI");
	add(p, DEP_ARROW);
	p->need_file = true;
	return true;
}

static bool flag_word(struct parser *p)
{
	struct dep *d = add(p, DEP_WORD);
	d->negated = str_starts(d->text, "!");
	d->text = (struct str){ d->text.p + d->negated, d->text.n - d->negated };
	return name_flag(d->text) || bad(p, "it is no USE flag");
}

static bool uri_word(struct parser *p)
{
	bool selective = str_starts(p->token, "fetch+") || str_starts(p->token, "mirror+");
	if (selective && !(p->features & EAPI_SELECTIVE_URI))
		return bad(p, "this EAPI has no 'fetch+' and 'mirror+'");
	if (p->need_file && memchr(p->token.p, '/', p->token.n) != NULL)
		return bad(p, "a file name without '/' must follow '->'");
	p->need_file = false;
	add(p, DEP_WORD);
	return true;
}

static bool sticks(struct str token, const char *mark)
{
	return str_starts(token, mark) || str_ends(token, mark);
}

static const struct atom *parse_atom(struct parser *p)
{
	struct map *known = p->how->atoms;
	struct atom *a = known != NULL ? map_get(known, p->token) : NULL;
	if (a != NULL)
		return a;
	a = atom_parse(p->arena, p->token, p->how->eapi, p->how->atom_flags, p->e);
	if (a != NULL && known != NULL)
		map_set(known, p->token, a);
	return a;
}

static bool atom_word(struct parser *p)
{
	struct dep *d = add(p, DEP_ATOM);
	d->atom = parse_atom(p);
	if (d->atom != NULL)
		return true;
	bool glued = sticks(p->token, "(") || sticks(p->token, ")") || sticks(p->token, "||");
	if (glued)
		*p->e = ERR_INIT;
	if (glued)
		return bad(p, "white space is missing around '(', ')' or '||'");
	return err_in(p->e, "token %zu", p->number);
}

static bool word(struct parser *p)
{
	switch (p->how->syntax) {
	case DEP_OF_ATOMS:
		return atom_word(p);
	case DEP_OF_URIS:
		return uri_word(p);
	case DEP_OF_FLAGS:
		return flag_word(p);
	case DEP_OF_WORDS:
		break;
	}
	add(p, DEP_WORD);
	return true;
}

/* Most tokens are words, which need not be compared with every operator. */
static bool surely_word(struct str token)
{
	return strchr("()|^?-", token.p[0]) == NULL && token.p[token.n - 1] != '?';
}

static bool one_token(struct parser *p)
{
	if (!p->need_group && surely_word(p->token))
		return word(p);
	if (str_is(p->token, "("))
		return open_group(p);
	if (p->need_group)
		return bad(p, "'(' must come here");
	if (str_is(p->token, ")"))
		return close_group(p);
	enum dep_kind kind = operator_kind(p);
	if (kind != DEP_WORD)
		return operator(p, kind);
	if (str_is(p->token, "->"))
		return arrow(p);
	return str_ends(p->token, "?") ? conditional(p) : word(p);
}

static bool at_end(struct parser *p)
{
	if (!p->need_group && !p->need_file && p->open.n == 1)
		return true;
	const char *missing = p->need_file ? "file name" : p->need_group ? "'('" : "')'";
	return err_set(p->e, ERR_CONFLICT, "pms.dep", "%s is missing at the end, behind token %zu",
		missing, p->number);
}

bool dep_parse(struct arena *a, struct str text, const struct dep_parse *how,
	const struct dep **out, struct err *e)
{
	*out = NULL;
	struct parser p = { .how = how, .arena = a, .e = e, .rest = text };
	p.features = eapi_features(how->eapi);
	vec_push(&p.open, (struct frame){ NULL, out });
	bool ok = true;
	while (ok && str_word(&p.rest, &p.token)) {
		p.number++;
		ok = one_token(&p);
	}
	ok = ok && at_end(&p);
	vec_fini(&p.open);
	if (!ok)
		*out = NULL;
	return ok;
}

static void print_one(const struct dep *d, struct buf *out)
{
	static const char *const marks[] = {
		[DEP_ALL] = "(",
		[DEP_ANY] = "|| (",
		[DEP_ONE] = "^^ (",
		[DEP_AT_MOST_ONE] = "?? (",
		[DEP_USE] = "? (",
	};
	if (d->negated)
		buf_addc(out, '!');
	if (d->kind <= DEP_ARROW || d->kind == DEP_USE)
		buf_add_str(out, d->text);
	if (d->kind <= DEP_ARROW)
		return;
	buf_adds(out, marks[d->kind]);
	buf_addc(out, ' ');
	dep_print(d->child, out);
	buf_adds(out, d->child != NULL ? " )" : ")");
}

void dep_print(const struct dep *d, struct buf *out)
{
	for (; d != NULL; d = d->next) {
		print_one(d, out);
		if (d->next != NULL)
			buf_addc(out, ' ');
	}
}

bool flag_list_has(const struct flag_list *l, struct str flag)
{
	for (size_t i = 0; i < l->n; i++) {
		if (str_eq(l->v[i], flag))
			return true;
	}
	return false;
}

bool flag_list_on(const void *list, struct str flag)
{
	return flag_list_has(list, flag);
}
