/* The time of day and a clock that never goes back. The only file that reads a clock. */
#ifndef DAEMON_CLOCK_H
#define DAEMON_CLOCK_H

#include <pthread.h>
#include <stdint.h>

struct timespec;

/* Milliseconds since the epoch of Unix, UTC. `context` is not used: this is a port function. */
int64_t clock_now_ms(void *context);

/* Milliseconds and microseconds of a clock that only goes forward; for durations. */
int64_t clock_steady_ms(void);
int64_t clock_steady_us(void);

/* The steady time that is `us` microseconds from now, as pthread_cond_timedwait() takes it. */
void clock_steady_after(int64_t us, struct timespec *ret_time);

/* A condition whose pthread_cond_timedwait() goes by that time. */
void clock_steady_cond(pthread_cond_t *ret_cond);

/* Sleeps for so long. */
void clock_pause(int64_t ms);

#endif
