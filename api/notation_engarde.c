/* En garde as text: docs/notation.md says the forms. */
#include "api/notation.h"

#include <string.h>

#include "rules/engarde/engarde.h"

static const char number_wanted[] = "a number of at most 255";

/* Moves: +3  -3  x3  x3*2  =2  +4x2*2  yield  stuck  show:11345 */

/* "*2", or nothing for one. */
static bool read_count(struct reading *in, uint8_t *ret_count)
{
    *ret_count = 1;
    return !reading_takes(in, '*') || reading_number(in, UINT8_MAX, number_wanted, ret_count);
}

static bool read_attack(struct reading *in, struct eg_move *move)
{
    return reading_number(in, UINT8_MAX, number_wanted, &move->card) &&
           read_count(in, &move->count);
}

static bool read_advance(struct reading *in, struct eg_move *move)
{
    *move = (struct eg_move){.verb = EG_ADVANCE, .count = 1};
    if (!reading_number(in, UINT8_MAX, number_wanted, &move->card))
        return false;
    if (!reading_takes(in, 'x'))
        return true;
    *move = (struct eg_move){.verb = EG_ADVANCE_ATTACK, .step = move->card};
    return read_attack(in, move);
}

static bool read_verb(struct reading *in, bool table, struct eg_move *move)
{
    if (reading_takes(in, '+'))
        return read_advance(in, move);
    *move = (struct eg_move){.verb = EG_RETREAT, .count = 1};
    if (reading_takes(in, '-'))
        return reading_number(in, UINT8_MAX, number_wanted, &move->card);
    move->verb = EG_ATTACK;
    if (reading_takes(in, 'x'))
        return read_attack(in, move);
    move->verb = EG_PARRY;
    if (reading_takes(in, '='))
        return reading_number(in, UINT8_MAX, number_wanted, &move->count);
    *move = (struct eg_move){.verb = EG_YIELD};
    if (table && reading_takes_word(in, "yield"))
        return true;
    move->verb = EG_STUCK;
    if (table && reading_takes_word(in, "stuck"))
        return true;
    return reading_fails(in, table ? "+, -, x, =, yield, stuck or show:" : "+, -, x or =");
}

static bool read_cards(struct reading *in, uint8_t ret_count[static EG_VALUES + 1])
{
    uint8_t place;

    while (in->text[in->at] >= '0' && in->text[in->at] <= '9') {
        if (!reading_letter(in, "12345", "a card, 1 to 5", &place))
            return false;
        if (++ret_count[0] > EG_CARDS) {
            in->at--;
            return reading_fails(in, "at most 25 cards");
        }
        ret_count[place + 1]++;
    }
    return true;
}

static void as_move(struct event *event, const void *data, size_t size)
{
    event->kind = EVENT_MOVE;
    event->size = (uint8_t)size;
    memcpy(event->data, data, size);
}

static bool read_move(const char *text, const void *state, struct event *ret_event,
                      struct misread *ret_misread)
{
    const struct eg_state *s = state;
    struct reading in = {.text = text, .misread = ret_misread};
    struct eg_show show = {.verb = EG_SHOW};
    struct eg_move move;

    if (s && s->table && reading_takes_word(&in, "show:")) {
        if (!read_cards(&in, show.cards) || !reading_ends(&in))
            return false;
        as_move(ret_event, &show, sizeof show);
        return true;
    }
    if (!read_verb(&in, s && s->table, &move) || !reading_ends(&in))
        return false;
    as_move(ret_event, &move, sizeof move);
    return true;
}

/* Each card by its value, behind `gap`. */
static void put_cards(struct out *out, const char *gap,
                      const uint8_t count[static EG_VALUES + 1])
{
    for (int value = 1; value <= EG_VALUES; value++)
        for (int i = 0; i < count[value]; i++)
            put_text(out, "%s%d", gap, value);
}

static void put_attack(struct out *out, const struct eg_move *move)
{
    put_text(out, "x%d", move->card);
    if (move->count != 1)
        put_text(out, "*%d", move->count);
}

static void write_move(struct out *out, const struct event *event)
{
    static const char *const words[EG_VERBS] = {
        [EG_ADVANCE] = "+",   [EG_RETREAT] = "-",        [EG_ATTACK] = "",
        [EG_PARRY] = "=",     [EG_SHOW] = "show:",       [EG_YIELD] = "yield",
        [EG_STUCK] = "stuck", [EG_ADVANCE_ATTACK] = "+",
    };
    struct eg_show show;
    struct eg_move move;

    memcpy(&move, event->data, sizeof move);
    memcpy(&show, event->data, sizeof show);
    put_text(out, "%s", words[move.verb]);
    if (move.verb == EG_ADVANCE || move.verb == EG_RETREAT)
        put_text(out, "%d", move.card);
    if (move.verb == EG_ADVANCE_ATTACK)
        put_text(out, "%d", move.step);
    if (move.verb == EG_ATTACK || move.verb == EG_ADVANCE_ATTACK)
        put_attack(out, &move);
    if (move.verb == EG_PARRY)
        put_text(out, "%d", move.count);
    if (move.verb == EG_SHOW)
        put_cards(out, "", show.cards);
}

/* Positions: FIELDS HITS HANDS DECK TURN EXCHANGE ROUND, as 10/13 0/4 33125/33344 1245 l - 3l
 */

static bool read_pair(struct reading *in, const char *what, uint8_t ret_pair[static EG_SEATS])
{
    return reading_number(in, UINT8_MAX, what, &ret_pair[EG_LEFT]) &&
           reading_expects(in, '/') && reading_number(in, UINT8_MAX, what, &ret_pair[EG_RIGHT]);
}

static bool known(struct reading *in)
{
    return in->text[in->at] != '?' ||
           reading_fails(in, "cards: a position with hidden ones cannot be judged");
}

static bool read_deck(struct reading *in, struct eg_cards *cards)
{
    uint8_t place;

    if (reading_takes(in, '-'))
        return true;
    do {
        if (!known(in) || !reading_letter(in, "12345", "a card, 1 to 5", &place))
            return false;
        if (cards->deck_size == EG_CARDS) {
            in->at--;
            return reading_fails(in, "at most 25 cards");
        }
        cards->deck[cards->deck_size++] = (uint8_t)(place + 1);
    } while (in->text[in->at] && in->text[in->at] != ' ');
    return true;
}

/* "3:2/0l", and "a" behind it after an advance. */
static bool read_exchange(struct reading *in, struct eg_exchange *exchange)
{
    if (reading_takes(in, '-'))
        return true;
    if (!reading_number(in, UINT8_MAX, "- or the card of the attack", &exchange->card) ||
        !reading_expects(in, ':') || !read_pair(in, "a number of cards", exchange->played) ||
        !reading_letter(in, "lr", "l or r, who attacked last", &exchange->last_attacker))
        return false;
    if (!exchange->card) /* 0 would mean that there is none */
        exchange->card = UINT8_MAX;
    exchange->advanced = reading_takes(in, 'a');
    return true;
}

static bool read_hands(struct reading *in, struct eg_cards *cards)
{
    return known(in) && read_cards(in, cards->hand[EG_LEFT]) && reading_expects(in, '/') &&
           known(in) && read_cards(in, cards->hand[EG_RIGHT]);
}

static bool read_state(const char *text, struct options *options, void *ret_state,
                       struct misread *ret_misread)
{
    struct reading in = {.text = text, .misread = ret_misread};
    struct eg_state *s = ret_state;
    struct eg_cards cards = {0};

    eg_ruleset.begin(s, options);
    if (!read_pair(&in, "a field", s->field) || !reading_expects(&in, ' ') ||
        !read_pair(&in, "a number of hits", s->hits) || !reading_expects(&in, ' ') ||
        !read_hands(&in, &cards) || !reading_expects(&in, ' ') || !read_deck(&in, &cards) ||
        !reading_expects(&in, ' ') ||
        !reading_letter(&in, "lr", "l or r, whose turn it is", &s->turn) ||
        !reading_expects(&in, ' ') || !read_exchange(&in, &s->exchange) ||
        !reading_expects(&in, ' ') ||
        !reading_number(&in, EG_ROUNDS_MAX, "the round, 1 to 255", &s->round) ||
        !reading_letter(&in, "lr", "l or r, who began the round", &s->starter) ||
        !reading_ends(&in))
        return false;
    cards.hand[EG_LEFT][0] = cards.hand[EG_RIGHT][0] = 0; /* eg_lay() counts */
    eg_lay(s, &cards);
    return true;
}

static char seat_letter(uint8_t seat)
{
    return seat < EG_SEATS ? "lr"[seat] : '-';
}

static void put_exchange(struct out *out, const struct eg_exchange *exchange)
{
    if (exchange->card)
        put_text(out, "%d:%d/%d%c%s", exchange->card, exchange->played[EG_LEFT],
                 exchange->played[EG_RIGHT], seat_letter(exchange->last_attacker),
                 exchange->advanced ? "a" : "");
    else
        put_text(out, "-");
}

/* What stands before the hands, of states and views alike. */
static void put_places(struct out *out, const uint8_t field[static EG_SEATS],
                       const uint8_t hits[static EG_SEATS])
{
    put_text(out, "%d/%d %d/%d ", field[EG_LEFT], field[EG_RIGHT], hits[EG_LEFT],
             hits[EG_RIGHT]);
}

static void write_state(struct out *out, const void *state)
{
    const struct eg_state *s = state;

    put_places(out, s->field, s->hits);
    put_cards(out, "", s->hand[EG_LEFT]);
    put_text(out, "/");
    put_cards(out, "", s->hand[EG_RIGHT]);
    put_text(out, " ");
    for (size_t i = s->drawn; s->round && i < EG_CARDS; i++)
        put_text(out, "%d", s->value[i]);
    if (!s->round || s->drawn == EG_CARDS)
        put_text(out, "-");
    put_text(out, " %c ", seat_letter(s->turn));
    put_exchange(out, &s->exchange);
    put_text(out, " %d%c", s->round, seat_letter(s->starter));
}

/* Hidden cards as their number behind a question mark. A view does not say whose turn it is. */
static void write_view(struct out *out, const void *view)
{
    const struct eg_view *v = view;

    put_places(out, v->field, v->hits);
    for (size_t seat = 0; seat < EG_SEATS; seat++) {
        if (v->seen[seat])
            put_cards(out, "", v->hand[seat]);
        else
            put_text(out, "?%d", v->size[seat]);
        put_text(out, seat == EG_LEFT ? "/" : " ");
    }
    put_text(out, "?%d ? ", v->deck);
    put_exchange(out, &v->exchange);
    put_text(out, " %d%c", v->round, seat_letter(v->starter));
}

/* Deals: 25 cards in shuffled order. Equal ones are numbered as they come. */

static bool read_deal(const char *text, struct event *ret_event, struct misread *ret_misread)
{
    struct reading in = {.text = text, .misread = ret_misread};
    uint8_t used[EG_VALUES] = {0}, place;

    *ret_event =
        (struct event){.kind = EVENT_DEAL, .seat = NO_SEAT, .size = EG_CARDS, .tries = 1};
    for (size_t i = 0; i < EG_CARDS; i++) {
        if (!reading_letter(&in, "12345", "a card, 1 to 5; 25 in all", &place))
            return false;
        if (used[place] == EG_EACH) {
            in.at--;
            return reading_fails(&in, "no more than five cards of a value");
        }
        ret_event->data[i] = (uint8_t)(place * EG_EACH + used[place]++);
    }
    return reading_ends(&in);
}

static void write_deal(struct out *out, const struct event *event)
{
    for (size_t i = 0; i < EG_CARDS; i++)
        put_text(out, "%d", event->data[i] / EG_EACH + 1);
}

/* Drawings */

static void see_all(const void *state, void *ret_view)
{
    struct eg_view *view = ret_view, right;

    eg_ruleset.observe(state, EG_LEFT, view);
    eg_ruleset.observe(state, EG_RIGHT, &right);
    view->seen[EG_RIGHT] = right.seen[EG_RIGHT];
    memcpy(view->hand[EG_RIGHT], right.hand[EG_RIGHT], sizeof view->hand[EG_RIGHT]);
}

static void draw_strip(struct out *out, const struct eg_view *v)
{
    for (int field = 1; field <= EG_FIELDS; field++)
        put_text(out, "%3d", field);
    put_text(out, "\n");
    for (int field = 1; field <= EG_FIELDS; field++)
        put_text(out, "  %c",
                 field == v->field[EG_LEFT]    ? 'L'
                 : field == v->field[EG_RIGHT] ? 'R'
                                               : '.');
    put_text(out, "\n\n");
}

static void draw_exchange(struct out *out, const struct eg_exchange *exchange)
{
    if (exchange->card)
        put_text(out, "attack with %d%s: left has played %d, right %d; %s attacked last\n",
                 exchange->card, exchange->advanced ? " after an advance" : "",
                 exchange->played[EG_LEFT], exchange->played[EG_RIGHT],
                 eg_ruleset.seats[exchange->last_attacker & 1]);
}

static void draw(struct out *out, const void *view)
{
    const struct eg_view *v = view;

    draw_strip(out, v);
    for (size_t seat = 0; seat < EG_SEATS; seat++) {
        put_text(out, "%-5s  hits %d, ", eg_ruleset.seats[seat], v->hits[seat]);
        if (v->seen[seat]) {
            put_text(out, "hand");
            put_cards(out, " ", v->hand[seat]);
            put_text(out, "\n");
        } else {
            put_text(out, "%d cards\n", v->size[seat]);
        }
    }
    put_text(out, "deck   %d cards; played", v->deck);
    put_cards(out, " ", v->played);
    put_text(out, "\n");
    draw_exchange(out, &v->exchange);
    put_text(out, "round  %d", v->round);
    if (v->starter < EG_SEATS)
        put_text(out, ", begun by %s", eg_ruleset.seats[v->starter]);
    put_text(out, "\n");
}

const struct notation eg_notation = {
    .rules = &eg_ruleset,
    .read_move = read_move,
    .write_move = write_move,
    .read_state = read_state,
    .write_state = write_state,
    .write_view = write_view,
    .read_deal = read_deal,
    .write_deal = write_deal,
    .see_all = see_all,
    .draw = draw,
};
