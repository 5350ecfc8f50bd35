#include "api/proceed.h"

#include <string.h>

#include "api/audit.h"
#include "api/clocks.h"
#include "api/commit.h"
#include "api/lots.h"
#include "rules/match.h"
#include "rules/rulesets.h"

enum { FACES_MAX = 64 };

static struct awaiting awaits(const struct fold *fold)
{
    return fold->codec->rules->awaits(fold->state);
}

/* The round whose cards are dealt next, or lie now. */
static uint8_t round_of(const struct fold *fold)
{
    return fold->codec->round ? fold->codec->round(fold->state) : 1;
}

static bool sets_up(const struct fold *fold)
{
    return fold->codec->component == COMPONENT_PIECE;
}

void opening_nonce(const struct fold *fold, const struct opening *opening,
                   uint8_t ret_nonce[static 32])
{
    bool piece = opening->component == COMPONENT_PIECE;

    if (fold->blinds) { /* as the side gave it, or as its secret gives it */
        memcpy(ret_nonce, fold->blinds->cell[opening->context & 1][opening->index], 32);
        return;
    }
    const uint8_t *secret =
        piece ? fold_secret(fold, opening->context & 1) : fold->referee_seed;

    commit_nonce(secret, fold->gid, piece ? 0 : opening->context, opening->index, ret_nonce);
}

void opening_write(struct out *out, const struct fold *fold, const struct opening *opening)
{
    const struct codec *codec = fold->codec;
    struct options options = fold_options(fold);
    const char *face = codec->face_name(&options, opening->face);
    uint8_t nonce[32];
    char name[24];

    codec->component_name(opening, name);
    out_object(out, NULL);
    out_text(out, "component", name);
    if (face)
        out_text(out, "face", face);
    else
        out_number(out, "face", opening->face);
    if (fold->options.custody != CUSTODY_TABLE) { /* there nobody has committed to anything */
        opening_nonce(fold, opening, nonce);
        out_hex(out, "nonce", nonce, sizeof nonce);
    }
    out_object_end(out);
}

static void commitment(const struct fold *fold, const struct opening *opening,
                       uint8_t ret_hash[static 32])
{
    uint8_t nonce[32];

    opening_nonce(fold, opening, nonce);
    if (opening->component == COMPONENT_PIECE)
        commit_piece(fold->gid, opening->context, opening->index, opening->face, nonce,
                     ret_hash);
    else if (opening->component == COMPONENT_CARD)
        commit_card(fold->gid, opening->context, opening->index, opening->face, nonce,
                    ret_hash);
    else
        commit_tile(fold->gid, opening->index, opening->face, nonce, ret_hash);
}

/* The commitments of one deal or side, in order of their index; returns how many. */
static uint8_t commitments(const struct fold *fold, uint8_t context, uint8_t (*ret_hashes)[32])
{
    uint8_t faces[FACES_MAX];
    uint8_t made = 0;

    if (fold->blinds) {
        for (uint8_t slot = 0; slot < SLOTS_MAX; slot++)
            if (fold->blinds->account[context].slots >> slot & 1)
                slot_commitment(fold, context, slot, ret_hashes[made++]);
        return made;
    }
    size_t count = fold->codec->faces(fold->state, context, faces);
    for (size_t i = 0; i < count; i++) {
        struct opening opening = {0, fold->codec->component, context, (uint8_t)i, faces[i]};
        if (faces[i] != 0xff) /* an empty square of the smaller sets */
            commitment(fold, &opening, ret_hashes[made++]);
    }
    return made;
}

static void write_hashes(struct out *out, const char *key, uint8_t (*hashes)[32], uint8_t count)
{
    out_array(out, key);
    for (uint8_t i = 0; i < count; i++)
        out_hex(out, NULL, hashes[i], 32);
    out_array_end(out);
}

void proceed_commitments(struct out *out, const struct fold *fold)
{
    uint8_t hashes[FACES_MAX][32];

    if (fold->options.custody == CUSTODY_TABLE) /* nobody knows what lies there */
        return;
    uint8_t context = fold->codec->component == COMPONENT_CARD ? round_of(fold) : 0;

    write_hashes(out, "commitments", hashes, commitments(fold, context, hashes));
}

/* Both sides' lists, blue before red: members are sorted. */
static void write_setups(struct out *out, const struct fold *fold)
{
    uint8_t hashes[2][FACES_MAX][32], setups[2][32];
    const char *const *seats = fold->codec->rules->seats;
    uint8_t count[2];

    for (uint8_t side = 0; side < 2; side++) {
        count[side] = commitments(fold, side, hashes[side]);
        commit_setup(fold->gid, side, hashes[side][0], count[side], setups[side]);
    }
    out_object(out, "commitments");
    write_hashes(out, seats[1], hashes[1], count[1]);
    write_hashes(out, seats[0], hashes[0], count[0]);
    out_object_end(out);
    out_object(out, "setups");
    out_hex(out, seats[1], setups[1], 32);
    out_hex(out, seats[0], setups[0], 32);
    out_object_end(out);
}

/* In players' custody nothing else on record says which squares the smaller sets stand on. */
static void write_squares(struct out *out, const struct fold *fold)
{
    const struct codec *codec = fold->codec;
    char name[24];

    out_object(out, "squares");
    for (uint8_t side = 2; side-- > 0;) {
        size_t lead = strlen(codec->rules->seats[side]) + 1;
        out_array(out, codec->rules->seats[side]);
        for (uint8_t slot = 0; slot < SLOTS_MAX; slot++) {
            struct opening piece = {.context = side, .index = slot};
            if (!(fold->blinds->account[side].slots >> slot & 1))
                continue;
            codec->component_name(&piece, name);
            out_text(out, NULL, name + lead);
        }
        out_array_end(out);
    }
    out_object_end(out);
}

bool proceed_ready(const struct fold *fold)
{
    uint8_t what = awaits(fold).what;

    if (fold->status != STATUS_PLAYING)
        return false;
    return what == AWAIT_MOVE ||
           (what == AWAIT_DEAL && fold->codec->component == COMPONENT_CARD);
}

void proceed_start(struct action *action)
{
    struct fold *fold = action->fold;
    const struct ruleset *rules = fold->codec->rules;

    action_note(action, NOTE_STARTED, "", 0);
    struct out *out = action_event(action, "commit", "started", NO_SEAT);
    if (fold->starter < SEATS_MAX)
        out_text(out, "starter", rules->seats[fold->starter]);
    if (sets_up(fold))
        write_setups(out, fold);
    else if (fold->codec->component == COMPONENT_TILE)
        proceed_commitments(out, fold);
    if (fold->blinds)
        write_squares(out, fold);
    if (fold->tries)
        out_number(out, "tries", fold->tries);
    action_event_end(action);
}

static void mixed(const struct fold *fold, uint8_t round, struct lots *ret_lots)
{
    uint8_t players[SEATS_MAX][32], key[32];

    for (unsigned i = 0; i < fold_seats(fold); i++)
        memcpy(players[i], fold_seat(fold, i)->seed, 32);
    commit_mix(fold->gid, round, fold->referee_seed, players[0], fold_seats(fold), key);
    lots_init(ret_lots, key);
}

static struct event draw_lot(const struct fold *fold, uint8_t seats)
{
    struct event event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};
    uint8_t among[SEATS_MAX];
    struct lots lots;
    uint8_t count = 0;

    for (uint8_t i = 0; i < SEATS_MAX; i++)
        if (seats >> i & 1)
            among[count++] = i;
    mixed(fold, 0, &lots);
    event.data[0] = among[lots_below(&lots, count)];
    return event;
}

/* Shuffled anew for as long as the rules refuse how it lies (CR-1). */
static struct event deal(const struct fold *fold, uint8_t cards)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = cards};
    struct lots lots;

    mixed(fold, round_of(fold), &lots);
    do {
        lots_shuffle(&lots, cards, event.data);
        event.tries++;
    } while (event.tries < DEAL_TRIES_MAX &&
             match_judge(fold->codec->rules, fold->state, &event) != ALLOWED);
    return event;
}

void outcome_write(struct out *out, const char *key, const struct ruleset *rules,
                   struct outcome outcome)
{
    if (outcome.reason == REASON_NONE) {
        out_null(out, key);
        return;
    }
    out_object(out, key);
    out_text(out, "winner", ruleset_whose(rules, outcome.winner));
    out_text(out, "reason", reason_word(outcome.reason));
    out_text(out, "ruling", outcome.ruling ? rules->rulings[outcome.ruling].id : NULL);
    out_object_end(out);
}

void to_act_write(struct out *out, const struct ruleset *rules, const void *state)
{
    struct awaiting awaiting = rules->awaits(state);

    out_array(out, "to_act");
    for (int i = 0; i < rules->seats_max; i++)
        if (awaiting.what == AWAIT_MOVE && awaiting.seats >> i & 1)
            out_text(out, NULL, rules->seats[i]);
    out_array_end(out);
}

void result_write(struct out *out, const char *key, const struct fold *fold)
{
    const struct ruleset *rules = fold->codec->rules;
    struct outcome outcome = rules->result(fold->state);
    bool aborted = fold->status == STATUS_ABORTED;

    if (!aborted && outcome.reason == REASON_NONE) {
        out_null(out, key);
        return;
    }
    out_object(out, key);
    out_text(out, "reason", aborted ? "aborted" : reason_word(outcome.reason));
    out_text(out, "ruling",
             !aborted && outcome.ruling ? rules->rulings[outcome.ruling].id : NULL);
    out_text(out, "winner",
             !aborted && outcome.winner < SEATS_MAX ? rules->seats[outcome.winner] : NULL);
    out_object_end(out);
}

static void write_secrets(struct out *out, const struct fold *fold)
{
    out_object(out, "secrets");
    for (uint8_t side = 2; side-- > 0;)
        if (!fold->blinds || fold->blinds->audited >> side & 1)
            out_hex(out, fold->codec->rules->seats[side], fold_secret(fold, side), 32);
    out_object_end(out);
}

static void write_audit(struct out *out, const struct fold *fold)
{
    struct cheat cheats[FINDINGS_MAX];
    size_t count = fold->blinds && fold->blinds->closed ? audit_find(fold, cheats) : 0;
    const char *word = audit_word(fold);

    out_text(out, "audit", word ? word : "clean");
    if (!count)
        return;
    out_array(out, "cheats");
    for (size_t i = 0; i < count; i++) {
        out_object(out, NULL);
        out_text(out, "code", cheat_word(cheats[i].code));
        out_text(out, "seat", fold->codec->rules->seats[cheats[i].seat]);
        out_number(out, "seq", cheats[i].seq);
        out_object_end(out);
    }
    out_array_end(out);
}

/* What was reported of the tiles, by number. Nobody committed to it and no event told it, so
 * it is signed here, when it may be known. */
static void write_reported(struct out *out, const struct fold *fold)
{
    const struct codec *codec = fold->codec;
    struct options options = fold_options(fold);
    uint8_t faces[FACES_MAX];
    size_t count = codec->faces(fold->state, 0, faces);

    out_array(out, "faces");
    for (size_t i = 0; i < count; i++)
        out_text(out, NULL, faces[i] == 0xff ? NULL : codec->face_name(&options, faces[i]));
    out_array_end(out);
}

/* The last event of every game. What was secret is opened, unless nothing was ever committed
 * to: an abort before the start. */
static void end(struct action *action)
{
    struct fold *fold = action->fold;
    struct out *out = action_event(action, "result", "ended", NO_SEAT);

    write_audit(out, fold);
    result_write(out, "result", fold);
    if (fold->started) {
        out_hex(out, "referee_seed", fold->referee_seed, 32);
        if (sets_up(fold))
            write_secrets(out, fold);
        if (fold->options.custody == CUSTODY_TABLE && fold->codec->component == COMPONENT_TILE)
            write_reported(out, fold);
        if (fold->codec->unseen && fold->codec->unseen->is(fold->state))
            fold->codec->unseen->write(out, fold->state);
    }
    action_event_end(action);
}

/* Both sides have come, or their time is over: what they did is held against their faces. */
static void close_audit(struct action *action)
{
    struct fold *fold = action->fold;
    struct cheat cheats[FINDINGS_MAX];
    size_t count = audit_find(fold, cheats);

    for (uint8_t side = 0; side < 2; side++) {
        struct event faces = audit_faces(fold, side);
        action_note_event(action, &faces);
    }
    if (count) {
        struct event result = audit_result(cheats, count);
        action_note_event(action, &result);
    }
    action_note(action, NOTE_CLOSED, "", 0);
}

/* A new status gives those who are to act now a new term; in play there is none. Where clocks
 * run it is they that end. */
static void set_due(struct action *action)
{
    struct fold *fold = action->fold;

    clocks_settle(action);
    if (clocks_run(fold)) {
        int64_t ends_s = clocks_due_s(fold);
        if (ends_s != fold->due_s)
            action_note(action, NOTE_DUE, &ends_s, sizeof ends_s);
        return;
    }
    unsigned waits =
        1U << STATUS_SEEDING | 1U << STATUS_SETUP | 1U << STATUS_CHALLENGE | 1U << STATUS_AUDIT;
    int64_t due_s = waits >> fold->status & 1 ? action->now_s + fold->options.answer_s : 0;

    if (fold->status != action->status_before && due_s != fold->due_s)
        action_note(action, NOTE_DUE, &due_s, sizeof due_s);
}

void action_proceed(struct action *action)
{
    struct fold *fold = action->fold;

    while (fold->status == STATUS_PLAYING && !action->broken) {
        struct awaiting awaiting = awaits(fold);
        if (!fold->started && proceed_ready(fold))
            proceed_start(action);
        if (awaiting.what != AWAIT_LOT && awaiting.what != AWAIT_DEAL)
            break;
        struct event event = awaiting.what == AWAIT_LOT ? draw_lot(fold, awaiting.seats)
                                                        : deal(fold, awaiting.cards);
        action_play(action, &event);
    }
    if (fold->status == STATUS_OVER && !fold->started &&
        fold->codec->rules->result(fold->state).ruling) /* by the rules, as play began (SC-5) */
        proceed_start(action);
    if (fold->status == STATUS_AUDIT && !fold_to_act(fold))
        close_audit(action);
    set_due(action);
    if (fold->status >= STATUS_OVER && action->status_before < STATUS_OVER)
        end(action);
}
