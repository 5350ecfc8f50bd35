/* What the fuzz targets share. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "api/out.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is written must be JSON, whatever the input. Frees `out`. */
static inline void must_be_json(struct out *out)
{
    size_t size;
    char *text = out_take(out, &size);
    json_t *json = text ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;

    if (!json)
        abort();
    json_decref(json);
    free(text);
}

#endif
