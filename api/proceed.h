/* What a game does by itself: seeds to lots and deals, commitments, the start and the end. */
#ifndef API_PROCEED_H
#define API_PROCEED_H

#include "api/action.h"

/* Seeds are in, set-ups are in, the starter is known, and where the faces lie is settled. */
bool proceed_ready(const struct fold *fold);

/* The event `started`, with what it commits to. */
void proceed_start(struct action *action);

/* The member `commitments` of a deal: one hash for each card of the round, or each tile. */
void proceed_commitments(struct out *out, const struct fold *fold);

/* `{"winner","reason","ruling"}` of a position that is over, or null; and the seats whose move
 * is awaited, as the array "to_act". */
void outcome_write(struct out *out, const char *key, const struct ruleset *rules,
                   struct outcome outcome);
void to_act_write(struct out *out, const struct ruleset *rules, const void *state);

/* The same of a game, which may have been called off as well. */
void result_write(struct out *out, const char *key, const struct fold *fold);

/* {"component","face","nonce"}: an opening as receipts, events and transcripts hold it. */
void opening_write(struct out *out, const struct fold *fold, const struct opening *opening);

/* The nonce of an opening's component, from the secret that it belongs to. */
void opening_nonce(const struct fold *fold, const struct opening *opening,
                   uint8_t ret_nonce[static 32]);

#endif
