#include "rules/stratego/internal.h"

#include <assert.h>
#include <string.h>

void st_finish(struct st_state *s, uint8_t reason, uint8_t winner, uint8_t ruling)
{
    s->outcome = (struct outcome){.reason = reason, .winner = winner, .ruling = ruling};
}

void st_tell(struct effects *effects, uint8_t type, uint8_t seat,
             const struct st_action *action)
{
    memcpy(effects_add(effects, type, seat)->data, action, sizeof *action);
}

static void leave(struct st_state *s, uint8_t piece)
{
    s->board[s->place[piece]] = ST_EMPTY;
    s->place[piece] = ST_NOWHERE;
}

static void walk(struct st_state *s, uint8_t piece, uint8_t to)
{
    s->board[s->place[piece]] = ST_EMPTY;
    s->place[piece] = to;
    s->board[to] = piece;
}

static uint8_t outcome_of(const struct st_state *s, uint8_t attacker, uint8_t defender)
{
    switch (st_combat[s->family][s->rank[attacker]][s->rank[defender]]) {
    case '+':
        return ST_DEFENDER_LOST;
    case '-':
        return ST_ATTACKER_LOST;
    default:
        return ST_BOTH_LOST;
    }
}

/* Who sees what from a combat, and from now on. */
static void reveal(struct st_state *s, struct st_action *action)
{
    uint8_t seat = s->turn;
    bool captured = action->outcome != ST_DEFENDER_LOST;

    s->seen[!seat] |= UINT64_C(1) << st_slot_of(action->defender); /* ST-11 */
    if (!st_rules_of(s)->shows_both && !(s->shown && captured))
        return;
    action->both = 1; /* SC-4; ST-11 with captives shown */
    s->seen[seat] |= UINT64_C(1) << st_slot_of(action->attacker);
}

/* ST-6: until here the scout stands before the attacked piece; then it moves in or is gone. */
static void settle(struct st_state *s, const struct st_action *action)
{
    if (action->outcome != ST_ATTACKER_LOST)
        leave(s, action->defender);
    if (action->outcome != ST_DEFENDER_LOST)
        leave(s, action->attacker);
    else if (!s->combats)
        walk(s, action->attacker, action->to); /* ST-7 */
}

/* SC-8: the ply that went beyond has been played. */
static bool beyond(const struct st_state *s)
{
    return (s->ply_limit && s->plies > s->ply_limit) ||
           (s->quiet_limit && s->quiet > s->quiet_limit);
}

/* Where only combats are told nobody knows what stands in the way. */
static bool can_move(const struct st_state *s)
{
    return s->combats ? st_has_movable(s, s->turn) : st_can_move(s);
}

static bool dead(const struct st_state *s)
{
    return s->combats ? !st_has_movable(s, 0) && !st_has_movable(s, 1) : st_dead(s);
}

/* ST-14 SC-5: the side to move cannot. */
static void end_stuck(struct st_state *s)
{
    if (can_move(s))
        return;
    if (st_rules_of(s)->dead_draw)
        st_finish(s, REASON_NO_MOVE, NO_SEAT, ST_RULING_ST14);
    else if (!st_has_movable(s, 0) && !st_has_movable(s, 1))
        st_finish(s, REASON_NO_MOVE, NO_SEAT, ST_RULING_SC5);
    else
        st_finish(s, REASON_NO_MOVE, !s->turn, ST_RULING_SC5);
}

void st_settle(struct st_state *s)
{
    if (!s->flaw && !beyond(s))
        end_stuck(s);
}

/* After the ply: has it ended the game? s->turn is the next to move. */
static void end_ply(struct st_state *s, bool attack, bool flag)
{
    const struct st_rules *rules = st_rules_of(s);

    if (flag) /* ST-9 ST-12 SC-5 */
        st_finish(s, REASON_FLAG, !s->turn, rules->ruling_flag);
    else if (rules->dead_draw && !s->blind && attack && dead(s)) /* ST-13 */
        st_finish(s, REASON_DEAD, NO_SEAT, ST_RULING_ST13);
    else if (beyond(s))
        st_finish(s, REASON_LIMIT, NO_SEAT, ST_RULING_SC8);
    else if (!s->blind) /* else nobody but the players can see whether anything can move */
        end_stuck(s);
}

/* The ply of the side to move stands on the board. */
static void pass(struct st_state *s, struct st_move m, bool attack, bool flag)
{
    if (s->combats)
        st_note_combat(s, m);
    else
        st_record(s, (struct st_ply){.from = m.from, .to = m.to, .attack = attack});
    s->turn = !s->turn;
    s->plies++;
    s->quiet = attack ? 0 : s->quiet + 1;
    end_ply(s, attack, flag);
}

void st_fight(struct st_state *s, struct st_move m, struct effects *effects)
{
    uint8_t attacker = s->board[m.from], defender = s->board[m.to];
    bool flag = s->rank[defender] == ST_FLAG;
    struct st_action action = {.from = m.from,
                               .to = m.to,
                               .outcome = outcome_of(s, attacker, defender),
                               .attacker = attacker,
                               .defender = defender,
                               .rank = {s->rank[attacker], s->rank[defender]},
                               .variant = s->variant,
                               .bare = s->combats};

    reveal(s, &action);
    settle(s, &action);
    st_tell(effects, ST_COMBAT, s->turn, &action);
    pass(s, m, true, flag);
}

static void step(struct st_state *s, struct st_move m, struct effects *effects)
{
    struct st_action action = {
        .from = m.from, .to = m.to, .attacker = s->board[m.from], .variant = s->variant};

    walk(s, action.attacker, m.to);
    st_tell(effects, ST_MOVED, s->turn, &action);
    pass(s, m, false, false);
}

static void play_move(struct st_state *s, const struct event *event, struct effects *effects)
{
    struct st_move m;

    memcpy(&m, event->data, sizeof m);
    uint8_t piece = s->board[m.from];
    s->moved[s->turn] |= UINT64_C(1) << st_slot_of(piece);
    st_learn(s, piece, st_opened(event));
    if (s->board[m.to] == ST_EMPTY)
        step(s, m, effects);
    else if (s->blind)
        st_challenge(s, m, effects);
    else
        st_fight(s, m, effects);
}

static void play_event(struct st_state *s, const struct event *event, struct effects *effects)
{
    if (event->kind == EVENT_LOT)
        s->turn = event->data[0];
    else if (event->kind == EVENT_SETUP)
        st_play_setup(s, event);
    else if (s->combats)
        st_play_named(s, event, effects);
    else if (event->kind == EVENT_MOVE)
        play_move(s, event, effects);
    else if (event->kind == EVENT_OPEN)
        st_play_open(s, event, effects);
    else /* EVENT_REVEAL */
        st_play_reveal(s, event);
}

/* SC-5: who is to begin may be shut in by lakes and bombs. */
static void begin_play(struct st_state *s)
{
    if (s->ready == (1 << ST_SEATS) - 1 && s->turn != NO_SEAT && !s->blind)
        end_stuck(s);
}

void st_play(void *state, const struct event *event, struct effects *ret_effects)
{
    struct st_state *s = state;
    bool opens = event->kind == EVENT_MOVE || event->kind == EVENT_OPEN;

    play_event(s, event, ret_effects);
    if (event->kind == EVENT_LOT || event->kind == EVENT_SETUP)
        begin_play(s);
    if (s->blind && opens && st_exceeds(s, event->seat)) /* whatever else it came to */
        st_finish(s, REASON_CHEAT, !event->seat, ST_RULING_NONE);
}
