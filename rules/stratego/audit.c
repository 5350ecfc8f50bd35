#include "rules/stratego/internal.h"

#include <string.h>

/* Findings in the order in which they are told. */
struct book {
    struct cheat *list;
    size_t count;
    uint8_t seat;
};

static bool before(const struct cheat *a, const struct cheat *b)
{
    return a->seq != b->seq ? a->seq < b->seq : a->code < b->code;
}

static void note(struct book *book, uint8_t code, uint32_t seq)
{
    struct cheat cheat = {.seat = book->seat, .code = code, .seq = seq};
    size_t i = book->count++;

    for (; i > 0 && before(&cheat, &book->list[i - 1]); i--)
        book->list[i] = book->list[i - 1];
    book->list[i] = cheat;
}

static bool committed(const struct account *account, size_t slot)
{
    return account->slots >> slot & 1;
}

/* Are there more pieces of a rank than the set has, and (`ret_fewer`) fewer of one? */
static bool exceeds(const struct options *options, const struct account *account,
                    bool *ret_fewer)
{
    const uint8_t *set = st_counts[options->variant];
    uint8_t count[ST_RANKS] = {0};
    bool more = false;

    for (size_t slot = 0; slot < ST_SLOTS; slot++) {
        uint8_t face = account->face[slot];

        if (!committed(account, slot) || face == FACE_UNKNOWN)
            continue;
        more |= face >= ST_RANKS || ++count[face] > set[face];
    }
    *ret_fewer = false;
    for (size_t rank = 0; rank < ST_RANKS; rank++)
        *ret_fewer |= count[rank] < set[rank];
    return more;
}

/* ST-1 SC-1: what was set up. One finding of a kind, however many slots it is about. */
static void audit_set(const struct options *options, const struct account *account,
                      struct book *book)
{
    bool mismatch = false, fewer, more = exceeds(options, account, &fewer);

    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        mismatch |= committed(account, slot) && account->face[slot] == FACE_UNKNOWN;
    if (mismatch)
        note(book, CHEAT_OPENING_MISMATCH, account->setup_seq);
    if (account->excess_seq)
        note(book, CHEAT_WRONG_COUNT, account->excess_seq);
    else if (more || (fewer && !mismatch))
        note(book, CHEAT_WRONG_COUNT, account->setup_seq);
}

/* ST-3 ST-5 SC-2: what became of one piece whose face is known. */
static void audit_piece(const struct options *options, const struct account *account,
                        size_t slot, struct book *book)
{
    uint8_t face = account->face[slot], shown = account->shown[slot];
    uint8_t ranks = st_families[st_family_of[options->variant]].ranks;

    if (account->moved_seq[slot] && (face == ST_FLAG || face + 1 == ranks))
        note(book, CHEAT_MOVED_IMMOBILE, account->moved_seq[slot]);
    if (account->long_seq[slot] && face != ST_SCOUT)
        note(book, CHEAT_FALSE_SCOUT, account->long_seq[slot]);
    if (shown != FACE_UNKNOWN && shown != face)
        note(book, CHEAT_COMBAT_MISMATCH, account->shown_seq[slot]);
}

size_t st_audit(const struct options *options, const struct account *account,
                struct cheat ret_cheats[static CHEATS_MAX])
{
    struct book book = {.list = ret_cheats, .seat = account->seat};

    audit_set(options, account, &book);
    for (size_t slot = 0; slot < ST_SLOTS; slot++)
        if (committed(account, slot) && account->face[slot] != FACE_UNKNOWN)
            audit_piece(options, account, slot, &book);
    return book.count;
}
