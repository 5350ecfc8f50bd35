#include "api/game.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/commit.h"
#include "rules/match.h"
#include "rules/rulesets.h"

static const char *const status_words[STATUSES] = {
    "waiting", "seeding", "setup", "playing", "challenge", "audit", "over", "aborted",
};

static const char *const custody_words[CUSTODIES] = {"referee", "players", "table"};

const char *status_word(uint8_t status)
{
    return status_words[status];
}

int status_find(const char *word)
{
    for (int i = 0; i < STATUSES; i++)
        if (strcmp(status_words[i], word) == 0)
            return i;
    return -1;
}

const char *custody_word(uint8_t custody)
{
    return custody_words[custody];
}

const struct codec *codec_of(const struct ruleset *rules)
{
    static const struct codec *const codecs[RULESETS] = {&eg_codec, &rq_codec, &st_codec};

    for (size_t i = 0; i < RULESETS; i++)
        if (codecs[i]->rules == rules)
            return codecs[i];
    return NULL;
}

void note_write(struct out *notes, enum note kind, const void *payload, size_t size)
{
    uint8_t head[3] = {(uint8_t)kind, (uint8_t)(size & 255), (uint8_t)(size >> 8)};

    out_bytes(notes, (const char *)head, sizeof head);
    out_bytes(notes, payload, size);
}

bool note_next(const uint8_t *notes, size_t size, size_t *at, struct note_view *ret_note)
{
    if (*at + 3 > size)
        return false;
    ret_note->kind = notes[*at];
    ret_note->size = (size_t)(notes[*at + 1] | notes[*at + 2] << 8);
    ret_note->payload = notes + *at + 3;
    *at += 3 + ret_note->size;
    return *at <= size;
}

size_t event_pack(const struct event *event, uint8_t *out)
{
    out[0] = event->kind;
    out[1] = event->seat;
    out[2] = (uint8_t)(event->tries & 255);
    out[3] = (uint8_t)(event->tries >> 8);
    memcpy(out + 4, event->data, event->size);
    return 4 + (size_t)event->size;
}

bool event_unpack(const uint8_t *bytes, size_t size, struct event *ret_event)
{
    if (size < 4 || size > 4 + EVENT_DATA_MAX)
        return false;
    *ret_event = (struct event){.kind = bytes[0],
                                .seat = bytes[1],
                                .size = (uint8_t)(size - 4),
                                .tries = (uint16_t)(bytes[2] | bytes[3] << 8)};
    memcpy(ret_event->data, bytes + 4, size - 4);
    return true;
}

static size_t fold_size(const struct codec *codec)
{
    return sizeof(struct fold) + codec->rules->state_size;
}

struct fold *fold_new(const struct codec *codec, const uint8_t gid[static 16])
{
    struct fold *fold = calloc(1, fold_size(codec));

    if (!fold)
        return NULL;
    fold->codec = codec;
    memcpy(fold->gid, gid, 16);
    return fold;
}

struct fold *fold_copy(const struct fold *fold)
{
    struct fold *copy = malloc(fold_size(fold->codec));

    if (!copy)
        return NULL;
    memcpy(copy, fold, fold_size(fold->codec));
    if (!fold->blinds)
        return copy;
    copy->blinds = malloc(sizeof *copy->blinds);
    if (!copy->blinds) {
        fold_free(copy);
        return NULL;
    }
    memcpy(copy->blinds, fold->blinds, sizeof *copy->blinds);
    return copy;
}

void fold_free(struct fold *fold)
{
    if (!fold)
        return;
    if (fold->blinds)
        sodium_memzero(fold->blinds, sizeof *fold->blinds);
    free(fold->blinds);
    sodium_memzero(fold, fold_size(fold->codec));
    free(fold);
}

uint8_t fold_seats(const struct fold *fold)
{
    return fold->options.players;
}

uint8_t fold_in(const struct fold *fold)
{
    return (uint8_t)(((1U << fold_seats(fold)) - 1) & ~(unsigned)fold->out);
}

static uint8_t seats_where(const struct fold *fold, bool (*which)(const struct seat *))
{
    unsigned set = 0;

    for (unsigned i = 0; i < fold_seats(fold); i++)
        if (which(&fold->seats[i]))
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

    for (int i = 0; i < fold_seats(fold); i++)
        shown = shown || fold->seats[i].revealed;
    return shown || fold->started || fold->seats[seat].committed;
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

static bool note_created(struct fold *fold, const void *payload, struct effects *effects)
{
    struct created created;

    (void)effects;
    memcpy(&created, payload, sizeof created);
    if (created.ruleset >= RULESETS || rulesets[created.ruleset] != fold->codec->rules)
        return false;
    fold->ruleset = created.ruleset;
    fold->spectators = created.spectators;
    fold->created_ms = created.created_ms;
    fold->options = created.options;
    memcpy(fold->host, created.host, 32);
    memcpy(fold->referee_seed, created.referee_seed, 32);
    for (int i = 0; i < SEATS_MAX; i++) {
        memcpy(fold->seats[i].hash, created.invites[i], 32);
        memcpy(fold->seats[i].name, created.names[i], sizeof created.names[i]);
    }
    fold->codec->rules->begin(fold->state, &fold->options);
    if (fold->options.custody == CUSTODY_PLAYERS && !fold->blinds) {
        fold->blinds = fold->codec->blind ? calloc(1, sizeof *fold->blinds) : NULL;
        if (!fold->blinds)
            return false;
        fold->blinds->account[1].seat = 1;
        for (int i = 0; i < 2; i++) {
            memset(fold->blinds->account[i].face, FACE_UNKNOWN, SLOTS_MAX);
            memset(fold->blinds->account[i].shown, FACE_UNKNOWN, SLOTS_MAX);
        }
    }
    int first = ruleset_option(fold->codec->rules, "first");
    fold->starter = first >= 0 && fold->options.value[first] > 0
                        ? (uint8_t)(fold->options.value[first] - 1)
                        : NO_SEAT;
    return true;
}

static bool note_seat(struct fold *fold, const void *payload, struct effects *effects)
{
    struct seat_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (note.seat >= fold_seats(fold))
        return false;
    struct seat *seat = &fold->seats[note.seat];
    memcpy(seat->hash, note.hash, 32);
    seat->taken = true;
    if (note.committed) {
        memcpy(seat->seed, note.commitment, 32);
        seat->committed = true;
    }
    if (note.named)
        memcpy(seat->name, note.name, sizeof note.name);
    return true;
}

static bool note_invite(struct fold *fold, const void *payload, struct effects *effects)
{
    struct seat_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (note.seat >= fold_seats(fold))
        return false;
    memcpy(fold->seats[note.seat].hash, note.hash, 32);
    fold->seats[note.seat].taken = false;
    return true;
}

bool opening_fits(const struct fold *fold, const struct opened_note *opened)
{
    uint8_t hash[32];

    if (opened->seat > 1 || opened->slot >= SLOTS_MAX ||
        !(fold->blinds->account[opened->seat].slots >> opened->slot & 1) ||
        !fold->codec->face_name(&fold->options, opened->face))
        return false;
    commit_piece(fold->gid, opened->seat, opened->slot, opened->face, opened->nonce, hash);
    return memcmp(hash, fold->blinds->commitment[opened->seat][opened->slot], 32) == 0;
}

bool secret_opens(const struct fold *fold, const uint8_t secret[static 32], uint8_t seat,
                  uint8_t slot, struct opened_note *ret_opened)
{
    *ret_opened = (struct opened_note){.seat = seat, .slot = slot};
    commit_nonce(secret, fold->gid, 0, slot, ret_opened->nonce);
    for (; fold->codec->face_name(&fold->options, ret_opened->face); ret_opened->face++)
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
        if (!secret_opens(fold, fold->secret[seat], seat, slot, &opened))
            continue;
        blinds->account[seat].face[slot] = opened.face;
        memcpy(blinds->nonce[seat][slot], opened.nonce, 32);
        blinds->opened[seat] |= UINT64_C(1) << slot;
    }
}

/* 33 bytes: a seat and what it gave. */
static bool note_seed(struct fold *fold, const void *payload, struct effects *effects)
{
    const uint8_t *bytes = payload;

    (void)effects;
    if (bytes[0] >= fold_seats(fold))
        return false;
    memcpy(fold->seats[bytes[0]].seed, bytes + 1, 32);
    fold->seats[bytes[0]].revealed = true;
    return true;
}

static bool note_secret(struct fold *fold, const void *payload, struct effects *effects)
{
    const uint8_t *bytes = payload;

    (void)effects;
    if (bytes[0] >= 2)
        return false;
    memcpy(fold->secret[bytes[0]], bytes + 1, 32);
    if (fold->blinds)
        audit_faces(fold, bytes[0]);
    return true;
}

static bool note_commits(struct fold *fold, const void *payload, struct effects *effects)
{
    struct commits_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (!fold->blinds || note.seat > 1)
        return false;
    fold->blinds->account[note.seat].slots = note.slots;
    fold->blinds->account[note.seat].setup_seq = fold->seq + 1;
    memcpy(fold->blinds->commitment[note.seat], note.commitment, sizeof note.commitment);
    return true;
}

/* What does not fit its commitment is never written down, so a log that holds it is broken. */
static bool note_opened(struct fold *fold, const void *payload, struct effects *effects)
{
    struct blinds *blinds = fold->blinds;
    struct opened_note note;

    (void)effects;
    memcpy(&note, payload, sizeof note);
    if (!blinds || !opening_fits(fold, &note))
        return false;
    struct account *account = &blinds->account[note.seat];
    if (!account->shown_seq[note.slot])
        account->shown_seq[note.slot] = fold->seq + 1;
    account->shown[note.slot] = note.face;
    memcpy(blinds->nonce[note.seat][note.slot], note.nonce, 32);
    blinds->opened[note.seat] |= UINT64_C(1) << note.slot;
    return true;
}

/* One event of the record follows for each of them, in the order of the seats. */
static bool note_absent(struct fold *fold, const void *payload, struct effects *effects)
{
    uint8_t seats = *(const uint8_t *)payload;
    uint32_t seq = fold->seq;

    (void)effects;
    if (!fold->blinds)
        return false;
    fold->blinds->absent |= seats & 3;
    for (int i = 0; i < 2; i++)
        if (seats >> i & 1)
            fold->blinds->absent_seq[i] = ++seq;
    return true;
}

static bool note_closed(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)payload;
    (void)effects;
    if (fold->blinds)
        fold->blinds->closed = true;
    return fold->blinds;
}

static bool note_due(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)effects;
    memcpy(&fold->due_s, payload, sizeof fold->due_s);
    return true;
}

static bool note_offers(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)effects;
    uint8_t offers = *(const uint8_t *)payload;

    if (!offers)
        fold->declined |= fold->offers;
    fold->offers = offers;
    return true;
}

static bool note_started(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)payload;
    (void)effects;
    fold->started = true;
    return true;
}

static bool note_aborted(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)payload;
    (void)effects;
    fold->status = STATUS_ABORTED;
    return true;
}

static bool note_openings(struct fold *fold, const void *payload, struct effects *effects)
{
    (void)fold;
    (void)payload;
    (void)effects;
    return true;
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

static bool fold_event(struct fold *fold, const struct note_view *note, struct effects *effects)
{
    const struct codec *codec = fold->codec;
    struct event event;

    if (!event_unpack(note->payload, note->size, &event) ||
        match_judge(codec->rules, fold->state, &event) != ALLOWED)
        return false;
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
    return true;
}

static const struct {
    bool (*carry_out)(struct fold *, const void *, struct effects *);
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
};

bool fold_note(struct fold *fold, const struct note_view *note, struct effects *ret_effects)
{
    bool done;

    ret_effects->count = 0;
    if (note->kind == NOTE_EVENT)
        done = fold_event(fold, note, ret_effects);
    else if (note->kind >= sizeof kinds / sizeof *kinds || !kinds[note->kind].carry_out ||
             (kinds[note->kind].size && kinds[note->kind].size != note->size))
        return false;
    else
        done = kinds[note->kind].carry_out(fold, note->payload, ret_effects);
    if (done)
        fold->status = status_now(fold);
    return done;
}
