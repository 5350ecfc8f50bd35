#include "tests/support/memory.h"

#include "api/base64.h"
#include "api/commit.h"
#include "api/out.h"
#include "api/token.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct row {
    uint8_t gid[16];
    struct record record;
};

struct known {
    uint64_t id;
    uint8_t gid[16];
};

struct kept_snapshot {
    uint8_t gid[16];
    struct snapshot snapshot;
};

struct memory {
    uint64_t random, epoch, ticket;
    int64_t now_ms;
    int fail;
    int64_t away[2]; /* from, to: seconds */
    struct row *rows;
    struct listing *games;
    struct known *known;
    struct kept *kept;
    struct kept_snapshot *snapshots;
    size_t snapshot_count, row_count, game_count, known_count, kept_count;
};

static void *copy(const void *bytes, size_t size)
{
    void *made = malloc(size ? size : 1);

    if (!made)
        abort();
    memcpy(made, bytes, size);
    return made;
}

/* Makes room for one more and returns it. */
static void *grow(void *list, size_t count, size_t size, void **ret_slot)
{
    char *grown = list;

    if ((count & (count - 1)) == 0)
        grown = realloc(list, (count ? 2 * count : 1) * size);
    if (!grown)
        abort();
    *ret_slot = grown + count * size;
    return grown;
}

static void keep_record(struct memory *memory, const struct change *change)
{
    void *slot;

    memory->rows = grow(memory->rows, memory->row_count++, sizeof *memory->rows, &slot);
    struct row *row = slot;
    memcpy(row->gid, change->gid, 16);
    row->record = *change->record;
    row->record.claims = copy(change->record->claims, change->record->claims_size);
    row->record.sealed = copy(change->record->sealed, change->record->sealed_size);
}

static void keep_listing(struct memory *memory, const struct listing *listing)
{
    void *slot;

    for (size_t i = 0; i < memory->game_count; i++) {
        if (memcmp(memory->games[i].gid, listing->gid, 16) != 0)
            continue;
        memory->games[i] = *listing;
        return;
    }
    memory->games = grow(memory->games, memory->game_count++, sizeof *memory->games, &slot);
    *(struct listing *)slot = *listing;
}

static void keep_snapshot(struct memory *memory, const struct change *change)
{
    struct snapshot kept = *change->snapshot;
    void *slot;

    kept.sealed = copy(kept.sealed, kept.sealed_size);
    for (size_t i = 0; i < memory->snapshot_count; i++) {
        struct kept_snapshot *one = &memory->snapshots[i];
        if (memcmp(one->gid, change->gid, 16) != 0)
            continue;
        free((void *)(uintptr_t)one->snapshot.sealed);
        one->snapshot = kept;
        return;
    }
    memory->snapshots =
        grow(memory->snapshots, memory->snapshot_count++, sizeof *memory->snapshots, &slot);
    memcpy(((struct kept_snapshot *)slot)->gid, change->gid, 16);
    ((struct kept_snapshot *)slot)->snapshot = kept;
}

/* Takes those out of a list that are the game's; returns how many are left. */
static size_t weed(void *list, size_t count, size_t size, size_t gid_at, const uint8_t *gid,
                   void (*done)(void *item))
{
    char *items = list;
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        if (memcmp(items + i * size + gid_at, gid, 16) != 0)
            memmove(items + left++ * size, items + i * size, size);
        else if (done)
            done(items + i * size);
    }
    return left;
}

static void row_done(void *item)
{
    struct row *row = item;

    free((void *)(uintptr_t)row->record.claims);
    free((void *)(uintptr_t)row->record.sealed);
}

static void snapshot_done(void *item)
{
    free((void *)(uintptr_t)((struct kept_snapshot *)item)->snapshot.sealed);
}

/* A listing stays as an empty place, for its place is its number. */
static void remove_game(struct memory *m, const struct change *change)
{
    const uint8_t *gid = change->gid;

    m->row_count =
        weed(m->rows, m->row_count, sizeof *m->rows, offsetof(struct row, gid), gid, row_done);
    m->snapshot_count = weed(m->snapshots, m->snapshot_count, sizeof *m->snapshots,
                             offsetof(struct kept_snapshot, gid), gid, snapshot_done);
    for (size_t i = 0; i < m->game_count; i++)
        if (memcmp(m->games[i].gid, gid, 16) == 0)
            m->games[i] = (struct listing){.created_ms = -1};
    for (size_t i = 0; i < change->credential_count; i++)
        for (size_t k = 0; k < m->known_count; k++)
            if (m->known[k].id == change->credentials[i])
                m->known[k] = m->known[--m->known_count];
}

static int append(void *context, const struct change *change, uint64_t *ret_ticket)
{
    struct memory *memory = context;
    void *slot;

    if (change->epoch != memory->epoch)
        return -ECANCELED;
    if (memory->fail) {
        memory->epoch++;
        return memory->fail;
    }
    if (change->remove) {
        remove_game(memory, change);
        *ret_ticket = ++memory->ticket;
        return 0;
    }
    if (change->record)
        keep_record(memory, change);
    if (change->listing)
        keep_listing(memory, change->listing);
    for (size_t i = 0; i < change->credential_count; i++) {
        memory->known =
            grow(memory->known, memory->known_count++, sizeof *memory->known, &slot);
        ((struct known *)slot)->id = change->credentials[i];
        memcpy(((struct known *)slot)->gid, change->gid, 16);
    }
    if (change->snapshot)
        keep_snapshot(memory, change);
    if (change->kept) {
        memory->kept = grow(memory->kept, memory->kept_count++, sizeof *memory->kept, &slot);
        *(struct kept *)slot = *change->kept;
        ((struct kept *)slot)->sealed = copy(change->kept->sealed, change->kept->sealed_size);
    }
    *ret_ticket = ++memory->ticket;
    return 0;
}

static uint64_t epoch(void *context)
{
    return ((struct memory *)context)->epoch;
}

static bool settled(void *context, uint64_t ticket)
{
    return ticket <= ((struct memory *)context)->ticket;
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    struct memory *memory = context;
    bool found = false;

    for (size_t i = 0; i < memory->row_count; i++) {
        const struct record *record = &memory->rows[i].record;
        if (memcmp(memory->rows[i].gid, gid, 16) != 0)
            continue;
        found = true;
        if (record->first + record->count - 1 <= after)
            continue;
        int stop = row(arg, record);
        if (stop)
            return stop;
    }
    return found ? 0 : -ENOENT;
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct memory *memory = context;

    for (size_t i = 0; i < memory->snapshot_count; i++) {
        if (memcmp(memory->snapshots[i].gid, gid, 16) != 0)
            continue;
        take(arg, &memory->snapshots[i].snapshot);
        return 0;
    }
    return -ENOENT;
}

/* By the time of its end, then by its place; no game has so early a time that none is before.
 */
static int ended_games(struct memory *memory, const struct list_query *query,
                       int (*row)(void *arg, const struct listing *game, int64_t number),
                       void *arg)
{
    int64_t after_ms = query->after_ms, after = query->after;

    for (int given = 0; given < query->limit; given++) {
        const struct listing *next = NULL;
        for (size_t i = 0; i < memory->game_count; i++) {
            const struct listing *game = &memory->games[i];
            if (game->ended_ms && game->ended_ms <= query->ended_ms &&
                (game->ended_ms > after_ms ||
                 (game->ended_ms == after_ms && (int64_t)i + 1 > after)) &&
                (!next || game->ended_ms < next->ended_ms))
                next = game;
        }
        if (!next)
            return 0;
        after_ms = next->ended_ms;
        after = next - memory->games + 1;
        const struct listing told = *next; /* it may be removed meanwhile */
        int stop = row(arg, &told, after);
        if (stop)
            return stop;
    }
    return 0;
}

static int games(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg)
{
    struct memory *memory = context;
    int given = 0;

    if (query->ended_ms)
        return ended_games(memory, query, row, arg);
    for (size_t i = (size_t)query->after; i < memory->game_count && given < query->limit; i++) {
        const struct listing *game = &memory->games[i];
        if (game->created_ms < 0 || (query->status >= 0 && game->status != query->status) ||
            (query->open_only && !game->open) ||
            (query->due_ms && (!game->due_ms || game->due_ms > query->due_ms)))
            continue;
        given++;
        int stop = row(arg, game, (int64_t)i + 1);
        if (stop)
            return stop;
    }
    return 0;
}

static int credential_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct memory *memory = context;

    for (size_t i = 0; i < memory->known_count; i++) {
        if (memory->known[i].id != id)
            continue;
        memcpy(ret_gid, memory->known[i].gid, 16);
        return 1;
    }
    return 0;
}

static int kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct memory *memory = context;

    for (size_t i = 0; i < memory->kept_count; i++) {
        if (memcmp(memory->kept[i].key, key, 32) != 0 || memory->kept[i].expires_ms <= now_ms)
            continue;
        take(arg, &memory->kept[i]);
        return 0;
    }
    return -ENOENT;
}

static int64_t now_ms(void *context)
{
    return ((struct memory *)context)->now_ms;
}

/* splitmix64: the same bytes for the same seed. */
static void entropy(void *context, void *ret_bytes, size_t size)
{
    struct memory *memory = context;
    uint8_t *bytes = ret_bytes;

    for (size_t i = 0; i < size; i++) {
        uint64_t z = memory->random += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        bytes[i] = (uint8_t)((z ^ z >> 31) & 255);
    }
}

/* Two stretches of time: what they share. */
static int64_t away_s(void *context, int64_t from_s, int64_t to_s)
{
    const struct memory *memory = context;
    int64_t from = from_s > memory->away[0] ? from_s : memory->away[0];
    int64_t to = to_s < memory->away[1] ? to_s : memory->away[1];

    return from < to ? to - from : 0;
}

/* As much as there is for everybody and for the operator. */
static void metrics(void *context, bool all, struct out *out)
{
    static const char text[] = "refereed_build_info{version=\"0\",store=\"memory\"} 1\n"
                               "refereed_commit_failures_total 0\n";

    (void)context;
    out_bytes(out, text, all ? sizeof text - 1 : (size_t)(strchr(text, '\n') + 1 - text));
}

struct memory *memory_new(uint64_t seed)
{
    struct memory *memory = calloc(1, sizeof *memory);

    if (!memory)
        abort();
    memory->random = seed;
    memory->now_ms = INT64_C(1798761600000); /* 2027-01-01 */
    return memory;
}

void memory_free(struct memory *memory)
{
    for (size_t i = 0; i < memory->row_count; i++) {
        free((void *)(uintptr_t)memory->rows[i].record.claims);
        free((void *)(uintptr_t)memory->rows[i].record.sealed);
    }
    for (size_t i = 0; i < memory->kept_count; i++)
        free((void *)(uintptr_t)memory->kept[i].sealed);
    for (size_t i = 0; i < memory->snapshot_count; i++)
        free((void *)(uintptr_t)memory->snapshots[i].snapshot.sealed);
    free(memory->snapshots);
    free(memory->rows);
    free(memory->games);
    free(memory->known);
    free(memory->kept);
    free(memory);
}

void memory_config(struct api_config *ret_config, char ret_operator[static 48])
{
    uint8_t bytes[32];

    *ret_config = (struct api_config){.open_creation = true, .games_in_memory = 100};
    memset(bytes, 7, sizeof bytes);
    token_key_from_seed(&ret_config->signing, bytes);
    memset(ret_config->store_key, 8, 32);
    memset(bytes, 9, sizeof bytes);
    strcpy(ret_operator, "rfs_");
    base64_encode(bytes, sizeof bytes, ret_operator + 4);
    commit_credential(bytes, ret_config->operator_hash);
}

struct ports memory_ports(struct memory *memory)
{
    return (struct ports){memory,           append, epoch, settled, records, snapshot, games,
                          credential_known, kept,   false, now_ms,  entropy, away_s,   metrics};
}

void memory_set_clock(struct memory *memory, int64_t time_ms)
{
    memory->now_ms = time_ms;
}

void memory_set_away(struct memory *memory, int64_t from_s, int64_t to_s)
{
    memory->away[0] = from_s;
    memory->away[1] = to_s;
}

void memory_fail(struct memory *memory, int error)
{
    memory->fail = error;
}

void memory_distrust(struct memory *memory)
{
    memory->epoch++;
}

void *memory_dump(const struct memory *memory, size_t *ret_size)
{
    size_t size = 0;

    for (size_t i = 0; i < memory->row_count; i++)
        size += memory->rows[i].record.claims_size + memory->rows[i].record.sealed_size;
    uint8_t *bytes = malloc(size + 1), *at = bytes;
    if (!bytes)
        abort();
    for (size_t i = 0; i < memory->row_count; i++) {
        const struct record *record = &memory->rows[i].record;
        memcpy(at, record->claims, record->claims_size);
        at += record->claims_size;
        memcpy(at, record->sealed, record->sealed_size);
        at += record->sealed_size;
    }
    *ret_size = size;
    return bytes;
}
