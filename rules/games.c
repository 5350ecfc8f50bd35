/* A file of its own, so that a test can link another table in its place (tests/api/fourth.c).
 */
#include "rules/rulesets.h"

#define GAME(prefix) extern const struct ruleset prefix##_ruleset;
#include "rules/games.def"
#undef GAME

const struct ruleset *const rulesets[] = {
#define GAME(prefix) &prefix##_ruleset,
#include "rules/games.def"
#undef GAME
};
const size_t ruleset_count = sizeof rulesets / sizeof *rulesets;

_Static_assert(sizeof rulesets / sizeof *rulesets <= RULESETS_MAX, "counters have no room");
