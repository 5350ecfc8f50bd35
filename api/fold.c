#include "api/game.h"

#include <stdlib.h>
#include <string.h>

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

size_t fold_size(const struct codec *codec)
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

    if (copy)
        memcpy(copy, fold, fold_size(fold->codec));
    return copy;
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
    if (fold->status != STATUS_SETUP && fold->status != STATUS_PLAYING)
        return 0;
    struct awaiting awaiting = fold->codec->rules->awaits(fold->state);
    return awaiting.what == AWAIT_SETUP || awaiting.what == AWAIT_MOVE ? awaiting.seats : 0;
}

/* Where the game stands, from all that has been noted. */
static uint8_t status_now(const struct fold *fold)
{
    if (fold->status == STATUS_ABORTED)
        return STATUS_ABORTED;
    if (fold->codec->rules->result(fold->state).reason != REASON_NONE)
        return STATUS_OVER;
    if (seats_where(fold, untaken) && !fold->started)
        return STATUS_WAITING;
    if (seats_where(fold, seed_owed))
        return STATUS_SEEDING;
    return fold->codec->rules->awaits(fold->state).what == AWAIT_SETUP ? STATUS_SETUP
                                                                       : STATUS_PLAYING;
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

static bool fold_event(struct fold *fold, const struct note_view *note, struct effects *effects)
{
    const struct codec *codec = fold->codec;
    struct event event;

    if (!event_unpack(note->payload, note->size, &event) ||
        match_judge(codec->rules, fold->state, &event) != ALLOWED)
        return false;
    match_play(codec->rules, fold->state, &event, effects);
    if (event.kind == EVENT_LOT)
        fold->starter = event.data[0];
    if (event.kind == EVENT_DEAL && codec->component == COMPONENT_TILE)
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
