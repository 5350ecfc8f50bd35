/* The table of the games, made from rules/games.def. All of it is constant. */
#ifndef RULES_RULESETS_H
#define RULES_RULESETS_H

#include "rules/ruleset.h"

enum { RULESETS_MAX = 8 }; /* room in what is counted by game */

extern const struct ruleset *const rulesets[];
extern const size_t ruleset_count;

/* The game of that id, or NULL. */
const struct ruleset *ruleset_find(const char *id);

/* Its row in rulesets[], which is its number in the store; ruleset_count if it is none of them.
 */
uint8_t ruleset_number(const struct ruleset *rules);

/* The seat of that name, or NO_SEAT; and back, NULL for NO_SEAT. */
uint8_t ruleset_seat(const struct ruleset *rules, const char *name);
const char *ruleset_whose(const struct ruleset *rules, uint8_t seat);

/* The row of a variant or option by its id, or -1. */
int ruleset_variant(const struct ruleset *rules, const char *id);
int ruleset_option(const struct ruleset *rules, const char *name);

/* The variant's own options; `variant` must be a row of rules->variants. */
void ruleset_presets(const struct ruleset *rules, uint8_t variant, struct options *ret_options);

/* The word that results and views use for a reason ("hits"); "" for REASON_NONE. */
const char *reason_word(uint8_t reason);

#endif
