/* Boards for the tests of rules/stratego, put down square by square. */
#ifndef TESTS_UNIT_RULES_STRATEGO_BOARD_H
#define TESTS_UNIT_RULES_STRATEGO_BOARD_H

#include <string.h>

#include "rules/match.h"
#include "rules/rulesets.h"
#include "rules/stratego/stratego.h"

enum { RED, BLUE };

/* Ranks by their bytes, as the test writes them down itself. */
enum { FLAG, SPY, SCOUT, MINER, GUNNER, CORPORAL, CADET, CAPTAIN, GENERAL, MARSHAL, MINE };
enum { C_SERGEANT = 4, C_CAPTAIN = 6, C_MAJOR, C_COLONEL, C_GENERAL, C_MARSHAL, C_BOMB };

static inline uint8_t cell_at(int file, int row) /* 0..9 both */
{
    return (uint8_t)((row + 1) * ST_WIDTH + file);
}

static inline uint8_t cell_of(const char *square)
{
    int row = square[2] ? 10 : square[1] - '0';

    return cell_at(square[0] - 'a', row - 1);
}

static inline struct options board_options(uint8_t variant)
{
    struct options options;

    ruleset_presets(&st_ruleset, variant, &options);
    return options;
}

/* An empty board with only the flags on b1 and i10. */
static inline struct st_state board_with(const struct options *options, uint8_t turn)
{
    struct st_state s;

    st_ruleset.begin(&s, options);
    st_put(&s, RED, cell_of("b1"), FLAG);
    st_put(&s, BLUE, cell_of("i10"), FLAG);
    st_resume(&s, turn);
    return s;
}

static inline struct st_state board(uint8_t variant, uint8_t turn)
{
    struct options options = board_options(variant);

    return board_with(&options, turn);
}

static inline void put(struct st_state *s, uint8_t side, const char *square, uint8_t rank)
{
    st_put(s, side, cell_of(square), rank);
}

static inline struct event move_cells(const struct st_state *s, uint8_t from, uint8_t to)
{
    struct event event = {.kind = EVENT_MOVE, .seat = s->turn, .size = 2};

    event.data[0] = from;
    event.data[1] = to;
    return event;
}

static inline ruling_t judged(const struct st_state *s, const char *from, const char *to)
{
    struct event event = move_cells(s, cell_of(from), cell_of(to));

    return match_judge(&st_ruleset, s, &event);
}

/* Plays it if it is allowed; says what judge() said. */
static inline ruling_t played(struct st_state *s, const char *from, const char *to)
{
    struct event event = move_cells(s, cell_of(from), cell_of(to));
    struct effects effects;
    ruling_t ruling = match_judge(&st_ruleset, s, &event);

    if (!ruling)
        match_play(&st_ruleset, s, &event, &effects);
    return ruling;
}

#endif
