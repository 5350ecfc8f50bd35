/* Between the handlers of what players do: h_moves.c, and h_blind.c for players' custody. */
#ifndef API_H_MOVES_H
#define API_H_MOVES_H

#include "api/action.h"

/* The end of every action: what follows by itself, the answer, the store. Frees the action. */
enum problem action_finish(struct action *action, const struct out *more, bool secret);

enum problem blind_setup(struct call *call);
enum problem blind_move(struct call *call);
void blind_setup_write(struct out *out, const struct fold *fold, uint8_t seat);

#endif
