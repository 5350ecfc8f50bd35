#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/hex.h"
#include "rules/roquefort/roquefort.h"
#include "rules/stratego/stratego.h"
#include "tests/system/fleet_replay.h"

enum { HAND = 5, ALL = OPEN_TO_ALL, ANY_OF_THEM = 0xfe };

static struct shown *add_shown(struct replay *replay)
{
    replay->shown = realloc(replay->shown, (replay->shown_count + 1) * sizeof *replay->shown);
    if (!replay->shown)
        abort();
    struct shown *shown = &replay->shown[replay->shown_count++];
    *shown = (struct shown){.seq = replay->seq};
    return shown;
}

static void show(struct replay *replay, struct shown *shown, uint8_t seats, uint8_t context,
                 uint8_t index)
{
    uint8_t side = replay->codec->component == COMPONENT_PIECE ? context : 0;

    shown->openings.list[shown->openings.count++] = (struct opening){
        seats, replay->codec->component, context, index, replay->faces[side][index]};
}

/* Cards: who was dealt or drew which position, counted by the public numbers. */
static bool note_cards(struct replay *replay, const json_t *event, uint8_t seat)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    struct shown *shown = add_shown(replay);

    if (strcmp(type, "round_started") == 0) {
        for (uint8_t i = 0; i < 2 * HAND; i++) {
            replay->owner[i] = i / HAND;
            show(replay, shown, (uint8_t)(1 << i / HAND), replay->round, i);
        }
        replay->drawn = 2 * HAND;
    }
    if (strcmp(type, "drawn_cards") == 0)
        for (int i = 0; i < json_integer_value(json_object_get(event, "count")); i++) {
            replay->owner[replay->drawn] = seat;
            show(replay, shown, (uint8_t)(1 << seat), replay->round, replay->drawn++);
        }
    /* Which of the cards drawn are still held is not public: any of them, but as many. */
    if (json_object_get(event, "hands"))
        for (uint8_t i = 0; i < replay->drawn; i++)
            show(replay, shown, ANY_OF_THEM, replay->round, i);
    return true;
}

static uint8_t *home_of(struct replay *replay, const json_t *event, const char *key)
{
    const char *square = json_string_value(json_object_get(event, key));
    unsigned long row = square ? strtoul(square + 1, NULL, 10) : 0;

    return &replay->home[row < 12 ? row : 0][square ? (*square - 'a') % 12 : 0];
}

/* Pieces: what stands where is public, only not its rank. */
static bool note_pieces(struct replay *replay, const json_t *event, uint8_t seat)
{
    const char *outcome = json_string_value(json_object_get(event, "outcome"));
    uint8_t *from = home_of(replay, event, "from"), *to = home_of(replay, event, "to");
    uint8_t attacker = *from, defender = *to;
    bool moves_in = !outcome || strcmp(outcome, "defender_lost") == 0;
    bool shown_captives = replay->table->options.value[ST_OPTION_CAPTIVES] && !moves_in;
    bool classic = replay->table->options.variant != ST_MARSAL_A_SPION;

    if (attacker / 40 != seat || (outcome && defender / 40 != !seat))
        return disagree(replay->table, "seq %u: no such pieces stand there", replay->seq);
    *from = 0xff;
    if (moves_in)
        *to = attacker;
    else if (strcmp(outcome, "both_lost") == 0)
        *to = 0xff;
    if (!outcome)
        return true;
    struct shown *shown = add_shown(replay);
    show(replay, shown, (uint8_t)(1 << seat), !seat, defender % 40); /* ST-11 */
    if (classic || shown_captives)                                   /* SC-4 */
        show(replay, shown, (uint8_t)(1 << !seat), seat, attacker % 40);
    return true;
}

/* Tiles: those of the squares that were uncovered, and those that a shift brought to light. */
static bool note_tiles(struct replay *replay, const struct effect *effect)
{
    const struct rq_state *s = (const void *)replay->state;
    struct shown *shown = add_shown(replay);

    if (effect->type == RQ_UNCOVERED)
        for (unsigned i = 0; i < RQ_SQUARES; i++)
            if (rq_effect_squares(effect) & rq_bit(i) && rq_place[i] != RQ_NO_SQUARE)
                show(replay, shown, ALL, 0, s->tile[rq_place[i]]);
    if (effect->type != RQ_SHIFTED)
        return true;
    for (uint8_t i = 0; i < RQ_SIDE; i++)
        if (effect->data[3] >> i & 1)
            show(replay, shown, ALL, 0, s->tile[rq_place[rq_line(effect->data[0], i)]]);
    if (effect->data[3] >> RQ_SIDE & 1)
        show(replay, shown, ALL, 0, effect->data[2]);
    return true;
}

void seen_start(struct replay *replay)
{
    memset(replay->home, 0xff, sizeof replay->home);
    for (uint8_t slot = 0; slot < 40; slot++) {
        if (replay->faces[0][slot] != 0xff)
            replay->home[1 + slot / 10][slot % 10] = slot;
        if (replay->faces[1][slot] != 0xff)
            replay->home[10 - slot / 10][9 - slot % 10] = (uint8_t)(40 + slot);
    }
}

bool seen_note(struct replay *replay, const json_t *event, const struct effect *effect)
{
    switch ((enum component)replay->codec->component) {
    case COMPONENT_PIECE:
        return note_pieces(replay, event, effect->seat);
    case COMPONENT_CARD:
        return note_cards(replay, event, effect->seat);
    case COMPONENT_TILE:
        return note_tiles(replay, effect);
    }
    return true;
}

static const struct shown *find_shown(const struct replay *replay, uint32_t seq)
{
    size_t low = 0, high = replay->shown_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (replay->shown[middle].seq < seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low < replay->shown_count && replay->shown[low].seq == seq ? &replay->shown[low]
                                                                      : NULL;
}

/* With a strict memory a tile is told of only while it lies open. */
static bool told_now(const struct replay *replay, const struct opening *opening)
{
    const struct rq_state *state = (const void *)replay->state;
    struct rq_view view;

    if (replay->codec->component != COMPONENT_TILE)
        return true;
    for (unsigned i = 0; i < sizeof state->lit; i++) /* a shift that ended its turn */
        if (state->lit[i] == opening->index)
            return true;
    rq_ruleset.observe(replay->state, NO_SEAT, &view);
    for (unsigned i = 0; i < RQ_TILES; i++)
        if (view.tile[i] == opening->index)
            return view.face[i] != RQ_UNKNOWN;
    return false;
}

static bool goes_to(const struct replay *replay, const struct opening *opening, uint8_t viewer)
{
    bool his = viewer < SEATS_MAX && opening->seats >> viewer & 1;

    return (opening->seats == ALL || opening->seats == ANY_OF_THEM || his) &&
           told_now(replay, opening);
}

static json_t *opening_json(const struct replay *replay, const struct opening *opening)
{
    const char *face = replay->codec->face_name(&replay->table->options, opening->face);
    char name[24];
    uint8_t nonce[32];

    replay->codec->component_name(opening, name);
    chance_nonce(replay, opening, nonce);
    json_t *json = json_pack("{s:s, s:o}", "component", name, "nonce", hex_json(nonce, 32));
    json_object_set_new(json, "face", face ? json_string(face) : json_integer(opening->face));
    return json;
}

/* How many of a list are equal to it. */
static size_t count_equal(const json_t *list, const json_t *json)
{
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(list); i++)
        count += (size_t)json_equal(json_array_get(list, i), json);
    return count;
}

static size_t hand_sizes(const json_t *event)
{
    const json_t *hands = json_object_get(event, "hands");

    return json_array_size(json_object_get(hands, "left")) +
           json_array_size(json_object_get(hands, "right"));
}

/* The faces opened at the end of a round are those of the hands that the event tells. */
static bool same_faces(const json_t *event)
{
    const json_t *hands = json_object_get(event, "hands"), *list;
    static const char *const seats[] = {"left", "right"};
    int balance[8] = {0};

    for (int seat = 0; seat < 2; seat++) {
        list = json_object_get(hands, seats[seat]);
        for (size_t i = 0; i < json_array_size(list); i++)
            balance[json_integer_value(json_array_get(list, i)) & 7]++;
    }
    list = json_object_get(event, "openings");
    for (size_t i = 0; i < json_array_size(list); i++)
        balance[json_integer_value(json_object_get(json_array_get(list, i), "face")) & 7]--;
    for (int i = 0; i < 8; i++)
        if (balance[i])
            return false;
    return true;
}

bool seen_check(struct replay *replay, const json_t *event, uint8_t viewer)
{
    const json_t *told = json_object_get(event, "openings");
    uint32_t seq = (uint32_t)json_integer_value(json_object_get(event, "seq"));
    const struct shown *shown = find_shown(replay, seq);
    size_t found = 0, due = 0;
    bool any = false;

    for (size_t i = 0; shown && i < shown->openings.count; i++) {
        const struct opening *opening = &shown->openings.list[i];
        if (!goes_to(replay, opening, viewer))
            continue;
        json_t *json = opening_json(replay, opening);
        size_t equal = count_equal(told, json);
        json_decref(json);
        any = any || opening->seats == ANY_OF_THEM;
        found += equal;
        due++;
        if (equal > 1 || (!equal && opening->seats != ANY_OF_THEM))
            return differ(replay, "an opening that is due, with its event", event, NULL);
    }
    if (any)
        due = hand_sizes(event);
    if (found == due && found == json_array_size(told) && (!any || same_faces(event)))
        return true;
    return differ(replay, "openings that nobody may see, or not this viewer", event, NULL);
}
