#include "tests/sim/disk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/scarce.h"
#include "tests/support/held.h"

enum { WAITING_MAX = 64, LOSSES_MAX = 4096 };

struct waiting {
    struct held held;
    uint64_t ticket;
    bool landed; /* before others that wait longer */
};

struct loss {
    uint64_t first, last;
    int error;
};

struct disk {
    struct ports under;
    struct seeded *chance;
    disk_landed *landed;
    void *context;
    uint64_t epoch, ticket, settled, taken;
    int refuse, blind;
    bool felt;
    enum plant plant;
    struct waiting *waiting[WAITING_MAX];
    size_t count;
    struct loss losses[LOSSES_MAX];
    size_t loss_count;
};

static bool one_in(struct disk *disk, uint32_t n)
{
    return seeded_below(disk->chance, n) == 0;
}

/* It comes to lie on the disk. */
static void land(struct disk *disk, struct waiting *waiting)
{
    struct change change = waiting->held.change;
    uint64_t ticket;

    waiting->landed = true;
    if (disk->plant == PLANT_DROPPED && one_in(disk, 8))
        return;
    if (disk->plant == PLANT_TORN && one_in(disk, 2))
        change.kept = NULL;
    change.epoch = disk->under.epoch(disk->under.context);
    int times = disk->plant == PLANT_TWICE && one_in(disk, 8) ? 2 : 1;
    for (int i = 0; i < times; i++)
        if (disk->landed(disk->context, &change) &&
            disk->under.append(disk->under.context, &change, &ticket) != 0)
            abort();
}

static bool same_game(const struct waiting *one, const struct waiting *other)
{
    return memcmp(one->held.gid, other->held.gid, 16) == 0;
}

static bool first_of_its_game(const struct disk *disk, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!disk->waiting[k]->landed && same_game(disk->waiting[k], disk->waiting[i]))
            return false;
    return true;
}

/* Some of what waits, in any order but that of each game. */
static void land_some(struct disk *disk, bool all)
{
    for (size_t i = 0; i < disk->count; i++)
        if (!disk->waiting[i]->landed && (all || one_in(disk, 2)) && first_of_its_game(disk, i))
            land(disk, disk->waiting[i]);
}

static void drop_first(struct disk *disk, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        held_drop(&disk->waiting[i]->held);
        free(disk->waiting[i]);
    }
    disk->count -= count;
    memmove(disk->waiting, disk->waiting + count, disk->count * sizeof *disk->waiting);
}

/* Tickets are settled in order, up to the first that has not landed. */
void disk_write(struct disk *disk, bool all)
{
    size_t done = 0;

    land_some(disk, all);
    while (done < disk->count && disk->waiting[done]->landed)
        disk->settled = disk->waiting[done++]->ticket;
    drop_first(disk, done);
}

void disk_fail(struct disk *disk, int error, bool landed)
{
    if (landed)
        land_some(disk, one_in(disk, 2));
    if (disk->count) {
        if (disk->loss_count == LOSSES_MAX)
            abort();
        disk->losses[disk->loss_count++] =
            (struct loss){disk->waiting[0]->ticket, disk->ticket, error};
    }
    drop_first(disk, disk->count);
    disk->settled = disk->ticket;
    disk->epoch += disk->plant != PLANT_SILENT;
}

void disk_crash(struct disk *disk)
{
    land_some(disk, one_in(disk, 3));
    drop_first(disk, disk->count);
    disk->epoch = disk->ticket = disk->settled = 0;
    disk->loss_count = 0;
}

void disk_refuse(struct disk *disk, int error)
{
    disk->refuse = error;
}

void disk_blind(struct disk *disk, int error)
{
    disk->blind = error;
}

void disk_plant(struct disk *disk, enum plant plant)
{
    disk->plant = plant;
}

bool disk_settled(const struct disk *disk, uint64_t ticket, int *ret_error)
{
    *ret_error = 0;
    if (disk->plant == PLANT_EARLY)
        return true;
    for (size_t i = 0; i < disk->loss_count; i++)
        if (ticket >= disk->losses[i].first && ticket <= disk->losses[i].last)
            *ret_error = disk->losses[i].error;
    return ticket <= disk->settled;
}

uint64_t disk_taken(const struct disk *disk)
{
    return disk->taken;
}

size_t disk_waiting(const struct disk *disk)
{
    return disk->count;
}

bool disk_pending(const struct disk *disk, const uint8_t gid[static 16])
{
    for (size_t i = 0; i < disk->count; i++)
        if (memcmp(disk->waiting[i]->held.gid, gid, 16) == 0)
            return true;
    return false;
}

bool disk_felt(struct disk *disk)
{
    bool felt = disk->felt;

    disk->felt = false;
    return felt;
}

/* The ports. The store's own memory never fails: what scarce.h takes away is the api's. */

static int append(void *context, const struct change *change, uint64_t *ret_ticket)
{
    struct disk *disk = context;
    bool scarce = scarce_pause(true);
    int error = 0;

    if (change->epoch != disk->epoch) {
        error = -ECANCELED;
    } else if (disk->refuse) {
        error = disk->refuse;
        disk_fail(disk, error, false);
    }
    if (error) {
        disk->felt = true;
        scarce_pause(scarce);
        return error;
    }
    struct waiting *waiting = calloc(1, sizeof *waiting);
    if (!waiting || disk->count == WAITING_MAX)
        abort();
    held_put(&waiting->held, change);
    waiting->ticket = *ret_ticket = ++disk->ticket;
    disk->waiting[disk->count++] = waiting;
    disk->taken++;
    scarce_pause(scarce);
    return 0;
}

static uint64_t epoch(void *context)
{
    return ((struct disk *)context)->epoch;
}

static bool settled(void *context, uint64_t ticket)
{
    int error;

    return disk_settled(context, ticket, &error);
}

/* Does this read fail? */
static bool fails(struct disk *disk)
{
    bool failing = disk->blind && one_in(disk, 3);

    disk->felt = disk->felt || failing;
    return failing;
}

static int records(void *context, const uint8_t gid[static 16], uint32_t after,
                   int (*row)(void *arg, const struct record *record), void *arg)
{
    struct disk *disk = context;

    return fails(disk) ? disk->blind
                       : disk->under.records(disk->under.context, gid, after, row, arg);
}

static int snapshot(void *context, const uint8_t gid[static 16],
                    void (*take)(void *arg, const struct snapshot *snapshot), void *arg)
{
    struct disk *disk = context;

    return fails(disk) ? disk->blind
                       : disk->under.snapshot(disk->under.context, gid, take, arg);
}

static int games(void *context, const struct list_query *query,
                 int (*row)(void *arg, const struct listing *game, int64_t number), void *arg)
{
    struct disk *disk = context;

    return fails(disk) ? disk->blind : disk->under.games(disk->under.context, query, row, arg);
}

/* As in the daemon what is queued is known already. */
static int credential_known(void *context, uint64_t id, uint8_t ret_gid[static 16])
{
    struct disk *disk = context;

    for (size_t i = 0; i < disk->count; i++) {
        const struct change *change = &disk->waiting[i]->held.change;
        for (size_t k = 0; k < change->credential_count; k++) {
            if (change->credentials[k] != id)
                continue;
            memcpy(ret_gid, change->gid, 16);
            return 1;
        }
    }
    return fails(disk) ? disk->blind
                       : disk->under.credential_known(disk->under.context, id, ret_gid);
}

static int kept(void *context, const uint8_t key[static 32], int64_t now_ms,
                void (*take)(void *arg, const struct kept *kept), void *arg)
{
    struct disk *disk = context;

    for (size_t i = 0; i < disk->count; i++) {
        const struct held *held = &disk->waiting[i]->held;
        if (!held->change.kept || memcmp(held->kept.key, key, 32) != 0)
            continue;
        struct kept found = held->kept;
        found.ticket = disk->waiting[i]->ticket;
        take(arg, &found);
        return 0;
    }
    return fails(disk) ? disk->blind
                       : disk->under.kept(disk->under.context, key, now_ms, take, arg);
}

static int64_t now_ms(void *context)
{
    struct disk *disk = context;

    return disk->under.now_ms(disk->under.context);
}

static void entropy(void *context, void *ret_bytes, size_t size)
{
    struct disk *disk = context;

    disk->under.entropy(disk->under.context, ret_bytes, size);
}

struct disk *disk_new(struct memory *memory, struct seeded *chance, disk_landed *landed,
                      void *context)
{
    struct disk *disk = calloc(1, sizeof *disk);

    if (!disk)
        abort();
    disk->under = memory_ports(memory);
    disk->chance = chance;
    disk->landed = landed;
    disk->context = context;
    return disk;
}

void disk_free(struct disk *disk)
{
    drop_first(disk, disk->count);
    free(disk);
}

struct ports disk_ports(struct disk *disk)
{
    return (struct ports){
        disk, append, epoch,  settled, records, snapshot, games, credential_known,
        kept, false,  now_ms, entropy, NULL,    NULL};
}
