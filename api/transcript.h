/* The transcript of a game that is over: all that was told, and all that was hidden. */
#ifndef API_TRANSCRIPT_H
#define API_TRANSCRIPT_H

#include "api/api.h"
#include "api/game.h"

/* Appends it, without the newline behind it, from the store's records; `fold` is the game as it
 * ended. 0 or -errno: what was written is good for nothing then. */
int transcript_write(struct out *out, const struct api *api, const struct fold *fold);

#endif
