/* Drives any ruleset: what is common to all games stands here, once.
 *
 * The callers above rules/ judge and play through these two, never through the vtable, so that
 * turn, game over, resignation, time and agreed draws are the same everywhere.
 */
#ifndef RULES_MATCH_H
#define RULES_MATCH_H

#include "rules/ruleset.h"

/* The refusal of `event`, or ALLOWED; total. The kind must be what the state waits for, a move
 * or set-up must come from a seat that is to act; resignation, time and agreement are taken
 * from seats that are in, in any state but an ended one. Then the game's own judge() is asked.
 */
ruling_t match_judge(const struct ruleset *rules, const void *state, const struct event *event);

/* Plays what match_judge() allowed; `ret_effects` is emptied first. In a game of two seats a
 * resignation or a time-out gives the game to the other; a ruleset with `drops_out` judges and
 * plays these two itself. */
void match_play(const struct ruleset *rules, void *state, const struct event *event,
                struct effects *ret_effects);

#endif
