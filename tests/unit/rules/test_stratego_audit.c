/* stratego/audit.c: what an account shows, and when it was done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/rules/stratego_board.h"

static const uint8_t totals[ST_VARIANTS] = {40, 40, 40, 8, 10, 20};
static const uint8_t sets[ST_VARIANTS][ST_RANKS] = {
    {1, 1, 8, 6, 5, 4, 3, 2, 1, 1, 8},    {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6},
    {1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6}, {1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1},
    {1, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2}, {1, 1, 4, 2, 2, 2, 2, 1, 1, 1, 1, 2},
};

/* By rank from slot 0 on: in marsal-a-spion the flag 0, the spy 1, scouts 2 to 9, miners from
 * 10, the mines the last. */
static struct account honest(uint8_t variant)
{
    struct account account = {.seat = BLUE, .setup_seq = 3};
    size_t n = 0;

    memset(account.face, FACE_UNKNOWN, sizeof account.face);
    memset(account.shown, FACE_UNKNOWN, sizeof account.shown);
    for (uint8_t rank = 0; rank < ST_RANKS; rank++)
        for (size_t i = 0; i < sets[variant][rank]; i++)
            account.face[n++] = rank;
    account.slots = (UINT64_C(1) << n) - 1;
    return account;
}

static struct cheat found[CHEATS_MAX];

static size_t audited(uint8_t variant, const struct account *account)
{
    struct options options = board_options(variant);
    size_t count = st_audit(&options, account, found);

    for (size_t i = 0; i < count; i++)
        assert_int_equal(found[i].seat, BLUE);
    return count;
}

static void is(size_t i, uint8_t code, uint32_t seq)
{
    assert_int_equal(found[i].code, code);
    assert_int_equal(found[i].seq, seq);
}

static void only(const struct account *account, uint8_t code, uint32_t seq)
{
    assert_int_equal(audited(ST_MARSAL_A_SPION, account), 1);
    is(0, code, seq);
}

static void honest_seats_are_clean(void **state)
{
    (void)state;
    for (uint8_t variant = 0; variant < ST_VARIANTS; variant++) {
        struct account account = honest(variant);
        uint8_t mine = variant ? C_BOMB : MINE;

        for (size_t slot = 0; slot < totals[variant]; slot++) {
            uint8_t face = account.face[slot];

            account.shown[slot] = face;
            account.shown_seq[slot] = 9;
            account.moved_seq[slot] = face != FLAG && face != mine ? 8 : 0;
            account.long_seq[slot] = face == SCOUT ? 8 : 0;
        }
        assert_int_equal(audited(variant, &account), 0);
    }
}

/* However many slots the secret does not open. */
static void one_mismatch_a_seat(void **state)
{
    struct account account = honest(ST_MARSAL_A_SPION);

    (void)state;
    account.face[7] = FACE_UNKNOWN;
    account.moved_seq[7] = account.long_seq[7] = 5;
    account.shown[7] = MINE;
    only(&account, CHEAT_OPENING_MISMATCH, 3);
    memset(account.face, FACE_UNKNOWN, sizeof account.face);
    only(&account, CHEAT_OPENING_MISMATCH, 3);
    account = honest(ST_BARRAGE); /* slots without a commitment have no face */
    assert_int_equal(audited(ST_BARRAGE, &account), 0);
    account.slots |= UINT64_C(1) << 39;
    assert_int_equal(audited(ST_BARRAGE, &account), 1);
    is(0, CHEAT_OPENING_MISMATCH, 3);
}

/* Whichever slot it is that the secret does not open. */
static void any_slot_may_not_open(void **state)
{
    (void)state;
    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        struct account account = honest(ST_MARSAL_A_SPION);

        account.face[slot] = FACE_UNKNOWN;
        only(&account, CHEAT_OPENING_MISMATCH, 3);
    }
}

static void counts(void **state)
{
    struct account account = honest(ST_MARSAL_A_SPION);

    (void)state;
    account.face[0] = SPY; /* two spies, no flag */
    only(&account, CHEAT_WRONG_COUNT, 3);
    account.excess_seq = 12; /* seen before */
    only(&account, CHEAT_WRONG_COUNT, 12);
    account = honest(ST_MARSAL_A_SPION);
    account.face[0] = C_BOMB; /* no rank of this variant */
    only(&account, CHEAT_WRONG_COUNT, 3);
    account.face[0] = 200;
    only(&account, CHEAT_WRONG_COUNT, 3);
    account = honest(ST_MARSAL_A_SPION);
    account.slots &= ~UINT64_C(2); /* one too few */
    only(&account, CHEAT_WRONG_COUNT, 3);
    account = honest(ST_MARSAL_A_SPION);
    account.face[1] = FACE_UNKNOWN; /* might be the spy */
    only(&account, CHEAT_OPENING_MISMATCH, 3);
    account.face[0] = SCOUT; /* nine scouts, whatever it is */
    assert_int_equal(audited(ST_MARSAL_A_SPION, &account), 2);
    is(0, CHEAT_OPENING_MISMATCH, 3);
    is(1, CHEAT_WRONG_COUNT, 3);
    account.excess_seq = 2;
    assert_int_equal(audited(ST_MARSAL_A_SPION, &account), 2);
    is(0, CHEAT_WRONG_COUNT, 2);
}

/* ST-3 ST-5: what was done with a piece. */
static void deeds(void **state)
{
    struct account account = honest(ST_MARSAL_A_SPION);

    (void)state;
    account.moved_seq[0] = 7; /* the flag */
    only(&account, CHEAT_MOVED_IMMOBILE, 7);
    account = honest(ST_MARSAL_A_SPION);
    account.moved_seq[39] = 8; /* a mine */
    only(&account, CHEAT_MOVED_IMMOBILE, 8);
    account = honest(ST_MARSAL_A_SPION);
    account.long_seq[1] = 9;
    only(&account, CHEAT_FALSE_SCOUT, 9);
    account = honest(ST_MARSAL_A_SPION);
    account.shown[1] = MARSHAL, account.shown_seq[1] = 10;
    only(&account, CHEAT_COMBAT_MISMATCH, 10);

    account = honest(ST_PLAIN); /* the marshal has the byte of the mine */
    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        account.moved_seq[slot] = account.face[slot] == C_MARSHAL ? 7 : 0;
    assert_int_equal(audited(ST_PLAIN, &account), 0);
    account.moved_seq[39] = 6;
    assert_int_equal(audited(ST_PLAIN, &account), 1);
    is(0, CHEAT_MOVED_IMMOBILE, 6);
}

static void sorted_by_seq_then_code(void **state)
{
    struct account account = honest(ST_MARSAL_A_SPION);

    (void)state;
    account.face[0] = SPY;
    account.moved_seq[39] = 20, account.long_seq[39] = 20;
    account.shown[39] = SCOUT, account.shown_seq[39] = 20;
    account.moved_seq[38] = 5, account.long_seq[1] = 12, account.moved_seq[1] = 4;
    assert_int_equal(audited(ST_MARSAL_A_SPION, &account), 6);
    is(0, CHEAT_WRONG_COUNT, 3);
    is(1, CHEAT_MOVED_IMMOBILE, 5);
    is(2, CHEAT_FALSE_SCOUT, 12);
    is(3, CHEAT_MOVED_IMMOBILE, 20);
    is(4, CHEAT_FALSE_SCOUT, 20);
    is(5, CHEAT_COMBAT_MISMATCH, 20);
}

/* The worst that there can be has room. */
static void all_at_once(void **state)
{
    struct account account = honest(ST_MARSAL_A_SPION);

    (void)state;
    memset(account.face, MINE, sizeof account.face);
    memset(account.shown, SCOUT, sizeof account.shown);
    for (uint32_t slot = 0; slot < ST_SLOTS; slot++) {
        account.moved_seq[slot] = 900 - slot;
        account.long_seq[slot] = 800 - slot;
        account.shown_seq[slot] = 700 - slot;
    }
    size_t count = audited(ST_MARSAL_A_SPION, &account);
    assert_int_equal(count, 3 * ST_SLOTS + 1);
    for (size_t i = 1; i < count; i++)
        assert_true(found[i - 1].seq < found[i].seq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_seats_are_clean),
        cmocka_unit_test(one_mismatch_a_seat),
        cmocka_unit_test(any_slot_may_not_open),
        cmocka_unit_test(counts),
        cmocka_unit_test(deeds),
        cmocka_unit_test(sorted_by_seq_then_code),
        cmocka_unit_test(all_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
