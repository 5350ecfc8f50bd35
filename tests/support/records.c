#include "tests/support/records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

int records_see(void *arg, const struct record *record)
{
    struct seen *seen = arg;

    assert_true(seen->count < SEEN_MAX);
    seen->first[seen->count] = record->first;
    assert_true(record->claims_size < 16);
    memcpy(seen->claims[seen->count], record->claims, record->claims_size);
    seen->sealed[seen->count] = record->sealed_size;
    seen->count++;
    return seen->count == seen->stop_after ? 5 : 0;
}

int records_read(const struct store *store, uint8_t game, uint32_t after, struct seen *seen)
{
    const uint8_t gid[16] = {game};

    memset(seen, 0, sizeof *seen);
    return store->records(store->context, gid, after, records_see, seen);
}
