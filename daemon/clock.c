#include "daemon/clock.h"

#include <errno.h>
#include <time.h>

static int64_t read_us(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_now_ms(void *context)
{
    (void)context;
    return read_us(CLOCK_REALTIME) / 1000;
}

int64_t clock_steady_ms(void)
{
    return read_us(CLOCK_MONOTONIC) / 1000;
}

int64_t clock_steady_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

void clock_steady_after(int64_t us, struct timespec *ret_time)
{
    int64_t then_us = clock_steady_us() + us;

    ret_time->tv_sec = then_us / 1000000;
    ret_time->tv_nsec = then_us % 1000000 * 1000;
}

void clock_steady_cond(pthread_cond_t *ret_cond)
{
    pthread_condattr_t steady;

    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(ret_cond, &steady);
    pthread_condattr_destroy(&steady);
}

void clock_pause(int64_t ms)
{
    struct timespec end;

    clock_steady_after(ms * 1000, &end);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        ;
}
