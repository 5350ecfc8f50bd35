#include "api/record.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/commit.h"
#include "rules/rulesets.h"

enum { SEAL_SIZE = crypto_aead_xchacha20poly1305_ietf_ABYTES, AD_SIZE = 16 + 4 + 32 };

static void additional(const struct seal *seal, uint8_t ad[static AD_SIZE])
{
    memcpy(ad, seal->gid, 16);
    for (int i = 0; i < 4; i++)
        ad[16 + i] = (uint8_t)(seal->first >> (8 * i));
    memcpy(ad + 20, seal->link, 32);
}

void seal_nonce(const uint8_t store_key[static 32], const void *ad, size_t ad_size,
                const void *plain, size_t size, uint8_t ret_nonce[static SEAL_NONCE_SIZE])
{
    static const uint8_t tag[16] = "refereed/seal/1";
    const uint8_t length = (uint8_t)ad_size;
    crypto_generichash_state state;

    crypto_generichash_init(&state, store_key, 32, SEAL_NONCE_SIZE);
    crypto_generichash_update(&state, tag, sizeof tag);
    crypto_generichash_update(&state, &length, sizeof length);
    crypto_generichash_update(&state, ad, ad_size);
    crypto_generichash_update(&state, plain, size);
    crypto_generichash_final(&state, ret_nonce, SEAL_NONCE_SIZE);
}

void record_seal(const uint8_t store_key[static 32], const struct seal *seal,
                 const struct out *notes, struct out *out)
{
    uint8_t ad[AD_SIZE], nonce[SEAL_NONCE_SIZE];
    size_t size = notes->size + SEAL_SIZE;
    autofree uint8_t *closed = malloc(size);

    if (!closed || notes->failed) {
        out->failed = true;
        return;
    }
    additional(seal, ad);
    seal_nonce(store_key, ad, sizeof ad, notes->text, notes->size, nonce);
    crypto_aead_xchacha20poly1305_ietf_encrypt(closed, NULL, (const uint8_t *)notes->text,
                                               notes->size, ad, sizeof ad, NULL, nonce,
                                               store_key);
    out_bytes(out, (const char *)nonce, SEAL_NONCE_SIZE);
    out_bytes(out, (const char *)closed, size);
}

static int open_with(const uint8_t *store_key, const struct seal *seal,
                     const struct record *record, uint8_t **ret_notes, size_t *ret_size)
{
    uint8_t ad[AD_SIZE];
    unsigned long long size;

    if (record->sealed_size < SEAL_NONCE_SIZE + SEAL_SIZE)
        return -EILSEQ;
    uint8_t *notes = malloc(record->sealed_size);
    if (!notes)
        return -ENOMEM;
    additional(seal, ad);
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(
            notes, &size, NULL, record->sealed + SEAL_NONCE_SIZE,
            record->sealed_size - SEAL_NONCE_SIZE, ad, sizeof ad, record->sealed, store_key)) {
        free(notes);
        return -EILSEQ;
    }
    *ret_notes = notes;
    *ret_size = (size_t)size;
    return 0;
}

int record_open(const uint8_t store_key[static 32], const uint8_t gid[static 16],
                const struct record *record, uint8_t **ret_notes, size_t *ret_size)
{
    uint8_t link[32];

    record_link(record, link);
    const struct seal seal = {gid, record->first, link};
    return open_with(store_key, &seal, record, ret_notes, ret_size);
}

/* A game as its first note tells it. */
static int begin(const uint8_t *gid, const struct note_view *note, struct fold **ret_fold)
{
    struct created created;

    if (note->kind != NOTE_CREATED || note->size != sizeof created)
        return -EILSEQ;
    memcpy(&created, note->payload, sizeof created);
    if (created.ruleset >= ruleset_count || created.options.players < 1 ||
        created.options.players > SEATS_MAX)
        return -EILSEQ;
    *ret_fold = fold_new(codec_of(rulesets[created.ruleset]), created.options.players, gid);
    return *ret_fold ? 0 : -ENOMEM;
}

static int carry_out(const uint8_t *gid, const uint8_t *notes, size_t size, struct fold **fold)
{
    struct note_view note;
    struct effects effects;
    size_t at = 0;

    while (note_next(notes, size, &at, &note)) {
        int error = *fold ? 0 : begin(gid, &note, fold);
        if (!error)
            error = fold_note(*fold, &note, &effects);
        if (error)
            return error;
    }
    return at == size && *fold ? 0 : -EILSEQ;
}

uint64_t record_name(const uint8_t link[static 32], const uint8_t *sealed, size_t sealed_size)
{
    uint64_t name = commit_id(link);

    for (size_t i = 0; i < 8 && i < sealed_size; i++) /* the nonce stands first */
        name ^= (uint64_t)sealed[i] << (8 * i);
    return name;
}

void record_link(const struct record *record, uint8_t ret_link[static 32])
{
    const char *start = record->claims_size ? record->claims : "";
    const char *end = start + record->claims_size;
    const char *newline = memrchr(start, '\n', record->claims_size);
    const char *last = newline ? newline + 1 : start;

    commit_link(last, (size_t)(end - last), ret_link);
}

int record_fold(const uint8_t store_key[static 32], const uint8_t gid[static 16],
                const struct record *record, struct fold **fold)
{
    autofree uint8_t *notes = NULL;
    uint8_t link[32];
    const struct seal seal = {gid, record->first, link};
    size_t size = 0;

    if (record->first != (*fold ? (*fold)->seq + 1 : 1) || !record->count ||
        !record->claims_size)
        return -EILSEQ;
    record_link(record, link);
    int error = open_with(store_key, &seal, record, &notes, &size);
    if (!error)
        error = carry_out(gid, notes, size, fold);
    if (notes)
        sodium_memzero(notes, size);
    if (error)
        return error;
    (*fold)->seq = record->first + record->count - 1;
    memcpy((*fold)->link, link, sizeof link);
    return 0;
}
