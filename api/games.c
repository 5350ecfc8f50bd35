#include "api/games.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/commit.h"
#include "rules/rulesets.h"

enum { NONCE_SIZE = 24, SEAL_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES, AD_SIZE = 20 };

static struct stripe *stripe_of(struct games *games, const uint8_t *gid)
{
    return &games->stripes[(gid[0] | gid[1] << 8) % GAME_STRIPES]; /* ids are random */
}

int games_init(struct games *games, const struct ports *ports, const uint8_t *store_key,
               size_t max)
{
    *games = (struct games){.ports = ports, .store_key = store_key};
    games->stripe_max = max / GAME_STRIPES + 4;
    games->stripes = calloc(GAME_STRIPES, sizeof *games->stripes);
    if (!games->stripes)
        return -ENOMEM;
    for (int i = 0; i < GAME_STRIPES; i++)
        pthread_mutex_init(&games->stripes[i].lock, NULL);
    return 0;
}

/* Faces and seeds are wiped before the memory goes back. */
static void live_free(struct live *live)
{
    fold_free(live->fold);
    free(live);
}

void games_done(struct games *games)
{
    for (int i = 0; games->stripes && i < GAME_STRIPES; i++) {
        while (games->stripes[i].first) {
            struct live *live = games->stripes[i].first;
            games->stripes[i].first = live->next;
            live_free(live);
        }
        pthread_mutex_destroy(&games->stripes[i].lock);
    }
    free(games->stripes);
    games->stripes = NULL;
}

static void additional(const uint8_t *gid, uint32_t first, uint8_t ad[static AD_SIZE])
{
    memcpy(ad, gid, 16);
    for (int i = 0; i < 4; i++)
        ad[16 + i] = (uint8_t)(first >> (8 * i));
}

void record_seal(const uint8_t store_key[static 32], const uint8_t gid[static 16],
                 uint32_t first, const uint8_t nonce[static 24], const struct out *notes,
                 struct out *out)
{
    uint8_t ad[AD_SIZE];
    size_t size = notes->size + SEAL_SIZE;
    autofree uint8_t *closed = malloc(size);

    if (!closed || notes->failed) {
        out->failed = true;
        return;
    }
    additional(gid, first, ad);
    crypto_aead_xchacha20poly1305_ietf_encrypt(closed, NULL, (const uint8_t *)notes->text,
                                               notes->size, ad, sizeof ad, NULL, nonce,
                                               store_key);
    out_bytes(out, (const char *)nonce, NONCE_SIZE);
    out_bytes(out, (const char *)closed, size);
}

uint64_t record_name(const uint8_t link[static 32], const uint8_t *sealed, size_t sealed_size)
{
    uint64_t name = commit_id(link);

    for (size_t i = 0; i < 8 && i < sealed_size; i++) /* the nonce stands first */
        name ^= (uint64_t)sealed[i] << (8 * i);
    return name;
}

int record_open(const uint8_t store_key[static 32], const uint8_t gid[static 16],
                const struct record *record, uint8_t **ret_notes, size_t *ret_size)
{
    uint8_t ad[AD_SIZE];
    unsigned long long size;

    if (record->sealed_size < NONCE_SIZE + SEAL_SIZE)
        return -EILSEQ;
    uint8_t *notes = malloc(record->sealed_size);
    if (!notes)
        return -ENOMEM;
    additional(gid, record->first, ad);
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(
            notes, &size, NULL, record->sealed + NONCE_SIZE, record->sealed_size - NONCE_SIZE,
            ad, sizeof ad, record->sealed, store_key) != 0) {
        free(notes);
        return -EILSEQ;
    }
    *ret_notes = notes;
    *ret_size = (size_t)size;
    return 0;
}

struct loading {
    struct games *games;
    const uint8_t *gid;
    struct fold *fold;
    uint64_t name; /* of the record read last */
};

static int load_notes(struct loading *loading, const uint8_t *notes, size_t size)
{
    struct note_view note;
    struct effects effects;
    size_t at = 0;

    while (note_next(notes, size, &at, &note)) {
        if (!loading->fold && (note.kind != NOTE_CREATED || note.payload[0] >= RULESETS))
            return -EILSEQ;
        if (!loading->fold)
            loading->fold = fold_new(codec_of(rulesets[note.payload[0]]), loading->gid);
        if (!loading->fold)
            return -ENOMEM;
        if (!fold_note(loading->fold, &note, &effects))
            return -EILSEQ;
    }
    return at == size ? 0 : -EILSEQ;
}

/* The link goes over the exact bytes of each event, the last of a record last. */
static void load_link(struct fold *fold, const struct record *record)
{
    const char *last = record->claims;
    const char *end = record->claims + record->claims_size;

    for (const char *at = record->claims; at < end; at++)
        if (*at == '\n')
            last = at + 1;
    fold->seq = record->first + record->count - 1;
    commit_link(last, (size_t)(end - last), fold->link);
}

static int load_record(void *arg, const struct record *record)
{
    struct loading *loading = arg;
    autofree uint8_t *notes = NULL;
    size_t size = 0;

    if (record->first != (loading->fold ? loading->fold->seq + 1 : 1) || !record->count)
        return -EILSEQ;
    int error = record_open(loading->games->store_key, loading->gid, record, &notes, &size);
    if (!error)
        error = load_notes(loading, notes, size);
    if (notes)
        sodium_memzero(notes, size);
    if (error)
        return error;
    if (!loading->fold)
        return -EILSEQ;
    load_link(loading->fold, record);
    loading->name = record_name(loading->fold->link, record->sealed, record->sealed_size);
    return 0;
}

static int load(struct games *games, const uint8_t *gid, struct fold **ret_fold,
                uint64_t *ret_name)
{
    struct loading loading = {.games = games, .gid = gid};
    int error = games->ports->records(games->ports->context, gid, 0, load_record, &loading);

    if (!error && !loading.fold)
        error = -ENOENT;
    if (error) {
        fold_free(loading.fold);
        return error;
    }
    *ret_fold = loading.fold;
    *ret_name = loading.name;
    return 0;
}

/* What may leave: nothing that is still on its way to disk. */
static bool may_leave(struct games *games, const struct live *live)
{
    return live->ticket == 0 || games->ports->settled(games->ports->context, live->ticket);
}

/* Makes room by the game used longest ago that may leave. */
static void make_room(struct games *games, struct stripe *stripe)
{
    struct live **leaving = NULL;

    if (stripe->count < games->stripe_max)
        return;
    for (struct live **at = &stripe->first; *at; at = &(*at)->next)
        if (may_leave(games, *at))
            leaving = at;
    if (!leaving)
        return;
    struct live *live = *leaving;
    *leaving = live->next;
    live_free(live);
    stripe->count--;
}

static int add(struct games *games, struct stripe *stripe, struct fold *fold, uint64_t epoch,
               uint64_t ticket, uint64_t name)
{
    make_room(games, stripe);
    struct live *live = malloc(sizeof *live);
    if (!live)
        return -ENOMEM;
    *live = (struct live){stripe->first, fold, epoch, ticket, ticket, name};
    stripe->first = live;
    stripe->count++;
    return 0;
}

static struct live *find(struct stripe *stripe, const uint8_t *gid)
{
    for (struct live **at = &stripe->first; *at; at = &(*at)->next) {
        struct live *live = *at;
        if (memcmp(live->fold->gid, gid, 16) != 0)
            continue;
        *at = live->next;
        live->next = stripe->first;
        stripe->first = live;
        return live;
    }
    return NULL;
}

/* Leaves out the game at the head of the stripe. */
static void drop_first(struct stripe *stripe)
{
    struct live *live = stripe->first;

    stripe->first = live->next;
    live_free(live);
    stripe->count--;
}

static int take_locked(struct games *games, struct stripe *stripe, const uint8_t *gid,
                       struct live **ret_live)
{
    struct live *live = find(stripe, gid);
    uint64_t epoch = games->ports->epoch(games->ports->context), name;
    struct fold *fold;

    if (live && live->epoch == epoch) {
        *ret_live = live;
        return 0;
    }
    if (live)
        drop_first(stripe);
    int error = load(games, gid, &fold, &name);
    if (error)
        return error;
    error = add(games, stripe, fold, epoch, 0, name);
    if (error)
        fold_free(fold);
    else
        *ret_live = stripe->first;
    return error;
}

int games_take(struct games *games, const uint8_t gid[static 16], struct live **ret_live)
{
    struct stripe *stripe = stripe_of(games, gid);

    pthread_mutex_lock(&stripe->lock);
    int error = take_locked(games, stripe, gid, ret_live);
    if (error)
        pthread_mutex_unlock(&stripe->lock);
    return error;
}

void games_give(struct games *games, struct live *live)
{
    pthread_mutex_unlock(&stripe_of(games, live->fold->gid)->lock);
}

void games_drop(struct games *games, struct live *live)
{
    struct stripe *stripe = stripe_of(games, live->fold->gid);

    if (find(stripe, live->fold->gid) == live)
        drop_first(stripe);
    pthread_mutex_unlock(&stripe->lock);
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

    return may_leave(games, live) && ports->records(ports->context, live->fold->gid,
                                                    live->fold->seq, stop_at_once, NULL) == 1;
}

void games_changed(struct games *games, const uint8_t gid[static 16], uint32_t seq)
{
    struct stripe *stripe = stripe_of(games, gid);

    pthread_mutex_lock(&stripe->lock);
    const struct live *live = find(stripe, gid);
    if (live && live->fold->seq < seq && may_leave(games, live))
        drop_first(stripe);
    pthread_mutex_unlock(&stripe->lock);
}

void games_lost(struct games *games, const uint8_t gid[static 16], uint64_t ticket)
{
    struct stripe *stripe = stripe_of(games, gid);

    pthread_mutex_lock(&stripe->lock);
    const struct live *live = find(stripe, gid);
    if (live && live->began && live->began <= ticket)
        drop_first(stripe);
    pthread_mutex_unlock(&stripe->lock);
}

void games_lock(struct games *games, const uint8_t gid[static 16])
{
    pthread_mutex_lock(&stripe_of(games, gid)->lock);
}

int games_add(struct games *games, struct fold *fold, uint64_t epoch, uint64_t ticket,
              uint64_t name)
{
    return add(games, stripe_of(games, fold->gid), fold, epoch, ticket, name);
}

void games_unlock(struct games *games, const uint8_t gid[static 16])
{
    pthread_mutex_unlock(&stripe_of(games, gid)->lock);
}
