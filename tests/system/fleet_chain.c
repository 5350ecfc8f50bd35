#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/commit.h"
#include "api/hex.h"
#include "api/token.h"
#include "tests/system/fleet_replay.h"

enum { PAGE = 500 };

static json_t *fetch_page(struct table *table, uint8_t viewer, uint32_t after)
{
    char path[128];
    struct told told;
    const struct ask ask = {
        .path = path, .credential = viewer == NO_SEAT ? table->host : table->seat[viewer]};

    (void)snprintf(path, sizeof path, "/v1/games/%s/events?tokens=1&after=%u", table->id,
                   after);
    if (!table_ask(table, &ask, &told))
        return NULL;
    json_t *page = told.status == 200 ? json_loads(told.body, 0, NULL) : NULL;
    if (!page)
        disagree(table, "%s: %u %s", path, told.status, told.body);
    told_done(&told);
    return page;
}

json_t *chain_fetch(struct table *table, uint8_t viewer)
{
    json_t *log = json_array();
    uint32_t after = 0;
    size_t count = PAGE;

    while (count == PAGE) {
        json_t *page = fetch_page(table, viewer, after);
        if (!page) {
            json_decref(log);
            return NULL;
        }
        const json_t *events = json_object_get(page, "events");
        count = json_array_size(events);
        json_array_extend(log, json_object_get(page, "events"));
        after = (uint32_t)json_integer_value(json_object_get(page, "next"));
        json_decref(page);
    }
    return log;
}

static bool fetch_key(struct table *table, uint8_t ret_key[static 32])
{
    const struct ask ask = {.path = "/v1/keys"};
    struct told told;

    if (!table_ask(table, &ask, &told))
        return false;
    json_t *keys = json_loads(told.body, 0, NULL);
    told_done(&told);
    const json_t *first = json_array_get(json_object_get(keys, "keys"), 0);
    const char *paserk = json_string_value(json_object_get(first, "public"));
    bool good = paserk && token_paserk_read(paserk, ret_key);
    json_decref(keys);
    return good || disagree(table, "there is no signing key");
}

struct chain {
    struct table *table;
    uint8_t key[32], link[32];
    uint8_t viewer;
    uint32_t seq;
    size_t receipt_size; /* of the first receipt, but for the digits of its seq; 0: none yet */
};

static bool broken(struct chain *chain, const char *what, const char *text)
{
    return disagree(chain->table, "the chain at seq %u: %s: %s", chain->seq, what,
                    text ? text : "-");
}

/* The claims of a token whose signature holds, by the typ that it says itself. */
static char *open_token(struct chain *chain, const json_t *token, size_t *ret_size)
{
    const char *text = json_string_value(token);
    autofree char *peeked = text ? token_peek(text, ret_size) : NULL;
    json_t *claims = peeked ? json_loadb(peeked, *ret_size, 0, NULL) : NULL;
    const char *typ = json_string_value(json_object_get(claims, "typ"));
    char assertion[64];

    (void)snprintf(assertion, sizeof assertion, "refereed/v1/%s", typ ? typ : "");
    json_decref(claims);
    return text ? token_verify_raw(chain->key, text, assertion, ret_size) : NULL;
}

/* An event says what its claims say, under the names that it has for them. */
static bool same_claims(const json_t *event, json_t *claims)
{
    json_t *plain = json_copy((json_t *)(uintptr_t)event);

    json_object_del(plain, "token");
    json_object_del(plain, "receipt");
    json_object_del(plain, "openings");
    json_object_set(claims, "at", json_object_get(claims, "iat"));
    json_object_del(claims, "iat");
    json_object_del(claims, "gid");
    json_object_del(claims, "typ");
    bool same = json_equal(plain, claims);
    json_decref(plain);
    return same;
}

static bool check_token(struct chain *chain, const json_t *event)
{
    size_t size = 0;
    autofree char *text = open_token(chain, json_object_get(event, "token"), &size);
    char link[65];

    if (!text)
        return broken(chain, "the token does not hold", NULL);
    json_t *claims = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    const char *prev = json_string_value(json_object_get(claims, "prev"));
    const char *gid = json_string_value(json_object_get(claims, "gid"));
    hex_encode(chain->link, 32, link);
    bool linked = prev && strcmp(prev, link) == 0;
    bool ours = gid && strcmp(gid, chain->table->id) == 0;
    bool same = same_claims(event, claims);
    json_decref(claims);
    commit_link(text, size, chain->link);
    if (!linked || !ours || !same)
        return broken(chain, linked ? "the event is not its claims" : "the link is wrong",
                      text);
    return true;
}

static size_t digits(uint32_t number)
{
    size_t count = 1;

    for (; number >= 10; number /= 10)
        count++;
    return count;
}

/* A receipt carries what its event opened to the seat, and is as long as all others. */
static bool check_receipt(struct chain *chain, const json_t *event)
{
    size_t size = 0;
    autofree char *text = open_token(chain, json_object_get(event, "receipt"), &size);
    json_t *claims = text ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const json_t *openings = json_object_get(claims, "openings");
    const json_t *told = json_object_get(event, "openings");
    bool same = json_equal(json_object_get(claims, "prev"), json_object_get(event, "prev")) &&
                json_equal(json_object_get(claims, "seq"), json_object_get(event, "seq"));

    same = same && (told ? json_equal(told, openings) : json_array_size(openings) == 0);
    json_decref(claims);
    if (!same)
        return broken(chain, "the receipt does not go with its event", text);
    size -= digits(chain->seq);
    if (chain->receipt_size && chain->receipt_size != size)
        return broken(chain, "the receipt is of another length", text);
    chain->receipt_size = size;
    return true;
}

static bool check_head(struct chain *chain)
{
    char path[96], link[65];
    struct told told;
    const struct ask ask = {.path = path, .credential = chain->table->host};

    (void)snprintf(path, sizeof path, "/v1/games/%s/head", chain->table->id);
    hex_encode(chain->link, 32, link);
    if (!table_ask(chain->table, &ask, &told))
        return false;
    bool same = strstr(told.body, link);
    if (!same)
        broken(chain, "the head is another link", told.body);
    told_done(&told);
    return same;
}

bool chain_check(struct table *table, const json_t *log, uint8_t viewer)
{
    struct chain chain = {.table = table, .viewer = viewer};

    if (!fetch_key(table, chain.key))
        return false;
    for (size_t i = 0; i < json_array_size(log); i++) {
        const json_t *event = json_array_get(log, i);
        chain.seq++;
        if (json_integer_value(json_object_get(event, "seq")) != (json_int_t)chain.seq)
            return broken(&chain, "a seq is missing", NULL);
        if (!check_token(&chain, event) || (viewer != NO_SEAT && !check_receipt(&chain, event)))
            return false;
    }
    return check_head(&chain);
}
