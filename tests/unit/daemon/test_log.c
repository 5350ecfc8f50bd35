/* Log lines: one line each, in three forms, with nothing in them that the client made up. */
#include "daemon/log.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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

/* The other side of the journal's socket, as journald has it; `path` ends in XXXXXX. */
static int journal_at(char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    close(mkstemp(path));
    unlink(path);
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static const char *entry_of(int fd)
{
    ssize_t size = recv(fd, line, sizeof line - 1, MSG_DONTWAIT);

    assert_true(size > 0);
    line[size] = '\0';
    return line;
}

static void entries_have_fields(void **state)
{
    char path[] = "/tmp/refereed-log-XXXXXX";
    int journal = journal_at(path);
    struct log log = {.fd = -1, .format = FORMAT_JOURNAL, .level = LEVEL_INFO};
    struct log_request none = {.method = "GET", .status = 500};

    (void)state;
    assert_false(log_to_journal(&log, "/tmp/refereed-there-is-none"));
    assert_int_equal(log.format, FORMAT_JOURNAL);
    assert_true(log_to_journal(&log, path));
    log_request(&log, &request);
    assert_string_equal(entry_of(journal),
                        "PRIORITY=6\nSYSLOG_IDENTIFIER=refereed\nREFEREED_METHOD=POST\n"
                        "REFEREED_ROUTE=/v1/games/{id}/moves\nREFEREED_STATUS=200\n"
                        "REFEREED_US=1234\nREFEREED_REQUEST=a.1\nREFEREED_GAME=abcd0102\n"
                        "MESSAGE=POST /v1/games/{id}/moves 200 1234us abcd0102 id=a.1\n");
    log_request(&log, &none);
    assert_string_equal(entry_of(journal),
                        "PRIORITY=4\nSYSLOG_IDENTIFIER=refereed\nREFEREED_METHOD=GET\n"
                        "REFEREED_ROUTE=-\nREFEREED_STATUS=500\nREFEREED_US=0\n"
                        "REFEREED_REQUEST=-\nMESSAGE=GET - 500 0us id=-\n");
    log_line(&log, LEVEL_ERROR, "a\nPRIORITY=0");
    assert_string_equal(entry_of(journal),
                        "PRIORITY=3\nSYSLOG_IDENTIFIER=refereed\nMESSAGE=a?PRIORITY=0\n");
    close(journal);
    close(log.fd);
    unlink(path);
}

/* What the journal does not take is on stderr. */
static void no_line_is_lost(void **state)
{
    char path[] = "/tmp/refereed-log-XXXXXX";
    int journal = journal_at(path), was = dup(STDERR_FILENO);
    struct log log = {.fd = -1, .format = FORMAT_JOURNAL, .level = LEVEL_INFO};

    (void)state;
    assert_true(log_to_journal(&log, path));
    close(journal);
    unlink(path);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    log_line(&log, LEVEL_WARNING, "told");
    dup2(was, STDERR_FILENO);
    close(was);
    close(log.fd);
    assert_string_equal(written(), "<4>told\n");
}

/* A terminal that has inherited the variable is no journal. */
static void the_journal_is_known_by_its_stream(void **state)
{
    char stream[64];
    struct stat status;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fstat(ends[1], &status), 0);
    unsetenv("JOURNAL_STREAM");
    assert_false(log_is_journal(ends[1]));
    snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t)status.st_dev,
             (uintmax_t)status.st_ino + 1);
    setenv("JOURNAL_STREAM", stream, 1);
    assert_false(log_is_journal(ends[1]));
    snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t)status.st_dev,
             (uintmax_t)status.st_ino);
    setenv("JOURNAL_STREAM", stream, 1);
    assert_true(log_is_journal(ends[1]));
    unsetenv("JOURNAL_STREAM");
    close(ends[0]);
    close(ends[1]);
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
        cmocka_unit_test(entries_have_fields),
        cmocka_unit_test(no_line_is_lost),
        cmocka_unit_test(the_journal_is_known_by_its_stream),
        cmocka_unit_test(names_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
