#include "api/action.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/base64.h"
#include "api/cleanup.h"
#include "api/clocks.h"
#include "api/commit.h"
#include "api/deed.h"
#include "api/events.h"
#include "api/kept.h"
#include "api/proceed.h"
#include "api/view.h"
#include "rules/match.h"
#include "rules/rulesets.h"

/* Days to a date, after the civil calendar: eras of 400 years that begin in March. */
void time_text(int64_t ms, char ret_text[static 24])
{
    int64_t seconds = ms / 1000;
    int64_t days = seconds / 86400 + 719468;
    int64_t era = days / 146097;
    int64_t of_era = days - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    int64_t day = of_year - (153 * month + 2) / 5 + 1;
    int64_t of_day = seconds % 86400;

    month += month < 10 ? 3 : -9;
    year += era * 400 + (month <= 2);
    const int64_t parts[] = {year / 100,    year % 100,       month,      day,
                             of_day / 3600, of_day / 60 % 60, of_day % 60};
    static const char form[] = "####-##-##T##:##:##Z";
    size_t part = 0;
    for (size_t i = 0; i < sizeof form; i++)
        ret_text[i] = form[i];
    for (size_t i = 0; i + 1 < sizeof form; i++) {
        if (form[i] != '#')
            continue;
        ret_text[i] = (char)('0' + parts[part] / 10 % 10);
        ret_text[++i] = (char)('0' + parts[part++] % 10);
    }
}

bool time_read(const char *text, int64_t *ret_s)
{
    int year, month, day, hour, minute, second;
    char again[24];

    if (strlen(text) != 20 || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &year, &month, &day,
                                     &hour, &minute, &second) != 6)
        return false;
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t days = y * 365 + y / 4 - y / 100 + y / 400 + of_year - 719468;
    *ret_s = days * 86400 + hour * 3600 + minute * 60 + second;
    time_text(*ret_s * 1000, again);
    return strcmp(text, again) == 0; /* no 31st of February */
}

enum problem action_begin(struct action *action, struct call *call, struct fold *fold)
{
    struct ports *ports = &call->api->ports;

    *action = (struct action){.call = call, .first = fold->seq + 1};
    action->before = call->live ? call->live->name : 0;
    action->fold = call->live ? fold_copy(fold) : fold;
    action->status_before = call->live ? fold->status : STATUSES;
    action->now_s = ports->now_ms(ports->context) / 1000;
    api_passed(call->api, action->now_s * 1000);
    time_text(action->now_s * 1000, action->iat);
    if (!action->fold)
        return PROBLEM_UNAVAILABLE;
    action->due_before = fold->due_s;
    if (call->live && clocks_run(fold) && ports->away_s)
        deed_uncharged(action,
                       ports->away_s(ports->context, fold->clock->since_s, action->now_s));
    return PROBLEM_NONE;
}

void action_done(struct action *action)
{
    fold_free(action->fold);
    if (action->notes.text)
        sodium_memzero(action->notes.text, action->notes.size);
    out_done(&action->notes);
    out_done(&action->claims);
}

struct out *action_event(struct action *action, const char *typ, const char *type, uint8_t seat)
{
    struct out *out = &action->claims;
    struct fold *fold = action->fold;
    char id[24];

    if (action->count)
        out_bytes(out, "\n", 1);
    action->line = out->size;
    base64_encode(fold->gid, 16, id);
    out_object(out, NULL);
    out_text(out, "gid", id);
    out_text(out, "iat", action->iat);
    out_hex(out, "prev", fold->link, 32);
    out_number(out, "seq", fold->seq + 1);
    out_text(out, "typ", typ);
    out_text(out, "type", type);
    if (seat != NO_SEAT)
        out_text(out, "seat", fold->codec->rules->seats[seat]);
    return out;
}

void action_event_end(struct action *action)
{
    struct out *out = &action->claims;

    out_object_end(out);
    out_sort(out, action->line);
    if (out->failed)
        return;
    commit_link(out->text + action->line, out->size - action->line, action->fold->link);
    action->fold->seq++;
    action->count++;
}

static void carry_out(struct action *action, enum note kind, const void *payload, size_t size,
                      struct effects *ret_effects)
{
    struct note_view note = {(uint8_t)kind, payload, size};

    ret_effects->count = 0;
    note_write(&action->notes, kind, payload, size);
    int error = fold_note(action->fold, &note, ret_effects);
    action->broken = action->broken || error;
    action->starved = action->starved || error == -ENOMEM;
}

void action_note(struct action *action, enum note kind, const void *payload, size_t size)
{
    struct effects effects;

    carry_out(action, kind, payload, size, &effects);
}

void action_note_event(struct action *action, const struct event *event)
{
    uint8_t packed[sizeof(struct event)];

    action_note(action, NOTE_EVENT, packed, event_pack(event, packed));
}

static void note_openings_of(struct action *action, const struct effect *effect)
{
    struct openings openings = {0};
    uint8_t payload[3 + OPENINGS_MAX * sizeof(struct opening)];

    action->fold->codec->openings(action->fold->state, effect, &openings);
    if (!openings.count)
        return;
    payload[0] = (uint8_t)(action->count & 255);
    payload[1] = (uint8_t)(action->count >> 8);
    payload[2] = (uint8_t)openings.count;
    memcpy(payload + 3, openings.list, openings.count * sizeof(struct opening));
    action_note(action, NOTE_OPENINGS, payload, 3 + openings.count * sizeof(struct opening));
}

static void tell(struct action *action, const struct effect *effect)
{
    const struct codec *codec = action->fold->codec;
    const char *type = codec->effect_type(effect);
    bool dealt = strcmp(type, "round_started") == 0;

    note_openings_of(action, effect);
    struct out *out = action_event(action, dealt ? "commit" : "event", type, effect->seat);
    codec->write_effect(out, effect);
    if (dealt)
        proceed_commitments(out, action->fold);
    action_event_end(action);
}

void action_play(struct action *action, const struct event *event)
{
    uint8_t packed[sizeof(struct event)];
    struct effects effects;

    if (event->kind == EVENT_MOVE) {
        action->moved |= (uint8_t)(1U << event->seat);
        action->moves++;
    }
    carry_out(action, NOTE_EVENT, packed, event_pack(event, packed), &effects);
    if (!action->fold->started && proceed_ready(action->fold))
        proceed_start(action);
    for (size_t i = 0; i < effects.count; i++)
        tell(action, &effects.list[i]);
}

void action_credential(struct action *action, char ret_text[static 48],
                       uint8_t ret_hash[static 32])
{
    struct ports *ports = &action->call->api->ports;
    uint8_t secret[32];

    ports->entropy(ports->context, secret, sizeof secret);
    memcpy(ret_text, "rfs_", 4);
    base64_encode(secret, sizeof secret, ret_text + 4);
    commit_credential(secret, ret_hash);
    sodium_memzero(secret, sizeof secret);
    if (action->credential_count < ACTION_CREDENTIALS_MAX)
        action->credentials[action->credential_count++] = commit_id(ret_hash);
}

/* A new game: its place is locked until it stands there, for others share the shelf. */
static enum problem append_new(struct action *action, const struct change *change)
{
    struct call *call = action->call;
    struct games *games = &call->api->games;
    struct ports *ports = &call->api->ports;

    games_lock(games, change->gid);
    int error = ports->append(ports->context, change, &call->response->ticket);
    if (!error && games_add(games, action->fold, change->epoch, call->response->ticket,
                            change->record->link) == 0)
        action->fold = NULL; /* else not in memory: the next call reads it back */
    games_unlock(games, change->gid);
    return error ? problem_of_errno(error) : PROBLEM_NONE;
}

/* The store takes the change, and the copy becomes the game. */
static enum problem append(struct action *action, const struct change *change)
{
    struct call *call = action->call;
    struct ports *ports = &call->api->ports;
    int error = ports->append(ports->context, change, &call->response->ticket);

    call->behind = error == -ECANCELED;
    if (error)
        return problem_of_errno(error);
    call->live->ticket = call->response->ticket;
    call->live->name = change->record->link;
    if (!call->live->began)
        call->live->began = call->live->ticket;
    struct fold *before = call->live->fold;
    call->live->fold = call->fold = action->fold;
    action->fold = before; /* freed with the action */
    return PROBLEM_NONE;
}

static struct news news_of(const struct action *action)
{
    const struct fold *fold = action->fold;
    bool ends = fold->status >= STATUS_OVER && action->status_before != fold->status;
    struct news news = {.ruleset = fold->ruleset,
                        .moves = action->moves,
                        .made = action->status_before == STATUSES};

    if (ends)
        news.ended = fold->status == STATUS_ABORTED
                         ? NEWS_ABORTED
                         : fold->codec->rules->result(fold->state).reason;
    return news;
}

enum problem action_commit(struct action *action)
{
    struct call *call = action->call;
    struct api *api = call->api;
    struct fold *fold = action->fold;
    autoout struct out sealed = {0}, answer = {0}, image = {0};
    bool snap = snapshot_due(action->first, fold);
    bool listed = fold->status != action->status_before || fold->due_s != action->due_before;
    uint8_t gid[16];
    struct kept kept;

    if (action->broken)
        return action->starved ? PROBLEM_UNAVAILABLE : PROBLEM_INTERNAL;
    const struct seal seal = {fold->gid, action->first, fold->link};
    record_seal(api->config.store_key, &seal, &action->notes, &sealed);
    if (snap)
        snapshot_seal(&api->games.key, fold, &image);
    if (call->has_kept)
        kept_make(call, &answer, &kept);
    if (sealed.failed || image.failed || action->claims.failed || answer.failed)
        return PROBLEM_UNAVAILABLE;
    struct record record = {action->first,
                            action->count,
                            action->before,
                            record_name(fold->link, (const uint8_t *)sealed.text, sealed.size),
                            action->claims.text,
                            action->claims.size,
                            (const uint8_t *)sealed.text,
                            sealed.size};
    struct snapshot snapshot = {fold->seq, (const uint8_t *)image.text, image.size};
    struct listing listing = {.created_ms = fold->created_ms,
                              .status = fold->status,
                              .ruleset = fold->ruleset,
                              .open = fold->spectators,
                              .due_ms = fold->due_s * 1000,
                              .ended_ms =
                                  fold->status >= STATUS_OVER ? action->now_s * 1000 : 0};
    memcpy(gid, fold->gid, 16); /* the game may be gone by the time that it is asked for */
    memcpy(listing.gid, gid, 16);
    uint64_t epoch = call->live ? call->live->epoch : api->ports.epoch(api->ports.context);
    struct change change = {.epoch = epoch,
                            .gid = gid,
                            .record = &record,
                            .listing = listed ? &listing : NULL,
                            .credentials = action->credentials,
                            .credential_count = action->credential_count,
                            .kept = call->has_kept ? &kept : NULL,
                            .snapshot = snap ? &snapshot : NULL,
                            .news = news_of(action)};
    memcpy(call->response->gid, gid, 16);
    return call->live ? append(action, &change) : append_new(action, &change);
}

/* Events, and unless little is wanted the token of the newest with the caller's receipt. */
static void write_events(struct out *out, const struct action *action, uint8_t viewer)
{
    const struct token_key *key = &action->call->api->config.signing;
    const uint8_t *notes = (const uint8_t *)action->notes.text;
    const struct out *claims = &action->claims;
    struct events_view view = {.fold = action->fold, .viewer = viewer};
    struct record record = {.first = action->first,
                            .count = action->count,
                            .claims = claims->text,
                            .claims_size = claims->size};

    out_array(out, "events");
    events_write(out, &view, &record, notes, action->notes.size);
    out_array_end(out);
    events_write_token(out, "token", key, claims->text + action->line,
                       claims->size - action->line);
    if (viewer != NO_SEAT)
        events_write_receipt(out, "receipt", key, &view, &record, action->count - 1, notes,
                             action->notes.size);
}

static enum problem answer(struct action *action, const struct out *more, bool secret)
{
    struct call *call = action->call;
    struct fold *fold = action->fold;
    uint8_t viewer = call_viewer(call);
    struct out out = {0};

    out_object(&out, NULL);
    if (more && more->size)
        out_bytes(&out, more->text, more->size);
    out_number(&out, "seq", fold->seq);
    if (call->minimal && !secret) {
        out_object_end(&out);
        response_header(call->response, "Preference-Applied", "return=minimal");
        call_game_headers(call, fold->seq);
        return call_answer(call, 200, &out, false);
    }
    out_text(&out, "status", status_word(fold->status));
    if (!action->claims.failed && !action->notes.failed)
        write_events(&out, action, viewer);
    view_write(&out, "view", fold, viewer, call_now_ms(call));
    out_object_end(&out);
    call_game_headers(call, fold->seq);
    return call_answer(call, 200, &out, viewer != NO_SEAT);
}

enum problem action_settle(struct action *action, enum problem problem)
{
    if (!problem)
        problem = action_commit(action);
    action_done(action);
    return problem;
}

enum problem action_finish(struct action *action, const struct out *more, bool secret)
{
    action_proceed(action);
    return action_settle(action, answer(action, more, secret));
}
