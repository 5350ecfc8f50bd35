#include "api/audit.h"

static const char *const words[CHEAT_CODES] = {
    [CHEAT_OPENING_MISMATCH] = "opening_mismatch", [CHEAT_WRONG_COUNT] = "wrong_count",
    [CHEAT_MOVED_IMMOBILE] = "moved_immobile",     [CHEAT_FALSE_SCOUT] = "false_scout",
    [CHEAT_COMBAT_MISMATCH] = "combat_mismatch",   [CHEAT_NO_AUDIT] = "no_audit",
};

const char *cheat_word(uint8_t code)
{
    return words[code];
}

/* A side without a secret: all that can be said is what was seen at once. */
static size_t find_absent(const struct blinds *blinds, uint8_t seat, struct cheat *ret_cheats)
{
    const struct account *account = &blinds->account[seat];
    size_t count = 0;

    if (account->excess_seq)
        ret_cheats[count++] = (struct cheat){seat, CHEAT_WRONG_COUNT, account->excess_seq};
    ret_cheats[count++] = (struct cheat){seat, CHEAT_NO_AUDIT, blinds->absent_seq[seat]};
    return count;
}

size_t audit_find(const struct fold *fold, struct cheat ret_cheats[static FINDINGS_MAX])
{
    const struct blinds *blinds = fold->blinds;
    struct options options = fold_options(fold);
    size_t count = 0;

    for (uint8_t seat = 0; seat < 2; seat++) {
        if (blinds->audited >> seat & 1)
            count +=
                fold->codec->blind->audit(&options, &blinds->account[seat], ret_cheats + count);
        else if (blinds->absent >> seat & 1)
            count += find_absent(blinds, seat, ret_cheats + count);
    }
    return count;
}

struct event audit_result(const struct cheat *cheats, size_t count)
{
    struct event event = {.kind = EVENT_RESULT, .seat = NO_SEAT, .size = 2};
    bool only_absent = true;
    unsigned seats = 0;

    for (size_t i = 0; i < count; i++) {
        seats |= 1U << cheats[i].seat;
        only_absent = only_absent && cheats[i].code == CHEAT_NO_AUDIT;
    }
    bool both = seats == 3;
    event.data[0] = both ? REASON_VOID : only_absent ? REASON_NO_AUDIT : REASON_CHEAT;
    event.data[1] = both ? NO_SEAT : seats == 1;
    return event;
}

struct event audit_faces(const struct fold *fold, uint8_t seat)
{
    const struct account *account = &fold->blinds->account[seat];
    uint8_t faces[SLOTS_MAX];
    struct event event = {0};

    for (size_t slot = 0; slot < SLOTS_MAX; slot++)
        faces[slot] =
            account->face[slot] != FACE_UNKNOWN ? account->face[slot] : account->shown[slot];
    fold->codec->blind->reveal(seat, faces, &event);
    return event;
}

const char *audit_word(const struct fold *fold)
{
    struct cheat cheats[FINDINGS_MAX];

    if (!fold->started || (fold->status < STATUS_AUDIT))
        return NULL;
    if (!fold->blinds)
        return fold->status == STATUS_AUDIT ? NULL : "clean";
    if (!fold->blinds->closed)
        return "pending";
    return audit_find(fold, cheats) ? "cheat" : "clean";
}
