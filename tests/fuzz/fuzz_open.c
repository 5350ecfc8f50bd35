/* Fuzzes what players' custody asks: openings, defences and audits in a game of Stratego that
 * both sides have set up.
 *
 * Each line is one request: a letter for what is posted (m o d a r w), the seat, and the body,
 * in which `~n` stands for the opening of that side's n-th slot ("~" and a letter from '0' on).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/army.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BODY_ROOM = 8192, LINES_MAX = 24 };

/* The body of a line, with openings put in; cut off at its room. */
static void expand(const struct army *army, const char *text, size_t size,
                   char ret_body[static BODY_ROOM])
{
    size_t made = 0;

    for (size_t i = 0; i < size && made + 200 < BODY_ROOM; i++) {
        int slot = i + 1 < size ? text[i + 1] - '0' : -1;
        if (text[i] == '~' && slot >= 0 && slot < SLOTS_MAX) {
            char opening[160];
            army_opening(army, slot, opening);
            made += (size_t)snprintf(ret_body + made, BODY_ROOM - made, "%s", opening);
            i++;
        } else {
            ret_body[made++] = text[i] ? text[i] : ' ';
        }
    }
    ret_body[made] = '\0';
}

static void post(struct client *client, const struct table *table, const struct army *army,
                 const char *text, size_t size)
{
    static const struct {
        char letter;
        const char *name;
    } calls[] = {{'m', "moves"}, {'o', "open"},   {'d', "defend"},
                 {'a', "audit"}, {'r', "resign"}, {'w', "draw"}};
    static char body[BODY_ROOM];
    struct answer answer;
    char path[80];
    size_t seat = text[1] & 1;

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].letter != text[0])
            continue;
        expand(&army[seat], text + 2, size - 2, body);
        (void)snprintf(path, sizeof path, "/v1/games/%s/%s", table->id, calls[i].name);
        client_ask(
            client,
            &(struct ask){
                .method = "POST", .path = path, .bearer = table->seat[seat], .body = body},
            &answer);
        if (answer.response.status >= 500)
            abort();
        answer_done(&answer);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct client client;
    static struct table table;
    static struct army army[2];
    struct seeded seeded = {3};
    const char *at = (const char *)data, *end = at + size;

    client_open(&client, NULL, 1);
    table_make(&client,
               "{\"ruleset\":\"stratego\",\"variant\":\"classic\",\"custody\":\"players\"}", 0,
               &table);
    for (uint8_t seat = 0; seat < 2; seat++) {
        army_raise(&army[seat], &client, &table, "classic", seat, &seeded);
        struct answer done = army_commit(&army[seat], 200);
        answer_done(&done);
    }
    for (int i = 0; i < LINES_MAX && at < end; i++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((next ? next : end) - at);
        if (length >= 2)
            post(&client, &table, army, at, length);
        at = next ? next + 1 : end;
    }
    client_close(&client);
    return 0;
}
