/* What a store gives back, written down for a test to look at. */
#ifndef TESTS_SUPPORT_RECORDS_H
#define TESTS_SUPPORT_RECORDS_H

#include "daemon/store.h"

enum { SEEN_MAX = 64 };

struct seen {
    size_t count;
    uint32_t first[SEEN_MAX];
    char claims[SEEN_MAX][16];
    size_t sealed[SEEN_MAX];
    int64_t number[SEEN_MAX]; /* by scan() alone */
    size_t stop_after;
};

/* For records(): `arg` is a struct seen; 5 after `stop_after` of them. */
int records_see(void *arg, const struct record *record);

/* Those of the game whose id begins with that byte. */
int records_read(const struct store *store, uint8_t game, uint32_t after, struct seen *seen);

#endif
