#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/army.h"

#include <stdlib.h>
#include <string.h>

#include "api/base64.h"
#include "api/codec.h"
#include "api/commit.h"
#include "api/hex.h"
#include "rules/rulesets.h"
#include "tests/support/table.h"

static const char *name_of(const struct army *army, uint8_t face)
{
    return st_codec.face_name(&army->options, face);
}

static void square_of(uint8_t seat, int slot, char ret_square[static 24])
{
    const struct opening opening = {
        .component = COMPONENT_PIECE, .context = seat, .index = (uint8_t)slot};
    char name[24];

    st_codec.component_name(&opening, name);
    const char *square = strchr(name, '/') + 1;
    memcpy(ret_square, square, strlen(square) + 1);
}

void army_raise(struct army *army, struct client *client, const struct table *table,
                const char *variant, uint8_t seat, struct seeded *seeded)
{
    int row = ruleset_variant(st_codec.rules, variant);
    struct event event;
    struct out out = {0};
    char square[24];
    size_t size;

    assert_true(row >= 0);
    memset(army, 0, sizeof *army);
    army->client = client;
    army->table = table;
    army->seat = seat;
    ruleset_presets(st_codec.rules, (uint8_t)row, &army->options);
    assert_true(base64_decode(table->id, strlen(table->id), army->gid, sizeof army->gid));
    for (size_t i = 0; i < sizeof army->secret; i++)
        army->secret[i] = (uint8_t)seeded_below(seeded, 256);
    event = table_setup((uint8_t)row, seat, seeded);
    st_codec.write_setup(&out, NULL, &event);
    char *text = out_take(&out, &size);
    json_t *pieces = json_loads(text, 0, NULL);
    assert_non_null(pieces);
    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        square_of(seat, slot, square);
        const char *rank = json_string_value(json_object_get(pieces, square));
        army->face[slot] = rank ? st_codec.blind->face(&army->options, rank) : FACE_UNKNOWN;
        if (rank)
            memcpy(army->at[slot], square, strlen(square) + 1);
        commit_nonce(army->secret, army->gid, 0, (uint8_t)slot, army->nonce[slot]);
    }
    json_decref(pieces);
    free(text);
}

struct answer army_post(const struct army *army, const char *what, const char *body,
                        unsigned status)
{
    char path[96];

    (void)snprintf(path, sizeof path, "/v1/games/%s/%s", army->table->id, what);
    return client_do(army->client, "POST", path, army->table->seat[army->seat], body, status);
}

struct answer army_commit(const struct army *army, unsigned status)
{
    char body[4096], hex[65];
    uint8_t hash[32];
    size_t used = (size_t)snprintf(body, sizeof body, "{\"commitments\":[");

    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        const char *comma = slot ? "," : "";
        commit_piece(army->gid, army->seat, (uint8_t)slot, army->face[slot], army->nonce[slot],
                     hash);
        hex_encode(hash, sizeof hash, hex);
        used +=
            (size_t)(army->face[slot] == FACE_UNKNOWN
                         ? snprintf(body + used, sizeof body - used, "%snull", comma)
                         : snprintf(body + used, sizeof body - used, "%s\"%s\"", comma, hex));
    }
    (void)snprintf(body + used, sizeof body - used, "]}");
    return army_post(army, "setup", body, status);
}

int army_on(const struct army *army, const char *square)
{
    for (int slot = 0; slot < SLOTS_MAX; slot++)
        if (strcmp(army->at[slot], square) == 0)
            return slot;
    return -1;
}

int army_find(const struct army *army, const char *rank, int nth)
{
    for (int slot = 0; slot < SLOTS_MAX; slot++)
        if (army->face[slot] != FACE_UNKNOWN &&
            strcmp(name_of(army, army->face[slot]), rank) == 0 && nth-- == 0)
            return slot;
    return -1;
}

void army_swap(struct army *army, int slot, int other)
{
    uint8_t kept = army->face[slot];

    army->face[slot] = army->face[other];
    army->face[other] = kept;
}

void army_opening(const struct army *army, int slot, char ret_text[static 160])
{
    char hex[65];

    hex_encode(army->nonce[slot], 32, hex);
    (void)snprintf(ret_text, 160, "{\"slot\":%d,\"face\":\"%s\",\"nonce\":\"%s\"}", slot,
                   name_of(army, army->face[slot]), hex);
}

static const char *end_of(const json_t *move, const char *end)
{
    return json_string_value(json_object_get(move, end));
}

static bool is_long(const char *from, const char *to)
{
    int files = abs(from[0] - to[0]), rows = abs(atoi(from + 1) - atoi(to + 1));

    return files > 1 || rows > 1;
}

bool army_may(const struct army *army, const json_t *move)
{
    const char *from = end_of(move, "from");
    int slot = army_on(army, from);

    assert_true(slot >= 0);
    const char *rank = name_of(army, army->face[slot]);
    if (strcmp(rank, "flag") == 0 || strcmp(rank, "mine") == 0 || strcmp(rank, "bomb") == 0)
        return false;
    return strcmp(rank, "scout") == 0 || !is_long(from, end_of(move, "to"));
}

bool army_opens(const struct army *army, const struct army *enemy, const json_t *move)
{
    (void)army;
    return is_long(end_of(move, "from"), end_of(move, "to")) ||
           army_on(enemy, end_of(move, "to")) >= 0;
}

struct answer army_move(const struct army *army, const char *from, const char *to, int open,
                        unsigned status)
{
    char body[320], opening[160] = "";

    if (open >= 0)
        army_opening(army, open, opening);
    (void)snprintf(body, sizeof body, "{\"move\":{\"from\":\"%s\",\"to\":\"%s\"}%s%s}", from,
                   to, open >= 0 ? ",\"open\":" : "", opening);
    return army_post(army, "moves", body, status);
}

struct answer army_defend(const struct army *army, int slot, unsigned status)
{
    char body[200], opening[160];

    army_opening(army, slot, opening);
    (void)snprintf(body, sizeof body, "{\"open\":%s}", opening);
    return army_post(army, "defend", body, status);
}

struct answer army_claim(const struct army *army, unsigned status)
{
    char body[SLOTS_MAX * 164 + 32], opening[160];
    size_t used = (size_t)snprintf(body, sizeof body, "{\"opens\":[");
    const char *comma = "";

    for (int slot = 0; slot < SLOTS_MAX; slot++) {
        if (!army->at[slot][0])
            continue;
        army_opening(army, slot, opening);
        used += (size_t)snprintf(body + used, sizeof body - used, "%s%s", comma, opening);
        comma = ",";
    }
    (void)snprintf(body + used, sizeof body - used, "]}");
    return army_post(army, "open", body, status);
}

struct answer army_audit(const struct army *army, const uint8_t secret[static 32],
                         unsigned status)
{
    char body[96], hex[65];

    hex_encode(secret, 32, hex);
    (void)snprintf(body, sizeof body, "{\"secret\":\"%s\"}", hex);
    return army_post(army, "audit", body, status);
}

static void walk(struct army *army, const char *from, const char *to)
{
    int slot = army_on(army, from);

    assert_true(slot >= 0);
    memset(army->at[slot], 0, sizeof army->at[slot]);
    memcpy(army->at[slot], to, strlen(to));
}

void army_follow(struct army armies[static 2], const struct answer *answer)
{
    json_t *event;
    size_t i;

    json_array_foreach(json_object_get(answer->json, "events"), i, event)
    {
        const char *type = end_of(event, "type"), *from = end_of(event, "from");
        const char *to = end_of(event, "to"), *outcome = end_of(event, "outcome");
        const char *seat = end_of(event, "seat");
        struct army *mover = &armies[seat && strcmp(seat, "blue") == 0];
        struct army *other = &armies[mover == armies];
        if (strcmp(type, "moved") == 0)
            walk(mover, from, to);
        if (strcmp(type, "combat") != 0)
            continue;
        if (strcmp(outcome, "attacker_lost") != 0)
            walk(other, to, "");
        walk(mover, from, strcmp(outcome, "defender_lost") == 0 ? to : "");
    }
}
