#include "api/check.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>

#include "api/action.h"
#include "api/base64.h"
#include "api/cleanup.h"
#include "api/commit.h"
#include "api/hex.h"
#include "api/record.h"

/* What stands behind a member's name and its opening; NULL: there is none. A text cannot hold
 * one, for its quotes are escaped. */
static const char *member(const char *line, size_t size, const char *opening, size_t length)
{
    const char *at = memmem(line, size, opening, length);

    return at ? at + length : NULL;
}

static bool begins(const char *at, const char *end, const char *with, size_t length)
{
    return at && (size_t)(end - at) > length && memcmp(at, with, length) == 0;
}

/* The digits of a number and nothing more. */
static bool is_number(const char *at, const char *end, uint32_t number)
{
    uint64_t told = 0;

    if (!at || at == end || *at == '0')
        return false;
    for (; at < end && *at >= '0' && *at <= '9' && told <= UINT32_MAX; at++)
        told = told * 10 + (uint64_t)(*at - '0');
    return told == number && at < end && (*at == ',' || *at == '}');
}

/* An event must be this game's, carry the link of the one before, and the seq after its.
 * Members are sorted: gid, prev, seq. */
static const char *check_event(const struct checked *checked, const char *id, const char *line,
                               size_t size)
{
    static const char gid[] = "\"gid\":\"", prev[] = "\"prev\":\"", seq[] = "\"seq\":";
    const char *end = line + size;
    char hex[65];

    hex_encode(checked->link, sizeof checked->link, hex);
    const char *at = member(line, size, gid, sizeof gid - 1);
    if (!begins(at, end, id, strlen(id)))
        return "belongs to another game";
    at = member(at, (size_t)(end - at), prev, sizeof prev - 1);
    if (!begins(at, end, hex, 64))
        return "does not follow from the one before";
    at = member(at, (size_t)(end - at), seq, sizeof seq - 1);
    if (!is_number(at, end, checked->seq + 1))
        return "does not have the number of its place";
    return NULL;
}

static const char *check_claims(struct checked *checked, const uint8_t *gid,
                                const struct record *record)
{
    const char *at = record->claims, *end = at ? at + record->claims_size : at;
    const char *fault = NULL;
    uint32_t count = 0;
    char id[24];

    base64_encode(gid, 16, id);
    for (; at && at < end; count++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if ((fault = check_event(checked, id, at, (size_t)(stop - at))))
            break;
        checked->seq++;
        if (newline)
            commit_link(at, (size_t)(stop - at), checked->link);
        else /* known from playing it */
            memcpy(checked->link, checked->fold->link, sizeof checked->link);
        at = stop + 1;
    }
    if (!fault && count != record->count)
        fault = "stands in a record that holds more or fewer events than it says";
    return fault;
}

void check_remember(struct checked *checked)
{
    autoout struct out image = {0};

    snapshot_image(checked->fold, &image);
    if (image.failed)
        return;
    checked->snapshot_seq = checked->fold->seq;
    crypto_generichash(checked->snapshot_hash, sizeof checked->snapshot_hash,
                       (const uint8_t *)image.text, image.size, NULL, 0);
    sodium_memzero(image.text, image.size);
}

static const char *play(struct checked *checked, const struct snapshot_key *key,
                        const uint8_t *gid, const struct record *record)
{
    uint8_t *notes = NULL;
    size_t size;

    if (checked->status >= STATUS_OVER && !checked->fold && checked->seq)
        return "comes after the end of its game";
    int error = record_fold(key->store_key, gid, record, &checked->fold);
    if (error == -ENOMEM)
        return "could not be played for want of memory";
    if (!error)
        return NULL;
    error = record_open(key->store_key, gid, record, &notes, &size);
    if (!error)
        sodium_memzero(notes, size);
    cleanup_free(&notes);
    return error ? "does not fit what is sealed with it" : "cannot have happened";
}

/* When the record was written: all its events say the same. -1: they do not say. */
static int64_t time_of(const struct record *record)
{
    static const char iat[] = "\"iat\":\"";
    const char *end = record->claims + record->claims_size;
    const char *at = member(record->claims, record->claims_size, iat, sizeof iat - 1);
    int64_t time_s;
    char text[21] = "";

    if (at && end - at >= 20)
        memcpy(text, at, 20);
    return time_read(text, &time_s) ? time_s : -1;
}

static void take_over(struct checked *checked, const struct record *record)
{
    struct fold *fold = checked->fold;

    checked->status = fold->status;
    checked->due_s = fold->due_s;
    checked->created_ms = fold->created_ms;
    checked->ruleset = fold->ruleset;
    checked->open = fold->spectators;
    if (snapshot_due(record->first, fold))
        check_remember(checked);
    if (fold->status < STATUS_OVER)
        return;
    checked->ended_s = time_of(record);
    fold_free(fold);
    checked->fold = NULL;
}

void check_record(struct checked *checked, const struct snapshot_key *key,
                  const uint8_t gid[static 16], const struct record *record)
{
    if (checked->fault)
        return;
    if (record->first != checked->seq + 1)
        checked->fault = "is missing";
    if (!checked->fault)
        checked->fault = play(checked, key, gid, record);
    if (!checked->fault)
        checked->fault = check_claims(checked, gid, record);
    if (!checked->fault)
        take_over(checked, record);
}

const char *check_listing(const struct checked *checked, const struct listing *listing)
{
    if (listing->status != checked->status)
        return "is listed with another status than it has";
    if (listing->due_ms != checked->due_s * 1000)
        return "is listed with another term than it has";
    if (listing->ended_ms != checked->ended_s * 1000)
        return "is listed with another end than it has";
    if (listing->ruleset != checked->ruleset || listing->open != checked->open ||
        listing->created_ms != checked->created_ms)
        return "is listed as another game than it is";
    return NULL;
}

enum check_snapshot check_snapshot(const struct checked *checked,
                                   const struct snapshot_key *key, const uint8_t gid[static 16],
                                   const struct snapshot *snapshot)
{
    struct checked told = {0};

    if (!snapshot_ours(key, snapshot))
        return SNAPSHOT_FOREIGN;
    told.fold = snapshot_open(key, gid, snapshot);
    if (!told.fold)
        return SNAPSHOT_BAD;
    check_remember(&told);
    check_done(&told);
    if (snapshot->seq != checked->snapshot_seq)
        return SNAPSHOT_ELSEWHERE;
    return memcmp(told.snapshot_hash, checked->snapshot_hash, sizeof told.snapshot_hash) == 0
               ? SNAPSHOT_GOOD
               : SNAPSHOT_BAD;
}

void check_done(struct checked *checked)
{
    fold_free(checked->fold);
    checked->fold = NULL;
}
