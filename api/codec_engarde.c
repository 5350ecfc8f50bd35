/* En garde to and from JSON: docs/rules/engarde.md says the forms. */
#include "api/codec.h"

#include <stdio.h>
#include <string.h>

#include "rules/engarde/engarde.h"

static const int64_t integer_max = INT64_C(1) << 53;

static const char *seat_name(uint8_t seat)
{
    return seat < EG_SEATS ? eg_ruleset.seats[seat] : NULL;
}

static struct field integer(const char *name, int64_t *value)
{
    return (struct field){.name = name,
                          .kind = FIELD_INT,
                          .required = true,
                          .value = value,
                          .min = -integer_max,
                          .max = integer_max};
}

static struct field part(const char *name, enum field_kind kind, void *value)
{
    return (struct field){
        .name = name, .kind = (uint8_t)kind, .required = true, .value = value};
}

/* What does not fit becomes 0 or 255, which no ruling allows anywhere. */
static uint8_t narrow(int64_t value)
{
    if (value < 0)
        return 0;
    return value > UINT8_MAX ? UINT8_MAX : (uint8_t)value;
}

struct path {
    char text[96];
};

static struct path below(const char *pointer, const char *name)
{
    struct path path;

    (void)snprintf(path.text, sizeof path.text, "%.60s/%.30s", pointer, name);
    return path;
}

/* Moves */

enum { HAS_MOVE = 1, HAS_CARD = 2, HAS_COUNT = 4 };

static const struct form {
    const char *type;
    uint8_t members;
} forms[EG_VERBS] = {
    [EG_ADVANCE] = {"advance", HAS_CARD},
    [EG_RETREAT] = {"retreat", HAS_CARD},
    [EG_ATTACK] = {"attack", HAS_CARD | HAS_COUNT},
    [EG_PARRY] = {"parry", HAS_COUNT},
    [EG_ADVANCE_ATTACK] = {"advance_attack", HAS_MOVE | HAS_CARD | HAS_COUNT},
};

/* The verb of that name, or EG_VERBS. */
static uint8_t find_verb(const char *type)
{
    uint8_t verb = 0;

    while (verb < EG_VERBS && strcmp(forms[verb].type, type) != 0)
        verb++;
    return verb;
}

static bool eg_read_move(const json_t *move, const char *pointer, const void *state,
                         struct event *ret_event, struct fault *ret_fault)
{
    const char *type = json_string_value(json_object_get(move, "type"));
    uint8_t verb = type ? find_verb(type) : EG_VERBS;
    int64_t step = 0, card = 0, count = 1;
    struct field fields[4] = {part("type", FIELD_TEXT, &type)};
    size_t n = 1;

    (void)state;
    if (type && verb == EG_VERBS)
        return fault_set(ret_fault, below(pointer, "type").text,
                         "This must be advance, retreat, attack, parry or advance_attack.");
    uint8_t members = verb < EG_VERBS ? forms[verb].members : 0;
    if (members & HAS_MOVE)
        fields[n++] = integer("move", &step);
    if (members & HAS_CARD)
        fields[n++] = integer("card", &card);
    if (members & HAS_COUNT)
        fields[n++] = integer("count", &count);
    if (!json_fields(move, pointer, fields, n, ret_fault))
        return false;
    struct eg_move read = {verb, narrow(card), narrow(count), narrow(step)};
    ret_event->kind = EVENT_MOVE;
    ret_event->size = sizeof read;
    memcpy(ret_event->data, &read, sizeof read);
    return true;
}

static void eg_write_move(struct out *out, const char *key, const struct event *event)
{
    struct eg_move move;

    memcpy(&move, event->data, sizeof move);
    const struct form *form = &forms[move.verb];
    out_object(out, key);
    out_text(out, "type", form->type);
    if (form->members & HAS_MOVE)
        out_number(out, "move", move.step);
    if (form->members & HAS_CARD)
        out_number(out, "card", move.card);
    if (form->members & HAS_COUNT)
        out_number(out, "count", move.count);
    out_object_end(out);
}

/* States */

static bool read_seat(const char *name, const char *pointer, const char *member,
                      uint8_t *ret_seat, struct fault *ret_fault)
{
    for (uint8_t seat = 0; seat < EG_SEATS; seat++)
        if (strcmp(eg_ruleset.seats[seat], name) == 0) {
            *ret_seat = seat;
            return true;
        }
    return fault_set(ret_fault, below(pointer, member).text, "This must be left or right.");
}

/* {"left":…,"right":…} of integers. */
static bool read_pair(const json_t *pair, const char *pointer, uint8_t ret_pair[EG_SEATS],
                      struct fault *ret_fault)
{
    int64_t value[EG_SEATS] = {0};
    const struct field fields[] = {integer("left", &value[EG_LEFT]),
                                   integer("right", &value[EG_RIGHT])};

    if (!json_fields(pair, pointer, fields, EG_SEATS, ret_fault))
        return false;
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        ret_pair[seat] = narrow(value[seat]);
    return true;
}

/* Takes card `i` of a list; 0 where it is no integer. A value that there is not is `strange`.
 */
static bool read_card(const json_t *list, size_t i, const char *pointer, uint8_t *ret_value,
                      struct fault *ret_fault)
{
    const json_t *card = json_array_get(list, i);
    char index[24];

    (void)snprintf(index, sizeof index, "%zu", i);
    if (!json_is_integer(card))
        return fault_set(ret_fault, below(pointer, index).text, "This must be an integer.");
    int64_t value = json_integer_value(card);
    *ret_value = value >= 1 && value <= EG_VALUES ? (uint8_t)value : 0;
    return true;
}

static bool read_hand(const json_t *list, const char *pointer, uint8_t seat,
                      struct eg_cards *cards, struct fault *ret_fault)
{
    struct path at = below(pointer, eg_ruleset.seats[seat]);
    uint8_t value;

    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_card(list, i, at.text, &value, ret_fault))
            return false;
        cards->strange |= !value;
        if (cards->hand[seat][value] < UINT8_MAX)
            cards->hand[seat][value]++;
    }
    return true;
}

static bool read_hands(const json_t *hands, struct eg_cards *cards, struct fault *ret_fault)
{
    json_t *list[EG_SEATS] = {NULL};
    const struct field fields[] = {part("left", FIELD_ARRAY, &list[EG_LEFT]),
                                   part("right", FIELD_ARRAY, &list[EG_RIGHT])};

    if (!json_fields(hands, "/state/hands", fields, EG_SEATS, ret_fault))
        return false;
    for (uint8_t seat = 0; seat < EG_SEATS; seat++)
        if (!read_hand(list[seat], "/state/hands", seat, cards, ret_fault))
            return false;
    return true;
}

static bool read_deck(const json_t *deck, struct eg_cards *cards, struct fault *ret_fault)
{
    uint8_t value;

    for (size_t i = 0; i < json_array_size(deck); i++) {
        if (!read_card(deck, i, "/state/deck", &value, ret_fault))
            return false;
        cards->strange |= !value || i >= EG_CARDS;
        if (i < EG_CARDS)
            cards->deck[cards->deck_size++] = value;
    }
    return true;
}

static bool read_exchange(const json_t *object, struct eg_exchange *ret,
                          struct fault *ret_fault)
{
    static const char at[] = "/state/exchange";
    int64_t card = 0;
    json_t *played = NULL;
    const char *last = "";
    bool advanced = false;
    struct field fields[] = {integer("card", &card), part("played", FIELD_OBJECT, &played),
                             part("last_attacker", FIELD_TEXT, &last),
                             part("advanced", FIELD_BOOL, &advanced)};

    fields[3].required = false;
    if (!json_fields(object, at, fields, sizeof fields / sizeof *fields, ret_fault) ||
        !read_pair(played, "/state/exchange/played", ret->played, ret_fault) ||
        !read_seat(last, at, "last_attacker", &ret->last_attacker, ret_fault))
        return false;
    /* 0 would mean that there is no exchange. */
    ret->card = narrow(card) ? narrow(card) : UINT8_MAX;
    ret->advanced = advanced;
    return true;
}

struct parts {
    json_t *fields, *hits, *hands, *deck, *exchange;
    const char *turn, *starter;
    int64_t round;
};

static bool read_parts(const json_t *state, struct parts *parts, struct fault *ret_fault)
{
    struct field fields[] = {
        part("fields", FIELD_OBJECT, &parts->fields),
        part("hits", FIELD_OBJECT, &parts->hits),
        part("hands", FIELD_OBJECT, &parts->hands),
        part("deck", FIELD_ARRAY, &parts->deck),
        part("turn", FIELD_TEXT, &parts->turn),
        part("exchange", FIELD_OBJECT, &parts->exchange),
        integer("round", &parts->round),
        part("starter", FIELD_TEXT, &parts->starter),
    };

    fields[5].nullable = true;
    return json_fields(state, "/state", fields, sizeof fields / sizeof *fields, ret_fault);
}

static bool eg_read_state(const json_t *state, const json_t *history, struct options *options,
                          void *ret_state, struct fault *ret_fault)
{
    struct parts parts = {0};
    struct eg_cards cards = {0};
    struct eg_state read;

    if (history)
        return fault_set(ret_fault, "/history", "This game has no history.");
    eg_ruleset.begin(&read, options);
    if (!read_parts(state, &parts, ret_fault) ||
        !read_pair(parts.fields, "/state/fields", read.field, ret_fault) ||
        !read_pair(parts.hits, "/state/hits", read.hits, ret_fault) ||
        !read_hands(parts.hands, &cards, ret_fault) ||
        !read_deck(parts.deck, &cards, ret_fault) ||
        !read_seat(parts.turn, "/state", "turn", &read.turn, ret_fault) ||
        !read_seat(parts.starter, "/state", "starter", &read.starter, ret_fault))
        return false;
    if (parts.exchange && !read_exchange(parts.exchange, &read.exchange, ret_fault))
        return false;
    read.round = parts.round <= EG_ROUNDS_MAX ? narrow(parts.round) : 0;
    eg_lay(&read, &cards);
    memcpy(ret_state, &read, sizeof read);
    return true;
}

static void write_pair(struct out *out, const char *key, const uint8_t pair[EG_SEATS])
{
    out_object(out, key);
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        out_number(out, eg_ruleset.seats[seat], pair[seat]);
    out_object_end(out);
}

/* `counts[v - 1]` cards of each value v, in rising order. */
static void write_cards(struct out *out, const char *key, const uint8_t counts[EG_VALUES])
{
    out_array(out, key);
    for (int value = 1; value <= EG_VALUES; value++)
        for (int i = 0; i < counts[value - 1]; i++)
            out_number(out, NULL, value);
    out_array_end(out);
}

static void write_exchange(struct out *out, const struct eg_exchange *exchange)
{
    if (!exchange->card) {
        out_null(out, "exchange");
        return;
    }
    out_object(out, "exchange");
    out_number(out, "card", exchange->card);
    write_pair(out, "played", exchange->played);
    out_text(out, "last_attacker", seat_name(exchange->last_attacker));
    if (exchange->advanced)
        out_bool(out, "advanced", true);
    out_object_end(out);
}

static void eg_write_state(struct out *out, const char *key, const void *state)
{
    const struct eg_state *s = state;

    out_object(out, key);
    write_pair(out, "fields", s->field);
    write_pair(out, "hits", s->hits);
    out_object(out, "hands");
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        write_cards(out, eg_ruleset.seats[seat], &s->hand[seat][1]);
    out_object_end(out);
    out_array(out, "deck");
    for (size_t i = s->drawn; s->round && i < EG_CARDS; i++)
        out_number(out, NULL, s->value[i]);
    out_array_end(out);
    out_text(out, "turn", seat_name(s->turn));
    write_exchange(out, &s->exchange);
    out_number(out, "round", s->round);
    out_text(out, "starter", seat_name(s->starter));
    out_object_end(out);
}

static uint8_t eg_turn(const void *state)
{
    const struct eg_state *s = state;

    return s->turn;
}

static const char *eg_status(const void *state)
{
    const struct eg_state *s = state;

    if (s->outcome.reason != REASON_NONE)
        return "over";
    return s->ended ? "round_over" : "playing";
}

static void eg_write_verdict(struct out *out, const void *state)
{
    const struct eg_state *s = state;

    if (s->outcome.reason != REASON_NONE || !s->ended)
        return;
    out_text(out, "hit", seat_name(s->hit));
    out_text(out, "ruling", eg_ruleset.rulings[s->ended].id);
}

/* Views */

static void eg_write_board(struct out *out, const char *key, const void *view)
{
    const struct eg_view *v = view;

    out_object(out, key);
    write_pair(out, "fields", v->field);
    write_pair(out, "hits", v->hits);
    out_object(out, "hands");
    for (size_t seat = 0; seat < EG_SEATS; seat++) {
        if (v->seen[seat])
            write_cards(out, eg_ruleset.seats[seat], &v->hand[seat][1]);
        else
            out_number(out, eg_ruleset.seats[seat], v->size[seat]);
    }
    out_object_end(out);
    out_number(out, "deck", v->deck);
    write_cards(out, "played", &v->played[1]);
    write_exchange(out, &v->exchange);
    out_number(out, "round", v->round);
    out_text(out, "starter", seat_name(v->starter));
    out_object_end(out);
}

/* Effects */

static const char *const effect_types[EG_EFFECTS] = {
    [EG_MOVED] = "moved",
    [EG_ATTACKED] = "attacked",
    [EG_PARRIED] = "parried",
    [EG_DREW] = "drawn_cards",
    [EG_HIT] = "hit",
    [EG_ROUND_VOID] = "round_void",
    [EG_ROUND_STARTED] = "round_started",
};

static const char *eg_effect_type(const struct effect *effect)
{
    return effect_types[effect->type];
}

static void write_round_end(struct out *out, const struct effect *effect)
{
    uint8_t ruling = effect->data[EG_DATA_RULING];

    if (eg_opens_hands(ruling)) {
        out_object(out, "hands");
        for (size_t seat = 0; seat < EG_SEATS; seat++)
            write_cards(out, eg_ruleset.seats[seat],
                        &effect->data[EG_DATA_HANDS + seat * EG_VALUES]);
        out_object_end(out);
    }
    if (effect->type == EG_HIT)
        out_number(out, "hits", effect->data[EG_DATA_HITS]);
    out_text(out, "ruling", eg_ruleset.rulings[ruling].id);
}

static void write_two(struct out *out, const struct effect *effect, const char *first,
                      const char *second)
{
    out_number(out, first, effect->data[0]);
    out_number(out, second, effect->data[1]);
}

/* Nothing in an effect is hidden but the place in the deck, which is not written. */
static void eg_write_effect(struct out *out, const struct effect *effect)
{
    switch ((enum eg_effect)effect->type) {
    case EG_MOVED:
        write_two(out, effect, "from", "to");
        break;
    case EG_ATTACKED:
    case EG_PARRIED:
        write_two(out, effect, "card", "count");
        break;
    case EG_DREW:
        out_number(out, "count", effect->data[0]);
        break;
    case EG_HIT:
    case EG_ROUND_VOID:
        write_round_end(out, effect);
        break;
    case EG_ROUND_STARTED:
        out_number(out, "round", effect->data[0]);
        out_text(out, "starter", seat_name(effect->data[1]));
        break;
    case EG_EFFECTS:
        break;
    }
}

/* Openings */

static void open_card(const struct eg_state *s, size_t position, uint8_t seats,
                      struct openings *ret)
{
    ret->list[ret->count++] = (struct opening){.seats = seats,
                                               .component = COMPONENT_CARD,
                                               .context = s->round,
                                               .index = (uint8_t)position,
                                               .face = s->value[position]};
}

static void open_hands(const struct eg_state *s, struct openings *ret)
{
    for (size_t i = 0; i < EG_CARDS; i++)
        if (s->place[i] == EG_IN_LEFT_HAND || s->place[i] == EG_IN_RIGHT_HAND)
            open_card(s, i, OPEN_TO_ALL, ret);
}

static void eg_openings(const void *state, const struct effect *effect, struct openings *ret)
{
    const struct eg_state *s = state;

    ret->count = 0;
    if (effect->type == EG_DREW)
        for (size_t i = 0; i < effect->data[0]; i++)
            open_card(s, effect->data[1] + i, (uint8_t)(1 << effect->seat), ret);
    if (effect->type == EG_ROUND_STARTED)
        for (size_t i = 0; i < EG_SEATS * EG_HAND; i++)
            open_card(s, i, (uint8_t)(1 << (i / EG_HAND)), ret);
    /* EG-9 */
    if ((effect->type == EG_HIT || effect->type == EG_ROUND_VOID) &&
        eg_opens_hands(effect->data[EG_DATA_RULING]))
        open_hands(s, ret);
}

static size_t eg_faces(const void *state, uint8_t context, uint8_t *ret_faces)
{
    const struct eg_state *s = state;

    if (!context || context != s->round)
        return 0;
    memcpy(ret_faces, s->value, EG_CARDS);
    return EG_CARDS;
}

static void eg_component_name(const struct opening *opening, char text[static 24])
{
    (void)snprintf(text, 24, "card/%d/%d", opening->context, opening->index);
}

static const char *eg_face_name(const struct options *options, uint8_t face)
{
    (void)options;
    (void)face;
    return NULL;
}

/* The round to be dealt, or the one that lies. */
static uint8_t eg_round(const void *state)
{
    const struct eg_state *s = state;

    return (uint8_t)(s->round + (eg_ruleset.awaits(state).what == AWAIT_DEAL));
}

const struct codec eg_codec = {
    .rules = &eg_ruleset,
    .read_move = eg_read_move,
    .write_move = eg_write_move,
    .read_state = eg_read_state,
    .write_state = eg_write_state,
    .turn = eg_turn,
    .status = eg_status,
    .write_verdict = eg_write_verdict,
    .write_board = eg_write_board,
    .effect_type = eg_effect_type,
    .write_effect = eg_write_effect,
    .write_effect_full = eg_write_effect,
    .openings = eg_openings,
    .faces = eg_faces,
    .round = eg_round,
    .component = COMPONENT_CARD,
    .component_name = eg_component_name,
    .face_name = eg_face_name,
};
