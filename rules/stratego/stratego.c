#include "rules/stratego/stratego.h"

#include "rules/stratego/internal.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct st_state) == 616, "a state has no padding");
static_assert(sizeof(struct st_action) <= EFFECT_DATA_MAX, "an action fits into an effect");
static_assert(sizeof(struct st_setup) <= EVENT_DATA_MAX, "a set-up fits into an event");

const int8_t st_steps[4] = {ST_WIDTH, -ST_WIDTH, 1, -1};

const struct st_rules st_families[ST_FAMILIES] = {
    [ST_HOUSE] = {.ranks = 11,
                  .diagonal = true,
                  .dead_draw = true,
                  .ruling_flag = ST_RULING_ST12},
    [ST_CLASSIC] = {.ranks = 12,
                    .lakes = true,
                    .shows_both = true,
                    .ruling_flag = ST_RULING_SC5},
};

/* ST-7 ST-8 ST-9 ST-10 SC-4 */
const char *const st_combat[ST_FAMILIES][ST_RANKS] = {
#define COMBAT(family, attacker, row) [family][attacker] = row,
#include "rules/stratego/combat.def"
#undef COMBAT
};

const uint8_t st_counts[ST_VARIANTS][ST_RANKS] = {
#define VARIANT(name, id, en, cs, family, ...) [name] = __VA_ARGS__,
#include "rules/stratego/variants.def"
#undef VARIANT
};

const uint8_t st_family_of[ST_VARIANTS] = {
#define VARIANT(name, id, en, cs, family, ...) [name] = family,
#include "rules/stratego/variants.def"
#undef VARIANT
};

static const struct variant variants[ST_VARIANTS] = {
#define VARIANT(name, id, en, cs, family, ...) [name] = {id, {en, cs}},
#include "rules/stratego/variants.def"
#undef VARIANT
};

static const char *const rank_names[ST_FAMILIES][ST_RANKS] = {
#define RANK(family, rank, id, en, cs) [family][rank] = id,
#include "rules/stratego/ranks.def"
#undef RANK
};

enum {
    ALL = (1 << ST_VARIANTS) - 1,
    HOUSE = 1 << ST_MARSAL_A_SPION,
    CLASSIC = ALL & ~HOUSE,
};

static const struct ruling rulings[ST_RULINGS] = {
#define RULING(name, id, en, cs, variants) [ST_RULING_##name] = {id, {en, cs}, variants},
#include "rules/stratego/rulings.def"
#undef RULING
};

static const struct refusal refusals[ST_REFUSALS] = {
#define REFUSAL(name, ruling, code, en, cs) [ST_##name] = {ruling, code, {en, cs}},
#include "rules/stratego/refusals.def"
#undef REFUSAL
};

static const char *const seats[] = {"red", "blue", NULL};
static const char *const words_first[] = {"lot", "red", "blue", NULL};
static const char *const words_told[] = {"moves", "combats", NULL};
static const char *const words_captives[] = {"hidden", "shown", NULL};

/* By variant: the lot in marsal-a-spion (ST-2), red in all others (SC-3). */
static const struct option options[ST_OPTIONS] = {
    [ST_OPTION_FIRST] = {.name = "first",
                         .kind = OPTION_WORD,
                         .variants = ALL,
                         .max = 2,
                         .words = words_first,
                         .preset = {0, 1, 1, 1, 1, 1},
                         .text = {"Who begins", "Kdo začíná"}},
    [ST_OPTION_CAPTIVES] = {.name = "captives",
                            .kind = OPTION_WORD,
                            .variants = HOUSE,
                            .max = 1,
                            .words = words_captives,
                            .text = {"Whether the captor sees what he captured",
                                     "Zda vítěz vidí, koho zajal"}},
    [ST_OPTION_TWO_SQUARE] =
        {.name = "two_square",
         .kind = OPTION_INT,
         .variants = CLASSIC,
         .max = 5,
         .preset = {[ST_ISF] = 3},
         .text = {"Two-square rule: crossings of a border in a row, 0 for any",
                  "Pravidlo dvou polí: přechodů hranice po sobě, 0 bez "
                  "omezení"}},
    [ST_OPTION_MORE_SQUARE] = {.name = "more_square",
                               .kind = OPTION_SWITCH,
                               .variants = CLASSIC,
                               .max = 1,
                               .preset = {[ST_ISF] = 1},
                               .text = {"More-square rule against continuous chases",
                                        "Pravidlo více polí proti nepřetržitému "
                                        "pronásledování"}},
    [ST_OPTION_PLY_LIMIT] = {.name = "ply_limit",
                             .kind = OPTION_INT,
                             .variants = CLASSIC,
                             .max = INT16_MAX,
                             .text = {"Drawn after more plies than this, 0 for never",
                                      "Remíza po více tazích než tolika, 0 nikdy"}},
    [ST_OPTION_QUIET_LIMIT] = {.name = "quiet_limit",
                               .kind = OPTION_INT,
                               .variants = CLASSIC,
                               .max = INT16_MAX,
                               .text = {"Drawn after more plies without combat, 0 for never",
                                        "Remíza po více tazích bez boje, 0 nikdy"}},
    [ST_OPTION_TOLD] = {.name = "told",
                        .kind = OPTION_WORD,
                        .variants = ALL,
                        .max = 1,
                        .words = words_told,
                        .text = {"What the referee is told: every move, or combats only, the "
                                 "board being on the table",
                                 "Co se rozhodčímu říká: každý tah, nebo jen souboje, když je "
                                 "deska na stole"},
                        .custodies = 1 << CUSTODY_REFEREE,
                        .apart = true},
};

const char *st_rank_name(uint8_t variant, uint8_t rank)
{
    return rank < ST_RANKS ? rank_names[st_family_of[variant]][rank] : NULL;
}

/* SC-1: c5 d5 c6 d6 and g5 h5 g6 h6. */
bool st_lake(uint8_t variant, uint8_t cell)
{
    uint8_t row = cell / ST_WIDTH, file = cell % ST_WIDTH;

    return st_families[st_family_of[variant]].lakes && (row == 5 || row == 6) &&
           (file == 2 || file == 3 || file == 6 || file == 7);
}

/* The board as it is before anything stands on it. */
static void lay_out(struct st_state *s)
{
    for (uint8_t cell = 0; cell < ST_CELLS; cell++) {
        bool open = st_on_board(cell) && !st_lake(s->variant, cell);

        s->board[cell] = open ? ST_EMPTY : ST_WALL;
    }
}

static void begin(void *ret_state, const struct options *chosen)
{
    struct st_state *s = ret_state;
    int16_t first = chosen->value[ST_OPTION_FIRST];

    memset(s, 0, sizeof *s);
    s->outcome.winner = NO_SEAT;
    s->variant = chosen->variant;
    s->family = st_family_of[chosen->variant];
    s->turn = NO_SEAT;
    s->first = first ? (uint8_t)(first - 1) : NO_SEAT;
    s->shown = chosen->value[ST_OPTION_CAPTIVES] != 0;
    s->two_square = (uint8_t)chosen->value[ST_OPTION_TWO_SQUARE];
    s->more_square = chosen->value[ST_OPTION_MORE_SQUARE] != 0;
    s->ply_limit = (uint16_t)chosen->value[ST_OPTION_PLY_LIMIT];
    s->quiet_limit = (uint16_t)chosen->value[ST_OPTION_QUIET_LIMIT];
    s->blind = chosen->custody == CUSTODY_PLAYERS;
    s->combats = chosen->value[ST_OPTION_TOLD] != 0;
    memset(s->rank, ST_NONE, sizeof s->rank);
    lay_out(s);
}

struct awaiting st_awaits(const void *state)
{
    const struct st_state *s = state;
    uint8_t both = (1 << ST_SEATS) - 1;

    if (s->outcome.reason != REASON_NONE)
        return (struct awaiting){.what = AWAIT_NOTHING};
    if (s->ready != both)
        return (struct awaiting){.what = AWAIT_SETUP, .seats = both & (uint8_t)~s->ready};
    if (s->turn == NO_SEAT)
        return (struct awaiting){.what = AWAIT_LOT, .seats = both}; /* ST-2 */
    if (s->claim || s->from != ST_NOWHERE)
        return (struct awaiting){.what = AWAIT_OPEN, .seats = (uint8_t)(1 << !s->turn)};
    if (s->combats) /* whose turn it is only the table knows */
        return (struct awaiting){.what = AWAIT_MOVE, .seats = both};
    return (struct awaiting){.what = AWAIT_MOVE, .seats = (uint8_t)(1 << s->turn)};
}

static struct outcome result(const void *state)
{
    return ((const struct st_state *)state)->outcome;
}

static const struct refusal *name(ruling_t ruling)
{
    return &refusals[ruling < ST_REFUSALS ? ruling : ST_FLAWED];
}

const struct ruleset st_ruleset = {
    .id = "stratego",
    .title = {"Stratego / Marshal and spy", "Stratego / Maršál a špión"},
    .seats = seats,
    .seats_min = ST_SEATS,
    .seats_max = ST_SEATS,
    .custodies = 1 << CUSTODY_REFEREE | 1 << CUSTODY_PLAYERS,
    .turn_ruling = "ST-2",
    .variants = variants,
    .variant_count = ST_VARIANTS,
    .options = options,
    .option_count = ST_OPTIONS,
    .rulings = rulings,
    .ruling_count = ST_RULINGS,
    .refusals = refusals,
    .refusal_count = ST_REFUSALS,
    .state_size = sizeof(struct st_state),
    .view_size = sizeof(struct st_view),
    .begin = begin,
    .awaits = st_awaits,
    .judge = st_judge,
    .play = st_play,
    .legal = st_legal,
    .observe = st_observe,
    .check = st_check,
    .result = result, /* ST-15: resignation, time and agreement are match.c's */
    .name = name,
};
