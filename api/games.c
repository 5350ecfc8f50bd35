#include "api/games.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHELVES_MIN = 64, /* so that threads seldom meet, however few games are kept */
    SHELVES_MAX = 4096,
    GAMES_A_SHELF = 16, /* at most, for as long as there may be more shelves */
    PLACES_FIRST = 4,
    LOOKS = 2, /* places that the hand passes for each game that comes */
};

/* Ids are random: some bits choose the shelf, others the place on it. */
static struct shelf *shelf_of(const struct games *games, const uint8_t *gid)
{
    return &games->shelves[(size_t)(gid[0] | gid[1] << 8) % games->shelf_count];
}

static uint32_t tag_of(const uint8_t *gid)
{
    uint32_t tag;

    memcpy(&tag, gid + 2, sizeof tag);
    return tag;
}

int games_init(struct games *games, const struct ports *ports, const uint8_t *store_key,
               size_t max)
{
    size_t count = SHELVES_MIN;

    while (count < SHELVES_MAX && count * GAMES_A_SHELF < max)
        count *= 2;
    *games = (struct games){.ports = ports, .key = {.store_key = store_key}};
    games->shelf_max = (max + count - 1) / count + (max < count); /* never full with one */
    games->shelves = calloc(count, sizeof *games->shelves);
    if (!games->shelves)
        return -ENOMEM;
    games->shelf_count = count;
    for (size_t i = 0; i < count; i++)
        pthread_mutex_init(&games->shelves[i].lock, NULL);
    snapshot_stamp(games->key.stamp);
    return 0;
}

void games_done(struct games *games)
{
    for (size_t i = 0; i < games->shelf_count; i++) {
        struct shelf *shelf = &games->shelves[i];
        for (uint32_t place = 0; place < shelf->size; place++)
            fold_free(shelf->places[place].fold);
        free(shelf->places);
        pthread_mutex_destroy(&shelf->lock);
    }
    free(games->shelves);
    *games = (struct games){0};
}

struct loading {
    const struct snapshot_key *key;
    const uint8_t *gid;
    struct fold *fold;
    bool held;     /* the snapshot's link has been held against the log */
    uint64_t name; /* of the record read last */
};

static void take_snapshot(void *arg, const struct snapshot *snapshot)
{
    struct loading *loading = arg;

    loading->fold = snapshot_open(loading->key, loading->gid, snapshot);
}

/* The first record that is read must end where the snapshot does. */
static int hold(struct loading *loading, const struct record *record)
{
    uint8_t link[32];

    if (!record->count || !record->claims_size ||
        record->first + record->count - 1 != loading->fold->seq)
        return -EILSEQ;
    record_link(record, link);
    loading->held = memcmp(link, loading->fold->link, sizeof link) == 0;
    loading->name = record_name(link, record->sealed, record->sealed_size);
    return loading->held ? 0 : -EILSEQ;
}

static int load_record(void *arg, const struct record *record)
{
    struct loading *loading = arg;

    if (loading->fold && !loading->held)
        return hold(loading, record);
    loading->held = true;
    int error = record_fold(loading->key->store_key, loading->gid, record, &loading->fold);
    if (!error)
        loading->name = record_name(loading->fold->link, record->sealed, record->sealed_size);
    return error;
}

/* From the snapshot, or from the start. */
static int load(const struct ports *ports, struct loading *loading)
{
    uint32_t after = loading->fold ? loading->fold->seq - 1 : 0;
    int error = ports->records(ports->context, loading->gid, after, load_record, loading);

    if (!error && !(loading->fold && loading->held))
        error = loading->fold ? -EILSEQ : -ENOENT;
    if (error) {
        fold_free(loading->fold);
        loading->fold = NULL;
    }
    return error;
}

int games_load(const struct ports *ports, const struct snapshot_key *key,
               const uint8_t gid[static 16], struct fold **ret_fold, uint64_t *ret_name)
{
    struct loading loading = {.key = key, .gid = gid};

    (void)ports->snapshot(ports->context, gid, take_snapshot, &loading);
    bool short_cut = loading.fold != NULL;
    int error = load(ports, &loading);
    if (error == -EILSEQ && short_cut) {
        loading.held = false;
        error = load(ports, &loading);
    }
    if (error)
        return error;
    *ret_fold = loading.fold;
    *ret_name = loading.name;
    return 0;
}

bool games_pending(const struct games *games, const struct live *live)
{
    return live->ticket && !games->ports->settled(games->ports->context, live->ticket);
}

static uint32_t home_of(const struct shelf *shelf, uint32_t tag)
{
    return (uint32_t)((uint64_t)tag * shelf->size >> 32);
}

/* The game's place, or the empty one where it belongs; there is always an empty one. */
static struct live *place_of(const struct shelf *shelf, const uint8_t *gid)
{
    uint32_t tag = tag_of(gid), at = home_of(shelf, tag);

    while (shelf->places[at].fold &&
           (shelf->places[at].tag != tag || memcmp(shelf->places[at].fold->gid, gid, 16) != 0))
        at = (at + 1) % shelf->size;
    return &shelf->places[at];
}

/* Empties a place; those behind it that would no longer be found move up. Faces and seeds are
 * wiped before the memory goes back. */
static void leave(struct games *games, struct shelf *shelf, uint32_t hole)
{
    fold_free(shelf->places[hole].fold);
    shelf->count--;
    atomic_fetch_sub_explicit(&games->count, 1, memory_order_relaxed);
    for (uint32_t at = (hole + 1) % shelf->size; shelf->places[at].fold;
         at = (at + 1) % shelf->size) {
        uint32_t home = home_of(shelf, shelf->places[at].tag);
        uint32_t way = (at + shelf->size - home) % shelf->size;
        if (way < (at + shelf->size - hole) % shelf->size)
            continue;
        shelf->places[hole] = shelf->places[at];
        hole = at;
    }
    shelf->places[hole] = (struct live){0};
}

/* The hand goes round: who was not asked for since it last passed may have to leave. */
static bool pass(struct games *games, struct shelf *shelf, bool full)
{
    uint32_t at = shelf->hand++ % shelf->size;
    struct live *live = &shelf->places[at];

    shelf->hand %= shelf->size;
    if (!live->fold)
        return false;
    bool used = live->used;
    live->used = false;
    if (used || !(full || live->fold->status >= STATUS_OVER) || games_pending(games, live))
        return false;
    leave(games, shelf, at);
    shelf->hand = at; /* somebody may have moved up */
    return true;
}

static void make_room(struct games *games, struct shelf *shelf)
{
    bool full = shelf->count >= games->shelf_max;

    for (uint32_t i = 0; i < LOOKS && shelf->size; i++)
        pass(games, shelf, false);
    for (uint32_t i = 0; full && shelf->count >= games->shelf_max && i < 2 * shelf->size; i++)
        pass(games, shelf, true);
}

/* A place must stay empty, so that a search ends. */
static int grow(struct shelf *shelf)
{
    uint32_t size = shelf->size ? shelf->size + shelf->size / 4 : PLACES_FIRST;
    struct shelf grown = {.size = size};

    if (shelf->count + 1 + shelf->size / 16 < shelf->size)
        return 0;
    grown.places = calloc(size, sizeof *grown.places);
    if (!grown.places)
        return -ENOMEM;
    for (uint32_t i = 0; i < shelf->size; i++)
        if (shelf->places[i].fold)
            *place_of(&grown, shelf->places[i].fold->gid) = shelf->places[i];
    free(shelf->places);
    shelf->places = grown.places;
    shelf->size = size;
    shelf->hand = 0;
    return 0;
}

static int add(struct games *games, struct shelf *shelf, struct fold *fold, uint64_t epoch,
               uint64_t ticket, struct live **ret_live)
{
    make_room(games, shelf);
    int error = grow(shelf);
    if (error)
        return error;
    struct live *live = place_of(shelf, fold->gid);
    assert(!live->fold);
    *live = (struct live){.fold = fold,
                          .epoch = epoch,
                          .ticket = ticket,
                          .began = ticket,
                          .tag = tag_of(fold->gid),
                          .used = fold->status < STATUS_OVER};
    shelf->count++;
    atomic_fetch_add_explicit(&games->count, 1, memory_order_relaxed);
    *ret_live = live;
    return 0;
}

static int take_locked(struct games *games, struct shelf *shelf, const uint8_t *gid,
                       struct live **ret_live)
{
    struct live *live = shelf->size ? place_of(shelf, gid) : NULL;
    uint64_t epoch = games->ports->epoch(games->ports->context), name;
    struct fold *fold;

    if (live && live->fold && live->epoch == epoch) {
        live->used = true;
        *ret_live = live;
        return 0;
    }
    if (live && live->fold)
        leave(games, shelf, (uint32_t)(live - shelf->places));
    int error = games_load(games->ports, &games->key, gid, &fold, &name);
    if (error)
        return error;
    error = add(games, shelf, fold, epoch, 0, ret_live);
    if (error)
        fold_free(fold);
    else
        (*ret_live)->name = name;
    return error;
}

int games_take(struct games *games, const uint8_t gid[static 16], struct live **ret_live)
{
    struct shelf *shelf = shelf_of(games, gid);

    pthread_mutex_lock(&shelf->lock);
    int error = take_locked(games, shelf, gid, ret_live);
    if (error)
        pthread_mutex_unlock(&shelf->lock);
    return error;
}

void games_give(struct games *games, struct live *live)
{
    pthread_mutex_unlock(&shelf_of(games, live->fold->gid)->lock);
}

void games_drop(struct games *games, struct live *live)
{
    struct shelf *shelf = shelf_of(games, live->fold->gid);

    leave(games, shelf, (uint32_t)(live - shelf->places));
    pthread_mutex_unlock(&shelf->lock);
}

static int stop_at_once(void *arg, const struct record *record)
{
    (void)arg;
    (void)record;
    return 1;
}

bool games_behind(struct games *games, const struct live *live)
{
    const struct ports *ports = games->ports;

    return !games_pending(games, live) &&
           ports->records(ports->context, live->fold->gid, live->fold->seq, stop_at_once,
                          NULL) == 1;
}

/* The game's place if it is in memory, else NULL; with the shelf locked. */
static struct live *find(const struct shelf *shelf, const uint8_t *gid)
{
    struct live *live = shelf->size ? place_of(shelf, gid) : NULL;

    return live && live->fold ? live : NULL;
}

void games_changed(struct games *games, const uint8_t gid[static 16], uint32_t seq)
{
    struct shelf *shelf = shelf_of(games, gid);

    pthread_mutex_lock(&shelf->lock);
    const struct live *live = find(shelf, gid);
    if (live && live->fold->seq < seq && !games_pending(games, live))
        leave(games, shelf, (uint32_t)(live - shelf->places));
    pthread_mutex_unlock(&shelf->lock);
}

void games_lost(struct games *games, const uint8_t gid[static 16], uint64_t ticket)
{
    struct shelf *shelf = shelf_of(games, gid);

    pthread_mutex_lock(&shelf->lock);
    const struct live *live = find(shelf, gid);
    if (live && live->began && live->began <= ticket)
        leave(games, shelf, (uint32_t)(live - shelf->places));
    pthread_mutex_unlock(&shelf->lock);
}

void games_lock(struct games *games, const uint8_t gid[static 16])
{
    pthread_mutex_lock(&shelf_of(games, gid)->lock);
}

int games_add(struct games *games, struct fold *fold, uint64_t epoch, uint64_t ticket,
              uint64_t name)
{
    struct live *live;
    int error = add(games, shelf_of(games, fold->gid), fold, epoch, ticket, &live);

    if (!error)
        live->name = name;
    return error;
}

void games_unlock(struct games *games, const uint8_t gid[static 16])
{
    pthread_mutex_unlock(&shelf_of(games, gid)->lock);
}
