#ifndef CLI_OVERLAY_H
#define CLI_OVERLAY_H

#include "cli.h"

/*
 * overlay_check.c: print what is wrong with the recipes, Manifests and files of repositories, one
 * line a finding. dirs: their directories; repositories beside one of them count as its masters.
 * *n is the number of findings; false only when checking itself fails.
 */
bool overlay_check(struct cli *c, char **dirs, size_t n_dirs, size_t *n, struct err *e);

#endif
