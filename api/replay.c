#include "api/replay.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/cleanup.h"
#include "api/clocks.h"
#include "api/commit.h"
#include "api/deed.h"
#include "api/hex.h"
#include "api/json_read.h"
#include "api/options.h"
#include "api/proceed.h"
#include "rules/match.h"
#include "rules/rulesets.h"

bool lines_init(struct lines *lines, const json_t *events)
{
    lines->count = json_array_size(events);
    lines->text = calloc(lines->count, sizeof *lines->text);
    lines->size = calloc(lines->count, sizeof *lines->size);
    lines->claims = calloc(lines->count, sizeof *lines->claims);
    return lines->text && lines->size && lines->claims;
}

bool lines_add(struct lines *lines, size_t i, char *text)
{
    lines->text[i] = text;
    lines->claims[i] = json_read(text, lines->size[i], NULL);
    return json_is_object(lines->claims[i]);
}

void lines_done(struct lines *lines)
{
    for (size_t i = 0; lines->text && lines->claims && i < lines->count; i++) {
        free(lines->text[i]);
        json_decref(lines->claims[i]);
    }
    free(lines->text);
    free(lines->size);
    free(lines->claims);
}

static void check(struct replay *r, const char *name, bool ok, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void check(struct replay *r, const char *name, bool ok, const char *format, ...)
{
    struct replay_check *check = &r->checks[r->check_count++];
    va_list arguments;

    check->name = name;
    check->ok = ok;
    va_start(arguments, format);
    (void)vsnprintf(check->detail, sizeof check->detail, format, arguments);
    va_end(arguments);
}

static bool stop(struct replay *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool stop(struct replay *r, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(r->why, sizeof r->why, format, arguments);
    va_end(arguments);
    return false;
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static bool hex_of(const json_t *object, const char *name, uint8_t ret[static 32])
{
    const char *text = text_of(object, name);

    return text && hex_decode(text, strlen(text), ret, 32);
}

static uint8_t seat_of(const struct replay *r, const json_t *claims)
{
    const char *name = text_of(claims, "seat");
    uint8_t seat = name ? ruleset_seat(r->fold->codec->rules, name) : NO_SEAT;

    return seat < fold_seats(r->fold) ? seat : NO_SEAT;
}

/* Options, seats and seed of the first event. */
static bool read_created(struct replay *r, const json_t *claims)
{
    const char *id = text_of(claims, "gid"), *ruleset = text_of(claims, "ruleset");
    const struct choice choice = {
        .ruleset = ruleset,
        .variant = text_of(claims, "variant"),
        .custody = text_of(claims, "custody"),
        .options = json_object_get(claims, "options"),
        .players = (int64_t)json_array_size(json_object_get(claims, "seats")),
        .clocked = json_object_get(claims, "clock") != NULL,
    };
    const struct codec *codec;
    struct fault fault;
    uint8_t gid[16];

    memset(&r->created, 0, sizeof r->created);
    if (!id || !ruleset || !base64_decode(id, strlen(id), gid, sizeof gid) ||
        !options_read(&choice, &codec, &r->created.options, &fault))
        return stop(r, "The first event does not tell a game that is known here.");
    r->created.ruleset = ruleset_number(codec->rules);
    r->created.spectators = json_is_true(json_object_get(claims, "spectators"));
    const json_t *clock = json_object_get(claims, "clock");
    r->clocked = clock != NULL;
    if (clock && !clocks_read(clock, &r->terms, &fault))
        return stop(r, "The first event has a clock of no known kind.");
    r->fold = fold_new(codec, r->created.options.players, gid);
    return r->fold || stop(r, "There is not enough memory.");
}

static bool blind(const struct replay *r)
{
    return r->created.options.custody == CUSTODY_PLAYERS;
}

static bool read_seeds(struct replay *r)
{
    const json_t *seeds = json_object_get(r->transcript, "seeds");
    const json_t *secrets = json_object_get(r->transcript, "secrets");
    const char *const *seats = r->fold->codec->rules->seats;

    if (!hex_of(seeds, "referee", r->created.referee_seed))
        return stop(r, "The referee's seed is not there.");
    for (int side = 0; r->fold->codec->component == COMPONENT_PIECE && side < 2; side++)
        if (!hex_of(secrets, seats[side], r->secrets[side]) && !blind(r))
            return stop(r, "The secret of %s is not there.", seats[side]);
    return true;
}

/* The opening's place among all components: side or 0, and index; false: there is none such. */
static bool place_of(const struct replay *r, const char *component, uint8_t *ret_side,
                     uint8_t *ret_index)
{
    const struct codec *codec = r->fold->codec;
    bool pieces = codec->component == COMPONENT_PIECE;
    char name[24];

    for (uint8_t side = 0; side < (pieces ? 2 : 1); side++)
        for (uint8_t i = 0; i < (pieces ? SLOTS_MAX : 64); i++) {
            struct opening opening = {0, codec->component, side, i, 0};
            codec->component_name(&opening, name);
            if (strcmp(name, component) != 0)
                continue;
            *ret_side = side;
            *ret_index = i;
            return true;
        }
    return false;
}

static uint8_t face_of(const struct replay *r, const char *face)
{
    const char *name;

    for (uint8_t i = 0; (name = r->fold->codec->face_name(&r->created.options, i)); i++)
        if (face && strcmp(name, face) == 0)
            return i;
    return FACE_UNKNOWN;
}

/* Where the referee does not hold the faces, moves are made again by what was opened at last.
 */
static bool read_openings(struct replay *r)
{
    const json_t *openings = json_object_get(r->transcript, "openings"), *opening;
    uint8_t side, index;
    size_t i;

    memset(r->faces, FACE_UNKNOWN, sizeof r->faces);
    if (r->fold->codec->component == COMPONENT_CARD ||
        r->created.options.custody == CUSTODY_REFEREE)
        return true;
    json_array_foreach(openings, i, opening)
    {
        const char *component = text_of(opening, "component");
        if (!component || !place_of(r, component, &side, &index))
            return stop(r, "Opening %zu is of nothing that is in this game.", i + 1);
        r->faces[side][index] = face_of(r, text_of(opening, "face"));
        if (blind(r) && !hex_of(opening, "nonce", r->nonces[side][index]))
            return stop(r, "The opening of %.20s has no nonce.", component);
    }
    return true;
}

static bool do_seat(struct replay *r, struct action *action, const json_t *claims)
{
    struct seat_note note;
    const char *name = text_of(claims, "name");

    memset(&note, 0, sizeof note);
    note.seat = seat_of(r, claims);
    if (note.seat == NO_SEAT)
        return false;
    note.named = true; /* the event tells the name that stands, or that there is none */
    if (name)
        (void)snprintf(note.name, sizeof note.name, "%s", name);
    note.committed = json_is_true(json_object_get(claims, "seeds"));
    if (fold_seat(r->fold, note.seat)->taken ||
        (note.committed && fold_seed_late(r->fold, note.seat)))
        return false;
    if (note.committed && (r->at + 1 == r->lines->count ||
                           !hex_of(r->lines->claims[r->at + 1], "commitment", note.commitment)))
        return false;
    deed_seat(action, &note);
    return true;
}

static bool do_reissue(struct replay *r, struct action *action, const json_t *claims)
{
    struct seat_note note;
    const char *by = text_of(claims, "by");

    memset(&note, 0, sizeof note);
    note.seat = seat_of(r, claims);
    if (note.seat == NO_SEAT || !by ||
        (strcmp(by, "operator") != 0 &&
         (strcmp(by, "host") != 0 || fold_seat(r->fold, note.seat)->taken)))
        return false;
    deed_reissue(action, &note, by);
    return true;
}

static bool sits(const struct replay *r, uint8_t seat)
{
    return seat != NO_SEAT && fold_seat(r->fold, seat)->taken;
}

static bool do_rename(struct replay *r, struct action *action, const json_t *claims)
{
    struct name_note note;
    const char *name = text_of(claims, "name");

    memset(&note, 0, sizeof note);
    note.seat = seat_of(r, claims);
    if (!sits(r, note.seat))
        return false;
    if (name) /* one that is too long comes out as another */
        (void)snprintf(note.name, sizeof note.name, "%s", name);
    deed_rename(action, &note);
    return true;
}

/* Is the seat one of those that are to act in this status? */
static bool owes(const struct replay *r, uint8_t seat, uint8_t status)
{
    return r->fold->status == status && sits(r, seat) &&
           (fold_to_act(r->fold) & (uint8_t)~r->laid) >> seat & 1;
}

/* A seed must fit what the seat has committed to. */
static bool do_seed(struct replay *r, struct action *action, const json_t *claims)
{
    uint8_t note[33] = {seat_of(r, claims)}, commitment[32];

    if (!owes(r, note[0], STATUS_SEEDING) || !hex_of(claims, "seed", note + 1))
        return false;
    commit_player_seed(r->fold->gid, 0, note[0], note + 1, commitment);
    if (memcmp(commitment, fold_seat(r->fold, note[0])->seed, 32) != 0)
        return false;
    deed_seed(action, note);
    return true;
}

static const json_t *line_typed(const struct replay *r, const char *type)
{
    for (size_t i = 0; i < r->lines->count; i++)
        if (strcmp(text_of(r->lines->claims[i], "type"), type) == 0)
            return r->lines->claims[i];
    return NULL;
}

/* Commitments and squares, which are told when both sides' are in. */
static bool do_commit(struct replay *r, struct action *action, uint8_t seat)
{
    const char *name = r->fold->codec->rules->seats[seat];
    const json_t *started = line_typed(r, "started"), *square;
    const json_t *hashes = json_object_get(json_object_get(started, "commitments"), name);
    const json_t *squares = json_object_get(json_object_get(started, "squares"), name);
    struct event event = {0};
    struct commits_note note;
    char component[40];
    uint8_t side, slot;
    size_t i;

    memset(&note, 0, sizeof note);
    note.seat = seat;
    if (json_array_size(hashes) != json_array_size(squares))
        return false;
    json_array_foreach(squares, i, square)
    {
        const char *hash = json_string_value(json_array_get(hashes, i));
        const char *text = json_string_value(square);
        (void)snprintf(component, sizeof component, "%s/%s", name, text ? text : "");
        if (!text || !hash || !place_of(r, component, &side, &slot) || side != seat ||
            !hex_decode(hash, strlen(hash), note.commitment[slot], 32))
            return false;
        note.slots |= UINT64_C(1) << slot;
    }
    r->fold->codec->blind->setup(&r->created.options, seat, note.slots, &event);
    if (match_judge(r->fold->codec->rules, r->fold->state, &event) != ALLOWED)
        return false;
    deed_commit(action, &event, &note);
    return true;
}

/* The side's pieces, from the openings: {"component":"red/a1","face":"flag"}. */
static bool do_setup(struct replay *r, struct action *action, const json_t *claims)
{
    const json_t *openings = json_object_get(r->transcript, "openings"), *opening;
    struct event event = {0};
    uint8_t note[33] = {seat_of(r, claims)};
    json_auto_t *pieces = json_object();
    struct fault fault;
    size_t i;

    if (note[0] > 1 || !r->fold->codec->read_setup || !owes(r, note[0], STATUS_SETUP))
        return false;
    if (r->unopened) { /* play never began: what was laid stays closed */
        r->laid |= (uint8_t)(1U << note[0]);
        action_event(action, "event", "setup_done", note[0]);
        action_event_end(action);
        return true;
    }
    if (blind(r))
        return do_commit(r, action, note[0]);
    const char *side = r->fold->codec->rules->seats[note[0]];
    size_t lead = strlen(side);
    json_array_foreach(openings, i, opening)
    {
        const char *component = text_of(opening, "component");
        if (component && strncmp(component, side, lead) == 0 && component[lead] == '/')
            json_object_set(pieces, component + lead + 1, json_object_get(opening, "face"));
    }
    if (!r->fold->codec->read_setup(pieces, "", &r->created.options, note[0], &event, &fault))
        return false;
    event.kind = EVENT_SETUP;
    event.seat = note[0];
    if (match_judge(r->fold->codec->rules, r->fold->state, &event) != ALLOWED)
        return false;
    memcpy(note + 1, r->secrets[note[0]], 32);
    deed_setup(action, &event, note);
    return true;
}

static bool do_resign(struct replay *r, struct action *action, const json_t *claims)
{
    struct event event = {.kind = EVENT_RESIGN, .seat = seat_of(r, claims)};

    unsigned may = 1U << STATUS_SETUP | 1U << STATUS_PLAYING | 1U << STATUS_CHALLENGE;
    if (!sits(r, event.seat) || !(may >> r->fold->status & 1) ||
        match_judge(r->fold->codec->rules, r->fold->state, &event) != ALLOWED)
        return false;
    deed_resign(action, event.seat);
    return true;
}

/* What the seat must open for this, as it was opened in the end. */
static bool open_all(const struct replay *r, struct action *action, struct event *event)
{
    const struct codec *codec = r->fold->codec;
    struct opened_note opened[SLOTS_MAX];
    size_t count = 0;

    if (event->seat > 1)
        return false;
    uint64_t needed = codec->blind->needs(r->fold->state, event);
    for (uint8_t slot = 0; slot < SLOTS_MAX; slot++) {
        if (!(needed >> slot & 1))
            continue;
        struct opened_note *one = &opened[count++];
        *one = (struct opened_note){event->seat, slot, r->faces[event->seat][slot], {0}};
        memcpy(one->nonce, r->nonces[event->seat][slot], 32);
        if (!opening_fits(r->fold, one))
            return false;
        codec->blind->open(event, slot, one->face);
    }
    if (match_judge(codec->rules, r->fold->state, event) != ALLOWED)
        return false;
    deed_open(action, event, opened, count);
    return true;
}

/* A defence or a claim: whoever is to act has opened. */
static bool do_open(struct replay *r, struct action *action, const json_t *claims)
{
    struct event event = {.kind = EVENT_OPEN};
    uint8_t act = fold_to_act(r->fold);

    (void)claims;
    if (r->fold->status != STATUS_CHALLENGE && r->fold->status != STATUS_PLAYING)
        return false;
    event.seat = act == 1 ? 0 : act == 2 ? 1 : NO_SEAT;
    if (!sits(r, event.seat))
        return false;
    return open_all(r, action, &event);
}

static bool do_audit(struct replay *r, struct action *action, const json_t *claims)
{
    uint8_t note[33] = {seat_of(r, claims)};

    if (note[0] > 1 || !owes(r, note[0], STATUS_AUDIT))
        return false;
    memcpy(note + 1, r->secrets[note[0]], 32);
    deed_audit(action, note);
    return true;
}

/* Nobody loses before his term is over: what `iat` says counts. */
static bool do_timeout(struct replay *r, struct action *action, const json_t *claims)
{
    uint8_t late = fold_to_act(r->fold) & (uint8_t)~r->laid;

    (void)claims;
    if (clocks_run(r->fold)) {
        late = clocks_late(r->fold, action->now_s);
        if (late)
            deed_flag(action, late);
        return late != 0;
    }
    if (!r->fold->due_s || action->now_s < r->fold->due_s || !late)
        return false;
    deed_timeout(action, late);
    return true;
}

/* How long nobody could reach the referee is its own word: no more than has passed. */
static bool do_uncharged(struct replay *r, struct action *action, const json_t *claims)
{
    int64_t s = json_integer_value(json_object_get(claims, "s"));

    if (!clocks_run(r->fold) || s < 1 || s > action->now_s - r->fold->clock->since_s)
        return false;
    deed_uncharged(action, s);
    return true;
}

static bool do_draw(struct replay *r, struct action *action, const json_t *claims)
{
    uint8_t seat = seat_of(r, claims);
    bool offered = strcmp(text_of(claims, "type"), "offered") == 0;
    bool accepts = json_is_true(json_object_get(claims, "accepts"));
    enum draw what = !offered ? DRAW_DECLINE : accepts ? DRAW_ACCEPT : DRAW_OFFER;

    if (!sits(r, seat) || r->fold->status != STATUS_PLAYING ||
        fold_draw_fault(r->fold, seat, what))
        return false;
    deed_draw(action, seat, what);
    return true;
}

static bool do_override(struct replay *r, struct action *action, const json_t *claims)
{
    const json_t *result = json_object_get(claims, "result");
    const char *reason = text_of(result, "reason"), *note = text_of(claims, "note");
    const char *winner = text_of(result, "winner");
    uint8_t seat = NO_SEAT;

    for (uint8_t i = 0; winner && i < fold_seats(r->fold); i++)
        if (fold_in(r->fold) >> i & 1 && strcmp(r->fold->codec->rules->seats[i], winner) == 0)
            seat = i;
    if (r->fold->status >= STATUS_AUDIT || !reason || !note || (winner && seat == NO_SEAT) ||
        override_reason(reason, winner) == REASON_NONE)
        return false;
    deed_override(action, override_reason(reason, winner), seat, note);
    return true;
}

static bool do_abort(struct replay *r, struct action *action, const json_t *claims)
{
    (void)claims;
    if (r->fold->status >= STATUS_OVER)
        return false;
    deed_abort(action);
    return true;
}

/* The claims of a line without what only the token needs: what an effect must come out as. */
static void strip(const struct replay *r, size_t line, struct out *out)
{
    static const char *const token_alone[] = {"gid", "iat", "prev",
                                              "seq", "typ", "commitments"};
    struct out_member member;
    size_t at = 0;

    out_object(out, NULL);
    while (out_member_next(r->lines->text[line], r->lines->size[line], &at, &member)) {
        bool alone = false;
        for (size_t i = 0; i < sizeof token_alone / sizeof *token_alone; i++)
            alone = alone || (member.key_size == strlen(token_alone[i]) &&
                              memcmp(member.key, token_alone[i], member.key_size) == 0);
        if (!alone)
            out_member(out, &member);
    }
    out_object_end(out);
}

enum { LINES_OF_A_MOVE = EFFECTS_MAX };

/* What the next lines tell, stripped once for all the moves that are tried. */
struct told {
    size_t count;
    struct out lines[LINES_OF_A_MOVE];
};

static bool tells(const struct codec *codec, const struct out *line,
                  const struct effect *effect, struct out *scratch)
{
    scratch->size = 0;
    out_object(scratch, NULL);
    out_text(scratch, "type", codec->effect_type(effect));
    if (effect->seat != NO_SEAT)
        out_text(scratch, "seat", codec->rules->seats[effect->seat]);
    codec->write_effect(scratch, effect);
    out_object_end(scratch);
    out_sort(scratch, 0);
    return !scratch->failed && scratch->size == line->size &&
           memcmp(scratch->text, line->text, line->size) == 0;
}

/* How many of the next lines are the effects of a move, in order. */
static size_t lines_told(const struct replay *r, struct told *told,
                         const struct effects *effects, struct out *scratch)
{
    size_t i = 0;

    for (; i < effects->count && r->at + i < r->lines->count; i++) {
        if (i == told->count)
            strip(r, r->at + i, &told->lines[told->count++]);
        if (told->lines[i].failed ||
            !tells(r->fold->codec, &told->lines[i], &effects->list[i], scratch))
            break;
    }
    return i;
}

/* The legal move whose effects the next lines tell: an advance and an advance with an attack
 * begin alike, so the one that explains most of them. */
static bool find_move(struct replay *r, uint8_t seat, struct event *ret_event)
{
    const struct ruleset *rules = r->fold->codec->rules;
    autofree struct event *moves = calloc(MOVES_MAX, sizeof *moves);
    autofree void *state = malloc(rules->state_size);
    autoout struct out scratch = {0};
    struct told told = {0};
    size_t count = moves && state ? rules->legal(r->fold->state, seat, moves, MOVES_MAX) : 0;
    size_t most = 0;

    for (size_t i = 0; i < count; i++) {
        struct effects effects;
        moves[i].kind = EVENT_MOVE;
        moves[i].seat = seat;
        if (r->created.options.custody != CUSTODY_REFEREE && r->fold->codec->fill) {
            r->fold->codec->fill(r->fold->state, r->faces[blind(r) ? seat : 0], &moves[i]);
            if (match_judge(rules, r->fold->state, &moves[i]) != ALLOWED)
                continue;
        }
        memcpy(state, r->fold->state, rules->state_size);
        match_play(rules, state, &moves[i], &effects);
        size_t lines = lines_told(r, &told, &effects, &scratch);
        if (lines <= most)
            continue;
        most = lines;
        *ret_event = moves[i];
    }
    for (size_t i = 0; i < told.count; i++)
        out_done(&told.lines[i]);
    return most > 0;
}

static bool do_move(struct replay *r, struct action *action, const json_t *claims)
{
    uint8_t seat = seat_of(r, claims);
    struct event event;

    if (!owes(r, seat, STATUS_PLAYING) || !find_move(r, seat, &event))
        return false;
    if (blind(r))
        return open_all(r, action, &event);
    action_play(action, &event);
    return true;
}

static bool unseen(const struct replay *r)
{
    const struct unseen *unseen = r->fold->codec->unseen;

    return unseen && unseen->is(r->fold->state);
}

/* An attack or its defence; the last event tells which pieces they were. */
static bool do_named(struct replay *r, struct action *action, const json_t *claims)
{
    const struct unseen *unseen = r->fold->codec->unseen;
    const json_t *acted =
        json_object_get(r->lines->claims[r->lines->count - 1], unseen->member);
    uint8_t act = fold_to_act(r->fold);
    bool defends = r->fold->status == STATUS_CHALLENGE;
    struct event event = {.seat = defends ? act >> 1 : seat_of(r, claims)};

    if (!owes(r, event.seat, defends ? STATUS_CHALLENGE : STATUS_PLAYING) ||
        !unseen->read(acted, r->fold->state, &event) ||
        match_judge(r->fold->codec->rules, r->fold->state, &event) != ALLOWED)
        return false;
    action_play(action, &event);
    return true;
}

static const struct {
    const char *type;
    bool (*redo)(struct replay *, struct action *, const json_t *);
} deeds[] = {
    {"seat_taken", do_seat},     {"seat_reissued", do_reissue}, {"seed_revealed", do_seed},
    {"setup_done", do_setup},    {"resigned", do_resign},       {"offered", do_draw},
    {"declined", do_draw},       {"ended", do_abort},           {"combat", do_open},
    {"claimed", do_open},        {"audited", do_audit},         {"timed_out", do_timeout},
    {"uncharged", do_uncharged}, {"overridden", do_override},   {"seat_renamed", do_rename},
};

/* A game that never began does not open the referee's seed: its commitment is taken as told. */
static bool take_commitment(const struct replay *r, struct action *action)
{
    static const char name[] = "\"seed_commitment\":\"";
    const char *told = text_of(r->lines->claims[0], "seed_commitment");
    char *made = memmem(action->claims.text, action->claims.size, name, sizeof name - 1);
    uint8_t hash[32];

    if (!told || !made || !hex_decode(told, strlen(told), hash, sizeof hash))
        return false;
    memcpy(made + sizeof name - 1, told, 64);
    commit_link(action->claims.text, action->claims.size, action->fold->link);
    return true;
}

static bool redo(struct replay *r, struct action *action)
{
    const json_t *claims = r->lines->claims[r->at];
    const char *type = text_of(claims, "type"), *iat = text_of(claims, "iat");

    if (!type || !iat || !time_read(iat, &action->now_s))
        return false;
    time_text(action->now_s * 1000, action->iat);
    if (r->at == 0) {
        if (strcmp(type, "created") != 0)
            return false;
        deed_create(action, &r->created, r->clocked ? &r->terms : NULL);
        return !r->unopened || take_commitment(r, action);
    }
    bool claim = strcmp(type, "challenge") == 0 && json_object_get(claims, "claim");
    if (claim)
        return do_open(r, action, claims);
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(deeds[i].type, type) == 0 && (deeds[i].redo != do_open || blind(r)))
            return deeds[i].redo(r, action, claims);
    return unseen(r) ? do_named(r, action, claims) : do_move(r, action, claims);
}

/* The lines that the action made must be the next lines of the record. */
static bool compare(struct replay *r, const struct action *action)
{
    const char *at = action->claims.text, *end = at + action->claims.size;

    for (uint32_t i = 0; i < action->count; i++, r->at++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((line_end ? line_end : end) - at);
        if (r->at == r->lines->count)
            return stop(r, "The record ends before the game does, at seq %zu.", r->at);
        if (size != r->lines->size[r->at] || memcmp(at, r->lines->text[r->at], size) != 0)
            return stop(r, "Event %zu (%.30s) is not what the game gives.", r->at + 1,
                        text_of(r->lines->claims[r->at], "type"));
        at += size + 1;
    }
    return true;
}

static bool step(struct replay *r)
{
    struct action action = {.fold = r->fold,
                            .first = r->fold->seq + 1,
                            .status_before = r->at ? r->fold->status : STATUSES};
    bool done = redo(r, &action);

    if (done) {
        action_proceed(&action);
        done = !action.broken && !action.claims.failed && action.count;
    }
    if (!done && !r->why[0])
        stop(r, "Event %zu (%.30s) cannot have happened.", r->at + 1,
             text_of(r->lines->claims[r->at], "type"));
    done = done && compare(r, &action);
    action.fold = NULL; /* the replay's own */
    action_done(&action);
    return done;
}

static void write_openings_of(struct out *out, const struct fold *fold, uint8_t context)
{
    const struct codec *codec = fold->codec;
    uint8_t faces[64];
    size_t count = codec->faces(fold->state, context, faces);

    for (size_t i = 0; i < count; i++) {
        struct opening opening = {0, codec->component, context, (uint8_t)i, faces[i]};
        if (faces[i] != 0xff) /* an empty square of the smaller sets */
            opening_write(out, fold, &opening);
    }
}

void openings_write(struct out *out, const struct fold *fold)
{
    const struct codec *codec = fold->codec;

    if (codec->component == COMPONENT_CARD) {
        write_openings_of(out, fold, codec->round(fold->state));
    } else if (codec->component == COMPONENT_TILE) {
        write_openings_of(out, fold, 0);
    } else {
        write_openings_of(out, fold, 0);
        write_openings_of(out, fold, 1);
    }
}

void secrets_write(struct out *out, const struct fold *fold)
{
    const char *const *seats = fold->codec->rules->seats;

    out_object(out, "seeds");
    if (fold->started)
        out_hex(out, "referee", fold->referee_seed, 32);
    out_object(out, "seats");
    for (unsigned i = 0; i < fold_seats(fold); i++)
        if (fold_seat(fold, i)->revealed)
            out_hex(out, seats[i], fold_seat(fold, i)->seed, 32);
    out_object_end(out);
    out_object_end(out);
    out_object(out, "secrets");
    for (unsigned i = 0; fold->started && i < 2; i++)
        if (fold->blinds ? fold->blinds->audited >> i & 1
                         : fold->codec->component == COMPONENT_PIECE)
            out_hex(out, seats[i], fold_secret(fold, i), 32);
    out_object_end(out);
}

/* What the openings must be, gathered while the game goes on: cards lie for one round only. */
static void gather(struct replay *r, struct out *out, size_t from)
{
    for (; from < r->at; from++) {
        const char *type = text_of(r->lines->claims[from], "type");
        bool cards = r->fold->codec->component == COMPONENT_CARD;
        if ((cards && strcmp(type, "round_started") == 0) ||
            (!cards && !r->unopened && strcmp(type, "ended") == 0))
            openings_write(out, r->fold);
    }
}

static void check_openings(struct replay *r, struct out *out)
{
    const json_t *given = json_object_get(r->transcript, "openings");

    out_array_end(out);
    json_auto_t *made = out->failed ? NULL : json_read(out->text, out->size, NULL);
    bool good = made && json_equal(given, made);
    check(r, "openings", good,
          good ? "All %zu faces and nonces fit their commitments."
               : "They are not those of the %zu faces of this game.",
          json_array_size(made));
}

static bool run(struct replay *r, struct out *openings)
{
    out_array(openings, NULL);
    while (r->at < r->lines->count) {
        size_t from = r->at;
        if (!step(r))
            return false;
        gather(r, openings, from);
    }
    return r->fold->status >= STATUS_OVER || stop(r, "The game is not over.");
}

static void check_result(struct replay *r)
{
    autoout struct out out = {0};

    result_write(&out, NULL, r->fold);
    json_auto_t *made = out.failed ? NULL : json_read(out.text, out.size, NULL);
    bool good = json_equal(made, json_object_get(r->transcript, "result"));
    check(r, "result", good, "%s",
          good ? "The result is the one that the game gives."
               : "The result beside the record is not the one in it.");
}

/* What stands beside the record must be what the game opens: no more, no less. */
static void check_secrets(struct replay *r)
{
    const json_t *seeds = json_object_get(r->transcript, "seeds");
    const json_t *secrets = json_object_get(r->transcript, "secrets");
    autoout struct out out = {0};

    out_object(&out, NULL);
    secrets_write(&out, r->fold);
    out_object_end(&out);
    json_auto_t *made = out.failed ? NULL : json_read(out.text, out.size, NULL);
    bool good = made && json_equal(seeds, json_object_get(made, "seeds")) &&
                json_equal(secrets, json_object_get(made, "secrets"));
    check(r, "seeds", good, "%s",
          good ? "Seeds and secrets are those of the record."
               : "Seeds or secrets beside the record are not those in it.");
}

/* Nothing is opened of a game that was over before it began: called off, given up, or left. */
static bool never_began(const struct replay *r)
{
    return !json_object_get(r->lines->claims[r->lines->count - 1], "referee_seed");
}

void replay_run(struct replay *r)
{
    autoout struct out openings = {0};
    const json_t *last = r->lines->claims[r->lines->count - 1];

    if (!text_of(json_object_get(last, "result"), "reason")) {
        check(r, "play", false, "The last event tells no result.");
        return;
    }
    for (size_t i = 0; i < r->lines->count; i++)
        if (!text_of(r->lines->claims[i], "type")) {
            check(r, "play", false, "Event %zu has no type.", i + 1);
            return;
        }
    r->unopened = never_began(r);
    bool good = read_created(r, r->lines->claims[0]) &&
                (r->unopened || (read_seeds(r) && read_openings(r))) && run(r, &openings);
    check(r, "play", good, "%s",
          !good ? r->why
          : r->unopened
              ? "The game was over before it began: nothing was dealt, all else comes out "
                "byte for byte."
              : "Seeds, lots, deals, commitments and every move come out byte for byte.");
    if (!good)
        return;
    check_secrets(r);
    check_openings(r, &openings);
    check_result(r);
}

void replay_done(struct replay *r)
{
    fold_free(r->fold);
    sodium_memzero(&r->created, sizeof r->created);
    sodium_memzero(r->secrets, sizeof r->secrets);
}
