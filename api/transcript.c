#include "api/transcript.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>

#include "api/call.h"
#include "api/cleanup.h"
#include "api/events.h"
#include "api/proceed.h"
#include "api/record.h"
#include "api/replay.h"
#include "api/view.h"

/* The record is read twice in one pass: tokens go out at once, openings are kept for later. */
struct telling {
    const struct api *api;
    struct out *out, openings;
    struct fold *fold; /* the game as it grows */
    uint32_t seq;
};

static void tell_tokens(struct telling *telling, const struct record *record)
{
    const char *at = record->claims, *end = at + record->claims_size;

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((stop ? stop : end) - at);
        out_object(telling->out, NULL);
        out_number(telling->out, "seq", ++telling->seq);
        events_write_token(telling->out, "token", &telling->api->config.signing, at, size);
        out_object_end(telling->out);
        at += size + 1;
    }
}

static bool is_deal(const struct note_view *note)
{
    return note->kind == NOTE_EVENT && note->size && note->payload[0] == EVENT_DEAL;
}

static int tell_record(void *arg, const struct record *record)
{
    struct telling *telling = arg;
    struct fold *fold = telling->fold;
    autofree uint8_t *notes = NULL;
    struct note_view note;
    struct effects effects;
    size_t size = 0, at = 0;
    int error = record_open(telling->api->config.store_key, fold->gid, record, &notes, &size);

    if (error)
        return error;
    while (note_next(notes, size, &at, &note)) {
        if (!error)
            error = fold_note(fold, &note, &effects);
        if (!error && is_deal(&note) && fold->codec->component == COMPONENT_CARD)
            openings_write(&telling->openings, fold);
    }
    tell_tokens(telling, record);
    sodium_memzero(notes, size);
    return error;
}

static int tell(struct telling *telling, const struct fold *fold)
{
    const struct api *api = telling->api;
    struct out *out = telling->out;
    char id[24];

    gid_text(fold->gid, id);
    out_object(out, NULL);
    out_text(out, "format", "refereed-transcript/1");
    out_text(out, "id", id);
    out_array(out, "keys");
    out_text(out, NULL, api->config.signing.paserk);
    out_array_end(out);
    out_array(out, "events");
    int error = api->ports.records(api->ports.context, fold->gid, 0, tell_record, telling);
    if (error)
        return error;
    out_array_end(out);
    secrets_write(out, fold);
    out_array(out, "openings");
    if (fold->started && fold->codec->component != COMPONENT_CARD)
        openings_write(out, fold);
    out_bytes(out, telling->openings.text, telling->openings.size);
    out_array_end(out);
    result_write(out, "result", fold);
    out_object_end(out);
    out->failed = out->failed || telling->openings.failed;
    return out->failed ? -ENOMEM : 0;
}

int transcript_write(struct out *out, const struct api *api, const struct fold *fold)
{
    struct telling telling = {.api = api, .out = out};

    telling.fold = fold_new(fold->codec, fold_seats(fold), fold->gid);
    int error = telling.fold ? tell(&telling, fold) : -ENOMEM;
    fold_free(telling.fold);
    out_done(&telling.openings);
    return error;
}

int api_transcript(struct api *api, const uint8_t gid[static 16], struct out *out)
{
    uint64_t name;
    struct fold *fold;
    int error = games_load(&api->ports, &api->games.key, gid, &fold, &name);

    if (error)
        return error;
    error = fold->status >= STATUS_OVER ? transcript_write(out, api, fold) : -EBUSY;
    fold_free(fold);
    out_bytes(out, "\n", 1);
    if (!error && out->failed)
        error = -ENOMEM;
    return error;
}
