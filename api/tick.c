/* Terms that run out: seeds, set-ups, openings and audits that did not come in time. */
#include <string.h>

#include "api/action.h"
#include "api/clocks.h"
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

static int64_t away_s(const struct api *api, int64_t from_s, int64_t to_s)
{
    const struct ports *ports = &api->ports;

    return ports->away_s && from_s < to_s ? ports->away_s(ports->context, from_s, to_s) : 0;
}

/* A clock says itself when it ends. A term does not count the time in which nobody could reach
 * the referee; where that is not known it ends, if it would have ended then or soon after, an
 * hour after the return, or the whole term if that is shorter. */
static int64_t ends_s(const struct api *api, const struct fold *fold)
{
    if (clocks_run(fold))
        return fold->due_s;
    if (api->ports.away_s) {
        int64_t began_s = fold->due_s - fold->options.answer_s, end_s = fold->due_s;
        for (int64_t away = 0, more; (more = away_s(api, began_s, end_s)) > away; away = more)
            end_s = fold->due_s + more;
        return end_s;
    }
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
        if (!clocks_run(call.fold))
            deed_timeout(&action, fold_to_act(call.fold));
        else if (clocks_late(action.fold, now_s))
            deed_flag(&action, clocks_late(action.fold, now_s));
        action_proceed(&action);
        if (action.count) /* else what was not charged puts it off */
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
