#include "atom_table.h"
#include "ini.h"
#include "makeconf.h"
#include "use_map.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static void read_makeconf(struct arena *a, struct str text)
{
	struct vars out = VARS_INIT, expand = VARS_INIT;
	struct strv warnings = STRV_INIT;
	struct err e = ERR_INIT;
	struct makeconf m = { a, &expand, &out, &warnings, false };
	if (makeconf_text(&m, text, "make.conf", &e) != (e.code == ERR_NONE))
		abort();
	for (size_t i = 0; i < out.names.n; i++) {
		if (vars_get(&out, out.names.v[i]) == NULL)
			abort();
	}
	vars_fini(&out);
	vars_fini(&expand);
	strv_fini(&warnings);
}

/* Lines as those of package.use: a table that is asked, and flags as those of a USE. */
static void read_lines(struct arena *a, struct str text)
{
	struct line_list lines = { 0 };
	struct strv warnings = STRV_INIT;
	struct atom_table table = ATOM_TABLE_INIT;
	struct atom_file how = { a, STR(""), ATOM_USER, &warnings };
	struct use_map use = USE_MAP_INIT;
	struct atom_lines found = { 0 };
	struct pkg p = { .cp = STR("a/b"), .cat = STR("a"), .pn = STR("b"), .version = STR("1") };
	lines_split(a, text, "package.use", &lines);
	for (size_t i = 0; i < lines.list.n; i++) {
		atom_table_add_line(&how, &lines.list.v[i], &table);
		for (size_t j = 0; j < lines.list.v[i].n; j++)
			use_map_add(&use, lines.list.v[i].words[j]);
	}
	atom_table_match(&table, &p, &found);
	if (found.list.n > table.all.list.n)
		abort();
	for (size_t i = 0; i < use.flags.cap; i++) {
		if (use.flags.slots[i].value != NULL &&
			use_map_get(&use, use.flags.slots[i].key) == 0)
			abort();
	}
	vec_fini(&found.list);
	use_map_fini(&use);
	atom_table_fini(&table);
	strv_fini(&warnings);
	vec_fini(&lines.list);
}

static void read_ini(struct arena *a, struct str text)
{
	struct ini ini = { 0 };
	struct err e = ERR_INIT;
	if (ini_parse(a, text, "repos.conf", &ini, &e) != (e.code == ERR_NONE))
		abort();
	vec_fini(&ini.list);
}

/* The first byte chooses the kind of file. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
	static void (*const kinds[])(
		struct arena *, struct str) = { read_makeconf, read_lines, read_ini };
	struct arena arena = ARENA_INIT;
	if (n > 0)
		kinds[data[0] % 3](&arena, (struct str){ (const char *)data + 1, n - 1 });
	arena_fini(&arena);
	return 0;
}
