/* A folder of transcripts: each game that is over as <id>.json, whole or not at all.
 *
 * A file that stands there is never written over. Names with a dot in front are on their way.
 */
#ifndef DAEMON_ARCHIVE_H
#define DAEMON_ARCHIVE_H

#include "api/out.h"
#include "daemon/config.h"

/* Makes the folder if it is missing, and takes out what a writer that died left half done.
 * 0 or -errno. */
int archive_open(const char *folder);

/* Writes a transcript, and returns when it would outlive the machine's power. 0 also if it
 * stands there already; -EEXIST: another text does; others from the disk. */
int archive_put(const char *folder, const uint8_t gid[static 16], const struct out *transcript);

/* `refereed archive`: the transcripts of all games that are over, also beside a daemon. */
int command_archive(const struct config *config);

#endif
