#include "api/view.h"

#include <sodium.h>
#include <stdlib.h>

#include "api/action.h"
#include "api/audit.h"
#include "api/base64.h"
#include "api/clocks.h"
#include "api/proceed.h"
#include "rules/rulesets.h"

void gid_text(const uint8_t gid[static 16], char ret_text[static 24])
{
    base64_encode(gid, 16, ret_text);
}

static void write_seats(struct out *out, const struct fold *fold)
{
    out_object(out, "seats");
    for (unsigned i = 0; i < fold_seats(fold); i++) {
        out_object(out, fold->codec->rules->seats[i]);
        out_text(out, "name", fold_name(fold, i));
        out_bool(out, "taken", fold_seat(fold, i)->taken);
        out_object_end(out);
    }
    out_object_end(out);
}

static void write_set(struct out *out, const char *key, const struct fold *fold, uint8_t set)
{
    out_array(out, key);
    for (int i = 0; i < fold_seats(fold); i++)
        if (set >> i & 1)
            out_text(out, NULL, fold->codec->rules->seats[i]);
    out_array_end(out);
}

static void write_board(struct out *out, const struct fold *fold, uint8_t viewer)
{
    const struct ruleset *rules = fold->codec->rules;
    void *view = calloc(1, rules->view_size);

    if (!view) {
        out->failed = true;
        return;
    }
    rules->observe(fold->state, viewer, view);
    fold->codec->write_board(out, "board", view);
    sodium_memzero(view, rules->view_size);
    free(view);
}

void view_members(struct out *out, const struct fold *fold, uint8_t viewer, int64_t now_ms)
{
    const struct ruleset *rules = fold->codec->rules;
    char id[24], due[24];

    gid_text(fold->gid, id);
    out_text(out, "id", id);
    out_text(out, "ruleset", rules->id);
    out_text(out, "variant", rules->variants[fold->options.variant].id);
    out_text(out, "custody", custody_word(fold->options.custody));
    out_text(out, "status", status_word(fold->status));
    out_number(out, "seq", fold->seq);
    write_seats(out, fold);
    out_text(out, "you", viewer == NO_SEAT ? NULL : rules->seats[viewer]);
    write_set(out, "to_act", fold, fold_to_act(fold));
    write_set(out, "draw_offered", fold, fold->offers);
    clocks_write(out, "clock", fold, now_ms);
    if (fold->due_s)
        time_text(fold->due_s * 1000, due);
    out_text(out, "answer_by", fold->due_s ? due : NULL);
    result_write(out, "result", fold);
    if (fold->blinds)
        out_text(out, "audit", audit_word(fold));
    if (fold->started)
        write_board(out, fold, viewer);
    else
        out_null(out, "board");
}

void view_write(struct out *out, const char *key, const struct fold *fold, uint8_t viewer,
                int64_t now_ms)
{
    out_object(out, key);
    view_members(out, fold, viewer, now_ms);
    out_object_end(out);
}
