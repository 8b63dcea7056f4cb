#ifndef PMS_CONFIG_INT_H
#define PMS_CONFIG_INT_H

#include "config.h"
#include "policy.h"

/* Where a variable may be set, the lowest first (portage-formats §6, stacking). */
enum layer {
	LAYER_GLOBALS, /* built in, and EPREFIX/usr/share/portage/config/make.globals */
	LAYER_ENV_D, /* EPREFIX/etc/profile.env */
	LAYER_DEFAULTS, /* make.defaults of the profiles */
	LAYER_CONF, /* make.conf */
	LAYER_ENV, /* the user's environment */
	LAYERS,
};

/* The lists of words of one file for all packages ("*" and "*" as the atom) and for some. */
struct user_table {
	struct atom_table table;
	struct str *global; /* words of the atom that matches everything */
	size_t n_global;
};

struct word_list {
	VEC(struct str) list;
};

struct config {
	struct arena arena;
	struct arena *texts; /* the same: what is made for answers while the rest is constant */
	struct repo_set *repos;
	char *eprefix, *user_dir; /* user_dir: etc/portage */
	struct strv warnings;
	struct profiles profiles; /* etc/portage/profile is the last */
	struct policy *of_repo; /* by the repository's index */
	struct vars layer[LAYERS];
	struct vars expand, final;

	struct use_map use_conf, use_env, use_env_d;
	struct use_map use_defaults; /* of all profiles, where no package.use of theirs matches */
	struct use_map masked[2], forced[2]; /* of all profiles; [1]: for stable packages */
	bool any_stable; /* some rule of a profile or repository is for stable packages only */
	struct user_table use, keywords, license, properties, restrict_, env;
	struct atom_table mask, unmask;

	struct word_list accept_keywords, env_keywords;
	struct word_list testing_keywords; /* ~K for each stable K that is accepted */
	struct word_list accept_license, accept_properties, accept_restrict;
	struct map license_groups; /* name -> struct word_list */
	struct implicit_use implicit; /* EAPI 5 on */
	struct implicit_use implicit_old; /* before: also all of ARCH, hidden USE_EXPAND, … */
};

/* config_files.c */
bool config_read_layers(struct config *c, const struct config_options *o, struct err *e);
bool config_read_user_files(struct config *c, struct err *e);
/* Is it one of USE_EXPAND's variables? */
bool config_expands(const struct config *c, const char *name);
/* config_stack.c: what follows from the layers, once all are read. */
void config_stack(struct config *c);
bool config_incremental(const char *name);
/* "video_cards_" of VIDEO_CARDS, the arena's. */
struct str config_expand_prefix(struct arena *a, struct str name);
/* config_mask.c */
void config_read_masks(
	struct config *c, const struct line_list *mask, const struct line_list *unmask);
/* config_keywords.c */
/* Is no keyword accepted? Then *which is what to accept: "~amd64" or "**". */
bool config_keyword_missing(const struct config *c, const struct pkg *p, struct str *which);
bool config_is_stable(const struct config *c, const struct pkg *p);
/* config_license.c */
void config_read_license_groups(struct config *c);
/* Append the words of a list, @GROUPs expanded; "-@GROUP" gives "-x" for each member. */
void config_license_words(const struct config *c, struct str word, struct word_list *out);
/* Licences, properties or restrictions that are not accepted, space separated; NULL: none. */
const char *config_unaccepted(const struct config *c, struct pkg *p, enum pkg_key key);
/* config_env.c: the USE that package.env sets for a package, as tokens. */
void config_env_use(const struct config *c, const struct pkg *p, struct word_list *out);

#endif
