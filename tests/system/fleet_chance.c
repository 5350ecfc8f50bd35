#include <string.h>

#include "api/commit.h"
#include "api/hex.h"
#include "api/lots.h"
#include "rules/match.h"
#include "tests/system/fleet_replay.h"

enum { CHEESES = 21, BLANKS = 10, TILES = 34, SLOTS = 40 };

json_t *hex_json(const uint8_t *bytes, size_t size)
{
    char text[2 * 64 + 1];

    hex_encode(bytes, size, text);
    return json_string(text);
}

static void mixed(const struct replay *replay, uint8_t round, struct lots *ret_lots)
{
    uint8_t key[32];

    commit_mix(replay->table->gid, round, replay->referee_seed, replay->seed[0],
               replay->players, key);
    lots_init(ret_lots, key);
}

struct event chance_lot(const struct replay *replay, uint8_t seats)
{
    struct event event = {.kind = EVENT_LOT, .seat = NO_SEAT, .size = 1};
    uint8_t among[SEATS_MAX], count = 0;
    struct lots lots;

    for (uint8_t i = 0; i < SEATS_MAX; i++)
        if (seats >> i & 1)
            among[count++] = i;
    mixed(replay, 0, &lots);
    event.data[0] = among[lots_below(&lots, count)];
    return event;
}

struct event chance_deal(const struct replay *replay, uint8_t cards)
{
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = cards};
    struct lots lots;

    mixed(replay, replay->round, &lots);
    do {
        lots_shuffle(&lots, cards, event.data);
        event.tries++;
    } while (event.tries < 1000 &&
             match_judge(replay->codec->rules, replay->state, &event) != ALLOWED);
    return event;
}

static uint8_t tile_face(uint8_t number)
{
    if (number < CHEESES)
        return (uint8_t)(number / 3 + 1);
    return number < CHEESES + BLANKS ? 0 : 8;
}

/* The first blank is the spare, the others lie in order. */
static void lay_tiles(uint8_t *faces, const uint8_t *order)
{
    bool spared = false;
    uint8_t place = 0;

    for (int i = 0; i < TILES; i++) {
        uint8_t face = tile_face(order[i]);
        if (face == 0 && !spared)
            faces[TILES - 1] = face;
        else
            faces[place++] = face;
        spared = spared || face == 0;
    }
}

void chance_lay(struct replay *replay, const struct event *deal)
{
    memset(replay->faces, 0xff, sizeof replay->faces);
    if (replay->codec->component == COMPONENT_TILE)
        lay_tiles(replay->faces[0], deal->data);
    else
        for (int i = 0; i < deal->size; i++)
            replay->faces[0][i] = (uint8_t)(deal->data[i] / 5 + 1);
}

void chance_setup(struct replay *replay, uint8_t side, const uint8_t *ranks)
{
    memset(replay->faces[side], 0xff, FACES_MAX);
    memcpy(replay->faces[side], ranks, SLOTS);
}

void chance_nonce(const struct replay *replay, const struct opening *opening,
                  uint8_t ret_nonce[static 32])
{
    const struct table *table = replay->table;

    if (opening->component == COMPONENT_PIECE)
        commit_nonce(table->secret[opening->context & 1], table->gid, 0, opening->index,
                     ret_nonce);
    else
        commit_nonce(replay->referee_seed, table->gid, opening->context, opening->index,
                     ret_nonce);
}

static void commit(const struct replay *replay, const struct opening *opening,
                   uint8_t ret_hash[static 32])
{
    const uint8_t *gid = replay->table->gid;
    uint8_t nonce[32];

    chance_nonce(replay, opening, nonce);
    if (opening->component == COMPONENT_PIECE)
        commit_piece(gid, opening->context, opening->index, opening->face, nonce, ret_hash);
    else if (opening->component == COMPONENT_CARD)
        commit_card(gid, opening->context, opening->index, opening->face, nonce, ret_hash);
    else
        commit_tile(gid, opening->index, opening->face, nonce, ret_hash);
}

json_t *chance_commit(struct replay *replay, uint8_t side)
{
    uint8_t component = replay->codec->component;
    struct opening opening = {.component = component};
    json_t *list = json_array();

    opening.context = component == COMPONENT_PIECE  ? side
                      : component == COMPONENT_CARD ? replay->round
                                                    : 0;
    uint8_t(*hashes)[32] = replay->commitments[replay->round][side];
    for (uint8_t i = 0; i < FACES_MAX; i++) {
        opening.index = i;
        opening.face = replay->faces[side][i];
        if (opening.face == 0xff)
            continue;
        commit(replay, &opening, hashes[i]);
        json_array_append_new(list, hex_json(hashes[i], 32));
    }
    return list;
}

/* {"commitments":{side:[...]},"setups":{side:hash}} */
json_t *chance_setups(struct replay *replay)
{
    json_t *all = json_object(), *lists = json_object(), *setups = json_object();
    const char *const *seats = replay->codec->rules->seats;
    uint8_t hashes[SLOTS][32], whole[32];

    for (uint8_t side = 0; side < 2; side++) {
        uint8_t count = 0;
        json_object_set_new(lists, seats[side], chance_commit(replay, side));
        for (uint8_t i = 0; i < SLOTS; i++)
            if (replay->faces[side][i] != 0xff)
                memcpy(hashes[count++], replay->commitments[replay->round][side][i], 32);
        commit_setup(replay->table->gid, side, hashes[0], count, whole);
        json_object_set_new(setups, seats[side], hex_json(whole, 32));
    }
    json_object_set_new(all, "commitments", lists);
    json_object_set_new(all, "setups", setups);
    return all;
}
