/* The whole store looked through: every record in the order of writing, every game by itself.
 *
 * One thread reads, the others check, each the games of its own numbers. Told on stderr: a line
 * a fault. Memory: the games that are not over, as they stand.
 */
#ifndef DAEMON_SURVEY_H
#define DAEMON_SURVEY_H

#include <stdint.h>

#include "daemon/store.h"

struct survey_counts {
    int64_t games, events, faults;
};

/* The store may be in use: what is added meanwhile is looked at as far as needed. 0 or -errno,
 * also if it found faults. */
int survey_run(const struct store *store, const uint8_t store_key[static 32], unsigned threads,
               struct survey_counts *ret_counts);

#endif
