/* En garde from JSON: moves and states. Strict about the form; what the rules say of the values
 * is left to them. */
#include "api/codec_engarde.h"

#include <string.h>

static const int64_t integer_max = INT64_C(1) << 53;

static struct field integer(const char *name, int64_t *value)
{
    return (struct field){.name = name,
                          .kind = FIELD_INT,
                          .required = true,
                          .value = value,
                          .min = -integer_max,
                          .max = integer_max};
}

/* What does not fit becomes 0 or 255, which no ruling allows anywhere. */
static uint8_t narrow(int64_t value)
{
    if (value < 0)
        return 0;
    return value > UINT8_MAX ? UINT8_MAX : (uint8_t)value;
}

const struct eg_form eg_forms[EG_VERBS] = {
    [EG_ADVANCE] = {"advance", EG_HAS_CARD},
    [EG_RETREAT] = {"retreat", EG_HAS_CARD},
    [EG_ATTACK] = {"attack", EG_HAS_CARD | EG_HAS_COUNT},
    [EG_PARRY] = {"parry", EG_HAS_COUNT},
    [EG_ADVANCE_ATTACK] = {"advance_attack", EG_HAS_MOVE | EG_HAS_CARD | EG_HAS_COUNT},
    [EG_YIELD] = {"yield", 0},
    [EG_STUCK] = {"stuck", 0},
    [EG_SHOW] = {"show", EG_HAS_CARDS},
};

/* The verb of that name among the first `verbs`, or EG_VERBS. */
static uint8_t find_verb(const char *type, uint8_t verbs)
{
    for (uint8_t verb = 0; verb < verbs; verb++)
        if (strcmp(eg_forms[verb].type, type) == 0)
            return verb;
    return EG_VERBS;
}

/* Takes card `i` of a list; 0 where its value is none that there is. */
static bool read_card(const json_t *list, size_t i, const char *pointer, uint8_t *ret_value,
                      struct fault *ret_fault)
{
    const json_t *card = json_array_get(list, i);

    if (!json_is_integer(card))
        return fault_set(ret_fault, pointer_item(pointer, i).text, "This must be an integer.");
    int64_t value = json_integer_value(card);
    *ret_value = value >= 1 && value <= EG_VALUES ? (uint8_t)value : 0;
    return true;
}

/* A list of cards as a whole hand; cards of no value are in its total alone. */
static bool read_show(const json_t *list, const char *pointer, struct event *ret_event,
                      struct fault *ret_fault)
{
    struct pointer at = pointer_below(pointer, "cards");
    struct eg_show show = {.verb = EG_SHOW, .cards = {narrow((int64_t)json_array_size(list))}};
    uint8_t value;

    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_card(list, i, at.text, &value, ret_fault))
            return false;
        if (value && show.cards[value] < UINT8_MAX)
            show.cards[value]++;
    }
    ret_event->kind = EVENT_MOVE;
    ret_event->size = sizeof show;
    memcpy(ret_event->data, &show, sizeof show);
    return true;
}

bool eg_read_move(const json_t *move, const char *pointer, const void *state,
                  struct event *ret_event, struct fault *ret_fault)
{
    const struct eg_state *s = state;
    bool table = s && s->table;
    const char *type = json_string_value(json_object_get(move, "type"));
    uint8_t verb = type ? find_verb(type, table ? EG_VERBS : EG_YIELD) : EG_VERBS;
    json_t *cards = NULL;
    int64_t step = 0, card = 0, count = 1;
    struct field fields[4] = {field_required("type", FIELD_TEXT, &type)};
    size_t n = 1;

    if (type && verb == EG_VERBS)
        return fault_set(ret_fault, pointer_below(pointer, "type").text,
                         "This must be advance, retreat, attack, parry%s advance_attack%s.",
                         table ? "," : " or", table ? ", yield, stuck or show" : "");
    uint8_t members = verb < EG_VERBS ? eg_forms[verb].members : 0;
    if (members & EG_HAS_MOVE)
        fields[n++] = integer("move", &step);
    if (members & EG_HAS_CARD)
        fields[n++] = integer("card", &card);
    if (members & EG_HAS_COUNT)
        fields[n++] = integer("count", &count);
    if (members & EG_HAS_CARDS)
        fields[n++] = field_required("cards", FIELD_ARRAY, &cards);
    if (!json_fields(move, pointer, fields, n, ret_fault))
        return false;
    if (cards)
        return read_show(cards, pointer, ret_event, ret_fault);
    if (verb >= EG_YIELD)
        count = 0;
    struct eg_move read = {verb, narrow(card), narrow(count), narrow(step)};
    ret_event->kind = EVENT_MOVE;
    ret_event->size = sizeof read;
    memcpy(ret_event->data, &read, sizeof read);
    return true;
}

static bool read_seat(const char *name, const char *pointer, const char *member,
                      uint8_t *ret_seat, struct fault *ret_fault)
{
    for (uint8_t seat = 0; seat < EG_SEATS; seat++)
        if (strcmp(eg_ruleset.seats[seat], name) == 0) {
            *ret_seat = seat;
            return true;
        }
    return fault_set(ret_fault, pointer_below(pointer, member).text,
                     "This must be left or right.");
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

/* A value that there is not makes the cards strange. */
static bool read_hand(const json_t *list, const char *pointer, uint8_t seat,
                      struct eg_cards *cards, struct fault *ret_fault)
{
    struct pointer at = pointer_below(pointer, eg_ruleset.seats[seat]);
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
    const struct field fields[] = {field_required("left", FIELD_ARRAY, &list[EG_LEFT]),
                                   field_required("right", FIELD_ARRAY, &list[EG_RIGHT])};

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
    struct field fields[] = {integer("card", &card),
                             field_required("played", FIELD_OBJECT, &played),
                             field_required("last_attacker", FIELD_TEXT, &last),
                             field_required("advanced", FIELD_BOOL, &advanced)};

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
        field_required("fields", FIELD_OBJECT, &parts->fields),
        field_required("hits", FIELD_OBJECT, &parts->hits),
        field_required("hands", FIELD_OBJECT, &parts->hands),
        field_required("deck", FIELD_ARRAY, &parts->deck),
        field_required("turn", FIELD_TEXT, &parts->turn),
        field_required("exchange", FIELD_OBJECT, &parts->exchange),
        integer("round", &parts->round),
        field_required("starter", FIELD_TEXT, &parts->starter),
    };

    fields[5].nullable = true;
    return json_fields(state, "/state", fields, sizeof fields / sizeof *fields, ret_fault);
}

bool eg_read_state(const json_t *state, const json_t *history, struct options *options,
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
