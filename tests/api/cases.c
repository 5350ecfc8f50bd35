/* The cases of tests/vectors/cases through POST /v1/adjudicate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/client.h"

static const char folder[] = "tests/vectors/cases";

/* One square of each uncovered room is named, whichever: only their number is compared here. */
static void drop_rooms(json_t *expect, const json_t *answer)
{
    json_t *wanted = json_object_get(expect, "state");

    if (!json_object_get(wanted, "uncovered"))
        return;
    assert_int_equal(
        json_array_size(json_object_get(wanted, "uncovered")),
        json_array_size(json_object_get(json_object_get(answer, "state"), "uncovered")));
    json_object_del(wanted, "uncovered");
}

static int by_text(const void *a, const void *b)
{
    json_t *const *x = a, *const *y = b;

    if (json_is_integer(*x) && json_is_integer(*y))
        return (int)(json_integer_value(*x) - json_integer_value(*y));
    return strcmp(json_is_string(*x) ? json_string_value(*x) : "",
                  json_is_string(*y) ? json_string_value(*y) : "");
}

static void sort(json_t *list)
{
    json_t *items[64];
    size_t count = json_array_size(list);

    assert_true(count <= 64);
    for (size_t i = 0; i < count; i++)
        items[i] = json_incref(json_array_get(list, i));
    qsort(items, count, sizeof *items, by_text);
    json_array_clear(list);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, items[i]);
}

/* Hands, mice and cheeses are sets: their order says nothing. */
static void sort_sets(json_t *value)
{
    json_t *child, *hand;
    const char *key, *seat;

    json_object_foreach(value, key, child)
    {
        if (strcmp(key, "mice") == 0 || strcmp(key, "cheeses") == 0)
            sort(child);
        else if (strcmp(key, "hands") == 0)
            json_object_foreach(child, seat, hand) sort(hand);
        else
            sort_sets(child);
    }
}

static const char *type_of(const json_t *move)
{
    const char *type = json_string_value(json_object_get(move, "type"));

    return type ? type : "";
}

/* A case expects a verdict or a list of moves (200), or a problem by its code (422). Of a list
 * of moves the order does not count. */
static bool meets(const json_t *expect, const struct answer *answer)
{
    json_t *rest = json_deep_copy(expect), *move;
    json_t *moves = json_object_get(expect, "moves"),
           *have = json_object_get(answer->json, "moves");
    bool good = true;
    size_t i, j;

    json_array_foreach(moves, i, move)
    {
        bool found = strcmp(type_of(move), "uncover") == 0; /* by any square of the room */
        for (j = 0; j < json_array_size(have); j++)
            found = found || json_equal(move, json_array_get(have, j));
        good = good && found;
    }
    if (moves)
        good = good && json_array_size(moves) == json_array_size(have);
    json_object_del(rest, "moves");
    if (json_is_integer(json_object_get(rest, "status"))) {
        good = good && json_equal(json_object_get(rest, "status"),
                                  json_object_get(answer->json, "status"));
        good = good && answer->response.status == 422;
    }
    sort_sets(rest);
    sort_sets(answer->json);
    drop_rooms(rest, answer->json);
    good = good && json_within(rest, answer->json);
    json_decref(rest);
    return good;
}

static void judge_case(struct client *client, const char *file, const json_t *row)
{
    json_t *expect = json_object_get(row, "expect");
    char *body = json_dumps(json_object_get(row, "request"), JSON_COMPACT);
    struct ask ask = {.method = "POST", .path = "/v1/adjudicate", .body = body};
    struct answer answer;

    client_ask(client, &ask, &answer);
    json_t *status = json_object_get(expect, "status");
    bool problem = json_is_integer(status) || answer.response.status == 422;
    if ((!problem && answer.response.status != 200) || !meets(expect, &answer))
        fail_msg("%s, %s: said %u %s", file, json_string_value(json_object_get(row, "name")),
                 answer.response.status, answer.text);
    answer_done(&answer);
    free(body);
}

static void test_cases(void **state)
{
    DIR *dir = opendir(folder);
    struct client client;
    size_t judged = 0;
    char path[512];

    (void)state;
    assert_non_null(dir);
    client_open(&client, "cases", 1);
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (!strstr(entry->d_name, ".json"))
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        json_t *rows = json_load_file(path, JSON_REJECT_DUPLICATES, NULL), *row;
        size_t i;
        assert_true(json_is_array(rows));
        json_array_foreach(rows, i, row)
        {
            judge_case(&client, entry->d_name, row);
            judged++;
        }
        json_decref(rows);
    }
    closedir(dir);
    client_close(&client);
    print_message("%zu cases judged\n", judged);
    assert_true(judged > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
