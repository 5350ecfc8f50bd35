#include "tests/support/held.h"

#include <stdlib.h>
#include <string.h>

static void *copy(const void *bytes, size_t size)
{
    void *made = malloc(size + 1);

    if (!made)
        abort();
    return memcpy(made, bytes, size);
}

void held_put(struct held *held, const struct change *change)
{
    if (change->credential_count > HELD_CREDENTIALS)
        abort();
    *held = (struct held){.change = *change};
    memcpy(held->gid, change->gid, 16);
    held->change.gid = held->gid;
    memcpy(held->credentials, change->credentials,
           change->credential_count * sizeof *change->credentials);
    held->change.credentials = held->credentials;
    if (change->record) {
        held->record = *change->record;
        held->record.claims = copy(change->record->claims, change->record->claims_size);
        held->record.sealed = copy(change->record->sealed, change->record->sealed_size);
        held->change.record = &held->record;
    }
    if (change->listing) {
        held->listing = *change->listing;
        held->change.listing = &held->listing;
    }
    if (change->kept) {
        held->kept = *change->kept;
        held->kept.sealed = copy(change->kept->sealed, change->kept->sealed_size);
        held->change.kept = &held->kept;
    }
    if (change->snapshot) {
        held->snapshot = *change->snapshot;
        held->snapshot.sealed = copy(change->snapshot->sealed, change->snapshot->sealed_size);
        held->change.snapshot = &held->snapshot;
    }
}

void held_drop(struct held *held)
{
    free((void *)(uintptr_t)held->record.claims);
    free((void *)(uintptr_t)held->record.sealed);
    free((void *)(uintptr_t)held->kept.sealed);
    free((void *)(uintptr_t)held->snapshot.sealed);
}
