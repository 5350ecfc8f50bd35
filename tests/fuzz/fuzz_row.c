/* Fuzzes a row of the store: a record whose claims and notes say anything, well sealed or not,
 * is carried out on a game or refused, and a snapshot likewise.
 *
 * The input is cut into records at lines "%%"; each is its claims, a line "%", and its notes.
 * The first byte says whether they are sealed here (a thief of the key) or as they stand (a
 * thief of the store).
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/commit.h"
#include "api/record.h"
#include "api/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t store_key[32] = {8}, gid[16] = {1, 2, 3};

static uint32_t lines_of(const char *text, size_t size)
{
    uint32_t count = 1;

    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

/* False: the game is good for nothing any more. */
static bool carry_out(bool sealed, const char *claims, size_t claims_size, const char *notes,
                      size_t notes_size, struct fold **fold)
{
    struct record record = {.claims = claims,
                            .claims_size = claims_size,
                            .first = *fold ? (*fold)->seq + 1 : 1,
                            .count = lines_of(claims, claims_size)};
    uint8_t link[32];
    struct out plain = {0}, closed = {0};
    int error;

    record_link(&record, link);
    if (sealed) {
        out_bytes(&plain, notes, notes_size);
        record_seal(store_key, &(struct seal){gid, record.first, link}, &plain, &closed);
        out_done(&plain);
        record.sealed = (const uint8_t *)closed.text;
        record.sealed_size = closed.size;
    } else {
        record.sealed = (const uint8_t *)notes;
        record.sealed_size = notes_size;
    }
    error = record_fold(store_key, gid, &record, fold);
    if (!sealed && !error)
        abort(); /* nobody has that key */
    out_done(&closed);
    return error == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data + 1, *end = (const char *)data + size;
    struct fold *fold = NULL;
    struct snapshot_key key = {.store_key = store_key};
    bool goes_on = size > 1;

    if (sodium_init() < 0)
        abort();
    while (goes_on && at < end) {
        const char *next = memmem(at, (size_t)(end - at), "\n%%\n", 4);
        const char *stop = next ? next : end;
        const char *notes = memmem(at, (size_t)(stop - at), "\n%\n", 3);
        goes_on =
            carry_out(data[0] & 1, at, (size_t)((notes ? notes : stop) - at),
                      notes ? notes + 3 : stop, notes ? (size_t)(stop - notes - 3) : 0, &fold);
        at = next ? next + 4 : end;
    }
    fold_free(fold);
    struct snapshot snapshot = {.sealed = data, .sealed_size = size};
    fold = snapshot_open(&key, gid, &snapshot);
    if (fold)
        abort();
    return 0;
}
