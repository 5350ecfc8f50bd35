#include "tests/system/fleet_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/commit.h"
#include "api/hex.h"
#include "api/options.h"
#include "rules/match.h"
#include "rules/rulesets.h"

bool differ(struct replay *replay, const char *what, const json_t *told, const json_t *known)
{
    char *left = told ? json_dumps(told, JSON_SORT_KEYS | JSON_ENCODE_ANY) : NULL;
    char *right = known ? json_dumps(known, JSON_SORT_KEYS | JSON_ENCODE_ANY) : NULL;

    disagree(replay->table, "replay at seq %u: %s\n  told:  %s\n  rules: %s", replay->seq, what,
             left ? left : "-", right ? right : "-");
    free(left);
    free(right);
    return false;
}

static json_t *json_of(struct out *out)
{
    json_t *json = json_loadb(out->text, out->size, JSON_DECODE_ANY, NULL);

    out_done(out);
    return json;
}

static const char *seat_word(const struct replay *replay, uint8_t seat)
{
    return replay->codec->rules->seats[seat];
}

static struct awaiting awaits(const struct replay *replay)
{
    return replay->codec->rules->awaits(replay->state);
}

/* Events */

/* An event without what only its place in the chain and its reader add. */
static json_t *plain(const json_t *event)
{
    static const char *const added[] = {"seq", "at", "prev", "token", "receipt", "openings"};
    json_t *copy = json_copy((json_t *)(uintptr_t)event);

    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        json_object_del(copy, added[i]);
    return copy;
}

/* The next event of the log must be that one; takes over `known`. */
bool replay_expect(struct replay *replay, json_t *known)
{
    json_t *told = plain(json_array_get(replay->log, replay->seq));
    bool same = told && json_equal(told, known);

    replay->seq++;
    if (!same)
        differ(replay, "another event", told, known);
    json_decref(told);
    json_decref(known);
    return same;
}

json_t *replay_event(const struct replay *replay, const char *type, uint8_t seat)
{
    json_t *event = json_pack("{s:s}", "type", type);

    if (seat != NO_SEAT)
        json_object_set_new(event, "seat", json_string(seat_word(replay, seat)));
    return event;
}

static bool expect_effect(struct replay *replay, const struct effect *effect)
{
    const struct codec *codec = replay->codec;
    struct out out = {0};

    out_object(&out, NULL);
    out_text(&out, "type", codec->effect_type(effect));
    if (effect->seat != NO_SEAT)
        out_text(&out, "seat", seat_word(replay, effect->seat));
    codec->write_effect(&out, effect);
    out_object_end(&out);
    json_t *event = json_of(&out);
    if (strcmp(codec->effect_type(effect), "round_started") == 0)
        json_object_set_new(event, "commitments", chance_commit(replay, 0));
    json_incref(event);
    bool good = replay_expect(replay, event) && seen_note(replay, event, effect);
    json_decref(event);
    return good;
}

/* What goes by itself */

static void settle(struct replay *replay)
{
    bool waiting = false, seeding = false;

    for (uint8_t i = 0; i < replay->players; i++) {
        waiting = waiting || !replay->taken[i];
        seeding = seeding || (replay->committed[i] && !replay->revealed[i]);
    }
    if (replay->status == STATUS_ABORTED)
        return;
    replay->status = STATUS_PLAYING;
    if (awaits(replay).what == AWAIT_SETUP)
        replay->status = STATUS_SETUP;
    if (seeding)
        replay->status = STATUS_SEEDING;
    if (waiting)
        replay->status = STATUS_WAITING;
    if (replay->codec->rules->result(replay->state).reason != REASON_NONE)
        replay->status = STATUS_OVER;
}

static bool start(struct replay *replay)
{
    json_t *event = replay_event(replay, "started", NO_SEAT);
    json_t *more = NULL;

    replay->started = true;
    if (replay->starter < SEATS_MAX)
        json_object_set_new(event, "starter", json_string(seat_word(replay, replay->starter)));
    if (replay->codec->component == COMPONENT_PIECE) {
        more = chance_setups(replay);
        json_object_update(event, more);
        json_decref(more);
        seen_start(replay);
    }
    if (replay->codec->component == COMPONENT_TILE)
        json_object_set_new(event, "commitments", chance_commit(replay, 0));
    if (replay->tries)
        json_object_set_new(event, "tries", json_integer(replay->tries));
    return replay_expect(replay, event);
}

static bool may_start(const struct replay *replay)
{
    uint8_t what = awaits(replay).what;

    return !replay->started && replay->status == STATUS_PLAYING &&
           (what == AWAIT_MOVE ||
            (what == AWAIT_DEAL && replay->codec->component == COMPONENT_CARD));
}

static void note_chance(struct replay *replay, const struct event *event)
{
    if (event->kind == EVENT_LOT)
        replay->starter = event->data[0];
    if (event->kind == EVENT_DEAL)
        chance_lay(replay, event);
    if (event->kind == EVENT_DEAL && replay->codec->component == COMPONENT_TILE)
        replay->tries = event->tries;
}

bool replay_play(struct replay *replay, const struct event *event)
{
    struct effects effects;

    if (match_judge(replay->codec->rules, replay->state, event) != ALLOWED)
        return disagree(replay->table, "seq %u: the rules refuse what was played", replay->seq);
    match_play(replay->codec->rules, replay->state, event, &effects);
    note_chance(replay, event);
    if (event->kind == EVENT_MOVE)
        replay->offers = 0;
    settle(replay);
    if (may_start(replay) && !start(replay))
        return false;
    for (size_t i = 0; i < effects.count; i++) {
        if (strcmp(replay->codec->effect_type(&effects.list[i]), "out") == 0)
            replay->out |= (uint8_t)(1U << effects.list[i].seat);
        if (!expect_effect(replay, &effects.list[i]))
            return false;
    }
    return true;
}

static json_t *result_json(const struct replay *replay)
{
    const struct ruleset *rules = replay->codec->rules;
    struct outcome outcome = rules->result(replay->state);
    bool aborted = replay->status == STATUS_ABORTED;

    if (!aborted && outcome.reason == REASON_NONE)
        return json_null();
    return json_pack(
        "{s:s, s:s?, s:s?}", "reason", aborted ? "aborted" : reason_word(outcome.reason),
        "ruling", !aborted && outcome.ruling ? rules->rulings[outcome.ruling].id : NULL,
        "winner", !aborted && outcome.winner < SEATS_MAX ? rules->seats[outcome.winner] : NULL);
}

static bool end(struct replay *replay)
{
    json_t *event = replay_event(replay, "ended", NO_SEAT);

    json_object_set_new(event, "audit", json_string("clean"));
    json_object_set_new(event, "result", result_json(replay));
    if (replay->started) {
        json_object_set_new(event, "referee_seed", hex_json(replay->referee_seed, 32));
        if (replay->codec->component == COMPONENT_PIECE) {
            json_t *secrets = json_object();
            for (uint8_t side = 0; side < 2; side++)
                json_object_set_new(secrets, seat_word(replay, side),
                                    hex_json(replay->table->secret[side], 32));
            json_object_set_new(event, "secrets", secrets);
        }
    }
    return replay_expect(replay, event);
}

/* Lots and deals, the start, the end. */
bool replay_proceed(struct replay *replay)
{
    settle(replay);
    while (replay->status == STATUS_PLAYING) {
        struct awaiting awaiting = awaits(replay);
        if (may_start(replay) && !start(replay))
            return false;
        if (awaiting.what != AWAIT_LOT && awaiting.what != AWAIT_DEAL)
            break;
        if (awaiting.what == AWAIT_DEAL)
            replay->round++;
        struct event event = awaiting.what == AWAIT_LOT ? chance_lot(replay, awaiting.seats)
                                                        : chance_deal(replay, awaiting.cards);
        if (!replay_play(replay, &event))
            return false;
    }
    return replay->status < STATUS_OVER || end(replay);
}

/* Views */

uint8_t replay_to_act(const struct replay *replay)
{
    struct awaiting awaiting = awaits(replay);
    unsigned set = 0;

    for (uint8_t i = 0; i < replay->players; i++)
        if (replay->committed[i] && !replay->revealed[i])
            set |= 1U << i;
    if (replay->status == STATUS_SEEDING)
        return (uint8_t)set;
    bool waits = replay->status == STATUS_SETUP || replay->status == STATUS_PLAYING;
    return waits && awaiting.what >= AWAIT_SETUP ? awaiting.seats : 0;
}

static json_t *set_json(const struct replay *replay, uint8_t set)
{
    json_t *list = json_array();

    for (uint8_t i = 0; i < replay->players; i++)
        if (set >> i & 1)
            json_array_append_new(list, json_string(seat_word(replay, i)));
    return list;
}

static json_t *board_json(const struct replay *replay, uint8_t viewer)
{
    const struct ruleset *rules = replay->codec->rules;
    struct out out = {0};
    void *view = calloc(1, rules->view_size);

    if (!view)
        abort();
    rules->observe(replay->state, viewer, view);
    out_object(&out, NULL);
    replay->codec->write_board(&out, "board", view);
    out_object_end(&out);
    free(view);
    json_t *whole = json_of(&out), *board = json_incref(json_object_get(whole, "board"));
    json_decref(whole);
    return board;
}

static json_t *view_json(const struct replay *replay, uint8_t viewer)
{
    const struct ruleset *rules = replay->codec->rules;
    json_t *seats = json_object();

    for (uint8_t i = 0; i < replay->players; i++)
        json_object_set_new(seats, seat_word(replay, i),
                            json_pack("{s:s?, s:b}", "name",
                                      replay->name[i][0] ? replay->name[i] : NULL, "taken",
                                      (int)replay->taken[i]));
    json_t *view =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:s?, s:o, s:o, s:n, s:o}", "id",
                  replay->table->id, "ruleset", rules->id, "variant",
                  rules->variants[replay->table->options.variant].id, "custody", "referee",
                  "status", status_word(replay->status), "seq", (int)replay->seq, "seats",
                  seats, "you", viewer == NO_SEAT ? NULL : seat_word(replay, viewer), "to_act",
                  set_json(replay, replay_to_act(replay)), "draw_offered",
                  set_json(replay, replay->offers), "clock", "result", result_json(replay));
    json_object_set_new(view, "board",
                        replay->started ? board_json(replay, viewer) : json_null());
    return view;
}

/* A term runs while seeds or set-ups are awaited, a day at most from now on; else none. */
static bool term_told(const struct replay *replay, const json_t *by)
{
    bool runs = replay->status == STATUS_SEEDING || replay->status == STATUS_SETUP;

    return runs ? json_is_string(by) && json_string_length(by) == 20 : json_is_null(by);
}

bool replay_check_view(struct replay *replay, const json_t *told, uint8_t viewer)
{
    json_t *known = view_json(replay, viewer), *copy = json_copy((json_t *)(uintptr_t)told);

    json_object_del(copy, "pad");
    bool term = term_told(replay, json_object_get(copy, "answer_by"));
    json_object_del(copy, "answer_by");
    bool same = term && json_equal(copy, known);
    if (!same)
        differ(replay, "another view", copy, known);
    json_decref(copy);
    json_decref(known);
    return same;
}
