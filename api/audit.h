/* The audit of players' custody: what each side's secret says of all that it did. */
#ifndef API_AUDIT_H
#define API_AUDIT_H

#include "api/game.h"

enum { FINDINGS_MAX = 2 * CHEATS_MAX };

/* Everything that is found, side by side, each in order of seq; returns how many. */
size_t audit_find(const struct fold *fold, struct cheat ret_cheats[static FINDINGS_MAX]);

/* How the game ends by these findings, as an EVENT_RESULT: the honest side wins; if both have
 * cheated nobody does. */
struct event audit_result(const struct cheat *cheats, size_t count);

/* The faces of a side as far as they are known in the end, as an EVENT_REVEAL. */
struct event audit_faces(const struct fold *fold, uint8_t seat);

/* "pending", "clean" or "cheat"; NULL while the game goes on, or if it never began. */
const char *audit_word(const struct fold *fold);

const char *cheat_word(uint8_t code);

#endif
