/* Table custody: what the players tell of the tiles, and what the referee makes of it. */
#include "tests/unit/rules/test_roquefort.h"

static const uint8_t box[RQ_FACES] = {10, 3, 3, 3, 3, 3, 3, 3, 3};

/* A castle in play whose tiles nobody has seen but the spare, which is blank; all roofs on,
 * yellow on a1, red on g7. */
static struct rq_state at_table(uint8_t variant, uint8_t players)
{
    struct rq_state s = castle(variant, players);

    s.custody = CUSTODY_TABLE;
    s.open = 0;
    memset(s.face, RQ_UNKNOWN, sizeof s.face);
    s.face[RQ_SPARE] = RQ_BLANK;
    put_mouse(&s, 0, 0);
    put_mouse(&s, 1, 48);
    return s;
}

/* Faces by tile that a box can have: the spare is blank. */
static void tiles(uint8_t ret_face[static RQ_TILES])
{
    for (uint8_t i = 0; i < RQ_TILES; i++)
        ret_face[i] = i < 21 ? (uint8_t)(1 + i / 3) : i < 24 ? RQ_TRAPDOOR : RQ_BLANK;
}

/* Opens the room of a square and knows what lies there. */
static void open_room(struct rq_state *s, uint8_t square, uint8_t face)
{
    uint64_t squares = rq_room_squares(s->room, square);

    s->open |= squares;
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (squares & rq_bit(i) && rq_place[i] != RQ_NO_SQUARE)
            *face_at(s, i) = face;
}

static struct event report_of(const struct rq_state *s, const struct rq_report *report)
{
    struct event event = {.kind = EVENT_MOVE, .seat = s->turn, .size = sizeof *report};

    memcpy(event.data, report, sizeof *report);
    return event;
}

static struct rq_report untold(uint8_t verb, uint8_t to)
{
    struct rq_report report;

    memset(&report, RQ_UNKNOWN, sizeof report);
    report.move = (struct rq_move){.verb = verb, .to = to};
    return report;
}

static ruling_t judged(const struct rq_state *s, const struct rq_report *report)
{
    struct event event = report_of(s, report);

    return match_judge(&rq_ruleset, s, &event);
}

static struct effects played(struct rq_state *s, const struct rq_report *report)
{
    struct event event = report_of(s, report);
    struct effects effects;

    assert_int_equal(match_judge(&rq_ruleset, s, &event), ALLOWED);
    match_play(&rq_ruleset, s, &event, &effects);
    return effects;
}

static void codes(void **state)
{
    static const struct {
        ruling_t refusal;
        const char *ruling, *code;
    } rows[] = {
        {RQ_UNTOLD_ROOM, "CR-4", "unknown_face"},     {RQ_SHOWN_OUTSIDE, "CR-4", "not_in_room"},
        {RQ_UNTOLD_SHIFT, "CR-8", "unknown_face"},    {RQ_UNTOLD_OUT, "CR-8", "unknown_face"},
        {RQ_SHOWN_COVERED, "CR-8", "covered"},        {RQ_OTHER_FACE, "CR-1", "contradiction"},
        {RQ_TOO_MANY_ALIKE, "CR-1", "contradiction"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(rq_ruleset.name(rows[i].refusal)->ruling, rows[i].ruling);
        assert_string_equal(rq_ruleset.name(rows[i].refusal)->code, rows[i].code);
    }
}

/* The option stands last, is the table's alone and gives the spare its face. */
static void the_spare(void **state)
{
    const struct option *option = &rq_ruleset.options[RQ_FIRST_SPARE];
    struct options options = castle_options(RQ_CHATEAU, 2);

    (void)state;
    assert_int_equal(RQ_FIRST_SPARE, rq_ruleset.option_count - 1);
    assert_in_range(rq_ruleset.option_count, 1, OPTIONS_MAX);
    assert_string_equal(option->name, "spare");
    assert_int_equal(option->custodies, 1 << CUSTODY_TABLE);
    assert_int_equal(option->variants, 3);
    assert_int_equal(option->max, RQ_FACES - 1);
    assert_null(option->words[RQ_FACES]);
    for (uint8_t custody = 0; custody < CUSTODIES; custody++)
        for (uint8_t face = 0; face < RQ_FACES; face++) {
            struct rq_state s;

            options.custody = custody;
            options.value[RQ_FIRST_SPARE] = face;
            rq_ruleset.begin(&s, &options);
            assert_int_equal(s.face[RQ_SPARE], custody == CUSTODY_TABLE ? face : RQ_UNKNOWN);
            for (unsigned i = 0; i < RQ_FLOORS; i++)
                assert_int_equal(s.face[i], RQ_UNKNOWN);
            assert_int_equal(rq_ruleset.check(&s),
                             custody == CUSTODY_PLAYERS ? RQ_BAD_FORM : ALLOWED);
        }
}

/* CR-1: the players lay the tiles, the referee learns nothing by it. */
static void the_deal(void **state)
{
    struct options options = castle_options(RQ_CHATEAU, 2);
    struct event event = {.kind = EVENT_DEAL, .seat = NO_SEAT, .tries = 1}, bad = event;
    struct effects effects;
    struct rq_state s;
    struct rq_view view;

    (void)state;
    options.custody = CUSTODY_TABLE;
    options.value[RQ_MEMORY] = RQ_OPEN;
    options.value[RQ_FIRST_SPARE] = 3;
    rq_ruleset.begin(&s, &options);
    assert_int_equal(rq_ruleset.awaits(&s).what, AWAIT_DEAL);
    assert_int_equal(rq_ruleset.awaits(&s).cards, 0);
    bad.tries = 2;
    assert_int_equal(match_judge(&rq_ruleset, &s, &bad), RQ_BAD_SHUFFLE);
    bad = (struct event){.kind = EVENT_DEAL, .seat = NO_SEAT, .size = RQ_TILES, .tries = 1};
    for (uint8_t i = 0; i < RQ_TILES; i++)
        bad.data[i] = i;
    assert_int_equal(match_judge(&rq_ruleset, &s, &bad), RQ_BAD_SHUFFLE);
    match_play(&rq_ruleset, &s, &event, &effects);
    assert_int_equal(effects.count, 0);
    assert_int_equal(rq_ruleset.check(&s), ALLOWED);
    assert_int_equal(rq_ruleset.awaits(&s).what, AWAIT_MOVE);
    rq_ruleset.observe(&s, NO_SEAT, &view);
    for (uint8_t i = 0; i < RQ_TILES; i++) {
        assert_int_equal(s.tile[i], i);
        assert_int_equal(view.face[i], i == RQ_SPARE ? 3 : RQ_UNKNOWN);
    }
    options.custody = CUSTODY_REFEREE;
    rq_ruleset.begin(&s, &options);
    assert_int_equal(rq_ruleset.awaits(&s).cards, RQ_TILES);
    assert_int_equal(match_judge(&rq_ruleset, &s, &event), RQ_BAD_SHUFFLE);
}

/* CR-4: for each room of both layouts a face for each floor square and for no other place. */
static void uncovering_a_room(struct rq_state s, uint8_t square)
{
    uint64_t squares = rq_room_squares(s.room, square);
    struct rq_report whole = untold(RQ_UNCOVER, square), other;
    uint8_t face[RQ_TILES];

    tiles(face);
    s.mice[0] = squares; /* beside it, if not as a mouse can stand */
    for (unsigned i = 0; i < RQ_SQUARES; i++)
        if (squares & rq_bit(i) && rq_place[i] != RQ_NO_SQUARE)
            whole.face[rq_place[i]] = face[rq_place[i]];
    assert_int_equal(judged(&s, &whole), ALLOWED);
    assert_int_equal(verdict(&s, RQ_UNCOVER, 0, square), RQ_UNTOLD_ROOM);
    for (unsigned place = 0; place < RQ_TILES; place++) {
        other = whole;
        other.face[place] = whole.face[place] == RQ_UNKNOWN ? RQ_TRAPDOOR : RQ_UNKNOWN;
        assert_int_equal(judged(&s, &other),
                         whole.face[place] == RQ_UNKNOWN ? RQ_SHOWN_OUTSIDE : RQ_UNTOLD_ROOM);
        /* That the referee knows it is no reason not to tell. */
        s.face[place] = face[place];
        assert_int_equal(judged(&s, &other),
                         whole.face[place] == RQ_UNKNOWN ? RQ_SHOWN_OUTSIDE : RQ_UNTOLD_ROOM);
        if (place != RQ_SPARE)
            s.face[place] = RQ_UNKNOWN;
    }
    s.mice[0] = 1;
    if (!(squares & 0x182)) /* not beside a1 */
        return;
    struct effects effects = played(&s, &whole);
    assert_int_equal(effects.count, 1);
    assert_true(rq_effect_squares(&effects.list[0]) == squares);
    for (unsigned place = 0; place < RQ_FLOORS; place++)
        assert_int_equal(s.face[place], whole.face[place]);
}

static void uncovering(void **state)
{
    (void)state;
    for (unsigned layout = 0; layout < 2; layout++)
        for (uint8_t square = 0; square < RQ_SQUARES; square++) {
            struct rq_state s = at_table(RQ_CHATEAU, 2);

            memcpy(s.room, rq_layouts[layout], sizeof s.room);
            if (!is_tower(square))
                uncovering_a_room(s, square);
        }
}

/* The geometry is judged before what is told. */
static void geometry_first(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct rq_report report = untold(RQ_UNCOVER, at("d4"));

    (void)state;
    report.face[0] = 77;
    assert_int_equal(judged(&s, &report), RQ_NOT_ADJACENT);
    report.move.to = RQ_NO_SQUARE;
    assert_int_equal(judged(&s, &report), RQ_NO_SUCH_ROOM);
    report.move = (struct rq_move){.verb = RQ_SHIFT, .to = RQ_SLOTS};
    assert_int_equal(judged(&s, &report), RQ_NO_SUCH_SLOT);
    s.shifted = 1;
    report.move.to = 0;
    assert_int_equal(judged(&s, &report), RQ_ALREADY_SHIFTED);
}

/* A plate of one's own: rooms of a single solid square tell nothing, one room may be all. */
static void own_plates(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct rq_report report = untold(RQ_UNCOVER, at("c1"));
    uint8_t face[RQ_TILES];
    struct event event;

    (void)state;
    tiles(face);
    for (uint8_t i = 0; i < RQ_SQUARES; i++)
        s.room[i] = is_tower(i) ? RQ_NO_SQUARE : (uint8_t)(i - 1 - (i > 6) - (i > 42));
    s.mice[0] = rq_bit(at("b1"));
    s.open = rq_bit(at("b1"));
    assert_int_equal(verdict(&s, RQ_UNCOVER, 0, at("c1")), ALLOWED);
    assert_int_equal(judged(&s, &report), ALLOWED);
    event = move_of(&s, RQ_UNCOVER, 0, at("c1"));
    rq_fill(&s, face, &event);
    assert_int_equal(event.size, sizeof(struct rq_move));

    s = at_table(RQ_CHATEAU, 2);
    for (uint8_t i = 0; i < RQ_SQUARES; i++)
        s.room[i] = is_tower(i) ? RQ_NO_SQUARE : 0;
    assert_int_equal(verdict(&s, RQ_UNCOVER, 0, at("c1")), RQ_UNTOLD_ROOM);
    event = move_of(&s, RQ_UNCOVER, 0, at("c1"));
    rq_fill(&s, face, &event);
    memcpy(&report, event.data, sizeof report);
    played(&s, &report);
    assert_memory_equal(s.face, face, sizeof face);
}

/* CR-8: which squares lie open decides what a shift makes known: every pattern of every line.
 */
static void shifting(void **state)
{
    (void)state;
    for (uint8_t slot = 0; slot < RQ_SLOTS; slot++)
        for (unsigned open = 0; open < 1U << RQ_SIDE; open++) {
            struct rq_state s = at_table(RQ_CHATEAU, 2);
            struct rq_report report = untold(RQ_SHIFT, slot);
            bool needs[RQ_SIDE + 1], before = true, any = false;

            for (uint8_t i = 0; i <= RQ_SIDE; i++) {
                bool now = i == RQ_SIDE || open >> i & 1;
                uint8_t square = i < RQ_SIDE ? rq_line(slot, i) : RQ_NO_SQUARE;

                needs[i] = now && !before;
                any = any || needs[i];
                before = now;
                if (i < RQ_SIDE && now) {
                    s.open |= rq_bit(square);
                    *face_at(&s, square) = RQ_BLANK;
                }
                if (needs[i])
                    report.face[i < RQ_SIDE ? rq_place[square] : RQ_SPARE] = RQ_BLANK;
            }
            assert_int_equal(judged(&s, &report), ALLOWED);
            ruling_t bare = verdict(&s, RQ_SHIFT, 0, slot);
            assert_int_equal(bare != ALLOWED, any);
            for (uint8_t i = 0; i <= RQ_SIDE; i++) {
                uint8_t place = i < RQ_SIDE ? rq_place[rq_line(slot, i)] : RQ_SPARE;
                struct rq_report other = report;

                other.face[place] = needs[i] ? RQ_UNKNOWN : RQ_BLANK;
                bool covered = i < RQ_SIDE && !(open >> i & 1);
                assert_int_equal(judged(&s, &other), needs[i] && i == RQ_SIDE ? RQ_UNTOLD_OUT
                                                     : needs[i]               ? RQ_UNTOLD_SHIFT
                                                     : covered                ? RQ_SHOWN_COVERED
                                                                              : ALLOWED);
            }
        }
}

/* A square beside the line may be told too, if it lies open; it is checked like all. */
static void beside_the_line(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct rq_report report = untold(RQ_SHIFT, 3); /* Sb */

    (void)state;
    report.face[RQ_SPARE] = RQ_BLANK;
    report.face[rq_place[at("d1")]] = 2;
    assert_int_equal(judged(&s, &report), RQ_SHOWN_COVERED);
    open_room(&s, at("d1"), 2);
    assert_int_equal(judged(&s, &report), ALLOWED);
    report.face[rq_place[at("d1")]] = 3;
    assert_int_equal(judged(&s, &report), RQ_OTHER_FACE);
}

/* What the referee knows need not be told, and may be if it agrees: a tile seen before under
 * roofs, one that lay open, and the spare. */
static void what_is_known(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct rq_report report = untold(RQ_SHIFT, 3);

    (void)state;
    open_room(&s, at("b1"), 5); /* b1 c1 */
    *face_at(&s, at("b7")) = 6; /* seen once, covered now */
    assert_int_equal(verdict(&s, RQ_SHIFT, 0, 3), ALLOWED);
    for (uint8_t face = 0; face < RQ_FACES; face++) {
        report = untold(RQ_SHIFT, 3);
        report.face[RQ_SPARE] = face;
        assert_int_equal(judged(&s, &report), face == 6 ? ALLOWED : RQ_OTHER_FACE);
        report = untold(RQ_SHIFT, 3);
        report.face[rq_place[at("b1")]] = face; /* the spare, pushed in */
        assert_int_equal(judged(&s, &report), face == RQ_BLANK ? ALLOWED : RQ_OTHER_FACE);
    }
    report = untold(RQ_SHIFT, 3);
    played(&s, &report);
    assert_int_equal(s.face[s.tile[RQ_SPARE]], 6);

    /* The roof goes on again; the referee remembers. */
    s = at_table(RQ_CHATEAU, 2);
    *face_at(&s, at("b1")) = 5;
    report = untold(RQ_UNCOVER, at("b1"));
    for (uint8_t face = 0; face < RQ_FACES; face++) {
        report.face[rq_place[at("b1")]] = face;
        assert_int_equal(judged(&s, &report), face == 5 ? ALLOWED : RQ_OTHER_FACE);
    }
}

/* CR-1: of each kind as many as the box has, the spare counted; bytes that are no face too. */
static void what_is_in_the_box(void **state)
{
    (void)state;
    for (unsigned face = 0; face < RQ_UNKNOWN; face++)
        for (unsigned known = 0; known <= 10; known++) {
            struct rq_state s = at_table(RQ_CHATEAU, 2);
            struct rq_report report = untold(RQ_UNCOVER, at("b1"));
            unsigned have = face < RQ_FACES ? box[face] : 0;

            s.face[RQ_SPARE] = face == 1 ? 2 : 1;
            for (unsigned i = 0; i < known && i < have; i++)
                s.face[i ? 10 + i : RQ_SPARE] = (uint8_t)face;
            report.face[rq_place[at("b1")]] = (uint8_t)face;
            assert_int_equal(judged(&s, &report), known < have ? ALLOWED : RQ_TOO_MANY_ALIKE);
        }
}

/* Three in one report are counted together. */
static void too_many_at_once(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct rq_report report = untold(RQ_UNCOVER, at("b2")); /* b2 c2: two floor tiles */

    (void)state;
    report.face[rq_place[at("b2")]] = report.face[rq_place[at("c2")]] = RQ_TRAPDOOR;
    assert_int_equal(judged(&s, &report), ALLOWED);
    s.face[30] = RQ_TRAPDOOR;
    assert_int_equal(judged(&s, &report), ALLOWED);
    s.face[31] = RQ_TRAPDOOR;
    assert_int_equal(judged(&s, &report), RQ_TOO_MANY_ALIKE);
}

/* CR-9, CR-10, CR-13: what is told is judged at once. */
static void consequences(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct rq_report report = untold(RQ_SHIFT, 3); /* Sb: b2 comes under the mouse on b3 */

    (void)state;
    open_room(&s, at("b3"), RQ_BLANK); /* b3 c3 d3 */
    s.mice[1] = rq_bit(at("b3"));
    report.face[RQ_SPARE] = RQ_BLANK;
    assert_int_equal(judged(&s, &report), RQ_UNTOLD_SHIFT); /* a mouse on an unknown face */
    struct rq_state trap = s, cheese = s;
    report.face[rq_place[at("b3")]] = RQ_TRAPDOOR;
    trap.cellar[1] = 2;
    trap.reserve[1] = 1;
    struct effects effects = played(&trap, &report);
    assert_int_equal(effects.count, 3);
    assert_int_equal(effects.list[1].type, RQ_FELL);
    assert_int_equal(effects.list[2].type, RQ_OUT);
    assert_int_equal(trap.outcome.reason, REASON_LAST_LEFT);
    report.face[rq_place[at("b3")]] = 4;
    cheese.mice[1] |= rq_bit(at("d3"));
    cheese.reserve[1]--;
    *face_at(&cheese, at("d3")) = 4;
    effects = played(&cheese, &report);
    assert_int_equal(effects.count, 2);
    assert_int_equal(effects.list[1].type, RQ_CHEESE_TAKEN);
    assert_int_equal(cheese.cheeses[1], 1 << 3);
}

/* The effect names the face that fell out, told or known. */
static void the_new_spare(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct rq_report report = untold(RQ_SHIFT, 0);

    (void)state;
    report.face[RQ_SPARE] = 7;
    struct effects effects = played(&s, &report);
    assert_int_equal(effects.list[0].data[2], rq_place[at("b1")]);
    assert_int_equal(effects.list[0].data[4], 7);
    assert_int_equal(s.face[s.tile[RQ_SPARE]], 7);
}

/* A trapdoor that was told keeps mice off; no step ever meets a face that is not known. */
static void steps(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct rq_report report = untold(RQ_UNCOVER, at("b1"));

    (void)state;
    report.face[rq_place[at("b1")]] = RQ_TRAPDOOR;
    played(&s, &report);
    assert_int_equal(verdict(&s, RQ_STEP, 0, at("b1")), RQ_TRAPDOOR_THERE);
    s.face[rq_place[at("b1")]] = RQ_BLANK;
    assert_int_equal(verdict(&s, RQ_STEP, 0, at("b1")), ALLOWED);
}

/* Only an uncover or a shift tells anything, and only at a table. */
static void where_nothing_is_told(void **state)
{
    (void)state;
    for (uint8_t custody = 0; custody < CUSTODIES; custody += CUSTODY_TABLE)
        for (unsigned verb = 0; verb < 256; verb++)
            for (uint8_t size = 0; size <= EVENT_DATA_MAX; size++) {
                struct rq_state s = at_table(RQ_CHATEAU, 2);
                struct rq_report report = untold((uint8_t)verb, verb == RQ_ENTER ? 6 : 1);
                struct event event = report_of(&s, &report);
                bool tells = custody == CUSTODY_TABLE && size == sizeof report &&
                             (verb == RQ_UNCOVER || verb == RQ_SHIFT);

                s.custody = custody;
                event.size = size;
                if (tells || (size == sizeof report.move && verb < RQ_VERBS))
                    assert_int_not_equal(match_judge(&rq_ruleset, &s, &event), RQ_NO_SUCH_MOVE);
                else
                    assert_int_equal(match_judge(&rq_ruleset, &s, &event), RQ_NO_SUCH_MOVE);
            }
}

/* Moves are listed by geometry, bare. */
static void the_list(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct event moves[RQ_LEGAL_MAX];
    size_t count = rq_ruleset.legal(&s, 0, moves, RQ_LEGAL_MAX), shifts = 0, uncovers = 0;

    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(moves[i].size, sizeof(struct rq_move));
        shifts += moves[i].data[0] == RQ_SHIFT;
        uncovers += moves[i].data[0] == RQ_UNCOVER;
    }
    assert_int_equal(shifts, RQ_SLOTS);
    assert_int_equal(uncovers, 3); /* three roofs touch each tower */
}

/* Nothing is filled in that is known, told already or not to be told. */
static void filling(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 2);
    struct event event = move_of(&s, RQ_STEP, 0, 1), bare = event;
    struct rq_report report;
    uint8_t face[RQ_TILES], none[RQ_TILES];

    (void)state;
    tiles(face);
    memset(none, RQ_UNKNOWN, sizeof none);
    rq_fill(&s, face, &event);
    assert_memory_equal(&event, &bare, sizeof event);
    event = bare = move_of(&s, RQ_SHIFT, 0, RQ_SLOTS);
    rq_fill(&s, face, &event);
    assert_memory_equal(&event, &bare, sizeof event);
    event = bare = move_of(&s, RQ_UNCOVER, 0, at("b1"));
    event.size = bare.size = sizeof(struct rq_move) + 1; /* no form of a move */
    rq_fill(&s, face, &event);
    assert_memory_equal(&event, &bare, sizeof event);
    s.custody = CUSTODY_REFEREE;
    event = bare = move_of(&s, RQ_UNCOVER, 0, at("b1"));
    rq_fill(&s, face, &event);
    assert_memory_equal(&event, &bare, sizeof event);
    s.custody = CUSTODY_TABLE;
    rq_fill(&s, none, &event);
    assert_int_equal(match_judge(&rq_ruleset, &s, &event), RQ_UNTOLD_ROOM);
    rq_fill(&s, face, &event);
    assert_int_equal(match_judge(&rq_ruleset, &s, &event), ALLOWED);
    *face_at(&s, at("b1")) = face[0]; /* known: still to be told, and from what is known */
    event = bare;
    rq_fill(&s, none, &event);
    assert_int_equal(match_judge(&rq_ruleset, &s, &event), ALLOWED);

    report = untold(RQ_SHIFT, 3);
    report.face[RQ_SPARE] = 5;
    event = bare = report_of(&s, &report);
    rq_fill(&s, face, &event);
    assert_memory_equal(&event, &bare, sizeof event);
    open_room(&s, at("b3"), RQ_BLANK);
    rq_fill(&s, face, &event);
    memcpy(&report, event.data, sizeof report);
    assert_int_equal(report.face[RQ_SPARE], 5);
    for (unsigned place = 0; place < RQ_FLOORS; place++)
        assert_int_equal(report.face[place],
                         place == rq_place[at("b3")] ? face[rq_place[at("b2")]] : RQ_UNKNOWN);
}

/* A shift that ends the turn covers what it lit: the state says so until the next event. */
static void lit(void **state)
{
    (void)state;
    for (unsigned custody = 0; custody < 2; custody++) {
        struct rq_state s = at_table(RQ_CHATEAU, 2);
        struct event event = move_of(&s, RQ_SHIFT, 0, 3);
        struct effects effects;
        uint8_t face[RQ_TILES], was = s.tile[rq_place[at("b2")]];

        tiles(face);
        open_room(&s, at("b3"), RQ_BLANK);
        s.actions_left = 1;
        if (custody)
            rq_fill(&s, face, &event);
        else {
            s.custody = CUSTODY_REFEREE;
            memcpy(s.face, face, sizeof face);
        }
        match_play(&rq_ruleset, &s, &event, &effects);
        assert_int_equal(effects.count, 2);
        assert_true(s.open == 0);
        for (unsigned i = 0; i < RQ_SIDE; i++)
            assert_int_equal(s.lit[i], i == 2 ? was : RQ_NO_SQUARE);
        play(&s, RQ_END_TURN, 0, 0);
        for (unsigned i = 0; i < RQ_SIDE; i++)
            assert_int_equal(s.lit[i], RQ_NO_SQUARE);
    }
}

/* CR-13: a seat that goes out tells nothing, and the game goes on. */
static void giving_up(void **state)
{
    struct rq_state s = at_table(RQ_CHATEAU, 3), before = s;
    struct event event = {.kind = EVENT_RESIGN, .seat = 0};
    struct effects effects;

    (void)state;
    assert_int_equal(match_judge(&rq_ruleset, &s, &event), ALLOWED);
    match_play(&rq_ruleset, &s, &event, &effects);
    assert_int_equal(s.turn, 1);
    assert_memory_equal(s.face, before.face, sizeof s.face);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes),
        cmocka_unit_test(the_spare),
        cmocka_unit_test(the_deal),
        cmocka_unit_test(uncovering),
        cmocka_unit_test(geometry_first),
        cmocka_unit_test(own_plates),
        cmocka_unit_test(shifting),
        cmocka_unit_test(beside_the_line),
        cmocka_unit_test(what_is_known),
        cmocka_unit_test(what_is_in_the_box),
        cmocka_unit_test(too_many_at_once),
        cmocka_unit_test(consequences),
        cmocka_unit_test(the_new_spare),
        cmocka_unit_test(steps),
        cmocka_unit_test(where_nothing_is_told),
        cmocka_unit_test(the_list),
        cmocka_unit_test(filling),
        cmocka_unit_test(lit),
        cmocka_unit_test(giving_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
