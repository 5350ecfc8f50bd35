/* Games that are over for long enough leave the store, one at a time, once they are archived.
 */
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/cleanup.h"
#include "api/commit.h"
#include "api/record.h"

struct issued {
    const struct api *api;
    const uint8_t *gid;
    uint64_t *ids;
    size_t count;
};

static bool add(struct issued *issued, const uint8_t *hash)
{
    if ((issued->count & (issued->count - 1)) == 0) {
        size_t room = issued->count ? 2 * issued->count : 1;
        uint64_t *grown = realloc(issued->ids, room * sizeof *grown);
        if (!grown)
            return false;
        issued->ids = grown;
    }
    issued->ids[issued->count++] = commit_id(hash);
    return true;
}

/* Credentials are made with these notes and no others. */
static bool add_note(struct issued *issued, const struct note_view *note)
{
    struct created created;
    struct seat_note seat;

    if (note->kind == NOTE_CREATED && note->size == sizeof created) {
        memcpy(&created, note->payload, sizeof created);
        bool good = add(issued, created.host);
        for (int i = 0; i < created.options.players && i < SEATS_MAX; i++)
            good = good && add(issued, created.invites[i]);
        return good;
    }
    if ((note->kind == NOTE_SEAT || note->kind == NOTE_INVITE) && note->size == sizeof seat) {
        memcpy(&seat, note->payload, sizeof seat);
        return add(issued, seat.hash);
    }
    return true;
}

static int add_record(void *arg, const struct record *record)
{
    struct issued *issued = arg;
    autofree uint8_t *notes = NULL;
    struct note_view note;
    size_t size = 0, at = 0;
    int error = record_open(issued->api->config.store_key, issued->gid, record, &notes, &size);

    if (error)
        return error;
    while (note_next(notes, size, &at, &note) && !error)
        error = add_note(issued, &note) ? 0 : -ENOMEM;
    sodium_memzero(notes, size);
    return error;
}

static int archive(struct api *api, const struct keeping *keeping)
{
    autoout struct out out = {0};
    int error = api_transcript(api, keeping->gid, &out);

    return error ? error : keeping->archive(keeping->context, keeping->gid, &out);
}

/* Before anything is read of it the epoch is taken: a commit that fails later undoes this too.
 */
static int remove_game(struct api *api, struct keeping *keeping)
{
    struct ports *ports = &api->ports;
    struct issued issued = {.api = api, .gid = keeping->gid};
    uint64_t epoch = ports->epoch(ports->context);
    int error = ports->records(ports->context, keeping->gid, 0, add_record, &issued);

    if (!error && keeping->archive)
        error = archive(api, keeping);
    if (!error) {
        const struct change change = {.epoch = epoch,
                                      .gid = keeping->gid,
                                      .credentials = issued.ids,
                                      .credential_count = issued.count,
                                      .remove = true};
        error = ports->append(ports->context, &change, &keeping->ticket);
    }
    free(issued.ids);
    return error;
}

static int take_next(void *arg, const struct listing *game, int64_t number)
{
    struct keeping *keeping = arg;

    memcpy(keeping->gid, game->gid, sizeof keeping->gid);
    keeping->after_ms = game->ended_ms;
    keeping->after = number;
    return 1;
}

static enum keep failed(struct keeping *keeping, int error)
{
    keeping->error = error;
    return KEEP_FAILED;
}

enum keep api_keep(struct api *api, struct keeping *keeping)
{
    struct ports *ports = &api->ports;

    if (keeping->ticket && !ports->settled(ports->context, keeping->ticket))
        return KEEP_BUSY;
    const struct list_query query = {.status = -1,
                                     .ended_ms =
                                         ports->now_ms(ports->context) - keeping->age_ms,
                                     .after_ms = keeping->after_ms,
                                     .after = keeping->after,
                                     .limit = 1};
    memset(keeping->gid, 0, sizeof keeping->gid);
    int found =
        query.ended_ms > 0 ? ports->games(ports->context, &query, take_next, keeping) : 0;
    if (found < 0)
        return failed(keeping, found);
    if (!found) {
        keeping->after_ms = keeping->after = 0;
        return KEEP_NOTHING;
    }
    int error = remove_game(api, keeping);
    if (error == -ENOENT) /* another one was faster */
        return KEEP_REMOVED;
    return error ? failed(keeping, error) : KEEP_REMOVED;
}
