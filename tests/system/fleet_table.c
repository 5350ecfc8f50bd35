#include "tests/system/fleet_table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"

void table_init(struct table *table, const struct plan *plan, struct wire *wire, uint64_t seed)
{
    *table = (struct table){.plan = plan,
                            .wire = wire,
                            .seed = seed,
                            .chance = {seed},
                            .spectators = true,
                            .hose_seat = NO_SEAT};
    (void)snprintf(table->status, sizeof table->status, "none");
}

static void kept_done(struct kept_ask *kept)
{
    free(kept->path);
    free(kept->body);
    free(kept->answer);
    *kept = (struct kept_ask){0};
}

void table_done(struct table *table)
{
    for (size_t i = 0; i < table->deed_count; i++) {
        json_decref(table->deeds[i].sent);
        json_decref(table->deeds[i].answer);
    }
    free(table->deeds);
    json_decref(table->listed);
    kept_done(&table->kept);
    hose_free(table->hose);
    out_done(&table->streamed);
}

bool disagree(struct table *table, const char *format, ...)
{
    va_list arguments;

    if (table->failed)
        return false;
    table->failed = true;
    flockfile(stderr);
    fprintf(stderr,
            "fleet: seed %llu, game %s, %s %s, seq %u, %s: ", (unsigned long long)table->seed,
            table->id, table->codec ? table->codec->rules->id : "-",
            table->codec ? table->codec->rules->variants[table->options.variant].id : "-",
            table->seq, table->status);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
    return false;
}

uint32_t roll(struct table *table, uint32_t n)
{
    return seeded_below(&table->chance, n);
}

bool rarely(struct table *table, uint32_t n)
{
    return roll(table, n) == 0;
}

const char *credential_of(const struct table *table, uint8_t seat)
{
    return seat < SEATS_MAX ? table->seat[seat] : NULL;
}

/* After a break: what was answered must be there. */
static bool still_there(struct table *table)
{
    char path[128];
    struct told told;
    const struct ask ask = {.path = path, .credential = table->host};

    (void)snprintf(path, sizeof path, "/v1/games/%s/head", table->id);
    if (!wire_ask(table->wire, &ask, &told))
        return true; /* killed again: asked again */
    json_t *head = json_loads(told.body, 0, NULL);
    json_int_t seq = json_integer_value(json_object_get(head, "seq"));
    unsigned status = told.status;
    json_decref(head);
    told_done(&told);
    if (status == 200 && seq >= (json_int_t)table->seq)
        return true;
    return disagree(table, "after a restart: %u, the head is %lld, but seq %u was answered",
                    status, (long long)seq, table->seq);
}

bool table_ask(struct table *table, const struct ask *ask, struct told *ret_told)
{
    bool reads = !ask->body && (!ask->method || strcmp(ask->method, "GET") == 0);

    for (int tries = 0; tries < 100; tries++) {
        if (!wire_reconnect(table->wire, 30))
            return disagree(table, "no connection");
        if (wire_ask(table->wire, ask, ret_told))
            return true;
        if (!table->plan->survives)
            return disagree(table, "the connection broke at %s", ask->path);
        table->lost++;
        if (!wire_reconnect(table->wire, 30) || (table->seq && !still_there(table)))
            return disagree(table, "no connection");
        if (reads || ask->key)
            continue;
        *ret_told = (struct told){.body = calloc(1, 1)};
        return true;
    }
    return disagree(table, "no answer to %s", ask->path);
}

/* A change whose answer was lost: carried out if the game has moved on. */
static bool find_fate(struct table *table, struct deed *deed)
{
    char path[128];
    struct told told;
    const struct ask ask = {.path = path, .credential = table->host};

    (void)snprintf(path, sizeof path, "/v1/games/%s", table->id);
    if (!table_ask(table, &ask, &told))
        return false;
    json_t *view = json_loads(told.body, 0, NULL);
    told_done(&told);
    if (json_integer_value(json_object_get(view, "seq")) <= (json_int_t)table->seq) {
        json_decref(view);
        deed->kind = DEED_KINDS; /* it never was */
        return true;
    }
    deed->answer = NULL;
    json_t *answer = json_pack("{s:O, s:o}", "seq", json_object_get(view, "seq"), "view", view);
    (void)snprintf(table->status, sizeof table->status, "%s",
                   json_string_value(json_object_get(view, "status")));
    deed->answer = answer;
    deed->minimal = true;
    return true;
}

static uint8_t seat_number(const struct table *table, const char *name)
{
    for (uint8_t i = 0; name && i < table->options.players; i++)
        if (strcmp(table->codec->rules->seats[i], name) == 0)
            return i;
    return NO_SEAT;
}

static void follow_view(struct table *table, const json_t *view)
{
    const char *status = json_string_value(json_object_get(view, "status"));
    const json_t *to_act = json_object_get(view, "to_act");
    unsigned set = 0;

    if (!status)
        return;
    (void)snprintf(table->status, sizeof table->status, "%s", status);
    for (size_t i = 0; i < json_array_size(to_act); i++) {
        uint8_t seat = seat_number(table, json_string_value(json_array_get(to_act, i)));
        set |= seat < SEATS_MAX ? 1U << seat : 0;
    }
    table->to_act = (uint8_t)set;
}

static bool follow(struct table *table, struct deed *deed)
{
    json_t *view = json_object_get(deed->answer, "view");
    json_t *seq = json_object_get(deed->answer, "seq");

    if (deed->kind < DEED_LIST && deed->status < 300) {
        if (!json_is_integer(seq) || json_integer_value(seq) <= (json_int_t)table->seq)
            return disagree(table, "a change was answered without a greater seq");
        table->seq = (uint32_t)json_integer_value(seq);
    }
    const char *status = json_string_value(json_object_get(deed->answer, "status"));
    if (status && deed->status < 300)
        (void)snprintf(table->status, sizeof table->status, "%s", status);
    table->blind = deed->kind == DEED_VIEW ? false : table->blind || deed->minimal;
    follow_view(table, deed->kind == DEED_VIEW ? deed->answer : view);
    return true;
}

static struct deed *keep(struct table *table, const struct deed *deed)
{
    if ((table->deed_count & (table->deed_count - 1)) == 0) {
        size_t room = table->deed_count ? 2 * table->deed_count : 1;
        table->deeds = realloc(table->deeds, room * sizeof *table->deeds);
        if (!table->deeds)
            abort();
    }
    table->deeds[table->deed_count] = *deed;
    return &table->deeds[table->deed_count++];
}

static void keep_ask(struct table *table, const struct ask *ask, const struct told *told)
{
    struct kept_ask *kept = &table->kept;

    if (!ask->key || told->status >= 300)
        return;
    kept_done(kept);
    kept->path = strdup(ask->path);
    kept->body = strdup(ask->body ? ask->body : "");
    kept->answer = strdup(told->body);
    kept->status = told->status;
    (void)snprintf(kept->key, sizeof kept->key, "%s", ask->key);
    (void)snprintf(kept->credential, sizeof kept->credential, "%s",
                   ask->credential ? ask->credential : "");
}

static void make_key(struct table *table, const struct deed *deed, char key[static 48])
{
    bool wants = table->plan->survives ? deed->kind <= DEED_SETUP || !rarely(table, 3)
                                       : rarely(table, 8);

    key[0] = '\0';
    if (wants && deed->kind < DEED_LIST)
        (void)snprintf(key, 48, "key-%016llx%016llx",
                       (unsigned long long)seeded_next(&table->chance),
                       (unsigned long long)seeded_next(&table->chance));
}

/* If-Match: mostly none, sometimes the right one, sometimes (asked for) a wrong one. */
static void make_match(struct table *table, struct deed *deed, char match[static 32])
{
    match[0] = '\0';
    if (deed->stale)
        (void)snprintf(match, 32, "\"%u\"", table->seq - 1 + 2 * roll(table, 2));
    else if (deed->kind > DEED_SEAT && deed->kind < DEED_LIST && rarely(table, 6))
        (void)snprintf(match, 32, rarely(table, 2) ? "\"%u\"" : "\"%u.s\"", table->seq);
}

/* A disk that fails now and then (in this process only): nothing may have happened then. */
static bool ask_with_luck(struct table *table, struct deed *deed, const struct ask *ask,
                          struct told *told)
{
    static const int errors[] = {-ENOSPC, -EIO};
    int pick = (int)roll(table, 2);
    bool fails =
        deed->kind < DEED_LIST && rarely(table, 50) && wire_fail(table->wire, errors[pick]);

    bool asked = table_ask(table, ask, told);
    if (!fails || !asked)
        return asked;
    (void)wire_fail(table->wire, 0);
    if (told->status < 300)
        return disagree(table, "%s was answered %u though the disk had failed", ask->path,
                        told->status);
    if (told->status < 500)
        return true;
    if (told->status != (pick ? 503U : 507U))
        return disagree(table, "a failed disk was answered %u", told->status);
    told_done(told);
    return table_ask(table, ask, told);
}

bool table_do(struct table *table, struct deed deed, const char *path, json_t *body,
              const char *credential, const struct deed **ret_deed)
{
    autofree char *text = deed.broken ? strdup("{\"move\":")
                          : body      ? json_dumps(body, JSON_COMPACT)
                                      : NULL;
    char whole[192], key[48], match[32];
    struct told told;

    deed.seq = table->seq;
    make_key(table, &deed, key);
    make_match(table, &deed, match);
    deed.minimal = deed.kind > DEED_SETUP && deed.kind < DEED_ABORT && rarely(table, 10);
    (void)snprintf(whole, sizeof whole, "/v1/games%s%s%s", table->id[0] ? "/" : "", table->id,
                   path);
    const struct ask ask = {.method = deed.kind < DEED_LIST ? "POST" : "GET",
                            .path = whole,
                            .body = text,
                            .credential = credential,
                            .key = key[0] ? key : NULL,
                            .if_match = match[0] ? match : NULL,
                            .minimal = deed.minimal};
    json_decref(body);
    if (!ask_with_luck(table, &deed, &ask, &told)) {
        json_decref(deed.sent);
        return false;
    }
    deed.status = told.status;
    deed.answer = told.status ? json_loads(told.body, 0, NULL) : NULL;
    keep_ask(table, &ask, &told);
    told_done(&told);
    if (deed.status == 0 && !find_fate(table, &deed))
        return false;
    *ret_deed = keep(table, &deed);
    if (deed.status && !deed.answer)
        return disagree(table, "%s: the answer %u is not JSON", whole, deed.status);
    return deed.kind == DEED_KINDS || follow(table, &table->deeds[table->deed_count - 1]);
}
