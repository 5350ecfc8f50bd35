#include "rules/engarde/engarde.h"

#include <string.h>

#include "rules/engarde/internal.h"

enum { DO_STREHU = 1 << EG_DO_STREHU, KNIZIA = 1 << EG_KNIZIA, BOTH = DO_STREHU | KNIZIA };
enum { BOTH_SEATS = 1 << EG_LEFT | 1 << EG_RIGHT };

static const char *const seats[] = {"left", "right", NULL};

static const struct variant variants[] = {
    [EG_DO_STREHU] = {"do-strehu", {"Do střehu (club rules)", "Do střehu (klubová pravidla)"}},
    [EG_KNIZIA] = {"knizia", {"En garde (published rules)", "En garde (vydaná pravidla)"}},
};

static const char *const first_words[] = {"lot", "left", "right", NULL};
static const char *const after_words[] = {"last_attacker", "defender", NULL};
static const char *const counter_words[] = {"level", "none", NULL};
static const char *const level_words[] = {"basic", "standard", "advanced", NULL};

static const struct option options[EG_OPTIONS] = {
    [EG_OPTION_HITS_TO_LOSE] = {.name = "hits_to_lose",
                                .kind = OPTION_INT,
                                .variants = BOTH,
                                .min = 1,
                                .max = 9,
                                .preset = {5, 5},
                                .text = {"Hits received that lose the game.",
                                         "Kolik obdržených zásahů prohrává hru."}},
    [EG_OPTION_FIRST] = {.name = "first",
                         .kind = OPTION_WORD,
                         .variants = BOTH,
                         .max = 2,
                         .words = first_words,
                         .text = {"Who begins the first round.", "Kdo začíná první kolo."}},
    [EG_OPTION_AFTER_PARRY] = {.name = "after_parry",
                               .kind = OPTION_WORD,
                               .variants = DO_STREHU,
                               .max = 1,
                               .words = after_words,
                               .text = {"Who is on turn after a successful defence.",
                                        "Kdo je na tahu po úspěšné obraně."}},
    [EG_OPTION_COUNTERATTACK] = {.name = "counterattack",
                                 .kind = OPTION_WORD,
                                 .variants = DO_STREHU,
                                 .max = 1,
                                 .words = counter_words,
                                 .text = {"Whether a parry may exceed the attack.",
                                          "Zda smí odražení útok převýšit."}},
    [EG_OPTION_HAND] = {.name = "hand",
                        .kind = OPTION_INT,
                        .variants = BOTH,
                        .min = EG_HAND,
                        .max = EG_HAND,
                        .preset = {EG_HAND, EG_HAND},
                        .text = {"Cards in a full hand.", "Počet karet v plné ruce."}},
    [EG_OPTION_LEVEL] = {.name = "level",
                         .kind = OPTION_WORD,
                         .variants = KNIZIA,
                         .max = 2,
                         .words = level_words,
                         .preset = {0, EG_ADVANCED},
                         .text = {"How much of the game is played.",
                                  "Jak velká část hry se hraje."}},
};

static const struct ruling rulings[EG_RULINGS] = {
#define RULING(name, id, variants, english, czech) [name] = {id, {english, czech}, variants},
#include "rules/engarde/rulings.def"
#undef RULING
};

static const struct refusal refusals[EG_REFUSALS] = {
#define REFUSAL(name, ruling, code, english, czech)                                            \
    [EG_##name] = {ruling, code, {english, czech}},
#include "rules/engarde/refusals.def"
#undef REFUSAL
};

static void eg_begin(void *ret_state, const struct options *chosen)
{
    struct eg_state state = {
        .outcome = {.winner = NO_SEAT},
        .variant = chosen->variant,
        .hits_to_lose = (uint8_t)chosen->value[EG_OPTION_HITS_TO_LOSE],
        .turn = NO_SEAT,
        .field = {1, EG_FIELDS},
        .hit = NO_SEAT,
        .table = chosen->custody == CUSTODY_TABLE,
    };
    int first = chosen->value[EG_OPTION_FIRST];

    /* EG-12, EK-1 */
    state.starter = first ? (uint8_t)(first - 1) : NO_SEAT;
    if (chosen->variant == EG_DO_STREHU) {
        state.defender_next = chosen->value[EG_OPTION_AFTER_PARRY] != 0;
        state.counterattack = chosen->value[EG_OPTION_COUNTERATTACK] == 0;
    } else {
        state.level = (uint8_t)chosen->value[EG_OPTION_LEVEL];
    }
    memcpy(ret_state, &state, sizeof state);
}

static const struct awaiting moves_of[EG_SEATS] = {
    [EG_LEFT] = {.what = AWAIT_MOVE, .seats = 1 << EG_LEFT},
    [EG_RIGHT] = {.what = AWAIT_MOVE, .seats = 1 << EG_RIGHT},
};

/* Both may show, the first to correct himself, until the second hand is accepted: so there is
 * always one that has not shown. */
static struct awaiting await_shows(const struct eg_state *s)
{
    struct awaiting awaiting = {.what = AWAIT_MOVE};

    for (size_t seat = 0; seat < EG_SEATS; seat++)
        if (s->shows[seat] < EG_SHOWS_MAX)
            awaiting.seats = (uint8_t)(awaiting.seats | 1U << seat);
    return awaiting;
}

struct awaiting eg_awaits(const void *state)
{
    const struct eg_state *s = state;

    if (eg_in_play(s))
        return eg_showing(s) ? await_shows(s) : moves_of[s->turn];
    if (s->outcome.reason != REASON_NONE)
        return (struct awaiting){.what = AWAIT_NOTHING};
    if (s->starter == NO_SEAT)
        return (struct awaiting){.what = AWAIT_LOT, .seats = BOTH_SEATS};
    return (struct awaiting){.what = AWAIT_DEAL, .cards = s->table ? 0 : EG_CARDS};
}

static struct outcome eg_result(const void *state)
{
    const struct eg_state *s = state;

    return s->outcome;
}

static const struct refusal *eg_name(ruling_t ruling)
{
    return &refusals[ruling < EG_REFUSALS ? ruling : EG_REFUSE_WRONG_TIME];
}

bool eg_opens_hands(uint8_t ruling)
{
    return ruling == EG_9 || ruling == EG_10 || ruling == EK_7;
}

const struct ruleset eg_ruleset = {
    .id = "engarde",
    .title = {"En garde", "Do střehu"},
    .seats = seats,
    .seats_min = EG_SEATS,
    .seats_max = EG_SEATS,
    .custodies = 1 << CUSTODY_REFEREE | 1 << CUSTODY_TABLE,
    .turn_ruling = "EG-3",
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .options = options,
    .option_count = EG_OPTIONS,
    .rulings = rulings,
    .ruling_count = EG_RULINGS,
    .refusals = refusals,
    .refusal_count = EG_REFUSALS,
    .state_size = sizeof(struct eg_state),
    .view_size = sizeof(struct eg_view),
    .begin = eg_begin,
    .awaits = eg_awaits,
    .judge = eg_judge,
    .play = eg_play,
    .legal = eg_legal,
    .observe = eg_observe,
    .check = eg_check,
    .result = eg_result,
    .name = eg_name,
};
