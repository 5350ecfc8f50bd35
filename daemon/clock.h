/* The time of day and a clock that never goes back. The only file that reads a clock. */
#ifndef DAEMON_CLOCK_H
#define DAEMON_CLOCK_H

#include <stdint.h>

/* Milliseconds since the epoch of Unix, UTC. `context` is not used: this is a port function. */
int64_t clock_now_ms(void *context);

/* Milliseconds and microseconds of a clock that only goes forward; for durations. */
int64_t clock_steady_ms(void);
int64_t clock_steady_us(void);

#endif
