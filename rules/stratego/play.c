#include "rules/stratego/internal.h"

#include <assert.h>
#include <string.h>

static void finish(struct st_state *s, uint8_t reason, uint8_t winner, uint8_t ruling)
{
    s->outcome = (struct outcome){.reason = reason, .winner = winner, .ruling = ruling};
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

static uint8_t fight(const struct st_state *s, uint8_t attacker, uint8_t defender)
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
    else
        walk(s, action->attacker, action->to); /* ST-7 */
}

/* SC-8: the ply that went beyond has been played. */
static bool beyond(const struct st_state *s)
{
    return (s->ply_limit && s->plies > s->ply_limit) ||
           (s->quiet_limit && s->quiet > s->quiet_limit);
}

static void end_classic(struct st_state *s)
{
    if (beyond(s))
        finish(s, REASON_LIMIT, NO_SEAT, ST_RULING_SC8);
    else if (!st_has_movable(s, 0) && !st_has_movable(s, 1))
        finish(s, REASON_NO_MOVE, NO_SEAT, ST_RULING_SC5);
    else if (!st_can_move(s))
        finish(s, REASON_NO_MOVE, !s->turn, ST_RULING_SC5);
}

/* After the ply: has it ended the game? s->turn is the next to move. */
static void end_ply(struct st_state *s, bool attack, bool flag)
{
    const struct st_rules *rules = st_rules_of(s);

    if (flag) /* ST-9 ST-12 SC-5 */
        finish(s, REASON_FLAG, !s->turn, rules->ruling_flag);
    else if (!rules->dead_draw)
        end_classic(s);
    else if (attack && st_dead(s)) /* ST-13 */
        finish(s, REASON_DEAD, NO_SEAT, ST_RULING_ST13);
    else if (!st_can_move(s)) /* ST-14 */
        finish(s, REASON_NO_MOVE, NO_SEAT, ST_RULING_ST14);
}

static void play_move(struct st_state *s, const struct event *event, struct effects *effects)
{
    struct st_move m;
    struct effect *effect;
    bool flag = false;

    memcpy(&m, event->data, sizeof m);
    uint8_t piece = s->board[m.from], target = s->board[m.to];
    bool attack = target != ST_EMPTY;
    struct st_action action = {
        .from = m.from, .to = m.to, .attacker = piece, .variant = s->variant};

    s->moved[s->turn] |= UINT64_C(1) << st_slot_of(piece);
    if (attack) {
        flag = s->rank[target] == ST_FLAG;
        action.outcome = fight(s, piece, target);
        action.defender = target;
        action.rank[0] = s->rank[piece];
        action.rank[1] = s->rank[target];
        reveal(s, &action);
        settle(s, &action);
    } else {
        walk(s, piece, m.to);
    }
    effect = effects_add(effects, attack ? ST_COMBAT : ST_MOVED, s->turn);
    memcpy(effect->data, &action, sizeof action);
    st_record(s, (struct st_ply){.from = m.from, .to = m.to, .attack = attack});
    s->turn = !s->turn;
    s->plies++;
    s->quiet = attack ? 0 : s->quiet + 1;
    end_ply(s, attack, flag);
}

void st_play(void *state, const struct event *event, struct effects *ret_effects)
{
    struct st_state *s = state;

    if (event->kind == EVENT_LOT)
        s->turn = event->data[0];
    else if (event->kind == EVENT_SETUP)
        st_play_setup(s, event);
    else if (event->kind == EVENT_MOVE)
        play_move(s, event, ret_effects);
}
