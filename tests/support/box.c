#include "tests/support/box.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const char *const faces[BOX_FACES + 1] = {"blank",     "emmental",  "gouda",   "edam",
                                                 "roquefort", "camembert", "cheddar", "brie",
                                                 "trapdoor",  NULL};

/* Row 7 first, as the rulings print them. */
static const char *const layouts[2] = {
    "*AAABB*"
    "CDEEFFG"
    "CDHHFFG"
    "IDHHJKG"
    "ILLLJKM"
    "INNOPPM"
    "*QQORR*",
    "*AABBB*"
    "CDDEEEF"
    "CDDGGHF"
    "CIJGGHF"
    "KIJLLMN"
    "KOOPPMN"
    "*QQQRR*",
};

static uint64_t bit(int tile)
{
    return UINT64_C(1) << tile;
}

const char *box_square(int square)
{
    static const char names[] = "a1\0b1\0c1\0d1\0e1\0f1\0g1\0a2\0b2\0c2\0d2\0e2\0f2\0g2\0"
                                "a3\0b3\0c3\0d3\0e3\0f3\0g3\0a4\0b4\0c4\0d4\0e4\0f4\0g4\0"
                                "a5\0b5\0c5\0d5\0e5\0f5\0g5\0a6\0b6\0c6\0d6\0e6\0f6\0g6\0"
                                "a7\0b7\0c7\0d7\0e7\0f7\0g7";

    return &names[3 * square];
}

int box_find(const char *square)
{
    return 7 * (square[1] - '1') + square[0] - 'a';
}

bool box_floor(int square)
{
    return square % 7 % 2 == 1 || square / 7 % 2 == 1;
}

const char *box_face(const struct box *box, int tile)
{
    return faces[box->face[tile]];
}

const char *box_face_name(int face)
{
    return faces[face];
}

static void read_rooms(struct box *box, json_t *layout)
{
    const char *word = json_string_value(layout);
    json_t *room, *square;
    size_t i, j;

    for (int at = 0; at < BOX_SQUARES; at++) {
        char letter = word ? layouts[*word == 'B'][7 * (6 - at / 7) + at % 7] : '*';
        box->room[at] = letter == '*' ? -1 : letter;
    }
    json_array_foreach(layout, i, room)
    {
        json_array_foreach(room, j, square) box->room[box_find(json_string_value(square))] =
            (int)i;
    }
}

void box_lay(struct box *box, const char *spare, json_t *layout, bool strict,
             struct seeded *seeded)
{
    uint8_t all[BOX_TILES];
    int tile = 0;

    memset(box, 0, sizeof *box);
    for (int i = 0; i < BOX_TILES; i++)
        all[i] = (uint8_t)(i < 21 ? i / 3 + 1 : i < 31 ? 0 : 8);
    seeded_shuffle(seeded, all, BOX_TILES);
    for (int i = 0; i < BOX_TILES; i++)
        if (strcmp(faces[all[i]], spare) == 0) {
            uint8_t kept = all[i];
            all[i] = all[BOX_TILES - 1];
            all[BOX_TILES - 1] = kept;
            break;
        }
    memcpy(box->face, all, sizeof all);
    for (int at = 0; at < BOX_SQUARES; at++)
        box->tile[at] = box_floor(at) ? tile++ : -1;
    box->spare = tile;
    box->told = bit(tile);
    box->strict = strict;
    box->openings = json_object();
    read_rooms(box, layout);
}

void box_done(struct box *box)
{
    json_decref(box->openings);
}

uint64_t box_visible(const struct box *box)
{
    uint64_t set = bit(box->spare);

    for (int at = 0; at < BOX_SQUARES; at++)
        if (box->open[at] && box->tile[at] >= 0)
            set |= bit(box->tile[at]);
    return set;
}

uint64_t box_known(const struct box *box)
{
    return box->strict ? box_visible(box) : box->told;
}

/* The square at `step` of the line that a slot pushes along: "Nb" southwards from b7. */
static int line(const char *slot, int step)
{
    switch (slot[0]) {
    case 'N':
        return 7 * (6 - step) + slot[1] - 'a';
    case 'S':
        return 7 * step + slot[1] - 'a';
    case 'W':
        return 7 * (slot[1] - '1') + step;
    default:
        return 7 * (slot[1] - '1') + 6 - step;
    }
}

void box_slide(struct box *box, const char *slot)
{
    int coming = box->spare;

    for (int step = 0; step < 7; step++) {
        int *here = &box->tile[line(slot, step)], gone = *here;
        *here = coming;
        coming = gone;
    }
    box->spare = coming;
}

static void tell(const struct box *box, json_t *shows, int square)
{
    json_object_set_new(shows, box_square(square),
                        json_string(box_face(box, box->tile[square])));
}

static void report_room(const struct box *box, json_t *shows, int square)
{
    for (int at = 0; at < BOX_SQUARES; at++)
        if (box->room[at] == box->room[square] && box->tile[at] >= 0)
            tell(box, shows, at);
}

void box_report(const struct box *box, json_t *move, bool all)
{
    const char *square = json_string_value(json_object_get(move, "square"));
    const char *slot = json_string_value(json_object_get(move, "slot"));
    json_t *shows = json_object();
    struct box after = *box;

    if (square)
        report_room(box, shows, box_find(square));
    if (slot) {
        box_slide(&after, slot);
        for (int at = 0; at < BOX_SQUARES; at++)
            if (after.open[at] && after.tile[at] >= 0 &&
                (all || !(box->told & bit(after.tile[at]))))
                tell(&after, shows, at);
        if (all || !(box->told & bit(after.spare)))
            json_object_set_new(move, "out", json_string(box_face(box, after.spare)));
    }
    if (json_object_size(shows) || (all && (square || slot)))
        json_object_set(move, "shows", shows);
    json_decref(shows);
}

static void set_roofs(struct box *box, const json_t *event, bool open)
{
    json_t *square;
    size_t i;

    json_array_foreach(json_object_get(event, "squares"), i, square)
        box->open[box_find(json_string_value(square))] = open;
}

static uint64_t follow_one(struct box *box, const json_t *event)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    uint64_t before = box_visible(box);

    if (strcmp(type, "uncovered") == 0) {
        set_roofs(box, event, true);
        return box_visible(box) & ~before;
    }
    if (strcmp(type, "covered") == 0)
        set_roofs(box, event, false);
    if (strcmp(type, "shifted") != 0)
        return 0;
    assert_int_equal(json_integer_value(json_object_get(event, "in")), box->spare);
    box_slide(box, json_string_value(json_object_get(event, "slot")));
    assert_int_equal(json_integer_value(json_object_get(event, "out")), box->spare);
    return box->lit = box_visible(box) & ~before;
}

void box_follow(struct box *box, json_t *events)
{
    json_t *event;
    char seq[24];
    size_t i;

    box->lit = 0;
    json_array_foreach(events, i, event)
    {
        uint64_t lit = follow_one(box, event);
        box->told |= lit;
        (void)snprintf(seq, sizeof seq, "%lld",
                       (long long)json_integer_value(json_object_get(event, "seq")));
        if (lit)
            json_object_set_new(box->openings, seq, json_integer((json_int_t)lit));
    }
}
