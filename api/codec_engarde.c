/* En garde to JSON: docs/rules/engarde.md says the forms. */
#include "api/codec_engarde.h"

#include <stdio.h>
#include <string.h>

static const char *seat_name(uint8_t seat)
{
    return seat < EG_SEATS ? eg_ruleset.seats[seat] : NULL;
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

static void eg_write_move(struct out *out, const char *key, const struct event *event)
{
    struct eg_show show;
    struct eg_move move;

    memcpy(&move, event->data, sizeof move);
    const struct eg_form *form = &eg_forms[move.verb];
    out_object(out, key);
    out_text(out, "type", form->type);
    if (form->members & EG_HAS_MOVE)
        out_number(out, "move", move.step);
    if (form->members & EG_HAS_CARD)
        out_number(out, "card", move.card);
    if (form->members & EG_HAS_COUNT)
        out_number(out, "count", move.count);
    if (form->members & EG_HAS_CARDS) {
        memcpy(&show, event->data, sizeof show);
        write_cards(out, "cards", &show.cards[1]);
    }
    out_object_end(out);
}

static void write_pair(struct out *out, const char *key, const uint8_t pair[EG_SEATS])
{
    out_object(out, key);
    for (size_t seat = 0; seat < EG_SEATS; seat++)
        out_number(out, eg_ruleset.seats[seat], pair[seat]);
    out_object_end(out);
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

static void write_hand(struct out *out, uint8_t seat, bool known,
                       const uint8_t hand[EG_VALUES + 1])
{
    if (known)
        write_cards(out, eg_ruleset.seats[seat], &hand[1]);
    else
        out_number(out, eg_ruleset.seats[seat], hand[0]);
}

static void write_deck(struct out *out, const struct eg_state *s)
{
    if (s->table) {
        out_number(out, "deck", s->round ? EG_CARDS - s->drawn : 0);
        return;
    }
    out_array(out, "deck");
    for (size_t i = s->drawn; s->round && i < EG_CARDS; i++)
        out_number(out, NULL, s->value[i]);
    out_array_end(out);
}

/* Nobody posts a state of table custody: what is not known there is a number, as in a view. */
static void eg_write_state(struct out *out, const char *key, const void *state)
{
    const struct eg_state *s = state;

    out_object(out, key);
    write_pair(out, "fields", s->field);
    write_pair(out, "hits", s->hits);
    out_object(out, "hands");
    for (uint8_t seat = 0; seat < EG_SEATS; seat++)
        write_hand(out, seat, !s->table || s->shows[seat], s->hand[seat]);
    out_object_end(out);
    write_deck(out, s);
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
    [EG_SHOWN] = "shown",
};

static const char *eg_effect_type(const struct effect *effect)
{
    return effect_types[effect->type];
}

/* EG-9; where hands do not count, as at the basic level, a table never sees them. */
static bool tells_hands(const struct effect *effect)
{
    static const uint8_t none[EG_SEATS * EG_VALUES];

    return eg_opens_hands(effect->data[EG_DATA_RULING]) &&
           memcmp(&effect->data[EG_DATA_HANDS], none, sizeof none) != 0;
}

static void write_round_end(struct out *out, const struct effect *effect)
{
    uint8_t ruling = effect->data[EG_DATA_RULING];

    if (tells_hands(effect)) {
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
    case EG_SHOWN:
        write_cards(out, "cards", effect->data);
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
    /* The cards are the players' own: nothing is committed to, nothing is opened. */
    if (s->table)
        return;
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

    if (s->table || !context || context != s->round)
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
