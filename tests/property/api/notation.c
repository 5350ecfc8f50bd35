/* Games by chance in every variant and custody: each legal move and each position, written and
 * read again, is the same; a text cut short or with one character changed is never taken for
 * more than it says. A failure prints the text and the seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/cleanup.h"
#include "api/codec.h"
#include "api/limits.h"
#include "api/notation.h"
#include "rules/rulesets.h"
#include "tests/support/table.h"

enum { GAMES = 12, PLIES = 120, LISTED = 600 };

static const struct notation *notation;
static const struct codec *codec;
static struct options options;
static uint64_t seed;
static _Alignas(16) uint8_t state[PERFT_STATE_MAX];

static char *moved(const struct event *event)
{
    struct out out = {0};

    notation->write_move(&out, event);
    char *text = out_take(&out, NULL);
    assert_non_null(text);
    return text;
}

static void fails(const char *what, const char *text)
{
    fail_msg("%s: \"%s\", %s %s custody %d, seed %llu", what, text, notation->rules->id,
             notation->rules->variants[options.variant].id, options.custody,
             (unsigned long long)seed);
}

/* What is read must be written as it stood, or else not be read at all. */
static void is_taken_at_its_word(char *text)
{
    struct misread misread = {0};
    struct event event = {0};

    if (!notation->read_move(text, state, &event, &misread)) {
        if (misread.at > strlen(text) || !*misread.what)
            fails("no place", text);
        return;
    }
    autofree char *again = moved(&event);
    struct event same = {0};
    if (!notation->read_move(again, state, &same, &misread) || same.size != event.size ||
        memcmp(same.data, event.data, event.size) != 0)
        fails(again, text);
}

static void spoil(const char *text, struct seeded *chance)
{
    static const char junk[] = "+-x=*?^.,:/ 0123456789abcghjkNSWE\x80";
    char spoiled[MOVE_TEXT_MAX + 1];
    size_t size = strlen(text);

    assert_true(size <= MOVE_TEXT_MAX);
    memcpy(spoiled, text, size + 1);
    size_t at = seeded_below(chance, (uint32_t)size);
    spoiled[at] = junk[seeded_below(chance, sizeof junk - 1)];
    is_taken_at_its_word(spoiled);
    spoiled[at] = '\0';
    is_taken_at_its_word(spoiled);
}

static void there_and_back(const struct event *event, struct seeded *chance)
{
    autofree char *text = moved(event);
    struct misread misread;
    struct event read = {0};

    if (!notation->read_move(text, state, &read, &misread))
        fails(misread.what, text);
    if (read.kind != EVENT_MOVE || read.size != event->size ||
        memcmp(read.data, event->data, event->size) != 0)
        fails("another move", text);
    spoil(text, chance);
}

/* Positions that can be posted: all is known in them. */
static void position_there_and_back(void)
{
    static _Alignas(16) uint8_t read[PERFT_STATE_MAX];
    struct out out = {0}, again = {0};
    struct misread misread;
    struct options given = options;

    notation->write_state(&out, state);
    autofree char *text = out_take(&out, NULL);
    if (strlen(text) > POSITION_TEXT_MAX)
        fails("too long", text);
    if (!notation->read_state(text, &given, read, &misread))
        fails(misread.what, text);
    if (notation->rules->check(read) != ALLOWED)
        fails(notation->rules->name(notation->rules->check(read))->text[0], text);
    notation->write_state(&again, read);
    autofree char *second = out_take(&again, NULL);
    if (strcmp(text, second) != 0)
        fails(second, text);
    assert_int_equal(codec->turn(read), codec->turn(state));
}

/* The faces of a real table, by chance: what must be told with a move is. */
static void tell(struct event *event, struct seeded *chance)
{
    uint8_t faces[64];

    for (size_t i = 0; i < sizeof faces; i++)
        faces[i] = (uint8_t)seeded_below(chance, 9);
    if (options.custody == CUSTODY_TABLE && codec->fill)
        codec->fill(state, faces, event);
}

static void play_one(void)
{
    struct event *moves = calloc(LISTED, sizeof *moves);
    struct seeded chance = {seed};
    struct effects effects;

    assert_non_null(moves);
    for (int ply = 0; ply < PLIES; ply++) {
        if (!perft_chance(notation->rules, state, (uint32_t)seed + (uint32_t)ply))
            fails("no deal", "");
        if (notation->rules->awaits(state).what != AWAIT_MOVE)
            break;
        size_t count = perft_moves(notation->rules, state, moves, LISTED);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            tell(&moves[i], &chance);
            there_and_back(&moves[i], &chance);
        }
        if (options.custody == CUSTODY_REFEREE)
            position_there_and_back();
        struct event *move = &moves[seeded_below(&chance, (uint32_t)count)];
        if (match_judge(notation->rules, state, move) == ALLOWED) /* by chance more is told
                                                                   * than can be */
            match_play(notation->rules, state, move, &effects);
    }
    free(moves);
}

/* A real table deals by itself. */
static bool open_table(void)
{
    struct effects effects;
    struct event deal = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1};

    if (options.custody != CUSTODY_TABLE)
        return table_open(notation->rules, &options, seed, state);
    int first = ruleset_option(notation->rules, "first");
    options.value[first] = 1;
    notation->rules->begin(state, &options);
    while (notation->rules->awaits(state).what == AWAIT_DEAL)
        match_play(notation->rules, state, &deal, &effects);
    return notation->rules->awaits(state).what == AWAIT_MOVE;
}

static void every_move_reads_back(void **arg)
{
    (void)arg;
    for (size_t game = 0; game < ruleset_count; game++)
        for (uint8_t variant = 0; variant < rulesets[game]->variant_count; variant++)
            for (seed = 1; seed <= GAMES; seed++) {
                notation = notation_of(rulesets[game]);
                codec = codec_of(rulesets[game]);
                ruleset_presets(rulesets[game], variant, &options);
                bool table = rulesets[game]->custodies >> CUSTODY_TABLE & 1 && seed % 3 == 0;
                options.custody = table ? CUSTODY_TABLE : CUSTODY_REFEREE;
                if (rulesets[game]->seats_max > 2)
                    options.players = (uint8_t)(2 + seed % 3);
                assert_true(open_table());
                play_one();
            }
}

/* Set-ups and deals are told by letters. */
static void setups_and_deals_read_back(void **arg)
{
    struct seeded chance = {7};
    struct misread misread;

    (void)arg;
    for (uint8_t variant = 0; variant < ST_VARIANTS; variant++)
        for (uint8_t seat = 0; seat < ST_SEATS; seat++) {
            struct event event = table_setup(variant, seat, &chance), read = {0};
            struct out out = {0};
            ruleset_presets(&st_ruleset, variant, &options);
            st_notation.write_setup(&out, &event);
            autofree char *text = out_take(&out, NULL);
            assert_true(st_notation.read_setup(text, &options, seat, &read, &misread));
            assert_int_equal(read.size, event.size);
            assert_memory_equal(read.data, event.data, event.size);
        }
    for (size_t game = 0; game < ruleset_count; game++)
        for (int i = 0; i < 200 && notation_of(rulesets[game])->read_deal; i++) {
            const struct notation *of = notation_of(rulesets[game]);
            struct event event = {.kind = EVENT_DEAL, .tries = 1000}, read;
            struct out out = {0}, again = {0};
            event.size = game == 0 ? 25 : 34;
            seeded_permutation(&chance, event.data, event.size);
            of->write_deal(&out, &event);
            autofree char *text = out_take(&out, NULL);
            assert_true(of->read_deal(text, &read, &misread));
            of->write_deal(&again, &read);
            autofree char *second = out_take(&again, NULL);
            assert_string_equal(text, second);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_reads_back),
        cmocka_unit_test(setups_and_deals_read_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
