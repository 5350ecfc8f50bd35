/* Terms that run out: seeds, set-ups, openings and audits that did not come in time. */
#include <string.h>

#include "api/action.h"
#include "api/deed.h"

enum {
    TICK_GAMES = 64,   /* ended by one tick; the others by the next */
    GRACE_S = 60 * 60, /* at most, for who could not answer while the referee was away */
};

struct due {
    size_t count;
    uint8_t gid[TICK_GAMES][16];
};

static int note_due(void *arg, const struct listing *game, int64_t number)
{
    struct due *due = arg;

    (void)number;
    memcpy(due->gid[due->count++], game->gid, 16);
    return 0;
}

/* A term that ended while the referee was away, or soon after, ends later: after an hour from
 * its return, or the whole term if that is shorter. */
static int64_t ends_s(const struct api *api, const struct fold *fold)
{
    int64_t grace = fold->options.answer_s < GRACE_S ? fold->options.answer_s : GRACE_S;
    int64_t earliest = api->started_ms / 1000 + grace;

    return fold->due_s > earliest ? fold->due_s : earliest;
}

/* A commit that fails is tried again by the next tick. */
static void end_one(struct api *api, const uint8_t gid[static 16], int64_t now_s)
{
    struct response response = {0};
    struct call call = {
        .api = api, .response = &response, .seat = NO_SEAT, .path_seat = NO_SEAT};
    struct action action;

    memcpy(call.gid, gid, 16);
    if (games_take(&api->games, gid, &call.live))
        return;
    call.fold = call.live->fold;
    if (call.fold->due_s && ends_s(api, call.fold) <= now_s &&
        action_begin(&action, &call, call.fold) == PROBLEM_NONE) {
        deed_timeout(&action, fold_to_act(call.fold));
        action_proceed(&action);
        (void)action_commit(&action);
        action_done(&action);
    }
    games_give(&api->games, call.live);
}

void api_tick(struct api *api)
{
    struct ports *ports = &api->ports;
    int64_t now_ms = ports->now_ms(ports->context);
    struct list_query query = {.status = -1, .due_ms = now_ms, .limit = TICK_GAMES};
    struct due due = {0};

    if (ports->games(ports->context, &query, note_due, &due))
        return;
    for (size_t i = 0; i < due.count; i++)
        end_one(api, due.gid[i], now_ms / 1000);
}
