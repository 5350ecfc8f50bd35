/* Games: made, listed, looked at, seats taken, given anew and renamed, aborted. */
#include <string.h>

#include "api/action.h"
#include "api/clocks.h"
#include "api/deed.h"
#include "api/events.h"
#include "api/options.h"
#include "api/proceed.h"
#include "api/route.h"
#include "api/text.h"
#include "api/view.h"
#include "rules/rulesets.h"

struct creation {
    struct choice choice;
    json_t *seats, *clock;
    bool spectators;
    const struct codec *codec;
    struct created created;
    struct clock_terms terms;
};

static bool read_names(struct call *call, struct creation *creation)
{
    const struct ruleset *rules = creation->codec->rules;
    const char *seat;
    json_t *value;

    json_object_foreach(creation->seats, seat, value)
    {
        const char *name = NULL;
        const struct field fields[] = {
            {.name = "name", .kind = FIELD_TEXT, .value = &name, .max = NAME_MAX_BYTES}};
        struct pointer at = pointer_below("/seats", seat);
        int row = 0;
        while (row < creation->created.options.players && strcmp(rules->seats[row], seat) != 0)
            row++;
        if (row == creation->created.options.players)
            return fault_set(&call->fault, at.text, "This game has no such seat.");
        if (!json_fields(value, at.text, fields, 1, &call->fault))
            return false;
        if (name)
            memcpy(creation->created.names[row], name, strlen(name));
    }
    return true;
}

static enum problem read_creation(struct call *call, struct creation *creation)
{
    const struct field fields[] = {
        {.name = "ruleset",
         .kind = FIELD_TEXT,
         .required = true,
         .value = &creation->choice.ruleset},
        {.name = "variant", .kind = FIELD_TEXT, .value = &creation->choice.variant},
        {.name = "options", .kind = FIELD_OBJECT, .value = &creation->choice.options},
        {.name = "custody", .kind = FIELD_TEXT, .value = &creation->choice.custody},
        {.name = "seats", .kind = FIELD_OBJECT, .value = &creation->seats},
        {.name = "players",
         .kind = FIELD_INT,
         .value = &creation->choice.players,
         .min = 2,
         .max = 4},
        {.name = "clock", .kind = FIELD_OBJECT, .value = &creation->clock, .nullable = true},
        {.name = "spectators", .kind = FIELD_BOOL, .value = &creation->spectators},
    };
    enum problem problem = call_body(call, fields, sizeof fields / sizeof *fields);

    if (problem)
        return problem;
    creation->choice.clocked = creation->clock != NULL;
    if (!options_read(&creation->choice, &creation->codec, &creation->created.options,
                      &call->fault) ||
        !read_names(call, creation))
        return PROBLEM_INVALID_BODY;
    if (creation->clock && !clocks_read(creation->clock, &creation->terms, &call->fault))
        return PROBLEM_INVALID_BODY;
    return PROBLEM_NONE;
}

/* The credentials of a new game, for its maker alone. */
struct handed_out {
    char host[48], invites[SEATS_MAX][48];
};

static void make(struct action *action, struct creation *creation,
                 struct handed_out *ret_handed)
{
    struct created *created = &creation->created;
    struct ports *ports = &action->call->api->ports;

    created->ruleset = ruleset_number(creation->codec->rules);
    created->spectators = creation->spectators;
    created->created_ms = ports->now_ms(ports->context);
    ports->entropy(ports->context, created->referee_seed, sizeof created->referee_seed);
    action_credential(action, ret_handed->host, created->host);
    for (int i = 0; i < created->options.players; i++)
        action_credential(action, ret_handed->invites[i], created->invites[i]);
    deed_create(action, created, creation->clock ? &creation->terms : NULL);
}

static enum problem answer_created(struct action *action, const struct creation *creation,
                                   const struct handed_out *handed)
{
    const struct ruleset *rules = creation->codec->rules;
    struct call *call = action->call;
    struct out out = {0};
    char id[24];

    gid_text(action->fold->gid, id);
    out_object(&out, NULL);
    out_text(&out, "id", id);
    out_text(&out, "host", handed->host);
    out_object(&out, "seats");
    for (int i = 0; i < creation->created.options.players; i++) {
        out_object(&out, rules->seats[i]);
        out_text(&out, "invite", handed->invites[i]);
        out_object_end(&out);
    }
    out_object_end(&out);
    out_number(&out, "seq", action->fold->seq);
    if (!action->claims.failed) { /* credentials go with it: never minimal */
        out_object(&out, "tokens");
        events_write_token(&out, "game", &call->api->config.signing, action->claims.text,
                           action->claims.size);
        out_object_end(&out);
    }
    out_object_end(&out);
    response_header(call->response, "Location", "/v1/games/%s", id);
    call_game_headers(call, action->fold->seq);
    return call_answer(call, 201, &out, false);
}

static enum problem create(struct call *call)
{
    struct creation creation = {.spectators = true};
    struct ports *ports = &call->api->ports;
    struct handed_out handed;
    struct action action;
    uint8_t gid[16];
    enum problem problem = read_creation(call, &creation);

    if (problem)
        return problem;
    ports->entropy(ports->context, gid, sizeof gid);
    struct fold *fold = fold_new(creation.codec, creation.created.options.players, gid);
    if (!fold)
        return PROBLEM_UNAVAILABLE;
    problem = action_begin(&action, call, fold);
    if (!problem) {
        make(&action, &creation, &handed);
        problem = answer_created(&action, &creation, &handed);
    }
    return action_settle(&action, problem);
}

enum problem h_create(struct call *call)
{
    if (!call->api->config.open_creation && call->role != ROLE_OPERATOR)
        return call->has_credential ? PROBLEM_FORBIDDEN
                                    : call_refuse(call, PROBLEM_UNAUTHORIZED,
                                                  "Games are made here by the operator alone.");
    return create(call);
}

enum problem h_view(struct call *call)
{
    uint8_t viewer = call_viewer(call);
    struct out out = {0};

    view_write(&out, NULL, call->fold, viewer, call_now_ms(call));
    call->response->ticket = call->live->ticket;
    call_game_headers(call, call->fold->seq);
    return text_wanted(call) ? text_view(call, &out, viewer != NO_SEAT)
                             : call_answer(call, 200, &out, viewer != NO_SEAT);
}

struct page {
    struct out *out;
    int64_t last;
    int count;
};

static int list_row(void *arg, const struct listing *game, int64_t number)
{
    struct page *page = arg;
    char id[24], created[24];

    gid_text(game->gid, id);
    time_text(game->created_ms, created);
    out_object(page->out, NULL);
    out_text(page->out, "id", id);
    out_text(page->out, "ruleset", rulesets[game->ruleset]->id);
    out_text(page->out, "status", status_word(game->status));
    out_text(page->out, "created", created);
    out_object_end(page->out);
    page->last = number;
    page->count++;
    return 0;
}

enum problem h_list(struct call *call)
{
    struct ports *ports = &call->api->ports;
    const char *status = call_query(call, "status");
    struct list_query query = {.status = -1, .open_only = call->role != ROLE_OPERATOR};
    int64_t limit = LIST_MAX;
    struct out out = {0};
    struct page page = {.out = &out};

    enum problem problem;

    if ((problem = call_number(call, "after", call_query(call, "after"), 0, LIST_AFTER_MAX,
                               &query.after)) ||
        (problem = call_number(call, "limit", call_query(call, "limit"), 1, LIST_MAX, &limit)))
        return problem;
    if (status && (query.status = status_find(status)) < 0)
        return call_refuse(call, PROBLEM_BAD_REQUEST,
                           "There is no such status: waiting, seeding, setup, playing, "
                           "challenge, audit, over, aborted.");
    query.limit = (int)limit;
    page.last = query.after;
    out_object(&out, NULL);
    out_array(&out, "games");
    int error = ports->games(ports->context, &query, list_row, &page);
    if (error) {
        out_done(&out);
        return problem_of_errno(error);
    }
    out_array_end(&out);
    out_number(&out, "next", page.last);
    out_object_end(&out);
    response_header(call->response, "Cache-Control", "private, no-store");
    return call_answer(call, 200, &out, false);
}

/* What the seat notes of itself, and whether the body was right. */
static enum problem read_seat(struct call *call, struct seat_note *note)
{
    const char *name = NULL;
    const struct field fields[] = {
        {.name = "name", .kind = FIELD_TEXT, .value = &name, .max = NAME_MAX_BYTES},
        {.name = "seed_commit",
         .kind = FIELD_HEX,
         .value = note->commitment,
         .max = 32,
         .present = &note->committed},
    };
    enum problem problem = call_body(call, fields, sizeof fields / sizeof *fields);

    note->named = name != NULL;
    if (name)
        memcpy(note->name, name, strlen(name));
    note->seat = call->seat;
    if (problem || !note->committed)
        return problem;
    /* A committed seed is never replaced, whoever sits there. */
    if (fold_seed_late(call->fold, call->seat)) {
        fault_set(
            &call->fault, "/seed_commit",
            "It is too late for a seed: this seat's is committed, another's is shown, or the "
            "game has begun.");
        return PROBLEM_INVALID_BODY;
    }
    return PROBLEM_NONE;
}

static enum problem answer_seat(struct action *action, uint8_t seat, const char *member,
                                const char *credential)
{
    struct call *call = action->call;
    struct out out = {0};

    out_object(&out, NULL);
    out_text(&out, "seat", call->fold->codec->rules->seats[seat]);
    out_text(&out, member, credential);
    out_number(&out, "seq", action->fold->seq);
    out_text(&out, "status", status_word(action->fold->status));
    out_object_end(&out);
    call_game_headers(call, action->fold->seq);
    return call_answer(call, 201, &out, false);
}

enum problem h_seat(struct call *call)
{
    struct seat_note note;
    struct action action;
    char credential[48];

    memset(&note, 0, sizeof note);
    enum problem problem = read_seat(call, &note);
    if (problem)
        return problem;
    problem = action_begin(&action, call, call->fold);
    if (!problem) {
        action_credential(&action, credential, note.hash);
        deed_seat(&action, &note);
        action_proceed(&action);
        problem = answer_seat(&action, call->seat, "credential", credential);
    }
    return action_settle(&action, problem);
}

enum problem h_invite(struct call *call)
{
    struct seat_note note;
    struct action action;
    char invite[48];
    bool taken = fold_seat(call->fold, call->path_seat)->taken;

    if (taken && call->role != ROLE_OPERATOR)
        return call_refuse(call, PROBLEM_FORBIDDEN,
                           "The seat is taken: only the operator can give it anew.");
    enum problem problem = call_body(call, NULL, 0);
    if (problem || (problem = action_begin(&action, call, call->fold)))
        return problem;
    memset(&note, 0, sizeof note);
    note.seat = call->path_seat;
    action_credential(&action, invite, note.hash);
    deed_reissue(&action, &note, call->role == ROLE_OPERATOR ? "operator" : "host");
    action_proceed(&action);
    problem = answer_seat(&action, call->path_seat, "invite", invite);
    return action_settle(&action, problem);
}

/* The name of whoever sits there; the record keeps what it was before. */
enum problem h_rename(struct call *call)
{
    const char *name = NULL;
    const struct field fields[] = {{.name = "name",
                                    .kind = FIELD_TEXT,
                                    .required = true,
                                    .value = &name,
                                    .max = NAME_MAX_BYTES}};
    struct name_note note;
    struct action action;

    if (!fold_seat(call->fold, call->path_seat)->taken)
        return call_refuse(call, PROBLEM_WRONG_STATUS,
                           "Nobody sits there: only a seat that is taken is renamed.");
    enum problem problem = call_body(call, fields, 1);
    if (problem || (problem = action_begin(&action, call, call->fold)))
        return problem;
    memset(&note, 0, sizeof note);
    note.seat = call->path_seat;
    memcpy(note.name, name, strlen(name));
    deed_rename(&action, &note);
    return action_finish(&action, NULL, false);
}

/* The host may call off what has not begun: no seed told, or, if no seat gave one, no start. */
static bool host_may_abort(const struct fold *fold)
{
    bool revealed = false;

    for (unsigned i = 0; i < fold_seats(fold); i++)
        revealed = revealed || fold_seat(fold, i)->revealed;
    return !revealed && !fold->started;
}

enum problem h_abort(struct call *call)
{
    struct action action;

    if (call->role != ROLE_OPERATOR && !host_may_abort(call->fold))
        return call_refuse(call, PROBLEM_WRONG_STATUS,
                           "The game has begun: only the operator can abort it now.");
    enum problem problem = call_body(call, NULL, 0);
    if (problem || (problem = action_begin(&action, call, call->fold)))
        return problem;
    deed_abort(&action);
    return action_finish(&action, NULL, false);
}

/* What the arbiter has decided: `winner` a seat or NO_SEAT. */
struct verdict {
    uint8_t reason, winner;
    const char *note;
};

static bool read_result(struct call *call, const json_t *object, struct verdict *verdict)
{
    const struct fold *fold = call->fold;
    const char *winner = NULL, *reason = NULL;
    const struct field fields[] = {
        {.name = "winner", .kind = FIELD_TEXT, .value = &winner, .nullable = true},
        {.name = "reason", .kind = FIELD_TEXT, .required = true, .value = &reason},
    };

    if (!json_fields(object, "/result", fields, 2, &call->fault))
        return false;
    verdict->winner = NO_SEAT;
    for (uint8_t i = 0; winner && i < fold_seats(fold); i++)
        if (fold_in(fold) >> i & 1 && strcmp(fold->codec->rules->seats[i], winner) == 0)
            verdict->winner = i;
    if (winner && verdict->winner == NO_SEAT)
        return fault_set(&call->fault, "/result/winner",
                         "No seat of that name is in the game.");
    verdict->reason = override_reason(reason, winner);
    return verdict->reason != REASON_NONE ||
           fault_set(&call->fault, "/result/reason", "The reason is %s.",
                     winner ? "resigned, time or cheat where somebody wins"
                            : "agreed or void where nobody wins");
}

static enum problem read_verdict(struct call *call, struct verdict *ret_verdict)
{
    json_t *result = NULL;
    const struct field fields[] = {
        {.name = "result", .kind = FIELD_OBJECT, .required = true, .value = &result},
        {.name = "note",
         .kind = FIELD_TEXT,
         .required = true,
         .value = &ret_verdict->note,
         .max = VERDICT_MAX_BYTES},
    };
    enum problem problem = call_body(call, fields, 2);

    if (problem)
        return problem;
    return read_result(call, result, ret_verdict) ? PROBLEM_NONE : PROBLEM_INVALID_BODY;
}

enum problem h_override(struct call *call)
{
    struct verdict verdict = {0};
    struct action action;
    enum problem problem = read_verdict(call, &verdict);

    if (problem || (problem = action_begin(&action, call, call->fold)))
        return problem;
    deed_override(&action, verdict.reason, verdict.winner, verdict.note);
    return action_finish(&action, NULL, false);
}
