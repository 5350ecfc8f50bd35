/* The clocks of a game: how long its seats may still take for their moves.
 *
 * Time is counted in whole seconds, from one event of the record to the next, so that whoever
 * has the record can count it again. Clocks run in play and in a challenge; seeds, set-ups and
 * audits have a term of their own (option answer_s).
 */
#ifndef API_CLOCKS_H
#define API_CLOCKS_H

#include "api/action.h"
#include "api/json.h"

/* Reads `clock` of a game to be made, an object; false and a fault if it is none. */
bool clocks_read(const json_t *object, struct clock_terms *ret_terms, struct fault *fault);

/* The same as an object, for event `created`. */
void clocks_write_terms(struct out *out, const char *key, const struct clock_terms *terms);

/* How the clocks stand at `now_ms`, for views: null without any. */
void clocks_write(struct out *out, const char *key, const struct fold *fold, int64_t now_ms);

/* Takes off what has passed, starts and stops what must. At the end of each action. */
void clocks_settle(struct action *action);

/* When the first of those whose time runs has none left, in seconds of Unix; 0: nobody's. */
int64_t clocks_due_s(const struct fold *fold);

/* The set of seats that have no time left. */
uint8_t clocks_late(const struct fold *fold, int64_t now_s);

/* Is it a clock that ends the game if nobody acts, and not a term? */
bool clocks_run(const struct fold *fold);

#endif
