#include "rules/roquefort/internal.h"

uint64_t rq_between(uint8_t from, uint8_t to, uint8_t *ret_length)
{
    int columns = to % RQ_SIDE - from % RQ_SIDE, rows = to / RQ_SIDE - from / RQ_SIDE;
    int length = columns + rows, step = columns ? 1 : RQ_SIDE;
    uint64_t squares = 0;

    *ret_length = 0;
    if (columns && rows)
        return 0;
    if (length < 0) {
        length = -length;
        step = -step;
    }
    for (int i = 1; i < length; i++)
        squares |= rq_bit((unsigned)(from + i * step));
    *ret_length = (uint8_t)length;
    return squares;
}

uint8_t rq_cost(const struct rq_state *s, const struct rq_move *m)
{
    uint8_t length = 0;

    if (m->verb == RQ_END_TURN || rq_is_setup(s)) /* CR-2: entering the first mouse is free */
        return 0;
    if (m->verb != RQ_JUMP)
        return 1;
    if (s->variant == RQ_APPENZELL && m->from < RQ_SQUARES && m->to < RQ_SQUARES)
        rq_between(m->from, m->to, &length);
    return length > 2 ? length : 2; /* CR-6, CB-2 */
}

static ruling_t judge_enter(const struct rq_state *s, const struct rq_scene *scene,
                            const struct rq_move *m)
{
    if (!s->reserve[s->turn])
        return RQ_NO_RESERVE; /* CR-7 */
    if (!rq_has(RQ_TOWERS, m->to))
        return RQ_NO_SUCH_TOWER;
    return rq_has(scene->mice, m->to) ? RQ_TOWER_TAKEN : ALLOWED;
}

static ruling_t judge_uncover(const struct rq_state *s, const struct rq_scene *scene,
                              const struct rq_move *m)
{
    uint64_t squares = rq_room_squares(s->room, m->to);

    if (!squares)
        return RQ_NO_SUCH_ROOM; /* CR-4 */
    if (!(squares & scene->near))
        return RQ_NOT_ADJACENT;
    return squares & s->open ? RQ_ALREADY_UNCOVERED : ALLOWED;
}

/* CR-5: where a step or jump may end. What lies under a roof is never asked. */
static ruling_t judge_landing(const struct rq_state *s, const struct rq_scene *scene,
                              uint8_t to)
{
    if (rq_has(RQ_TOWERS, to))
        return RQ_TOWER;
    if (!rq_has(s->open, to))
        return RQ_UNDER_ROOF;
    if (rq_has(scene->mice, to))
        return RQ_OCCUPIED;
    uint8_t face = rq_face_at(s, to);
    if (face == RQ_UNKNOWN)
        return RQ_UNKNOWN_FACE;
    return face == RQ_TRAPDOOR ? RQ_TRAPDOOR_THERE : ALLOWED;
}

/* What steps and jumps share: an own mouse, and another square in a straight line from it. */
static ruling_t judge_line(const struct rq_scene *scene, const struct rq_move *m,
                           uint64_t *ret_passed, uint8_t *ret_length)
{
    if (!rq_has(scene->own, m->from))
        return RQ_NO_MOUSE;
    if (m->to >= RQ_SQUARES)
        return RQ_TOO_FAR;
    if (m->to == m->from)
        return RQ_OCCUPIED;
    *ret_passed = rq_between(m->from, m->to, ret_length);
    return *ret_length == 0 ? RQ_DIAGONAL : ALLOWED;
}

static ruling_t judge_step(const struct rq_state *s, const struct rq_scene *scene,
                           const struct rq_move *m)
{
    uint64_t passed;
    uint8_t length;
    ruling_t ruling = judge_line(scene, m, &passed, &length);

    if (ruling != ALLOWED)
        return ruling;
    if (length > 1)
        return RQ_TOO_FAR;
    return judge_landing(s, scene, m->to);
}

static ruling_t judge_jump(const struct rq_state *s, const struct rq_scene *scene,
                           const struct rq_move *m)
{
    uint64_t passed;
    uint8_t length;
    ruling_t ruling = judge_line(scene, m, &passed, &length);

    if (ruling != ALLOWED)
        return ruling;
    if (length > 2 && s->variant != RQ_APPENZELL) /* CB-2 */
        return RQ_TOO_FAR;
    if (length < 2 || (passed & scene->mice) != passed)
        return RQ_NOTHING_TO_JUMP; /* CR-6 */
    return judge_landing(s, scene, m->to);
}

static ruling_t judge_shift(const struct rq_state *s, const struct rq_scene *scene,
                            const struct rq_move *m)
{
    return rq_judge_shift(s, scene, m->to);
}

static ruling_t judge_end_turn(const struct rq_state *s, const struct rq_scene *scene,
                               const struct rq_move *m)
{
    (void)s, (void)scene, (void)m;
    return ALLOWED; /* CR-14 */
}

ruling_t rq_judge_move(const struct rq_state *s, const struct rq_scene *scene,
                       const struct rq_move *m)
{
    static ruling_t (*const judges[RQ_VERBS])(const struct rq_state *, const struct rq_scene *,
                                              const struct rq_move *) = {
        [RQ_ENTER] = judge_enter, [RQ_UNCOVER] = judge_uncover, [RQ_STEP] = judge_step,
        [RQ_JUMP] = judge_jump,   [RQ_SHIFT] = judge_shift,     [RQ_END_TURN] = judge_end_turn,
    };

    if (m->verb >= RQ_VERBS)
        return RQ_NO_SUCH_MOVE;
    if (rq_is_setup(s) && m->verb != RQ_ENTER)
        return RQ_MUST_ENTER; /* CR-2, CR-14 */
    if (rq_cost(s, m) > s->actions_left)
        return RQ_TOO_MANY_ACTIONS; /* CR-3 */
    return judges[m->verb](s, scene, m);
}

static ruling_t judge_turn(const struct rq_state *s, const struct event *event)
{
    struct rq_report report;
    struct rq_move move;

    if (event->seat != s->turn)
        return REFUSE_NOT_YOUR_TURN;
    if (!rq_move_of(s, event, &move))
        return RQ_NO_SUCH_MOVE;
    struct rq_scene scene = rq_scene(s);
    ruling_t ruling = rq_judge_move(s, &scene, &move);
    if (ruling || s->custody != CUSTODY_TABLE)
        return ruling;
    rq_report_of(event, &move, &report);
    return rq_judge_report(s, &report);
}

ruling_t rq_judge(const void *state, const struct event *event)
{
    const struct rq_state *s = state;

    if (s->outcome.reason != REASON_NONE)
        return REFUSE_GAME_OVER;
    if (event->kind == EVENT_RESIGN || event->kind == EVENT_TIMEOUT)
        return rq_is_in(s, event->seat) ? ALLOWED : REFUSE_WRONG_TIME;
    if (event->kind == EVENT_LOT && s->stage == RQ_LOT)
        return rq_is_in(s, event->data[0]) ? ALLOWED : REFUSE_WRONG_TIME;
    if (event->kind == EVENT_DEAL && s->stage == RQ_DEAL)
        return rq_judge_deal(s, event);
    if (event->kind == EVENT_MOVE && s->stage == RQ_PLAY)
        return judge_turn(s, event);
    return REFUSE_WRONG_TIME;
}
