#ifndef PMS_ATOM_TABLE_H
#define PMS_ATOM_TABLE_H

#include "atom.h"
#include "linefile.h"
#include "map.h"
#include "pkg.h"

/* A file that maps atoms to words, such as package.use: one line. */
struct atom_line {
	const struct atom *atom;
	struct str *words; /* behind the atom */
	size_t n;
	const char *file;
	unsigned number;
};
struct atom_lines {
	VEC(struct atom_line *) list;
};

/* Such lines, found by the package they speak of. Lines and words are an arena's. */
struct atom_table {
	struct map by_cp; /* cp -> struct atom_lines */
	struct atom_lines wild; /* atoms with wildcards */
	struct atom_lines all; /* in the order of the files */
};

#define ATOM_TABLE_INIT ((struct atom_table){ 0 })

/* Words of an atom that is there already are added to its line. */
void atom_table_add(struct arena *a, struct atom_table *t, const struct atom_line *line);
void atom_table_fini(struct atom_table *t);
/*
 * Append the lines that match, the least specific first (portage-formats §6, package.use), so that
 * what is later overrides what is earlier.
 */
void atom_table_match(const struct atom_table *t, const struct pkg *p, struct atom_lines *out);
/* Append those that may match, by name only, in the order of the files. */
void atom_table_named(const struct atom_table *t, struct str cp, struct atom_lines *out);

/* How a file of atoms is read. */
struct atom_file {
	struct arena *arena;
	struct str eapi; /* empty: any */
	unsigned flags; /* of atom_parse */
	struct strv *warnings;
};
/*
 * Parse the first word of each line as an atom; lines that are none become warnings. false only
 * when the file cannot be read; an absent one is empty.
 */
bool atom_table_read(
	const struct atom_file *how, const char *path, struct atom_table *t, struct err *e);
/* The same for one line of words; false when its first word is no atom. */
bool atom_table_add_line(
	const struct atom_file *how, const struct line *line, struct atom_table *t);

#endif
