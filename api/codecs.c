/* A file of its own, as rules/games.c is, which it follows. */
#include "api/codec.h"

const struct codec *const codecs[] = {
#define GAME(prefix) &prefix##_codec,
#include "rules/games.def"
#undef GAME
};
