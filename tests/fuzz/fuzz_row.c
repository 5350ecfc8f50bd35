/* Fuzzes rows of the store: the records of a game that was played are changed, cut, exchanged
 * or given to another game, and read. Whoever has not the store key changes nothing unnoticed.
 *
 * The first byte picks how many records are read; then come changes of five bytes: which
 * record, what is done, where (two bytes), and with what.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/record.h"
#include "api/snapshot.h"
#include "tests/support/client.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 48, ROW_MAX = 16384, CHANGE_SIZE = 5 };

struct row {
    uint32_t first, count;
    size_t claims_size, sealed_size;
    char claims[ROW_MAX];
    uint8_t sealed[ROW_MAX];
};

static struct row played[ROWS], rows[ROWS];
static size_t row_count;
static uint8_t gid[16], store_key[32];

static int keep(void *arg, const struct record *record)
{
    struct row *row = &played[row_count];

    (void)arg;
    if (row_count == ROWS || record->claims_size > ROW_MAX || record->sealed_size > ROW_MAX)
        return 1;
    row->first = record->first;
    row->count = record->count;
    row->claims_size = record->claims_size;
    row->sealed_size = record->sealed_size;
    memcpy(row->claims, record->claims, record->claims_size);
    memcpy(row->sealed, record->sealed, record->sealed_size);
    row_count++;
    return 0;
}

static void play(void)
{
    struct client client;
    struct table table;
    struct seeded seeded = {3};

    client_open(&client, NULL, 1);
    table_make(&client, "{\"ruleset\":\"engarde\"}", 3, &table);
    for (int i = 0; i < ROWS && table_move(&client, &table, &seeded); i++)
        ;
    struct ports ports = memory_ports(client.memory);
    memcpy(store_key, client.config.store_key, sizeof store_key);
    if (!base64_decode(table.id, 22, gid, sizeof gid) ||
        ports.records(ports.context, gid, 0, keep, NULL) < 0 || row_count < 8)
        abort();
    client_close(&client);
}

/* What is done to a row. True: it cannot be taken for the one that was written. */
static bool change(const uint8_t op[static CHANGE_SIZE])
{
    struct row *row = &rows[op[0] % row_count];
    size_t at = (size_t)(op[2] << 8 | op[3]);

    if (row->sealed_size == 0 || row->claims_size <= 8)
        return true; /* cut before, with hardly anything left to change */
    switch (op[1] % 6) {
    case 0:
        row->sealed[at % row->sealed_size] ^= op[4];
        return op[4] != 0;
    case 1: /* the last line; those before are for the chain to find */
        row->claims[row->claims_size - 1 - at % 8] ^= (char)op[4];
        return op[4] != 0;
    case 2:
        row->sealed_size = at % row->sealed_size;
        return true;
    case 3:
        row->claims_size -= 1 + at % (row->claims_size - 1);
        return true;
    case 4:
        memcpy(row->sealed, played[op[4] % row_count].sealed, ROW_MAX);
        row->sealed_size = played[op[4] % row_count].sealed_size;
        return op[4] % row_count != op[0] % row_count;
    default:
        row->first += op[4];
        return op[4] != 0;
    }
}

/* How many rows are carried out before one is refused. */
static size_t read_all(size_t count, const uint8_t id[static 16])
{
    struct fold *fold = NULL;
    size_t good = 0;

    for (bool goes_on = true; goes_on && good < count; good += goes_on) {
        const struct row *row = &rows[good];
        const struct record record = {.first = row->first,
                                      .count = row->count,
                                      .claims = row->claims,
                                      .claims_size = row->claims_size,
                                      .sealed = row->sealed,
                                      .sealed_size = row->sealed_size};
        goes_on = record_fold(store_key, id, &record, &fold) == 0;
    }
    fold_free(fold);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (row_count == 0)
        play();
    memcpy(rows, played, row_count * sizeof *rows);
    size_t count = size ? 1 + data[0] % row_count : 1, first = count, changes = 0;
    /* two at most, which may undo each other; more say nothing new */
    for (size_t i = 1; i + CHANGE_SIZE <= size && changes < 2; i += CHANGE_SIZE, changes++) {
        size_t which = data[i] % row_count;
        if (change(data + i) && which < first)
            first = which;
    }
    size_t good = read_all(count, gid);
    if (changes == 0 ? good != count : changes == 1 && good > first)
        abort();
    const struct snapshot snapshot = {.sealed = data, .sealed_size = size};
    const struct snapshot_key key = {.store_key = store_key};
    uint8_t other[16];
    memcpy(other, gid, sizeof other);
    other[size % sizeof other] ^= 1;
    if (read_all(count, other) != 0 || snapshot_open(&key, gid, &snapshot))
        abort();
    return 0;
}
