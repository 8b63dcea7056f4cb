#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "cli.h"

/* Texts made from the command table, appended to *out. */

/* man page in man(7) macros; command NULL: eprefix(1) itself. */
void manual_page(const struct cli_command *command, struct buf *out);
/* The completion script for "bash", "zsh" or "fish". */
void completion_script(const char *shell, struct buf *out);

#endif
