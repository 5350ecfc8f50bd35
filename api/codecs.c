/* A file of its own, as rules/games.c is, which it follows. */
#include "api/codec.h"
#include "api/notation.h"

const struct codec *const codecs[] = {
#define GAME(prefix) &prefix##_codec,
#include "rules/games.def"
#undef GAME
};

const struct notation *const notations[] = {
#define GAME(prefix) &prefix##_notation,
#include "rules/games.def"
#undef GAME
};
