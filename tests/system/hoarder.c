/* Memory that is given back stays as it is, for LD_PRELOAD: whoever forgets to wipe is found
 * out, where otherwise the next allocation would cover it up.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

void free(void *memory)
{
    (void)memory;
}

void *realloc(void *memory, size_t size)
{
    size_t had = memory ? malloc_usable_size(memory) : 0;
    void *fresh = malloc(size);

    if (fresh && memory)
        memcpy(fresh, memory, had < size ? had : size);
    return fresh;
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t whole;

    return __builtin_mul_overflow(count, size, &whole) ? NULL : realloc(memory, whole);
}
