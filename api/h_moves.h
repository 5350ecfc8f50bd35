/* Between the handlers of what players do: h_moves.c, and h_blind.c for players' custody. */
#ifndef API_H_MOVES_H
#define API_H_MOVES_H

#include "api/action.h"

/* The body of a move: `move` or `notation`, and `open` too if `ret_open` is not NULL. Sets the
 * event's kind and seat. */
enum problem read_written(struct call *call, json_t **ret_open, struct event *ret_event);

enum problem blind_setup(struct call *call);
enum problem blind_move(struct call *call);
void blind_setup_write(struct out *out, const struct fold *fold, uint8_t seat);

#endif
