/* What a viewer may know of a game: observed by the rules, then written. The only caller of
 * ruleset->observe, and the only way from a game to an answer. */
#ifndef API_VIEW_H
#define API_VIEW_H

#include "api/game.h"

/* The view of `viewer` (a seat, or NO_SEAT) at that time as an object under `key`, or at the
 * top (NULL). */
void view_write(struct out *out, const char *key, const struct fold *fold, uint8_t viewer,
                int64_t now_ms);

/* The members of that object alone, for an answer that adds its own. */
void view_members(struct out *out, const struct fold *fold, uint8_t viewer, int64_t now_ms);

/* A game's id as clients write it: 22 characters of base64url and a NUL. */
void gid_text(const uint8_t gid[static 16], char ret_text[static 24]);

#endif
