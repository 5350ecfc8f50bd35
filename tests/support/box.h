/* The real castle on a real table, for tests: 34 tiles, the plate and the roofs. Whoever holds
 * it sees every face; the referee knows those that were reported. It follows the game by its
 * public events alone, and has the geometry once more, apart from the rules.
 *
 * A struct box is plain data and belongs to whoever declared it. Squares are numbered a1 b1 ..
 * g7 from 0 to 48, sets of tiles have a bit each.
 */
#ifndef TESTS_SUPPORT_BOX_H
#define TESTS_SUPPORT_BOX_H

#include <jansson.h>
#include <stdbool.h>

#include "tests/support/seeded.h"

enum { BOX_SQUARES = 49, BOX_TILES = 34, BOX_FACES = 9 };

struct box {
    uint8_t face[BOX_TILES]; /* by tile */
    int tile[BOX_SQUARES];   /* -1: no floor tile there */
    int spare;
    int room[BOX_SQUARES]; /* -1: a tower */
    bool open[BOX_SQUARES];
    bool strict;      /* views forget what is covered again */
    uint64_t told;    /* tiles that were ever reported, the first spare too */
    uint64_t lit;     /* brought to light by the shift that was the last move */
    json_t *openings; /* by seq of the event: what it brought to light, as a set; owned */
};

/* Lays the tiles by chance but for the spare; `layout` is "A" or "B" or a list of rooms. */
void box_lay(struct box *box, const char *spare, json_t *layout, bool strict,
             struct seeded *seeded);
void box_done(struct box *box);

const char *box_face(const struct box *box, int tile);
const char *box_face_name(int face);
const char *box_square(int square);
int box_find(const char *square);
bool box_floor(int square);

/* Tiles that lie open now, the spare too; and those whose face views may tell. */
uint64_t box_visible(const struct box *box);
uint64_t box_known(const struct box *box);

/* Adds to an uncover or a shift what must be told with it, by the truth; `all` tells besides
 * what may be told. */
void box_report(const struct box *box, json_t *move, bool all);

/* Pushes the spare in at a slot. */
void box_slide(struct box *box, const char *slot);

/* Moves tiles and roofs as an answer's events say, and notes what came to light. */
void box_follow(struct box *box, json_t *events);

#endif
