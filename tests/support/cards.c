#include "tests/support/cards.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static int number(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static bool is(const json_t *object, const char *key, const char *word)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text && strcmp(text, word) == 0;
}

bool cards_may(const struct cards *cards, int seat, const json_t *move, json_t *exchange)
{
    const uint8_t *hand = cards->hand[seat];
    int card = number(move, "card"), count = number(move, "count"), step = number(move, "move");

    if (is(move, "type", "yield") || is(move, "type", "stuck") || is(move, "type", "show"))
        return false;
    if (is(move, "type", "parry"))
        return hand[number(exchange, "card")] >= count;
    if (is(move, "type", "advance") || is(move, "type", "retreat"))
        return hand[card] > 0;
    return hand[card] >= count + (step == card) && (!step || hand[step]);
}

static void draw(struct cards *cards, int seat, int count)
{
    while (count--) {
        assert_true(cards->drawn < CARDS_ALL);
        cards->hand[seat][cards->deck[cards->drawn++]]++;
        cards->hand[seat][0]++;
    }
}

static void play(struct cards *cards, int seat, int value, int count)
{
    assert_true(value >= 1 && value <= CARDS_VALUES && cards->hand[seat][value] >= count);
    cards->hand[seat][value] = (uint8_t)(cards->hand[seat][value] - count);
    cards->hand[seat][0] = (uint8_t)(cards->hand[seat][0] - count);
    cards->played[value] = (uint8_t)(cards->played[value] + count);
    cards->played[0] = (uint8_t)(cards->played[0] + count);
}

static void deal(struct cards *cards, struct seeded *seeded)
{
    memset(cards, 0, sizeof *cards);
    for (size_t i = 0; i < CARDS_ALL; i++)
        cards->deck[i] = (uint8_t)(i / 5 + 1);
    seeded_shuffle(seeded, cards->deck, CARDS_ALL);
    draw(cards, 0, 5);
    draw(cards, 1, 5);
}

static void note_shown(struct cards *cards, int seat, json_t *list)
{
    json_t *card;
    size_t i;

    cards->shown[seat] = true;
    memset(cards->as[seat], 0, sizeof cards->as[seat]);
    json_array_foreach(list, i, card) cards->as[seat][json_integer_value(card)]++;
}

void cards_follow(struct cards *cards, json_t *events, struct seeded *seeded)
{
    json_t *event;
    size_t i;

    json_array_foreach(events, i, event)
    {
        int seat = is(event, "seat", "right");
        if (is(event, "type", "round_started"))
            deal(cards, seeded);
        if (is(event, "type", "moved"))
            play(cards, seat, abs(number(event, "to") - number(event, "from")), 1);
        if (is(event, "type", "attacked") || is(event, "type", "parried"))
            play(cards, seat, number(event, "card"), number(event, "count"));
        if (is(event, "type", "drawn_cards"))
            draw(cards, seat, number(event, "count"));
        if (is(event, "type", "shown"))
            note_shown(cards, seat, json_object_get(event, "cards"));
    }
}

json_t *cards_list(const uint8_t counts[static CARDS_VALUES + 1])
{
    json_t *list = json_array();

    for (int value = 1; value <= CARDS_VALUES; value++)
        for (int i = 0; i < counts[value]; i++)
            json_array_append_new(list, json_integer(value));
    return list;
}

json_t *cards_deck(const struct cards *cards)
{
    json_t *list = json_array();

    for (size_t i = cards->drawn; i < CARDS_ALL; i++)
        json_array_append_new(list, json_integer(cards->deck[i]));
    return list;
}

int cards_left(const struct cards *cards, int value)
{
    return 5 - cards->played[value];
}
