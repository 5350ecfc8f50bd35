#include "api/snapshot.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/commit.h"
#include "api/record.h"
#include "rules/match.h"
#include "rules/rulesets.h"

enum {
    VERSION = 2, /* raise it where a member of a state means something else in the same place */
    SEAL_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    AD_SIZE = 16 + 4 + SNAPSHOT_STAMP_SIZE,
    TRIAL_EVENTS = 120,
    TRIAL_FACE = 2, /* of a piece that moves, and may move far */
};

/* What stands before the fold's own bytes. */
struct head {
    uint8_t ruleset, players, blinds, clock;
    uint32_t names_size;
};

#define PLACE(type, member) offsetof(struct type, member), sizeof((struct type){0}.member)

static const size_t places[] = {
    VERSION,
    sizeof(struct head),
    PLACE(head, ruleset),
    PLACE(head, players),
    PLACE(head, blinds),
    PLACE(head, clock),
    PLACE(head, names_size),
    sizeof(struct fold),
    PLACE(fold, gid),
    PLACE(fold, link),
    PLACE(fold, host),
    PLACE(fold, referee_seed),
    PLACE(fold, created_ms),
    PLACE(fold, due_s),
    PLACE(fold, seq),
    PLACE(fold, options),
    PLACE(fold, tries),
    PLACE(fold, status),
    PLACE(fold, spectators),
    PLACE(fold, started),
    PLACE(fold, offers),
    PLACE(fold, declined),
    PLACE(fold, out),
    PLACE(fold, ruleset),
    PLACE(fold, starter),
    PLACE(fold, codec),
    PLACE(fold, blinds),
    PLACE(fold, clock),
    PLACE(fold, names),
    offsetof(struct fold, state),
    PLACE(kept_options, answer_s),
    PLACE(kept_options, variant),
    PLACE(kept_options, players),
    PLACE(kept_options, custody),
    sizeof(struct seat),
    PLACE(seat, hash),
    PLACE(seat, seed),
    PLACE(seat, taken),
    PLACE(seat, committed),
    PLACE(seat, revealed),
    sizeof(struct blinds),
    PLACE(blinds, opened),
    PLACE(blinds, cell),
    PLACE(blinds, account),
    PLACE(blinds, absent_seq),
    PLACE(blinds, audited),
    PLACE(blinds, absent),
    PLACE(blinds, closed),
    PLACE(blinds, claimed),
    sizeof(struct clock),
    PLACE(clock, since_s),
    PLACE(clock, terms),
    PLACE(clock, left_s),
    PLACE(clock, running),
    PLACE(clock_terms, per_move_s),
    PLACE(clock_terms, initial_s),
    PLACE(clock_terms, increment_s),
    sizeof(struct account),
    PLACE(account, seat),
    PLACE(account, slots),
    PLACE(account, face),
    PLACE(account, shown),
    PLACE(account, shown_seq),
    PLACE(account, moved_seq),
    PLACE(account, long_seq),
    PLACE(account, setup_seq),
    PLACE(account, excess_seq),
    STATUSES,
};

/* A short game, always the same. */
struct trial {
    const struct codec *codec;
    const struct options *options;
    uint32_t chance;
    void *state;
    struct event moves[MOVES_MAX];
};

/* Fair enough for a game that nobody plays. */
static uint32_t trial_below(struct trial *trial, uint32_t n)
{
    trial->chance = trial->chance * 1664525U + 1013904223U;
    return (uint32_t)((uint64_t)trial->chance * n >> 32);
}

static void trial_shuffle(struct trial *trial, uint8_t count, uint8_t *ret_order)
{
    for (uint8_t i = 0; i < count; i++) {
        uint32_t j = trial_below(trial, i + 1U);
        ret_order[i] = ret_order[j];
        ret_order[j] = i;
    }
}

/* Shuffled anew for as long as the rules refuse how it lies. */
static void trial_deal(struct trial *trial, uint8_t cards, struct event *event)
{
    *event = (struct event){.kind = EVENT_DEAL, .seat = NO_SEAT, .size = cards};
    do
        trial_shuffle(trial, cards, event->data);
    while (++event->tries < DEAL_TRIES_MAX &&
           match_judge(trial->codec->rules, trial->state, event) != ALLOWED);
}

/* A move by lot; in players' custody what must be opened with it, or in answer, is any face. */
static void trial_move(struct trial *trial, struct event *event)
{
    const struct codec *codec = trial->codec;

    if (event->kind == EVENT_MOVE) {
        size_t count = codec->rules->legal(trial->state, event->seat, trial->moves, MOVES_MAX);
        uint8_t seat = event->seat;
        if (!count)
            return;
        *event = trial->moves[trial_below(trial, (uint32_t)count)];
        event->kind = EVENT_MOVE;
        event->seat = seat;
    }
    if (trial->options->custody != CUSTODY_PLAYERS)
        return;
    uint64_t needed = codec->blind->needs(trial->state, event);
    for (uint8_t slot = 0; slot < SLOTS_MAX; slot++)
        if (needed >> slot & 1)
            codec->blind->open(event, slot, TRIAL_FACE);
}

/* What chance or a player does next; false: nothing that is tried here. */
static bool trial_event(struct trial *trial, struct event *event)
{
    const struct codec *codec = trial->codec;
    struct awaiting awaiting = codec->rules->awaits(trial->state);
    uint8_t seat = 0;

    while (seat + 1 < SEATS_MAX && !(awaiting.seats >> seat & 1))
        seat++;
    *event = (struct event){.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1, .data = {seat}};
    if (awaiting.what == AWAIT_DEAL)
        trial_deal(trial, awaiting.cards, event);
    if (awaiting.what == AWAIT_SETUP && codec->blind)
        codec->blind->setup(trial->options, seat, (UINT64_C(1) << SLOTS_MAX) - 1, event);
    if (awaiting.what == AWAIT_MOVE || (awaiting.what == AWAIT_OPEN && codec->blind)) {
        *event = (struct event){.kind = awaiting.what == AWAIT_MOVE ? EVENT_MOVE : EVENT_OPEN,
                                .seat = seat};
        trial_move(trial, event);
    }
    return match_judge(codec->rules, trial->state, event) == ALLOWED;
}

/* Sizes alone would not tell two members that changed places, and api/ does not know those of
 * a state: what a short game leaves in it does. */
static void hash_trial(crypto_generichash_state *hash, const struct codec *codec,
                       const struct options *options)
{
    autofree struct trial *trial = calloc(1, sizeof *trial);
    autofree void *state = calloc(1, codec->rules->state_size);
    struct effects effects;
    struct event event;

    if (!trial || !state)
        return;
    trial->codec = codec;
    trial->options = options;
    trial->state = state;
    codec->rules->begin(state, options);
    crypto_generichash_update(hash, state, codec->rules->state_size);
    for (int i = 0; i < TRIAL_EVENTS && trial_event(trial, &event); i++) {
        match_play(codec->rules, state, &event, &effects);
        crypto_generichash_update(hash, state, codec->rules->state_size);
    }
}

static void hash_rules(crypto_generichash_state *hash, const struct ruleset *rules)
{
    struct options options;

    crypto_generichash_update(hash, (const uint8_t *)&rules->state_size,
                              sizeof rules->state_size);
    for (uint8_t variant = 0; variant < rules->variant_count; variant++) {
        ruleset_presets(rules, variant, &options);
        for (uint8_t custody = 0; custody < CUSTODIES; custody++) {
            options.custody = custody;
            if (rules->custodies >> custody & 1)
                hash_trial(hash, codec_of(rules), &options);
        }
    }
}

void snapshot_stamp(uint8_t ret_stamp[static SNAPSHOT_STAMP_SIZE])
{
    crypto_generichash_state hash;

    crypto_generichash_init(&hash, NULL, 0, SNAPSHOT_STAMP_SIZE);
    crypto_generichash_update(&hash, (const uint8_t *)places, sizeof places);
    for (size_t i = 0; i < ruleset_count; i++)
        hash_rules(&hash, rulesets[i]);
    crypto_generichash_final(&hash, ret_stamp, SNAPSHOT_STAMP_SIZE);
}

bool snapshot_due(uint32_t first, const struct fold *fold)
{
    return fold->seq / SNAPSHOT_EVERY != (first - 1) / SNAPSHOT_EVERY ||
           fold->status >= STATUS_OVER;
}

void snapshot_image(const struct fold *fold, struct out *out)
{
    struct head head = {.ruleset = fold->ruleset,
                        .players = fold->options.players,
                        .blinds = fold->blinds != NULL,
                        .clock = fold->clock != NULL,
                        .names_size = (uint32_t)fold_names_size(fold)};

    out_bytes(out, (const char *)&head, sizeof head);
    size_t at = out->size;
    out_bytes(out, (const char *)fold, fold_size(fold->codec, fold->options.players));
    if (!out->failed) {
        memset(out->text + at + offsetof(struct fold, codec), 0, sizeof fold->codec);
        memset(out->text + at + offsetof(struct fold, blinds), 0, sizeof fold->blinds);
        memset(out->text + at + offsetof(struct fold, clock), 0, sizeof fold->clock);
        memset(out->text + at + offsetof(struct fold, names), 0, sizeof fold->names);
    }
    if (fold->blinds)
        out_bytes(out, (const char *)fold->blinds, sizeof *fold->blinds);
    if (fold->clock)
        out_bytes(out, (const char *)fold->clock, sizeof *fold->clock);
    if (fold->names)
        out_bytes(out, fold->names, head.names_size);
}

static void additional(const struct snapshot_key *key, const uint8_t *gid, uint32_t seq,
                       uint8_t ad[static AD_SIZE])
{
    memcpy(ad, gid, 16);
    for (int i = 0; i < 4; i++)
        ad[16 + i] = (uint8_t)(seq >> (8 * i));
    memcpy(ad + 20, key->stamp, sizeof key->stamp);
}

void snapshot_seal(const struct snapshot_key *key, const struct fold *fold, struct out *out)
{
    uint8_t ad[AD_SIZE], nonce[SNAPSHOT_NONCE_SIZE];
    autoout struct out image = {0};

    snapshot_image(fold, &image);
    size_t size = image.size + SEAL_SIZE;
    autofree uint8_t *closed = malloc(size);
    if (image.failed || !closed) {
        out->failed = true;
    } else {
        additional(key, fold->gid, fold->seq, ad);
        seal_nonce(key->store_key, ad, sizeof ad, image.text, image.size, nonce);
        crypto_aead_xchacha20poly1305_ietf_encrypt(closed, NULL, (const uint8_t *)image.text,
                                                   image.size, ad, sizeof ad, NULL, nonce,
                                                   key->store_key);
        out_bytes(out, (const char *)key->stamp, sizeof key->stamp);
        out_bytes(out, (const char *)nonce, SNAPSHOT_NONCE_SIZE);
        out_bytes(out, (const char *)closed, size);
    }
    if (image.text)
        sodium_memzero(image.text, image.size);
}

bool snapshot_ours(const struct snapshot_key *key, const struct snapshot *snapshot)
{
    return snapshot->sealed_size >= SNAPSHOT_STAMP_SIZE &&
           memcmp(snapshot->sealed, key->stamp, SNAPSHOT_STAMP_SIZE) == 0;
}

/* As many names as there are seats, and no more. */
static bool names_fit(const uint8_t *names, size_t size, uint8_t players)
{
    size_t count = 0;

    for (size_t i = 0; i < size; i++)
        count += names[i] == '\0';
    return size == 0 || (count == players && names[size - 1] == '\0');
}

static void *take_part(const uint8_t *bytes, size_t size)
{
    void *part = malloc(size);

    return part ? memcpy(part, bytes, size) : NULL;
}

/* Pointers are never taken from an image, and no size but what its own parts add up to. */
static struct fold *read_image(const uint8_t *gid, const uint8_t *image, size_t size)
{
    struct head head;

    if (size < sizeof head)
        return NULL;
    memcpy(&head, image, sizeof head);
    if (head.ruleset >= ruleset_count || head.players < 1 || head.players > SEATS_MAX)
        return NULL;
    const struct codec *codec = codec_of(rulesets[head.ruleset]);
    const uint8_t *bytes = image + sizeof head;
    size_t fold_bytes = fold_size(codec, head.players);
    size_t blinds_bytes = head.blinds ? sizeof(struct blinds) : 0;
    size_t clock_bytes = head.clock ? sizeof(struct clock) : 0;
    const uint8_t *blinds = bytes + fold_bytes, *clock = blinds + blinds_bytes;
    const uint8_t *names = clock + clock_bytes;
    if (size != sizeof head + fold_bytes + blinds_bytes + clock_bytes + head.names_size ||
        !names_fit(names, head.names_size, head.players))
        return NULL;
    struct fold *fold = fold_new(codec, head.players, gid);
    if (!fold)
        return NULL;
    memcpy(fold, bytes, fold_bytes);
    fold->codec = codec;
    fold->options.players = head.players;
    fold->blinds = head.blinds ? take_part(blinds, blinds_bytes) : NULL;
    fold->clock = head.clock ? take_part(clock, clock_bytes) : NULL;
    fold->names = head.names_size ? take_part(names, head.names_size) : NULL;
    bool whole = (fold->blinds || !head.blinds) && (fold->clock || !head.clock) &&
                 (fold->names || !head.names_size) &&
                 (fold->blinds || fold->options.custody != CUSTODY_PLAYERS) &&
                 fold->ruleset == head.ruleset && memcmp(fold->gid, gid, 16) == 0;
    if (whole)
        return fold;
    fold_free(fold);
    return NULL;
}

struct fold *snapshot_open(const struct snapshot_key *key, const uint8_t gid[static 16],
                           const struct snapshot *snapshot)
{
    enum { LEAD = SNAPSHOT_STAMP_SIZE + SNAPSHOT_NONCE_SIZE };
    uint8_t ad[AD_SIZE];
    unsigned long long size = 0;

    if (!snapshot_ours(key, snapshot) || snapshot->sealed_size < LEAD + SEAL_SIZE)
        return NULL;
    size_t room = snapshot->sealed_size - LEAD;
    autofree uint8_t *image = malloc(room);
    if (!image)
        return NULL;
    additional(key, gid, snapshot->seq, ad);
    int closed = crypto_aead_xchacha20poly1305_ietf_decrypt(
        image, &size, NULL, snapshot->sealed + LEAD, room, ad, sizeof ad,
        snapshot->sealed + SNAPSHOT_STAMP_SIZE, key->store_key);
    struct fold *fold = closed ? NULL : read_image(gid, image, (size_t)size);
    sodium_memzero(image, room);
    if (!fold || fold->seq == snapshot->seq)
        return fold;
    fold_free(fold);
    return NULL;
}
