#ifndef RUN_WORKDIR_H
#define RUN_WORKDIR_H

#include "err.h"
#include "step.h"

/*
 * A step's work directory: work/src, work/build, image/, temp/, homedir/, `.key` with the key it
 * was begun for, and a stamp for each finished phase (.unpacked … .installed).
 */

/* Does it hold finished phases for this step's key? */
bool workdir_resumes(const struct step *s);

/*
 * Make the directory ready and set *first to the phase to begin with. Another key: all is wiped.
 * The same key: resume behind the last stamp, after clearing what an interrupted phase may have
 * left half-made (see workdir_drop_torn).
 */
bool workdir_open(const struct step *s, enum phase *first, struct err *e);

/* Note that the phase is finished. */
bool workdir_stamp(const struct step *s, enum phase p, struct err *e);

/*
 * A compiler that was killed leaves a truncated object with a fresh mtime, which make takes for
 * finished. Remove from dir (a build or source tree) the regular files that the compile phase
 * wrote (mtime after since, a stamp file) in the last minute of its activity, and objects and
 * programs that are still empty, whatever their age, but for those that
 * make has no rule for or that only direct it: makefiles, config.*, dependency files, logs.
 * An absent dir holds nothing to remove.
 */
bool workdir_drop_torn(int at, const char *dir, const char *since, struct err *e);

#endif
