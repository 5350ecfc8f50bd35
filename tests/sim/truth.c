/* What lies on the disk, and what it says: the only truth that the laws know. */
#include <stdlib.h>
#include <string.h>

#include "api/commit.h"
#include "api/game.h"
#include "api/hex.h"
#include "api/json_read.h"
#include "tests/sim/world.h"

struct game *game_find(struct world *world, const uint8_t gid[16])
{
    for (size_t i = 0; i < world->game_count; i++)
        if (memcmp(world->games[i].gid, gid, 16) == 0)
            return &world->games[i];
    return NULL;
}

void truth_secret(struct game *game, const char *hex, int owner, bool until_told)
{
    for (size_t i = 0; i < game->secret_count; i++)
        if (strcmp(game->secrets[i].text, hex) == 0)
            return;
    if (game->secret_count == SECRETS_MAX)
        return;
    struct secret *secret = &game->secrets[game->secret_count++];
    *secret = (struct secret){.owner = owner, .until_told = until_told};
    strncpy(secret->text, hex, sizeof secret->text - 1);
}

/* What an event on disk tells is no secret any more. */
static void tell_secrets(struct game *game, const char *line, size_t size)
{
    for (size_t i = 0; i < game->secret_count; i++) {
        struct secret *secret = &game->secrets[i];
        if (!secret->until_told || !memmem(line, size, secret->text, strlen(secret->text)))
            continue;
        *secret = game->secrets[--game->secret_count];
        i--;
    }
}

static unsigned square_of(const char *text)
{
    return text ? (unsigned)((text[0] - 'a') * 12 + atoi(text + 1)) % BOARD : 0;
}

static bool is_long(const char *from, const char *to)
{
    return abs(from[0] - to[0]) + abs(atoi(from + 1) - atoi(to + 1)) > 1;
}

/* Pieces that have shown what they are, by fighting or by going far. */
static void follow_pieces(struct game *game, const json_t *event, const char *type)
{
    const char *from = json_string_value(json_object_get(event, "from"));
    const char *to = json_string_value(json_object_get(event, "to"));
    const char *outcome = json_string_value(json_object_get(event, "outcome"));

    if (!from || !to)
        return;
    if (strcmp(type, "moved") == 0) {
        game->fought[square_of(to)] = game->fought[square_of(from)] || is_long(from, to);
        game->fought[square_of(from)] = false;
    }
    if (strcmp(type, "combat") == 0 && outcome) {
        game->fought[square_of(from)] = false;
        game->fought[square_of(to)] = strcmp(outcome, "both_lost") != 0;
    }
}

/* A fight opens the pieces that fought to one side or both. */
static void forget_nonce(struct game *game, int seat, const char *square)
{
    int slot = square ? army_on(&game->army[seat], square) : -1;
    char hex[65];

    if (slot < 0)
        return;
    hex_encode(game->army[seat].nonce[slot], 32, hex);
    for (size_t i = 0; i < game->secret_count; i++)
        if (strcmp(game->secrets[i].text, hex) == 0)
            game->secrets[i--] = game->secrets[--game->secret_count];
}

static void follow_fight(struct game *game, const json_t *event)
{
    for (int seat = 0; seat < 2; seat++) {
        forget_nonce(game, seat, json_string_value(json_object_get(event, "from")));
        forget_nonce(game, seat, json_string_value(json_object_get(event, "to")));
    }
}

static void follow(struct game *game, const json_t *event)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    struct answer answer = {0};

    if (game->codec == &st_codec)
        follow_pieces(game, event, type);
    if (game->raised && strcmp(type, "combat") == 0)
        follow_fight(game, event);
    if (!game->raised && !game->boxed)
        return;
    answer.json = json_pack("{s:[O]}", "events", (json_t *)(uintptr_t)event);
    if (game->raised)
        army_follow(game->army, &answer);
    else
        box_follow(&game->box, json_object_get(answer.json, "events"));
    json_decref(answer.json);
}

static void event_landed(struct game *game, const char *line, size_t size)
{
    struct world *world = game->world;
    json_t *event = json_read(line, size, NULL);
    const char *prev = json_string_value(json_object_get(event, "prev"));
    char hex[65];

    hex_encode(game->link, 32, hex);
    LAW(world, event, "an event on disk is no JSON: %.*s", (int)size, line);
    LAW(world, json_integer_value(json_object_get(event, "seq")) == (json_int_t)game->seq + 1,
        "%s: an event lands behind seq %u: %.*s", game->table.id, game->seq, (int)size, line);
    LAW(world, prev && strcmp(prev, hex) == 0, "%s: the chain breaks at seq %u", game->table.id,
        game->seq + 1);
    LAW(world, !game->ended, "%s: an event lands when all is over: %.*s", game->table.id,
        (int)size, line);
    commit_link(line, size, game->link);
    game->seq++;
    if (broken(world)) {
        json_decref(event);
        return;
    }
    tell_secrets(game, line, size);
    follow(game, event);
    json_array_append_new(game->events, event);
}

static void record_landed(struct game *game, const struct record *record)
{
    const char *at = record->claims, *end = at + record->claims_size;
    uint32_t count = 0;

    LAW(game->world, record->first == game->seq + 1, "%s: events %u to %u land behind seq %u",
        game->table.id, record->first, record->first + record->count - 1, game->seq);
    LAW(game->world, record->before == game->name,
        "%s: a record lands behind another than it was judged by", game->table.id);
    while (at < end && !broken(game->world)) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((stop ? stop : end) - at);
        event_landed(game, at, size);
        count++;
        at += size + 1;
    }
    LAW(game->world, count == record->count || broken(game->world),
        "%s: a record of %u events has %u", game->table.id, record->count, count);
    game->name = record->link;
}

/* A request with a key is carried out once, for as long as the key is kept. */
static void key_landed(struct world *world, const struct kept *kept)
{
    for (size_t i = 0; i < world->landed_key_count; i++)
        LAW(world,
            memcmp(world->landed_keys[i].key, kept->key, 32) != 0 ||
                world->now_ms >= world->landed_keys[i].until_ms,
            "a request is carried out twice under one Idempotency-Key");
    if ((world->landed_key_count & (world->landed_key_count - 1)) == 0) {
        size_t room = world->landed_key_count ? 2 * world->landed_key_count : 1;
        world->landed_keys = realloc(world->landed_keys, room * sizeof *world->landed_keys);
        if (!world->landed_keys)
            abort();
    }
    struct landed_key *landed = &world->landed_keys[world->landed_key_count++];
    memcpy(landed->key, kept->key, 32);
    landed->until_ms = kept->expires_ms;
}

/* Nobody was told of the game in time: whoever asked for it asks again when his key is
 * forgotten, and gets another. The first stays as it is, and has no players. */
static void creation_landed(struct game *game, const struct kept *kept)
{
    if (game->seq == 1 && !game->made && game->world->now_ms >= game->key_until_ms) {
        game->seq = 0;
        game->name = 0;
        game->status = 0;
        game->secret_count = 0;
        memset(game->link, 0, sizeof game->link);
        json_array_clear(game->events);
    }
    game->key_until_ms = kept ? kept->expires_ms : INT64_MAX;
}

bool truth_landed(void *context, const struct change *change)
{
    struct world *world = context;
    struct game *game = game_find(world, change->gid);

    LAW(world, game, "a game lands of which nobody knows");
    if (broken(world))
        return false;
    game->started = true;
    if (change->record && change->record->first == 1)
        creation_landed(game, change->kept);
    if (change->record)
        record_landed(game, change->record);
    if (change->listing)
        game->status = change->listing->status;
    if (game->status >= STATUS_OVER) {
        game->ended = true;
        game->secret_count = 0;
    }
    game->moves += change->news.moves;
    if (change->kept)
        key_landed(world, change->kept);
    world->tallies.landed++;
    return !broken(world);
}
