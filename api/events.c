#include "api/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/proceed.h"
#include "api/view.h"

enum {
    OPENING_TEXT_MAX = 136, /* {"component":"card/255/24","face":"emmental","nonce":"..."}, */
    TYP_MAX = 16,
};

/* The most openings that one seat can get by one event: both hands of five, the tiles of a room
 * and of a line, one piece. */
static const uint8_t openings_at_most[] = {
    [COMPONENT_PIECE] = 1,
    [COMPONENT_CARD] = 10,
    [COMPONENT_TILE] = 8,
};

static bool may_see(const struct fold *fold, const struct opening *opening, uint8_t viewer)
{
    bool to_viewer = viewer < SEATS_MAX && (opening->seats >> viewer & 1);

    if (!to_viewer && !(opening->seats & OPEN_TO_ALL))
        return false;
    return !fold->codec->told || fold->codec->told(fold->state, opening);
}

static void write_noted(struct out *out, const struct events_view *view,
                        const struct note_view *note)
{
    struct opening opening;

    for (size_t i = 0; i < note->payload[2]; i++) {
        memcpy(&opening, note->payload + 3 + i * sizeof opening, sizeof opening);
        if (may_see(view->fold, &opening, view->viewer))
            opening_write(out, view->fold, &opening);
    }
}

/* The openings of event `index` of the record that the viewer may see. */
static void write_openings(struct out *out, const struct events_view *view,
                           const uint8_t *notes, size_t size, uint32_t index)
{
    struct note_view note;
    size_t at = 0;

    out_array(out, "openings");
    while (note_next(notes, size, &at, &note))
        if (note.kind == NOTE_OPENINGS && note.size >= 3 &&
            (uint32_t)(note.payload[0] | note.payload[1] << 8) == index)
            write_noted(out, view, &note);
    out_array_end(out);
}

static bool is(const struct out_member *member, const char *key)
{
    return member->key_size == strlen(key) && memcmp(member->key, key, member->key_size) == 0;
}

static bool find_member(const char *claims, size_t size, const char *key,
                        struct out_member *ret_member)
{
    for (size_t at = 0; out_member_next(claims, size, &at, ret_member);)
        if (is(ret_member, key))
            return true;
    return false;
}

/* Claims as an event: seq, at, type and seat first; what only tokens need is left out. */
static void write_claims(struct out *out, const char *claims, size_t size)
{
    static const char *const first[][2] = {
        {"seq", "seq"}, {"iat", "at"}, {"type", "type"}, {"seat", "seat"}};
    struct out_member member;

    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (find_member(claims, size, first[i][0], &member))
            out_raw(out, first[i][1], member.value, member.value_size);
    for (size_t at = 0; out_member_next(claims, size, &at, &member);)
        if (!is(&member, "gid") && !is(&member, "typ") && !is(&member, "seq") &&
            !is(&member, "iat") && !is(&member, "type") && !is(&member, "seat"))
            out_member(out, &member);
}

void events_write_token(struct out *out, const char *key, const struct token_key *signing,
                        const char *claims, size_t size)
{
    struct out_member typ;
    char word[TYP_MAX] = "";

    if (find_member(claims, size, "typ", &typ) && typ.value_size - 2 < TYP_MAX)
        memcpy(word, typ.value + 1, typ.value_size - 2);
    autofree char *token = token_sign(signing, word, claims, size);
    if (token)
        out_safe(out, key, token, strlen(token));
    else
        out->failed = true;
}

/* Padded inside, so that a receipt is as long whatever it opens. */
static void write_padding(struct out *out, size_t used, uint8_t component)
{
    size_t room = (size_t)openings_at_most[component] * OPENING_TEXT_MAX;
    size_t size = used < room ? room - used : 0;
    autofree char *pad = malloc(size + 1);

    if (!pad) {
        out->failed = true;
        return;
    }
    memset(pad, '.', size);
    out_safe(out, "pad", pad, size);
}

static void write_receipt_claims(struct out *out, const struct events_view *view,
                                 const char *claims, size_t claims_size, const uint8_t *notes,
                                 size_t size, uint32_t index)
{
    static const char *const same[] = {"gid", "iat", "prev", "seq"};
    struct out_member member;

    out_object(out, NULL);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (find_member(claims, claims_size, same[i], &member))
            out_member(out, &member);
    size_t before = out->size;
    write_openings(out, view, notes, size, index);
    write_padding(out, out->size - before, view->fold->codec->component);
    out_text(out, "seat", view->fold->codec->rules->seats[view->viewer]);
    out_text(out, "typ", "receipt");
    out_object_end(out);
    out_sort(out, 0);
}

/* The claims of event `index` of a record: one line. */
static const char *line_of(const struct record *record, uint32_t index, size_t *ret_size)
{
    const char *at = record->claims, *end = at + record->claims_size;

    for (; index > 0 && at < end; index--) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *ret_size = (size_t)((stop ? stop : end) - at);
    return at;
}

void events_write_receipt(struct out *out, const char *key, const struct token_key *signing,
                          const struct events_view *view, const struct record *record,
                          uint32_t index, const uint8_t *notes, size_t size)
{
    autoout struct out claims = {0};
    size_t line_size;
    const char *line = line_of(record, index, &line_size);

    write_receipt_claims(&claims, view, line, line_size, notes, size, index);
    if (claims.failed)
        out->failed = true;
    else
        events_write_token(out, key, signing, claims.text, claims.size);
}

static void write_one(struct out *out, const struct events_view *view,
                      const struct record *record, uint32_t index, const uint8_t *notes,
                      size_t size)
{
    size_t line_size;
    const char *line = line_of(record, index, &line_size);

    out_object(out, NULL);
    write_claims(out, line, line_size);
    size_t before = out->size;
    write_openings(out, view, notes, size, index);
    if (!out->failed && out->text[out->size - 2] == '[')
        out->size = before; /* none for this viewer: no member at all */
    if (view->key) {
        events_write_token(out, "token", view->key, line, line_size);
        if (view->viewer != NO_SEAT)
            events_write_receipt(out, "receipt", view->key, view, record, index, notes, size);
    }
    out_object_end(out);
}

void events_write(struct out *out, struct events_view *view, const struct record *record,
                  const uint8_t *notes, size_t size)
{
    char head[32];

    for (uint32_t i = 0; i < record->count; i++) {
        uint32_t seq = record->first + i;
        if (seq <= view->after)
            continue;
        if (view->limit && view->written == view->limit)
            return;
        if (view->sse) {
            int length = snprintf(head, sizeof head, "id: %u\ndata: ", seq);
            out_bytes(out, head, (size_t)length);
        }
        write_one(out, view, record, i, notes, size);
        if (view->sse || view->lines)
            out_bytes(out, "\n\n", view->sse ? 2 : 1);
        view->written++;
        view->last = seq;
    }
}
