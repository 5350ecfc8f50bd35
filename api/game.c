#include "api/game.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rulesets.h"

static const char *const status_words[STATUSES] = {
    "waiting", "seeding", "setup", "playing", "challenge", "audit", "over", "aborted",
};

static const char *const custody_words[CUSTODIES] = {"referee", "players", "table"};

const char *status_word(uint8_t status)
{
    return status_words[status];
}

int status_find(const char *word)
{
    for (int i = 0; i < STATUSES; i++)
        if (strcmp(status_words[i], word) == 0)
            return i;
    return -1;
}

const char *custody_word(uint8_t custody)
{
    return custody_words[custody];
}

const struct codec *codec_of(const struct ruleset *rules)
{
    size_t i = ruleset_number(rules);

    return i < ruleset_count ? codecs[i] : NULL;
}

void note_write(struct out *notes, enum note kind, const void *payload, size_t size)
{
    uint8_t head[3] = {(uint8_t)kind, (uint8_t)(size & 255), (uint8_t)(size >> 8)};

    out_bytes(notes, (const char *)head, sizeof head);
    out_bytes(notes, payload, size);
}

bool note_next(const uint8_t *notes, size_t size, size_t *at, struct note_view *ret_note)
{
    if (*at + 3 > size)
        return false;
    ret_note->kind = notes[*at];
    ret_note->size = (size_t)(notes[*at + 1] | notes[*at + 2] << 8);
    ret_note->payload = notes + *at + 3;
    *at += 3 + ret_note->size;
    return *at <= size;
}

size_t event_pack(const struct event *event, uint8_t *out)
{
    out[0] = event->kind;
    out[1] = event->seat;
    out[2] = (uint8_t)(event->tries & 255);
    out[3] = (uint8_t)(event->tries >> 8);
    memcpy(out + 4, event->data, event->size);
    return 4 + (size_t)event->size;
}

bool event_unpack(const uint8_t *bytes, size_t size, struct event *ret_event)
{
    if (size < 4 || size > 4 + EVENT_DATA_MAX)
        return false;
    *ret_event = (struct event){.kind = bytes[0],
                                .seat = bytes[1],
                                .size = (uint8_t)(size - 4),
                                .tries = (uint16_t)(bytes[2] | bytes[3] << 8)};
    memcpy(ret_event->data, bytes + 4, size - 4);
    return true;
}

size_t fold_size(const struct codec *codec, uint8_t players)
{
    size_t secrets = codec->component == COMPONENT_PIECE ? 2 * 32 : 0;

    return offsetof(struct fold, state) + codec->rules->state_size +
           players * sizeof(struct seat) + secrets;
}

struct fold *fold_new(const struct codec *codec, uint8_t players, const uint8_t gid[static 16])
{
    struct fold *fold = calloc(1, fold_size(codec, players));

    if (!fold)
        return NULL;
    fold->codec = codec;
    fold->options.players = players;
    memcpy(fold->gid, gid, 16);
    return fold;
}

/* A copy of what lies elsewhere; true if there was nothing to copy. */
static bool copy_part(const void *part, size_t size, void *ret_copy)
{
    void *copy = part ? malloc(size) : NULL;

    if (copy)
        memcpy(copy, part, size);
    memcpy(ret_copy, &copy, sizeof copy);
    return copy || !part;
}

/* All names, each with its NUL. */
size_t fold_names_size(const struct fold *fold)
{
    size_t size = 0;

    for (uint8_t i = 0; fold->names && i < fold->options.players; i++)
        size += strlen(fold->names + size) + 1;
    return size;
}

struct fold *fold_copy(const struct fold *fold)
{
    size_t size = fold_size(fold->codec, fold->options.players);
    struct fold *copy = malloc(size);

    if (!copy)
        return NULL;
    memcpy(copy, fold, size);
    bool whole = copy_part(fold->blinds, sizeof *fold->blinds, &copy->blinds);
    whole = copy_part(fold->clock, sizeof *fold->clock, &copy->clock) && whole;
    whole = copy_part(fold->names, fold_names_size(fold), &copy->names) && whole;
    if (whole)
        return copy;
    fold_free(copy);
    return NULL;
}

void fold_free(struct fold *fold)
{
    if (!fold)
        return;
    if (fold->blinds)
        sodium_memzero(fold->blinds, sizeof *fold->blinds);
    free(fold->blinds);
    free(fold->clock);
    free(fold->names);
    sodium_memzero(fold, fold_size(fold->codec, fold->options.players));
    free(fold);
}

const struct seat *fold_seat(const struct fold *fold, unsigned seat)
{
    return (const struct seat *)(const void *)(fold->state + fold->codec->rules->state_size) +
           seat;
}

const uint8_t *fold_secret(const struct fold *fold, unsigned side)
{
    return (const uint8_t *)fold_seat(fold, fold->options.players) + 32 * side;
}

const char *fold_name(const struct fold *fold, unsigned seat)
{
    const char *name = fold->names;

    for (unsigned i = 0; name && i < seat; i++)
        name += strlen(name) + 1;
    return name && *name ? name : NULL;
}

struct options fold_options(const struct fold *fold)
{
    return (struct options){.variant = fold->options.variant,
                            .players = fold->options.players,
                            .custody = fold->options.custody,
                            .answer_s = fold->options.answer_s};
}
