/* Ports for tests: a store in memory, a clock that the test sets, entropy from a seed.
 *
 * Everything committed at once, so tickets are settled when append() returns; `fail` makes the
 * next appends fail with that -errno and raises the epoch, as a real store does.
 */
#ifndef TESTS_SUPPORT_MEMORY_H
#define TESTS_SUPPORT_MEMORY_H

#include "api/api.h"
#include "api/ports.h"

struct memory;

struct memory *memory_new(uint64_t seed);
void memory_free(struct memory *memory);

/* The ports that lead to it. */
struct ports memory_ports(struct memory *memory);

/* Keys that are always the same, and the operator's credential as text; anybody makes games. */
void memory_config(struct api_config *ret_config, char ret_operator[static 48]);

void memory_set_clock(struct memory *memory, int64_t now_ms);
/* Nobody could reach the referee then. */
void memory_set_away(struct memory *memory, int64_t from_s, int64_t to_s);
/* The next append fails with `error` (-errno) instead of being kept; 0: works again. */
void memory_fail(struct memory *memory, int error);
/* Whoever has read something of it reads it anew. */
void memory_distrust(struct memory *memory);
/* How many bytes of claims and sealed notes are kept, and the bytes themselves in one piece
 * (the caller's to free): what a thief of the store would have. */
void *memory_dump(const struct memory *memory, size_t *ret_size);

#endif
