/* A store for tests whose disk is slow: what is appended waits until the test writes it down,
 * or loses it. Over a struct memory, which must outlive it.
 *
 * As with the daemon's writer, tickets rise from 1 and are settled in order, a loss takes all
 * that waits with it and raises the epoch, and kept answers are found while they still wait.
 */
#ifndef TESTS_SUPPORT_SLOW_H
#define TESTS_SUPPORT_SLOW_H

#include "tests/support/memory.h"

struct slow;

struct slow *slow_new(struct memory *memory);
void slow_free(struct slow *slow);
struct ports slow_ports(struct slow *slow);

/* All that waits is on disk now. */
void slow_write(struct slow *slow);
/* All that waits is lost: the disk failed, or the daemon died. */
void slow_lose(struct slow *slow);
/* Appends fail with `error` (-errno), and what waits is lost with them; 0: it works again. */
void slow_refuse(struct slow *slow, int error);
/* Is everything up to this ticket on disk? Not so what was lost. */
bool slow_has(const struct slow *slow, uint64_t ticket);

#endif
