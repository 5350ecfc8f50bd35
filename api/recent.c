#include "api/recent.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static struct recent_place *place_of(struct recent *recent, const uint8_t *gid)
{
    return &recent->places[gid[2] % RECENT_PLACES]; /* ids are random */
}

int recent_init(struct recent *recent)
{
    recent->places = calloc(RECENT_PLACES, sizeof *recent->places);
    if (!recent->places)
        return -ENOMEM;
    for (int i = 0; i < RECENT_PLACES; i++)
        pthread_mutex_init(&recent->places[i].lock, NULL);
    return 0;
}

static void empty(struct recent_place *place)
{
    if (place->bytes)
        sodium_memzero(place->bytes, place->claims_size + place->notes_size);
    free(place->bytes);
    place->bytes = NULL;
    place->count = 0;
}

void recent_done(struct recent *recent)
{
    for (int i = 0; recent->places && i < RECENT_PLACES; i++) {
        empty(&recent->places[i]);
        pthread_mutex_destroy(&recent->places[i].lock);
    }
    free(recent->places);
    recent->places = NULL;
}

static bool holds(const struct recent_place *place, const uint8_t *gid, uint32_t seq)
{
    return place->count && memcmp(place->gid, gid, sizeof place->gid) == 0 &&
           seq >= place->first && seq - place->first < place->count;
}

static void fill(struct recent_place *place, const uint8_t *gid, const struct record *record,
                 const uint8_t *notes, size_t size)
{
    empty(place);
    place->bytes = malloc(record->claims_size + size);
    if (!place->bytes)
        return;
    memcpy(place->bytes, record->claims, record->claims_size);
    memcpy(place->bytes + record->claims_size, notes, size);
    memcpy(place->gid, gid, sizeof place->gid);
    place->claims_size = record->claims_size;
    place->notes_size = size;
    place->first = record->first;
    place->count = record->count;
}

void recent_keep(struct recent *recent, const uint8_t gid[static 16],
                 const struct record *record, const uint8_t *notes, size_t size)
{
    struct recent_place *place = place_of(recent, gid);

    if (!record->count || !size || record->claims_size + size > RECENT_SIZE_MAX)
        return;
    pthread_mutex_lock(&place->lock);
    if (!holds(place, gid, record->first))
        fill(place, gid, record, notes, size);
    pthread_mutex_unlock(&place->lock);
}

bool recent_tell(struct recent *recent, const uint8_t gid[static 16], uint32_t seq,
                 void (*row)(void *arg, const struct record *record, const uint8_t *notes,
                             size_t size),
                 void *arg)
{
    struct recent_place *place = place_of(recent, gid);

    pthread_mutex_lock(&place->lock);
    bool found = holds(place, gid, seq);
    if (found) {
        const struct record record = {.first = place->first,
                                      .count = place->count,
                                      .claims = place->bytes,
                                      .claims_size = place->claims_size};
        row(arg, &record, (const uint8_t *)place->bytes + place->claims_size,
            place->notes_size);
    }
    pthread_mutex_unlock(&place->lock);
    return found;
}
