#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/commit.h"
#include "api/hex.h"
#include "api/options.h"
#include "rules/match.h"
#include "rules/rulesets.h"
#include "tests/system/fleet_replay.h"

/* What a deed must have been answered. */
struct verdict {
    unsigned status;
    const char *code, *ruling, *reason;
};

static const struct verdict done = {.status = 200};

static struct verdict wrong_status(const struct replay *replay)
{
    if (replay->status >= STATUS_OVER)
        return (struct verdict){409, "game_over", NULL, NULL};
    return (struct verdict){409, "wrong_status", NULL, NULL};
}

/* A refusal of the rules as it must be told. */
static struct verdict refusal(const struct replay *replay, ruling_t ruling)
{
    const struct refusal *row = replay->codec->rules->name(ruling);

    if (ruling == ALLOWED)
        return done;
    if (ruling == REFUSE_NOT_YOUR_TURN)
        return (struct verdict){409, "not_your_turn", row->ruling, row->code};
    if (ruling == REFUSE_GAME_OVER)
        return (struct verdict){409, "game_over", row->ruling, row->code};
    if (ruling == REFUSE_WRONG_TIME)
        return (struct verdict){409, "wrong_status", row->ruling, row->code};
    return (struct verdict){422, "illegal_move", row->ruling, row->code};
}

static bool text_is(const json_t *object, const char *key, const char *text)
{
    const char *told = json_string_value(json_object_get(object, key));

    return !text || (told && strcmp(told, text) == 0);
}

static bool check_verdict(struct replay *replay, const struct deed *deed, struct verdict known)
{
    bool same = deed->status == known.status ||
                (deed->status == 0 && known.status >= 200 && known.status < 300);

    if (same && known.status >= 400)
        same = text_is(deed->answer, "code", known.code) &&
               text_is(deed->answer, "ruling", known.ruling) &&
               text_is(deed->answer, "reason", known.reason);
    if (same)
        return true;
    json_t *verdict = json_pack("{s:i, s:s?, s:s?, s:s?, s:o?}", "status", (int)known.status,
                                "code", known.code, "ruling", known.ruling, "reason",
                                known.reason, "sent", json_incref(deed->sent));
    differ(replay, "another verdict", deed->answer, verdict);
    json_decref(verdict);
    return false;
}

/* The events that a change was answered with: those of the log, and what they open. */
static bool check_events(struct replay *replay, const json_t *events, uint32_t after,
                         uint8_t viewer)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *told = json_array_get(events, i);
        const json_t *logged = json_array_get(replay->log, after + i);
        json_t *left = json_copy((json_t *)(uintptr_t)told);
        json_t *right = json_copy((json_t *)(uintptr_t)logged);
        json_object_del(left, "openings");
        json_object_del(right, "openings");
        json_object_del(right, "token");
        bool same = json_equal(left, right);
        if (!same)
            differ(replay, "answered one thing, logged another", left, right);
        json_decref(left);
        json_decref(right);
        if (!same || !seen_check(replay, told, viewer))
            return false;
    }
    return true;
}

/* After an accepted change: everything that it was answered with. */
static bool check_change(struct replay *replay, const struct deed *deed, uint32_t before)
{
    const json_t *view = json_object_get(deed->answer, "view");
    const json_t *seq = json_object_get(deed->answer, "seq");
    const json_t *events = json_object_get(deed->answer, "events");
    bool told = deed->kind >= DEED_SEED && !deed->minimal;

    if (deed->answer && json_integer_value(seq) != (json_int_t)replay->seq)
        return differ(replay, "another seq after a change", seq, NULL);
    if (told && json_array_size(events) != replay->seq - before)
        return differ(replay, "events are missing in an answer", events, NULL);
    if (!check_events(replay, events, before, deed->seat))
        return false;
    return !view || deed->status == 0 || replay_check_view(replay, view, deed->seat);
}

/* Changes, one function each: the verdict, and if it is good what must have come of it. */

static json_t *created_json(struct replay *replay)
{
    const struct table *table = replay->table;
    const struct ruleset *rules = replay->codec->rules;
    json_t *event = replay_event(replay, "created", NO_SEAT), *seats = json_array();
    struct out out = {0};
    uint8_t hash[32];

    out_object(&out, NULL);
    options_write(&out, "options", replay->codec, &table->options);
    out_object_end(&out);
    json_t *options = json_loadb(out.text, out.size, 0, NULL);
    out_done(&out);
    json_object_update(event, options);
    json_decref(options);
    for (uint8_t i = 0; i < replay->players; i++)
        json_array_append_new(seats, json_string(rules->seats[i]));
    json_object_set_new(event, "seats", seats);
    json_object_set_new(event, "ruleset", json_string(rules->id));
    json_object_set_new(event, "variant",
                        json_string(rules->variants[table->options.variant].id));
    json_object_set_new(event, "custody", json_string("referee"));
    json_object_set_new(event, "spectators", json_boolean(table->spectators));
    commit_referee_seed(table->gid, 0, replay->referee_seed, hash);
    json_t *known =
        replay->started_ever
            ? hex_json(hash, 32)
            : json_incref(json_object_get(json_array_get(replay->log, 0), "seed_commitment"));
    json_object_set_new(event, "seed_commitment", known);
    return event;
}

static struct verdict do_create(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    const json_t *seats = json_object_get(deed->sent, "seats");

    for (uint8_t i = 0; i < replay->players; i++) {
        const json_t *seat = json_object_get(seats, replay->codec->rules->seats[i]);
        const char *name = json_string_value(json_object_get(seat, "name"));
        (void)snprintf(replay->name[i], sizeof replay->name[i], "%s", name ? name : "");
    }
    *ret_good = replay_expect(replay, created_json(replay));
    return (struct verdict){.status = 201};
}

static struct verdict do_seat(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    const char *name = json_string_value(json_object_get(deed->sent, "name"));
    json_t *commitment = json_object_get(deed->sent, "seed_commit");
    json_t *event = replay_event(replay, "seat_taken", deed->seat);
    char *seat = replay->name[deed->seat];

    if (name)
        (void)snprintf(seat, sizeof replay->name[0], "%s", name);
    replay->taken[deed->seat] = true;
    replay->committed[deed->seat] = commitment != NULL;
    json_object_set_new(event, "name", *seat ? json_string(seat) : json_null());
    json_object_set_new(event, "seeds", json_boolean(commitment));
    *ret_good = replay_expect(replay, event);
    if (*ret_good && commitment) {
        event = replay_event(replay, "seed_committed", deed->seat);
        json_object_set(event, "commitment", commitment);
        *ret_good = replay_expect(replay, event);
    }
    *ret_good = *ret_good && replay_proceed(replay);
    return (struct verdict){.status = 201};
}

static struct verdict do_invite(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    json_t *event = replay_event(replay, "seat_reissued", deed->seat);

    json_object_set_new(event, "by", json_string("host"));
    *ret_good = replay_expect(replay, event);
    return (struct verdict){.status = 201};
}

static struct verdict do_seed(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    json_t *event = replay_event(replay, "seed_revealed", deed->seat);
    const uint8_t *seed = replay->table->seeds[deed->seat];

    if (replay->status != STATUS_SEEDING)
        return wrong_status(replay);
    memcpy(replay->seed[deed->seat], seed, 32);
    replay->revealed[deed->seat] = true;
    json_object_set_new(event, "seed", hex_json(seed, 32));
    *ret_good = replay_expect(replay, event) && replay_proceed(replay);
    return done;
}

static struct verdict do_setup(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    struct event event = {.kind = EVENT_SETUP, .seat = deed->seat};
    struct effects effects;
    struct fault fault;

    if (replay->status != STATUS_SETUP)
        return wrong_status(replay);
    if (!replay->codec->read_setup(deed->sent, "", &replay->table->options, deed->seat, &event,
                                   &fault))
        return (struct verdict){422, "invalid_body", NULL, NULL};
    ruling_t ruling = match_judge(replay->codec->rules, replay->state, &event);
    if (ruling != ALLOWED)
        return refusal(replay, ruling);
    match_play(replay->codec->rules, replay->state, &event, &effects);
    chance_setup(replay, deed->seat, replay->table->setup[deed->seat].data);
    *ret_good = replay_expect(replay, replay_event(replay, "setup_done", deed->seat)) &&
                replay_proceed(replay);
    return done;
}

static struct verdict do_move(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    struct event event = {.kind = EVENT_MOVE};
    struct fault fault;

    if (replay->status != STATUS_PLAYING)
        return wrong_status(replay);
    if (deed->stale)
        return (struct verdict){412, "stale", NULL, NULL};
    if (!(replay_to_act(replay) >> deed->seat & 1))
        return (struct verdict){409, "not_your_turn", replay->codec->rules->turn_ruling, NULL};
    if (deed->broken)
        return (struct verdict){400, "bad_request", NULL, NULL};
    if (!replay->codec->read_move(deed->sent, "/move", replay->state, &event, &fault))
        return (struct verdict){422, "invalid_body", NULL, NULL};
    event.seat = deed->seat;
    ruling_t ruling = match_judge(replay->codec->rules, replay->state, &event);
    if (ruling == ALLOWED)
        *ret_good = replay_play(replay, &event) && replay_proceed(replay);
    return refusal(replay, ruling);
}

static struct verdict do_resign(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    struct event event = {.kind = EVENT_RESIGN, .seat = deed->seat};

    if (replay->status != STATUS_PLAYING && replay->status != STATUS_SETUP)
        return wrong_status(replay);
    ruling_t ruling = match_judge(replay->codec->rules, replay->state, &event);
    if (ruling == ALLOWED)
        *ret_good = replay_expect(replay, replay_event(replay, "resigned", deed->seat)) &&
                    replay_play(replay, &event) && replay_proceed(replay);
    return refusal(replay, ruling);
}

/* Agreed when every seat that is still in has offered or accepted. */
static struct verdict do_draw(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    const struct event agreed = {.kind = EVENT_AGREE, .seat = NO_SEAT};
    const char *action = json_string_value(deed->sent);
    bool offers = strcmp(action, "offer") == 0, accepts = strcmp(action, "accept") == 0;
    unsigned mine = 1U << deed->seat, all = (1U << replay->players) - 1;

    if (replay->status != STATUS_PLAYING)
        return wrong_status(replay);
    if (replay->out & mine || (offers && replay->offers) ||
        (!offers && (!replay->offers || replay->offers & mine)))
        return (struct verdict){409, "wrong_status", NULL, NULL};
    replay->offers = offers || accepts ? (uint8_t)(replay->offers | mine) : 0;
    json_t *event =
        replay_event(replay, offers || accepts ? "offered" : "declined", deed->seat);
    if (accepts)
        json_object_set_new(event, "accepts", json_true());
    *ret_good = replay_expect(replay, event);
    unsigned in = all & ~(unsigned)replay->out;
    if (*ret_good && replay->offers && (replay->offers & in) == in)
        *ret_good = replay_play(replay, &agreed);
    *ret_good = *ret_good && replay_proceed(replay);
    return done;
}

static struct verdict do_abort(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    (void)deed;
    for (uint8_t i = 0; i < replay->players; i++)
        if (replay->revealed[i] || replay->started)
            return wrong_status(replay);
    replay->status = STATUS_ABORTED;
    *ret_good = replay_proceed(replay);
    return done;
}

/* What was only looked at. */

static struct verdict do_list(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    struct event moves[MOVES_MAX];
    struct out out = {0};
    size_t count = 0;

    if (replay->status == STATUS_PLAYING && replay_to_act(replay) >> deed->seat & 1)
        count = replay->codec->rules->legal(replay->state, deed->seat, moves, MOVES_MAX);
    out_array(&out, NULL);
    for (size_t i = 0; i < count; i++)
        replay->codec->write_move(&out, NULL, &moves[i]);
    out_array_end(&out);
    json_t *known = json_loadb(out.text, out.size, 0, NULL);
    out_done(&out);
    *ret_good = json_equal(known, json_object_get(deed->answer, "moves"));
    if (!*ret_good)
        differ(replay, "another list of moves", deed->answer, known);
    json_decref(known);
    return done;
}

static struct verdict do_view(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    *ret_good = replay_check_view(replay, deed->answer, deed->seat);
    return done;
}

static struct verdict do_events(struct replay *replay, const struct deed *deed, bool *ret_good)
{
    const json_t *events = json_object_get(deed->answer, "events");

    *ret_good = json_array_size(events) == replay->seq - deed->after &&
                check_events(replay, events, deed->after, deed->seat);
    if (json_array_size(events) != replay->seq - deed->after)
        differ(replay, "events are missing in a list", events, NULL);
    return done;
}

static struct verdict (*const deeds[DEED_KINDS])(struct replay *, const struct deed *,
                                                 bool *ret_good) = {
    [DEED_CREATE] = do_create, [DEED_SEAT] = do_seat,   [DEED_INVITE] = do_invite,
    [DEED_SEED] = do_seed,     [DEED_SETUP] = do_setup, [DEED_MOVE] = do_move,
    [DEED_RESIGN] = do_resign, [DEED_DRAW] = do_draw,   [DEED_ABORT] = do_abort,
    [DEED_LIST] = do_list,     [DEED_VIEW] = do_view,   [DEED_EVENTS] = do_events,
};

static bool replay_deed(struct replay *replay, const struct deed *deed)
{
    uint32_t before = replay->seq;
    bool good = true;

    if (deed->kind == DEED_KINDS)
        return true; /* it never reached the game */
    struct verdict verdict = deeds[deed->kind](replay, deed, &good);
    if (!good || !check_verdict(replay, deed, verdict))
        return false;
    return replay->seq == before || check_change(replay, deed, before);
}

/* What each viewer is told in the end, and what must hold of it. */
static bool check_viewer(struct replay *replay, uint8_t viewer)
{
    struct table *table = replay->table;
    json_t *log = chain_fetch(table, viewer);
    bool good = log && json_array_size(log) == replay->seq && chain_check(table, log, viewer);

    if (log && json_array_size(log) != replay->seq)
        disagree(table, "the log has %zu events, the replay %u", json_array_size(log),
                 replay->seq);
    for (size_t i = 0; good && i < json_array_size(log); i++)
        good = seen_check(replay, json_array_get(log, i), viewer);
    json_decref(log);
    return good;
}

/* Who holds no credential sees what spectators see, or nothing. */
static bool check_stranger(struct replay *replay)
{
    const struct table *table = replay->table;
    char path[96];
    struct told told;
    const struct ask ask = {.path = path};

    (void)snprintf(path, sizeof path, "/v1/games/%s", table->id);
    if (!table_ask(replay->table, &ask, &told))
        return false;
    json_t *view = json_loads(told.body, 0, NULL);
    bool good =
        table->spectators ? replay_check_view(replay, view, NO_SEAT) : told.status == 403;
    json_decref(view);
    told_done(&told);
    return good || disagree(replay->table, "a stranger was answered %u", told.status);
}

static bool find_seed(struct replay *replay)
{
    const json_t *ended = json_array_get(replay->log, json_array_size(replay->log) - 1);
    const char *seed = json_string_value(json_object_get(ended, "referee_seed"));

    replay->started_ever = seed != NULL;
    return !seed || hex_decode(seed, strlen(seed), replay->referee_seed, 32);
}

static bool run(struct replay *replay)
{
    struct table *table = replay->table;

    if (!find_seed(replay))
        return disagree(table, "the game ended without the referee's seed");
    for (size_t i = 0; i < table->deed_count; i++)
        if (!replay_deed(replay, &table->deeds[i]))
            return false;
    if (!stream_compare(table, replay->log) || !check_stranger(replay) ||
        !check_viewer(replay, NO_SEAT))
        return false;
    for (uint8_t seat = 0; seat < replay->players; seat++)
        if (table->taken[seat] && !check_viewer(replay, seat))
            return false;
    return true;
}

bool table_replay(struct table *table)
{
    struct replay *replay = calloc(1, sizeof *replay);

    if (!replay)
        abort();
    replay->table = table;
    replay->codec = table->codec;
    replay->players = table->options.players;
    replay->round = table->codec->component == COMPONENT_PIECE;
    replay->starter = NO_SEAT;
    int16_t first = table->options.value[ruleset_option(table->codec->rules, "first")];
    if (first > 0)
        replay->starter = (uint8_t)(first - 1);
    memset(replay->faces, 0xff, sizeof replay->faces);
    table->codec->rules->begin(replay->state, &table->options);
    replay->log = chain_fetch(table, NO_SEAT);
    bool good = replay->log && run(replay);
    json_decref(replay->log);
    free(replay->shown);
    free(replay);
    return good;
}
