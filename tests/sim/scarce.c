#include "tests/sim/scarce.h"

#include <jansson.h>
#include <stdlib.h>

static struct {
    uint32_t calls, count;
    bool met, paused;
} scarce;

/* The linker leads all calls to the ones and names libc's the others. */
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);

static bool fails(void)
{
    if (!scarce.count || scarce.paused)
        return false;
    if (scarce.calls) {
        scarce.calls--;
        return false;
    }
    scarce.count--;
    return scarce.met = true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

void scarce_begin(void)
{
    json_set_alloc_funcs(__wrap_malloc, free);
    json_object_seed(1); /* no test may hang on how members are hashed */
}

void scarce_set(uint32_t calls, uint32_t count)
{
    scarce.calls = calls;
    scarce.count = count;
    scarce.met = false;
}

bool scarce_met(void)
{
    return scarce.met;
}

bool scarce_pause(bool paused)
{
    bool was = scarce.paused;

    scarce.paused = paused;
    return was;
}
