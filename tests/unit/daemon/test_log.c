/* Log lines: one line each, in three forms, with nothing in them that the client made up. */
#include "daemon/log.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int ends[2];
static char line[2048];

static struct log log_of(enum log_format format, enum log_level level)
{
    assert_int_equal(pipe(ends), 0);
    return (struct log){.fd = ends[1], .format = (uint8_t)format, .level = (uint8_t)level};
}

static const char *written(void)
{
    close(ends[1]);
    ssize_t size = read(ends[0], line, sizeof line - 1);
    close(ends[0]);
    line[size > 0 ? size : 0] = '\0';
    return line;
}

static const uint8_t gid[16] = {0xab, 0xcd, 0x01, 0x02, 0xff};
static const struct log_request request = {.method = "POST",
                                           .route = "/v1/games/{id}/moves",
                                           .gid = gid,
                                           .status = 200,
                                           .us = 1234,
                                           .id = "a.1"};

static void writes_requests(void **state)
{
    struct log log = log_of(FORMAT_TEXT, LEVEL_INFO);

    (void)state;
    log_request(&log, &request);
    assert_string_equal(
        written(), "refereed: info: POST /v1/games/{id}/moves 200 1234us abcd0102 id=a.1\n");
    log = log_of(FORMAT_JOURNAL, LEVEL_INFO);
    log_request(&log, &request);
    assert_string_equal(written(), "<6>POST /v1/games/{id}/moves 200 1234us abcd0102 id=a.1\n");
    log = log_of(FORMAT_JSON, LEVEL_INFO);
    log_request(&log, &request);
    json_t *json = json_loads(written(), JSON_REJECT_DUPLICATES, NULL);
    assert_string_equal(json_string_value(json_object_get(json, "game")), "abcd0102");
    assert_int_equal(json_integer_value(json_object_get(json, "us")), 1234);
    assert_string_equal(json_string_value(json_object_get(json, "id")), "a.1");
    json_decref(json);
}

static void leaves_out_what_is_below_the_level(void **state)
{
    struct log log = log_of(FORMAT_TEXT, LEVEL_WARNING);
    struct log_request failed = request;

    (void)state;
    log_request(&log, &request);
    log_line(&log, LEVEL_INFO, "quiet");
    failed.status = 507;
    log_request(&log, &failed);
    assert_non_null(strstr(written(), "refereed: warning: POST"));
    assert_null(strstr(line, "quiet"));
}

static void a_line_is_one_line(void **state)
{
    struct log log = log_of(FORMAT_JSON, LEVEL_INFO);
    char text[3000];

    (void)state;
    memset(text, '"', sizeof text);
    memcpy(text, "a\nb\033[31m", 8);
    text[sizeof text - 1] = '\0';
    log_line(&log, LEVEL_ERROR, "%s", text);
    json_t *json = json_loads(written(), 0, NULL);
    assert_non_null(json);
    assert_memory_equal(json_string_value(json_object_get(json, "message")), "a?b?[31m", 8);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    json_decref(json);
}

static void a_method_is_the_clients_word(void **state)
{
    struct log log = log_of(FORMAT_JSON, LEVEL_INFO);
    struct log_request odd = {.method = "RFS_\"secret\"", .status = 501};

    (void)state;
    log_request(&log, &odd);
    assert_null(strstr(written(), "secret"));
    json_t *json = json_loads(line, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(json, "route")), "-");
    json_decref(json);
}

static void names_are_found(void **state)
{
    (void)state;
    assert_int_equal(log_level_find("debug"), LEVEL_DEBUG);
    assert_int_equal(log_format_find("journal"), FORMAT_JOURNAL);
    assert_int_equal(log_level_find("x"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_requests),
        cmocka_unit_test(leaves_out_what_is_below_the_level),
        cmocka_unit_test(a_line_is_one_line),
        cmocka_unit_test(a_method_is_the_clients_word),
        cmocka_unit_test(names_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
