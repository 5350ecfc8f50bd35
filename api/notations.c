/* A file of its own, as rules/games.c is, which it follows. */
#include "api/notation.h"

const struct notation *const notations[] = {
#define GAME(prefix) &prefix##_notation,
#include "rules/games.def"
#undef GAME
};
