#include "api/game.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/commit.h"
#include "rules/match.h"
#include "rules/rulesets.h"

uint8_t fold_seats(const struct fold *fold)
{
    return fold->options.players;
}

uint8_t fold_in(const struct fold *fold)
{
    return (uint8_t)(((1U << fold_seats(fold)) - 1) & ~(unsigned)fold->out);
}

/* What only the notes change. */
static struct seat *seat_at(struct fold *fold, unsigned seat)
{
    return (struct seat *)(void *)(fold->state + fold->codec->rules->state_size) + seat;
}

static uint8_t *secret_at(struct fold *fold, unsigned side)
{
    return (uint8_t *)seat_at(fold, fold_seats(fold)) + 32 * side;
}

static uint8_t seats_where(const struct fold *fold, bool (*which)(const struct seat *))
{
    unsigned set = 0;

    for (unsigned i = 0; i < fold_seats(fold); i++)
        if (which(fold_seat(fold, i)))
            set |= 1U << i;
    return (uint8_t)set;
}

static bool seed_owed(const struct seat *seat)
{
    return seat->committed && !seat->revealed;
}

static bool untaken(const struct seat *seat)
{
    return !seat->taken;
}

uint8_t fold_to_act(const struct fold *fold)
{
    if (fold->status == STATUS_SEEDING)
        return seats_where(fold, seed_owed);
    if (fold->status == STATUS_AUDIT)
        return (uint8_t)(3U & ~(unsigned)(fold->blinds->audited | fold->blinds->absent));
    if (fold->status != STATUS_SETUP && fold->status != STATUS_PLAYING &&
        fold->status != STATUS_CHALLENGE)
        return 0;
    struct awaiting awaiting = fold->codec->rules->awaits(fold->state);
    bool chance = awaiting.what == AWAIT_LOT || awaiting.what == AWAIT_DEAL;
    return chance ? 0 : awaiting.seats;
}

bool fold_seed_late(const struct fold *fold, uint8_t seat)
{
    bool shown = false;

    for (unsigned i = 0; i < fold_seats(fold); i++)
        shown = shown || fold_seat(fold, i)->revealed;
    return shown || fold->started || fold_seat(fold, seat)->committed;
}

const char *fold_draw_fault(const struct fold *fold, uint8_t seat, enum draw what)
{
    uint8_t mine = (uint8_t)(1U << seat);

    if (fold->out & mine)
        return "This seat is out of the game.";
    if (what == DRAW_OFFER && fold->offers)
        return "A draw is on offer already.";
    if (what == DRAW_OFFER && fold->declined & mine)
        return "Your offer was declined: offer again after the next move.";
    if (what != DRAW_OFFER && (!fold->offers || fold->offers & mine))
        return "There is no offer of another seat.";
    return NULL;
}

/* Where the game stands, from all that has been noted. */
static uint8_t status_now(const struct fold *fold)
{
    if (fold->status == STATUS_ABORTED)
        return STATUS_ABORTED;
    if (fold->codec->rules->result(fold->state).reason != REASON_NONE)
        return fold->blinds && fold->started && !fold->blinds->closed ? STATUS_AUDIT
                                                                      : STATUS_OVER;
    if (seats_where(fold, untaken) && !fold->started)
        return STATUS_WAITING;
    if (seats_where(fold, seed_owed))
        return STATUS_SEEDING;
    switch (fold->codec->rules->awaits(fold->state).what) {
    case AWAIT_SETUP:
        return STATUS_SETUP;
    case AWAIT_OPEN:
        return STATUS_CHALLENGE;
    default:
        return STATUS_PLAYING;
    }
}

/* Names as they are but for one seat's; -ENOMEM. */
static int set_name(struct fold *fold, unsigned seat, const char *name)
{
    char *names = calloc(fold_seats(fold), NAME_MAX_BYTES + 1), *at = names;

    for (unsigned i = 0; names && i < fold_seats(fold); i++) {
        const char *old = fold_name(fold, i);
        const char *new = i == seat ? name : old ? old : "";
        size_t size = strlen(new) + 1;
        memcpy(at, new, size);
        at += size;
    }
    char *cut = names ? realloc(names, (size_t)(at - names)) : NULL;
    if (!cut) {
        free(names);
        return -ENOMEM;
    }
    free(fold->names);
    fold->names = cut;
    return 0;
}

static int note_blinds(struct fold *fold)
{
    if (!fold->codec->blind)
        return -EILSEQ;
    fold->blinds = calloc(1, sizeof *fold->blinds);
    if (!fold->blinds)
        return -ENOMEM;
    fold->blinds->account[1].seat = 1;
    for (int i = 0; i < 2; i++) {
        memset(fold->blinds->account[i].face, FACE_UNKNOWN, SLOTS_MAX);
        memset(fold->blinds->account[i].shown, FACE_UNKNOWN, SLOTS_MAX);
    }
    return 0;
}

static int note_seats(struct fold *fold, const struct created *created)
{
    for (unsigned i = 0; i < fold_seats(fold); i++) {
        memcpy(seat_at(fold, i)->hash, created->invites[i], 32);
        if (memchr(created->names[i], '\0', sizeof created->names[i]) == NULL)
            return -EILSEQ;
        int error = created->names[i][0] ? set_name(fold, i, created->names[i]) : 0;
        if (error)
            return error;
    }
    return 0;
}

/* The first note, and no other. */
static int note_created(struct fold *fold, const void *payload, struct effects *effects)
{
    struct created created;

    (void)effects;
    memcpy(&created, payload, sizeof created);
    if (fold->created_ms || fold->blinds || created.ruleset >= ruleset_count ||
        rulesets[created.ruleset] != fold->codec->rules ||
        created.options.players != fold_seats(fold))
        return -EILSEQ;
    fold->ruleset = created.ruleset;
    fold->spectators = created.spectators;
    fold->created_ms = created.created_ms;
    fold->options.answer_s = created.options.answer_s;
    fold->options.variant = created.options.variant;
    fold->options.custody = created.options.custody;
    memcpy(fold->host, created.host, 32);
    memcpy(fold->referee_seed, created.referee_seed, 32);
    fold->codec->rules->begin(fold->state, &created.options);
    int first = ruleset_option(fold->codec->rules, "first");
    fold->starter = first >= 0 && created.options.value[first] > 0
                        ? (uint8_t)(created.options.value[first] - 1)
                        : NO_SEAT;
    int error = note_seats(fold, &created);
    return error || created.options.custody != CUSTODY_PLAYERS ? error : note_blinds(fold);
}

static int note_seat(struct fold *fold, const void *payload, struct effects *effects)
{
    struct seat_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (note.seat >= fold_seats(fold))
        return -EILSEQ;
    struct seat *seat = seat_at(fold, note.seat);
    memcpy(seat->hash, note.hash, 32);
    seat->taken = true;
    if (note.committed) {
        memcpy(seat->seed, note.commitment, 32);
        seat->committed = true;
    }
    if (note.named && memchr(note.name, '\0', sizeof note.name) == NULL)
        return -EILSEQ;
    return note.named ? set_name(fold, note.seat, note.name) : 0;
}

static int note_invite(struct fold *fold, const void *payload, struct effects *effects)
{
    struct seat_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (note.seat >= fold_seats(fold))
        return -EILSEQ;
    memcpy(seat_at(fold, note.seat)->hash, note.hash, 32);
    seat_at(fold, note.seat)->taken = false;
    return 0;
}

static int note_name(struct fold *fold, const void *payload, struct effects *effects)
{
    struct name_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (note.seat >= fold_seats(fold) || memchr(note.name, '\0', sizeof note.name) == NULL)
        return -EILSEQ;
    return set_name(fold, note.seat, note.name);
}

/* What an opened slot's commitment was follows from what it opened to. */
void slot_commitment(const struct fold *fold, uint8_t seat, uint8_t slot,
                     uint8_t ret_hash[static 32])
{
    const struct blinds *blinds = fold->blinds;
    const struct account *account = &blinds->account[seat];
    const uint8_t *cell = blinds->cell[seat][slot];

    if (blinds->opened[seat] >> slot & 1)
        commit_piece(fold->gid, seat, slot,
                     account->shown[slot] != FACE_UNKNOWN ? account->shown[slot]
                                                          : account->face[slot],
                     cell, ret_hash);
    else
        memcpy(ret_hash, cell, 32);
}

bool opening_fits(const struct fold *fold, const struct opened_note *opened)
{
    struct options options = fold_options(fold);
    uint8_t hash[32], committed[32];

    if (opened->seat > 1 || opened->slot >= SLOTS_MAX ||
        !(fold->blinds->account[opened->seat].slots >> opened->slot & 1) ||
        !fold->codec->face_name(&options, opened->face))
        return false;
    commit_piece(fold->gid, opened->seat, opened->slot, opened->face, opened->nonce, hash);
    slot_commitment(fold, opened->seat, opened->slot, committed);
    return memcmp(hash, committed, 32) == 0;
}

bool secret_opens(const struct fold *fold, const uint8_t secret[static 32], uint8_t seat,
                  uint8_t slot, struct opened_note *ret_opened)
{
    struct options options = fold_options(fold);

    *ret_opened = (struct opened_note){.seat = seat, .slot = slot};
    commit_nonce(secret, fold->gid, 0, slot, ret_opened->nonce);
    for (; fold->codec->face_name(&options, ret_opened->face); ret_opened->face++)
        if (opening_fits(fold, ret_opened))
            return true;
    return false;
}

/* The faces that the side's secret opens, now that it is known. */
static void audit_faces(struct fold *fold, uint8_t seat)
{
    struct blinds *blinds = fold->blinds;
    struct opened_note opened;

    blinds->audited |= (uint8_t)(1U << seat);
    for (uint8_t slot = 0; slot < SLOTS_MAX; slot++) {
        if (!secret_opens(fold, fold_secret(fold, seat), seat, slot, &opened))
            continue;
        blinds->account[seat].face[slot] = opened.face;
        memcpy(blinds->cell[seat][slot], opened.nonce, 32);
        blinds->opened[seat] |= UINT64_C(1) << slot;
    }
}

/* 33 bytes: a seat and what it gave. */
static int note_seed(struct fold *fold, const void *payload, struct effects *effects)
{
    const uint8_t *bytes = payload;

    (void)effects;
    if (bytes[0] >= fold_seats(fold))
        return -EILSEQ;
    memcpy(seat_at(fold, bytes[0])->seed, bytes + 1, 32);
    seat_at(fold, bytes[0])->revealed = true;
    return 0;
}

static int note_secret(struct fold *fold, const void *payload, struct effects *effects)
{
    const uint8_t *bytes = payload;

    (void)effects;
    if (bytes[0] >= 2 || fold->codec->component != COMPONENT_PIECE)
        return -EILSEQ;
    memcpy(secret_at(fold, bytes[0]), bytes + 1, 32);
    if (fold->blinds)
        audit_faces(fold, bytes[0]);
    return 0;
}

static int note_commits(struct fold *fold, const void *payload, struct effects *effects)
{
    struct commits_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (!fold->blinds || note.seat > 1)
        return -EILSEQ;
    fold->blinds->account[note.seat].slots = note.slots;
    fold->blinds->account[note.seat].setup_seq = fold->seq + 1;
    memcpy(fold->blinds->cell[note.seat], note.commitment, sizeof note.commitment);
    return 0;
}

/* What does not fit its commitment is never written down, so a log that holds it is broken. */
static int note_opened(struct fold *fold, const void *payload, struct effects *effects)
{
    struct blinds *blinds = fold->blinds;
    struct opened_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (!blinds || !opening_fits(fold, &note))
        return -EILSEQ;
    struct account *account = &blinds->account[note.seat];
    if (!account->shown_seq[note.slot])
        account->shown_seq[note.slot] = fold->seq + 1;
    account->shown[note.slot] = note.face;
    memcpy(blinds->cell[note.seat][note.slot], note.nonce, 32);
    blinds->opened[note.seat] |= UINT64_C(1) << note.slot;
    return 0;
}

/* One event of the record follows for each of them, in the order of the seats. */
static int note_absent(struct fold *fold, const void *payload, struct effects *effects)
{
    uint8_t seats = *(const uint8_t *)payload;
    uint32_t seq = fold->seq;

    (void)effects;
    if (!fold->blinds)
        return -EILSEQ;
    fold->blinds->absent |= seats & 3;
    for (int i = 0; i < 2; i++)
        if (seats >> i & 1)
            fold->blinds->absent_seq[i] = ++seq;
    return 0;
}

static int note_closed(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)payload;
    (void)effects;
    if (!fold->blinds)
        return -EILSEQ;
    fold->blinds->closed = true;
    return 0;
}

static int note_due(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)effects;
    memcpy(&fold->due_s, payload, sizeof fold->due_s);
    return 0;
}

static int note_clock(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)effects;
    if (!fold->clock)
        fold->clock = malloc(sizeof *fold->clock);
    if (!fold->clock)
        return -ENOMEM;
    memcpy(fold->clock, payload, sizeof *fold->clock);
    return 0;
}

static int note_offers(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)effects;
    uint8_t offers = *(const uint8_t *)payload;

    if (!offers)
        fold->declined |= fold->offers;
    fold->offers = offers;
    return 0;
}

static int note_started(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)payload;
    (void)effects;
    fold->started = true;
    return 0;
}

static int note_aborted(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)payload;
    (void)effects;
    fold->status = STATUS_ABORTED;
    return 0;
}

static int note_openings(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)fold;
    (void)payload;
    (void)effects;
    return 0;
}

/* The event of the record that the move will be: who moved first, and how. */
static void account_move(struct fold *fold, const struct event *event)
{
    struct account *account = &fold->blinds->account[event->seat & 1];
    bool far;
    uint8_t slot = fold->codec->blind->mover(fold->state, event, &far);

    if (slot >= SLOTS_MAX)
        return;
    if (!account->moved_seq[slot])
        account->moved_seq[slot] = fold->seq + 1;
    if (far && !account->long_seq[slot])
        account->long_seq[slot] = fold->seq + 1;
}

static int fold_event(struct fold *fold, const struct note_view *note, struct effects *effects)
{
    const struct codec *codec = fold->codec;
    struct event event;

    if (!event_unpack(note->payload, note->size, &event) ||
        match_judge(codec->rules, fold->state, &event) != ALLOWED)
        return -EILSEQ;
    if (fold->blinds && event.kind == EVENT_MOVE)
        account_move(fold, &event);
    if (fold->blinds && event.kind != EVENT_REVEAL)
        fold->blinds->claimed = event.kind == EVENT_OPEN &&
                                (fold->blinds->claimed || fold->status == STATUS_PLAYING);
    match_play(codec->rules, fold->state, &event, effects);
    if (fold->blinds && (event.kind == EVENT_MOVE || event.kind == EVENT_OPEN) &&
        codec->rules->result(fold->state).reason == REASON_CHEAT)
        fold->blinds->account[event.seat & 1].excess_seq = fold->seq + 1;
    if (event.kind == EVENT_LOT)
        fold->starter = event.data[0];
    if (event.kind == EVENT_DEAL && event.size && codec->component == COMPONENT_TILE)
        fold->tries = event.tries;
    for (size_t i = 0; i < effects->count; i++)
        if (strcmp(codec->effect_type(&effects->list[i]), "out") == 0)
            fold->out |= (uint8_t)(1U << effects->list[i].seat);
    if (event.kind == EVENT_MOVE)
        fold->offers = fold->declined = 0;
    return 0;
}

static const struct {
    int (*carry_out)(struct fold *, const void *, struct effects *);
    size_t size; /* 0: any */
} kinds[] = {
    [NOTE_CREATED] = {note_created, sizeof(struct created)},
    [NOTE_SEAT] = {note_seat, sizeof(struct seat_note)},
    [NOTE_SEED] = {note_seed, 33},
    [NOTE_SECRET] = {note_secret, 33},
    [NOTE_OFFERS] = {note_offers, 1},
    [NOTE_INVITE] = {note_invite, sizeof(struct seat_note)},
    [NOTE_STARTED] = {note_started, 0},
    [NOTE_ABORTED] = {note_aborted, 0},
    [NOTE_OPENINGS] = {note_openings, 0},
    [NOTE_COMMITS] = {note_commits, sizeof(struct commits_note)},
    [NOTE_OPENED] = {note_opened, sizeof(struct opened_note)},
    [NOTE_ABSENT] = {note_absent, 1},
    [NOTE_CLOSED] = {note_closed, 0},
    [NOTE_DUE] = {note_due, sizeof(int64_t)},
    [NOTE_CLOCK] = {note_clock, sizeof(struct clock)},
    [NOTE_NAME] = {note_name, sizeof(struct name_note)},
};

int fold_note(struct fold *fold, const struct note_view *note, struct effects *ret_effects)
{
    int error;

    ret_effects->count = 0;
    if (note->kind == NOTE_EVENT)
        error = fold_event(fold, note, ret_effects);
    else if (note->kind >= sizeof kinds / sizeof *kinds || !kinds[note->kind].carry_out ||
             (kinds[note->kind].size && kinds[note->kind].size != note->size))
        return -EILSEQ;
    else
        error = kinds[note->kind].carry_out(fold, note->payload, ret_effects);
    if (!error)
        fold->status = status_now(fold);
    return error;
}
