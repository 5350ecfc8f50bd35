#include "api/deed.h"

#include <string.h>

#include "api/clocks.h"
#include "api/commit.h"
#include "api/options.h"
#include "rules/match.h"
#include "rules/rulesets.h"

/* Full clocks, none of which runs yet. */
static void note_clock(struct action *action, const struct clock_terms *terms)
{
    struct clock clock;

    memset(&clock, 0, sizeof clock);
    clock.terms = *terms;
    for (uint8_t i = 0; i < fold_seats(action->fold); i++)
        clock.left_s[i] = terms->per_move_s ? terms->per_move_s : terms->initial_s;
    action_note(action, NOTE_CLOCK, &clock, sizeof clock);
}

void deed_create(struct action *action, const struct created *created,
                 const struct clock_terms *terms)
{
    const struct fold *fold = action->fold;
    const struct ruleset *rules = fold->codec->rules;
    uint8_t commitment[32];

    action_note(action, NOTE_CREATED, created, sizeof *created);
    if (terms)
        note_clock(action, terms);
    commit_referee_seed(fold->gid, 0, created->referee_seed, commitment);
    struct out *out = action_event(action, "game", "created", NO_SEAT);
    out_text(out, "ruleset", rules->id);
    out_text(out, "variant", rules->variants[created->options.variant].id);
    options_write(out, "options", fold->codec, &created->options);
    out_text(out, "custody", custody_word(created->options.custody));
    if (terms)
        clocks_write_terms(out, "clock", terms);
    out_bool(out, "spectators", created->spectators);
    out_array(out, "seats");
    for (int i = 0; i < created->options.players; i++)
        out_text(out, NULL, rules->seats[i]);
    out_array_end(out);
    out_hex(out, "seed_commitment", commitment, sizeof commitment);
    action_event_end(action);
}

void deed_seat(struct action *action, const struct seat_note *note)
{
    action_note(action, NOTE_SEAT, note, sizeof *note);
    struct out *out = action_event(action, "event", "seat_taken", note->seat);
    out_text(out, "name", fold_name(action->fold, note->seat));
    out_bool(out, "seeds", note->committed);
    action_event_end(action);
    if (!note->committed)
        return;
    out = action_event(action, "event", "seed_committed", note->seat);
    out_hex(out, "commitment", note->commitment, sizeof note->commitment);
    action_event_end(action);
}

void deed_reissue(struct action *action, const struct seat_note *note, const char *by)
{
    action_note(action, NOTE_INVITE, note, sizeof *note);
    struct out *out = action_event(action, "event", "seat_reissued", note->seat);
    out_text(out, "by", by);
    action_event_end(action);
}

void deed_rename(struct action *action, const struct name_note *note)
{
    action_note(action, NOTE_NAME, note, sizeof *note);
    struct out *out = action_event(action, "event", "seat_renamed", note->seat);
    out_text(out, "name", fold_name(action->fold, note->seat));
    out_text(out, "by", "operator");
    action_event_end(action);
}

void deed_seed(struct action *action, const uint8_t note[static 33])
{
    action_note(action, NOTE_SEED, note, 33);
    struct out *out = action_event(action, "event", "seed_revealed", note[0]);
    out_hex(out, "seed", note + 1, 32);
    action_event_end(action);
}

void deed_setup(struct action *action, const struct event *event, const uint8_t note[static 33])
{
    action_note_event(action, event);
    action_note(action, NOTE_SECRET, note, 33);
    action_event(action, "event", "setup_done", event->seat);
    action_event_end(action);
}

void deed_commit(struct action *action, const struct event *event,
                 const struct commits_note *note)
{
    action_note_event(action, event);
    action_note(action, NOTE_COMMITS, note, sizeof *note);
    action_event(action, "event", "setup_done", event->seat);
    action_event_end(action);
}

void deed_open(struct action *action, const struct event *event,
               const struct opened_note *opened, size_t count)
{
    for (size_t i = 0; i < count; i++)
        action_note(action, NOTE_OPENED, &opened[i], sizeof opened[i]);
    action_play(action, event);
}

void deed_audit(struct action *action, const uint8_t note[static 33])
{
    action_note(action, NOTE_SECRET, note, 33);
    action_event(action, "event", "audited", note[0]);
    action_event_end(action);
}

struct outcome deed_late(uint8_t late, uint8_t in)
{
    uint8_t rest = in & (uint8_t)~late;
    struct outcome outcome = {.reason = REASON_VOID, .winner = NO_SEAT};

    for (uint8_t seat = 0; seat < SEATS_MAX; seat++)
        if (rest == 1U << seat)
            outcome = (struct outcome){.reason = REASON_TIME, .winner = seat};
    return outcome;
}

void deed_timeout(struct action *action, uint8_t late)
{
    struct fold *fold = action->fold;
    struct outcome outcome = deed_late(late, fold_in(fold));
    struct event event = {.kind = EVENT_RESULT,
                          .seat = NO_SEAT,
                          .size = 2,
                          .data = {outcome.reason, outcome.winner}};
    bool audit = fold->status == STATUS_AUDIT;

    if (audit)
        action_note(action, NOTE_ABSENT, &late, 1);
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        if (!(late >> seat & 1))
            continue;
        action_event(action, "event", "timed_out", seat);
        action_event_end(action);
    }
    if (!audit)
        action_play(action, &event);
}

/* A draw is agreed when every seat that is still in has offered or accepted: also by the last
 * other one leaving. */
static void agree(struct action *action)
{
    struct event agreed = {.kind = EVENT_AGREE, .seat = NO_SEAT};
    const struct fold *fold = action->fold;
    uint8_t in = fold_in(fold);

    if (fold->status == STATUS_PLAYING && fold->offers && (fold->offers & in) == in)
        action_play(action, &agreed);
}

/* Those who have no time left: each goes out, or loses; all of two at once lose both. */
static bool flags_fall(struct action *action, uint8_t late)
{
    const struct fold *fold = action->fold;
    const struct ruleset *rules = fold->codec->rules;

    if (fold->status != STATUS_PLAYING || (!rules->drops_out && (late & (late - 1))))
        return false;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        struct event event = {.kind = EVENT_TIMEOUT, .seat = seat};
        if (!(late >> seat & 1) || match_judge(rules, fold->state, &event) != ALLOWED)
            continue;
        action_event(action, "event", "timed_out", seat);
        action_event_end(action);
        action_play(action, &event);
    }
    agree(action);
    return true;
}

void deed_flag(struct action *action, uint8_t late)
{
    if (!flags_fall(action, late))
        deed_timeout(action, late);
}

void deed_uncharged(struct action *action, int64_t s)
{
    if (s <= 0 || !action->fold->clock)
        return;
    struct clock clock;
    memcpy(&clock, action->fold->clock, sizeof clock);
    clock.since_s = clock.since_s + s < action->now_s ? clock.since_s + s : action->now_s;
    action_note(action, NOTE_CLOCK, &clock, sizeof clock);
    struct out *out = action_event(action, "event", "uncharged", NO_SEAT);
    out_number(out, "s", s);
    action_event_end(action);
}

void deed_resign(struct action *action, uint8_t seat)
{
    struct event event = {.kind = EVENT_RESIGN, .seat = seat};

    action_event(action, "event", "resigned", seat);
    action_event_end(action);
    action_play(action, &event);
    agree(action);
}

void deed_draw(struct action *action, uint8_t seat, enum draw what)
{
    uint8_t offers = (uint8_t)(action->fold->offers | 1U << seat);

    if (what == DRAW_DECLINE)
        offers = 0;

    action_note(action, NOTE_OFFERS, &offers, 1);
    struct out *out = action_event(action, "event", offers ? "offered" : "declined", seat);
    if (what == DRAW_ACCEPT)
        out_bool(out, "accepts", true);
    action_event_end(action);
    agree(action);
}

void deed_abort(struct action *action)
{
    action_note(action, NOTE_ABORTED, "", 0);
}

uint8_t override_reason(const char *word, bool winner)
{
    static const uint8_t won[] = {REASON_RESIGNED, REASON_TIME, REASON_CHEAT};
    static const uint8_t drawn[] = {REASON_AGREED, REASON_VOID};
    const uint8_t *reasons = winner ? won : drawn;
    size_t count = winner ? sizeof won : sizeof drawn;

    for (size_t i = 0; i < count; i++)
        if (strcmp(reason_word(reasons[i]), word) == 0)
            return reasons[i];
    return REASON_NONE;
}

void deed_override(struct action *action, uint8_t reason, uint8_t winner, const char *note)
{
    const struct ruleset *rules = action->fold->codec->rules;
    struct event event = {
        .kind = EVENT_RESULT, .seat = NO_SEAT, .size = 2, .data = {reason, winner}};
    struct out *out = action_event(action, "event", "overridden", NO_SEAT);

    out_text(out, "note", note);
    out_object(out, "result");
    out_text(out, "reason", reason_word(reason));
    out_text(out, "winner", winner == NO_SEAT ? NULL : rules->seats[winner]);
    out_object_end(out);
    action_event_end(action);
    action_play(action, &event);
}
