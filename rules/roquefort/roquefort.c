#include "rules/roquefort/internal.h"

#include <string.h>

const char *const rq_seats[SEATS_MAX + 1] = {"yellow", "red", "blue", "green", NULL};

const char *const rq_faces[RQ_FACES + 1] = {
    "blank",     "emmental", "gouda", "edam",     "roquefort",
    "camembert", "cheddar",  "brie",  "trapdoor", NULL,
};

static const char *const firsts[] = {"lot", "yellow", "red", "blue", "green", NULL};
static const char *const memories[] = {"strict", "open", NULL};

static const struct variant variants[] = {
    [RQ_CHATEAU] = {"chateau-roquefort", {"Chateau Roquefort", "Chateau Roquefort"}},
    [RQ_APPENZELL] = {"burg-appenzell", {"Burg Appenzell", "Burg Appenzell"}},
};

enum { BOTH = 1 << RQ_CHATEAU | 1 << RQ_APPENZELL };

static const struct option options[RQ_OPTIONS] = {
    [RQ_CHEESES_TO_WIN] = {.name = "cheeses_to_win",
                           .kind = OPTION_INT,
                           .variants = BOTH,
                           .min = 4,
                           .max = 6,
                           .preset = {4, 4},
                           .text = {"Different cheeses that win (CR-12).",
                                    "Kolik různých sýrů vyhrává (CR-12)."}},
    [RQ_FIRST] = {.name = "first",
                  .kind = OPTION_WORD,
                  .variants = BOTH,
                  .max = 4,
                  .words = firsts,
                  .text = {"Who begins (CR-1).", "Kdo začíná (CR-1)."}},
    [RQ_ROOMS] = {.name = "rooms",
                  .kind = OPTION_PLATE,
                  .variants = BOTH,
                  .min = RQ_LAYOUT_A,
                  .max = RQ_LAYOUT_OWN,
                  .preset = {RQ_LAYOUT_A, RQ_LAYOUT_A},
                  .text = {"The plate: A, B (both reconstructions), or a list of rooms.",
                           "Rozložení místností: A, B (obě rekonstrukce), nebo seznam "
                           "místností."}},
    [RQ_MEMORY] = {.name = "memory",
                   .kind = OPTION_WORD,
                   .variants = BOTH,
                   .max = 1,
                   .words = memories,
                   .preset = {RQ_STRICT, RQ_STRICT},
                   .text = {"Whether views go on telling faces once seen (open) or not "
                            "(strict).",
                            "Zda pohledy dál ukazují, co už bylo vidět (open), nebo ne "
                            "(strict)."}},
    [RQ_FIRST_SPARE] =
        {.name = "spare",
         .kind = OPTION_WORD,
         .variants = BOTH,
         .min = RQ_BLANK,
         .max = RQ_TRAPDOOR,
         .words = rq_faces,
         .preset = {RQ_BLANK, RQ_BLANK},
         .text = {"A real table: the face of the tile that lies beside the castle.",
                  "Skutečný stůl: co je na dílku, který zbyl vedle hradu."},
         .custodies = 1 << CUSTODY_TABLE},
};

static const struct ruling rulings[] = {
#define RULING(name, id, english, czech, holds) [name] = {id, {english, czech}, holds},
#include "rules/roquefort/rulings.def"
#undef RULING
};

static const struct refusal refusals[] = {
#define REFUSAL(name, ruling, code, english, czech)                                            \
    [RQ_##name] = {ruling, code, {english, czech}},
#include "rules/roquefort/refusals.def"
#undef REFUSAL
};

static void begin(void *ret_state, const struct options *given)
{
    struct rq_state *s = ret_state;
    int first = given->value[RQ_FIRST] - 1;

    memset(s, 0, sizeof *s);
    s->outcome.winner = NO_SEAT;
    s->variant = given->variant;
    s->players = given->players;
    s->to_win = (uint8_t)given->value[RQ_CHEESES_TO_WIN];
    s->memory = (uint8_t)given->value[RQ_MEMORY];
    s->layout = given->plate_given ? RQ_LAYOUT_OWN : (uint8_t)given->value[RQ_ROOMS];
    memcpy(s->room, given->plate_given ? given->plate : rq_layouts[s->layout == RQ_LAYOUT_B],
           sizeof s->room);
    for (uint8_t i = 0; i < RQ_TILES; i++)
        s->tile[i] = i;
    memset(s->face, RQ_UNKNOWN, sizeof s->face);
    memset(s->lit, RQ_NO_SQUARE, sizeof s->lit);
    s->custody = given->custody;
    if (s->custody == CUSTODY_TABLE)
        s->face[RQ_SPARE] = (uint8_t)given->value[RQ_FIRST_SPARE];
    for (unsigned seat = 0; seat < s->players; seat++)
        s->reserve[seat] = RQ_MICE;
    s->stage = RQ_LOT;
    s->first = NO_SEAT;
    s->turn = NO_SEAT;
    if (first < 0 || first >= s->players)
        return;
    s->first = s->turn = (uint8_t)first;
    s->stage = RQ_DEAL;
}

struct awaiting rq_awaits(const void *state)
{
    const struct rq_state *s = state;
    uint8_t in = (uint8_t)(((1U << s->players) - 1) & ~(unsigned)s->out);

    if (s->outcome.reason != REASON_NONE)
        return (struct awaiting){.what = AWAIT_NOTHING};
    if (s->stage == RQ_LOT)
        return (struct awaiting){.what = AWAIT_LOT, .seats = in};
    if (s->stage == RQ_DEAL)
        return (struct awaiting){.what = AWAIT_DEAL,
                                 .cards = s->custody == CUSTODY_TABLE ? 0 : RQ_TILES};
    return (struct awaiting){.what = AWAIT_MOVE, .seats = (uint8_t)(1 << s->turn)};
}

static struct outcome result(const void *state)
{
    return ((const struct rq_state *)state)->outcome;
}

static const struct refusal *name(ruling_t ruling)
{
    return &refusals[ruling < RQ_REFUSALS ? ruling : RQ_BAD_FORM];
}

const struct ruleset rq_ruleset = {
    .id = "roquefort",
    .title = {"Chateau Roquefort", "Chateau Roquefort"},
    .seats = rq_seats,
    .seats_min = 2,
    .seats_max = SEATS_MAX,
    .custodies = 1 << CUSTODY_REFEREE | 1 << CUSTODY_TABLE,
    .turn_ruling = "CR-2",
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .options = options,
    .option_count = RQ_OPTIONS,
    .rulings = rulings,
    .ruling_count = RQ_RULINGS,
    .refusals = refusals,
    .refusal_count = RQ_REFUSALS,
    .state_size = sizeof(struct rq_state),
    .view_size = sizeof(struct rq_view),
    .drops_out = true,
    .begin = begin,
    .awaits = rq_awaits,
    .judge = rq_judge,
    .play = rq_play,
    .legal = rq_legal,
    .observe = rq_observe,
    .check = rq_check,
    .result = result,
    .name = name,
};
