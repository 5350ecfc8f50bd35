#include "tests/unit/rules/test_roquefort.h"

/* Each tile's face is the number of its place, so that a view tells which it shows. */
static struct rq_state numbered(uint8_t memory)
{
    struct rq_state s = castle(RQ_CHATEAU, 2);

    s.memory = memory;
    s.open = 0;
    for (uint8_t i = 0; i < RQ_TILES; i++)
        s.face[i] = i;
    return s;
}

/* Each room of each layout open alone: its faces and the spare are seen, by all alike. */
static void only_what_lies_open(void **state)
{
    (void)state;
    for (unsigned layout = 0; layout < 2; layout++)
        for (uint8_t square = 0; square < RQ_SQUARES; square++)
            for (unsigned viewer = 0; viewer < 3; viewer++) {
                struct rq_state s = numbered(RQ_STRICT);
                struct rq_view view;

                memcpy(s.room, rq_layouts[layout], sizeof s.room);
                s.open = rq_room_squares(s.room, square);
                rq_ruleset.observe(&s, viewer < 2 ? (uint8_t)viewer : NO_SEAT, &view);
                for (unsigned i = 0; i < RQ_SQUARES; i++)
                    if (rq_place[i] != RQ_NO_SQUARE)
                        assert_int_equal(view.face[rq_place[i]],
                                         s.open & rq_bit(i) ? rq_place[i] : RQ_UNKNOWN);
                assert_int_equal(view.face[RQ_SPARE], RQ_SPARE);
                assert_memory_equal(view.tile, s.tile, sizeof s.tile);
            }
}

/* With an open memory a tile seen once is told wherever it has been pushed. */
static void memory(void **state)
{
    (void)state;
    for (uint8_t kind = RQ_STRICT; kind <= RQ_OPEN; kind++) {
        struct rq_state s = numbered(kind);
        struct rq_view view;

        memset(s.face, RQ_BLANK, sizeof s.face);
        put_mouse(&s, 0, 0);
        put_mouse(&s, 1, 48);
        play(&s, RQ_UNCOVER, 0, at("b1"));
        play(&s, RQ_SHIFT, 0, 3); /* Sb: the tile of b1 comes under the roof of b2 */
        play(&s, RQ_END_TURN, 0, 0);
        rq_ruleset.observe(&s, 1, &view);
        assert_int_equal(view.tile[rq_place[at("b2")]], rq_place[at("b1")]);
        assert_int_equal(view.face[rq_place[at("b2")]],
                         kind == RQ_OPEN ? RQ_BLANK : RQ_UNKNOWN);
        assert_int_equal(view.face[rq_place[at("b1")]],
                         kind == RQ_OPEN ? RQ_BLANK : RQ_UNKNOWN);
        assert_int_equal(view.face[rq_place[at("d1")]], RQ_UNKNOWN);
    }
}

/* What a shift brings into sight is remembered, and the spare of the deal, too. */
static void memory_of_shifts(void **state)
{
    struct options options = castle_options(RQ_CHATEAU, 2);
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .size = RQ_TILES, .tries = 1000};
    struct effects effects;
    struct rq_state s;
    struct rq_view view;

    (void)state;
    options.value[RQ_MEMORY] = RQ_OPEN;
    rq_ruleset.begin(&s, &options);
    for (uint8_t i = 0; i < RQ_TILES; i++)
        event.data[i] = (uint8_t)(RQ_TILES - 1 - i); /* trapdoors, blanks, cheeses */
    match_play(&rq_ruleset, &s, &event, &effects);
    play(&s, RQ_ENTER, 0, 0);
    play(&s, RQ_ENTER, 0, 48);
    play(&s, RQ_SHIFT, 0, 3); /* Sb: b1 gets the spare, the tile of b7 falls out */
    play(&s, RQ_END_TURN, 0, 0);
    play(&s, RQ_SHIFT, 0, 3); /* and goes in after it */
    rq_ruleset.observe(&s, NO_SEAT, &view);
    assert_int_equal(view.tile[rq_place[at("b2")]], RQ_SPARE);
    assert_int_equal(view.face[rq_place[at("b2")]], RQ_BLANK);
    assert_int_equal(view.tile[rq_place[at("b1")]], rq_place[at("b7")]);
    assert_int_equal(view.face[rq_place[at("b1")]], s.face[rq_place[at("b7")]]);
    assert_int_equal(view.face[rq_place[at("b3")]], RQ_UNKNOWN);
}

static void all_is_open_at_the_end(void **state)
{
    struct rq_state s = numbered(RQ_STRICT);
    struct rq_view view;

    (void)state;
    s.outcome.reason = REASON_AGREED;
    rq_ruleset.observe(&s, NO_SEAT, &view);
    assert_true(view.over);
    for (uint8_t i = 0; i < RQ_TILES; i++)
        assert_int_equal(view.face[i], i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_lies_open),
        cmocka_unit_test(memory),
        cmocka_unit_test(memory_of_shifts),
        cmocka_unit_test(all_is_open_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
