#include "api/clocks.h"

#include <string.h>

#include "api/codec.h"

bool clocks_read(const json_t *object, struct clock_terms *ret_terms, struct fault *fault)
{
    int64_t per_move_s = 0, initial_s = 0, increment_s = 0;
    const struct field fields[] = {
        {.name = "per_move_s",
         .kind = FIELD_INT,
         .value = &per_move_s,
         .min = 1,
         .max = CLOCK_MAX_S},
        {.name = "initial_s",
         .kind = FIELD_INT,
         .value = &initial_s,
         .min = 1,
         .max = CLOCK_MAX_S},
        {.name = "increment_s",
         .kind = FIELD_INT,
         .value = &increment_s,
         .min = 0,
         .max = CLOCK_MAX_S},
    };

    if (!json_fields(object, "/clock", fields, 3, fault))
        return false;
    if (!per_move_s == !initial_s || (per_move_s && json_object_get(object, "increment_s")))
        return fault_set(
            fault, "/clock",
            "A clock is {\"per_move_s\":N} or {\"initial_s\":N,\"increment_s\":N}, "
            "in seconds.");
    *ret_terms =
        (struct clock_terms){(int32_t)per_move_s, (int32_t)initial_s, (int32_t)increment_s};
    return true;
}

static void write_terms(struct out *out, const struct clock_terms *terms)
{
    if (terms->per_move_s) {
        out_number(out, "per_move_s", terms->per_move_s);
        return;
    }
    out_number(out, "increment_s", terms->increment_s);
    out_number(out, "initial_s", terms->initial_s);
}

void clocks_write_terms(struct out *out, const char *key, const struct clock_terms *terms)
{
    out_object(out, key);
    write_terms(out, terms);
    out_object_end(out);
}

static int64_t left_s(const struct clock *clock, uint8_t seat, int64_t now_s)
{
    int64_t passed =
        clock->running >> seat & 1 && now_s > clock->since_s ? now_s - clock->since_s : 0;

    return clock->left_s[seat] > passed ? clock->left_s[seat] - passed : 0;
}

void clocks_write(struct out *out, const char *key, const struct fold *fold, int64_t now_ms)
{
    const struct clock *clock = fold->clock;
    const char *const *seats = fold->codec->rules->seats;

    if (!clock) {
        out_null(out, key);
        return;
    }
    out_object(out, key);
    write_terms(out, &clock->terms);
    out_object(out, "left_ms");
    for (uint8_t i = 0; i < fold_seats(fold); i++) {
        int64_t passed_ms = clock->running >> i & 1 ? now_ms - clock->since_s * 1000 : 0;
        int64_t left_ms = clock->left_s[i] * INT64_C(1000) - (passed_ms > 0 ? passed_ms : 0);
        out_number(out, seats[i], left_ms > 0 ? left_ms : 0);
    }
    out_object_end(out);
    out_array(out, "running");
    for (uint8_t i = 0; i < fold_seats(fold); i++)
        if (clock->running >> i & 1)
            out_text(out, NULL, seats[i]);
    out_array_end(out);
    out_object_end(out);
}

bool clocks_run(const struct fold *fold)
{
    return fold->clock && (fold->status == STATUS_PLAYING || fold->status == STATUS_CHALLENGE);
}

void clocks_settle(struct action *action)
{
    const struct fold *fold = action->fold;

    if (!fold->clock)
        return;
    struct clock clock;
    memcpy(&clock, fold->clock, sizeof clock); /* with what lies between its members */
    uint8_t runs = clocks_run(fold) ? fold_to_act(fold) : 0;
    for (uint8_t i = 0; i < SEATS_MAX; i++) {
        bool moved = action->moved >> i & 1, begins = runs & ~clock.running & 1U << i;
        clock.left_s[i] = (int32_t)left_s(fold->clock, i, action->now_s);
        if (moved && !clock.terms.per_move_s)
            clock.left_s[i] += clock.left_s[i] <= INT32_MAX - clock.terms.increment_s
                                   ? clock.terms.increment_s
                                   : 0;
        if ((moved || begins) && clock.terms.per_move_s)
            clock.left_s[i] = clock.terms.per_move_s;
    }
    clock.running = runs;
    clock.since_s = runs ? action->now_s : 0;
    action->moved = 0;
    if (memcmp(&clock, fold->clock, sizeof clock) != 0)
        action_note(action, NOTE_CLOCK, &clock, sizeof clock);
}

int64_t clocks_due_s(const struct fold *fold)
{
    const struct clock *clock = fold->clock;
    int64_t due_s = 0;

    for (uint8_t i = 0; clock && i < SEATS_MAX; i++)
        if (clock->running >> i & 1 && (!due_s || clock->since_s + clock->left_s[i] < due_s))
            due_s = clock->since_s + clock->left_s[i];
    return due_s;
}

uint8_t clocks_late(const struct fold *fold, int64_t now_s)
{
    unsigned late = 0;

    for (uint8_t i = 0; fold->clock && i < SEATS_MAX; i++)
        if (fold->clock->running >> i & 1 && left_s(fold->clock, i, now_s) == 0)
            late |= 1U << i;
    return (uint8_t)late;
}
