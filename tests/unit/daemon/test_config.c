/* Settings: which source wins, and one clear line for each mistake. */
#include "daemon/config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORDS_MAX = 40 };

static char error_text[CONFIG_ERROR_SIZE];

/* Reads a command line of words with a space between. */
static int read_words(struct config *config, const char *line)
{
    static char text[1024];
    char *argv[WORDS_MAX] = {text}, *save;
    int argc = 0;

    snprintf(text, sizeof text, "refereed %s", line);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
        argv[argc++] = word;
    error_text[0] = '\0';
    return config_read(config, argc, argv, error_text);
}

static void has_presets(void **state)
{
    struct config c;

    (void)state;
    assert_int_equal(read_words(&c, ""), 0);
    assert_int_equal(c.command, COMMAND_SERVE);
    assert_int_equal(c.listen.count, 1);
    assert_string_equal(c.listen.item[0], "127.0.0.1:8480");
    assert_string_equal(c.state, "var");
    assert_int_equal(c.rate, 50);
    assert_int_equal(c.threads, 2);
    assert_true(c.open_creation);
    assert_false(c.trust_proxy);
    assert_string_equal(c.log_level, "info");
    assert_string_equal(c.log_format, "text");
    config_done(&c);
}

static void reads_flags(void **state)
{
    struct config c;

    (void)state;
    assert_int_equal(read_words(&c, "serve --listen a:1 --listen=unix:/x --trust-proxy "
                                    "--open-creation off --rate 0 --log-level debug"),
                     0);
    assert_int_equal(c.listen.count, 2); /* the preset is not among them */
    assert_string_equal(c.listen.item[1], "unix:/x");
    assert_null(c.listen.item[2]);
    assert_true(c.trust_proxy);
    assert_false(c.open_creation);
    assert_int_equal(c.rate, 0);
    config_done(&c);
}

static void flag_over_environment_over_file(void **state)
{
    char path[] = "/tmp/refereed-conf-XXXXXX", line[128];
    const char text[] = "# a remark\n\nthreads = 3\n rate=7\nlog_level = error \n"
                        "log-format = json\nlisten = file:1\n";
    struct config c;
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    setenv("REFEREED_RATE", "8", 1);
    setenv("REFEREED_LOG_LEVEL", "warning", 1);
    snprintf(line, sizeof line, "--config %s --log-level debug --listen flag:2", path);
    assert_int_equal(read_words(&c, line), 0);
    unsetenv("REFEREED_RATE");
    unsetenv("REFEREED_LOG_LEVEL");
    unlink(path);
    assert_int_equal(c.threads, 3);
    assert_int_equal(c.rate, 8);
    assert_string_equal(c.log_level, "debug");
    assert_string_equal(c.log_format, "json");
    assert_int_equal(c.listen.count, 1);
    assert_string_equal(c.listen.item[0], "flag:2");
    config_done(&c);
}

static void knows_its_commands(void **state)
{
    struct config c;

    (void)state;
    assert_int_equal(read_words(&c, "keygen /tmp/k"), 0);
    assert_int_equal(c.command, COMMAND_KEYGEN);
    assert_string_equal(c.operand, "/tmp/k");
    assert_int_equal(read_words(&c, "backup --state s f.db"), 0);
    assert_int_equal(c.command, COMMAND_BACKUP);
    assert_string_equal(c.operand, "f.db");
    assert_string_equal(c.state, "s");
    assert_int_equal(read_words(&c, "check"), 0);
    assert_int_equal(c.command, COMMAND_CHECK);
    assert_int_equal(read_words(&c, "rotate"), 0);
    assert_int_equal(c.command, COMMAND_ROTATE);
    assert_int_equal(read_words(&c, "--help"), 0);
    assert_int_equal(c.command, COMMAND_HELP);
    assert_int_equal(read_words(&c, "keygen --help"), 0);
    assert_int_equal(c.command, COMMAND_HELP);
    assert_int_equal(read_words(&c, "--version"), 0);
    assert_int_equal(c.command, COMMAND_VERSION);
}

static const struct {
    const char *line, *says;
} mistakes[] = {
    {"--nonsense 1", "no such flag"},
    {"--rate", "needs a value"},
    {"--rate=", "needs a value"},
    {"--rate x", "number from 0"},
    {"--rate -1", "number from 0"},
    {"--rate 1x", "number from 0"},
    {"--rate 99999999999999999999", "number from 0"},
    {"--threads 0", "number from 1"},
    {"--threads 65", "to 64"},
    {"--log-level loud", "one of error|warning|info|debug"},
    {"--log-level info|debug", "one of"},
    {"--log-format xml", "one of text|json|journal"},
    {"--open-creation=maybe", "one of on|off"},
    {"--tls-cert a", "tls_key"},
    {"--tls-key a", "tls_key"},
    {"--store mysql://u:pass@x", "only sqlite: and postgresql:"},
    {"postgresql://u:pass@x/g", "postgresql: not understood"},
    {"--stoer=postgresql://u:pass@x/g", "--stoer: no such flag"},
    {"migrate", "needs --store"},
    {"--config /nonexistent/file", "No such file"},
    {"--config", "needs a value"},
    {"--configure x", "no such flag"},
    {"word", "not understood"},
    {"check word", "not understood"},
    {"keygen", "name of a folder"},
    {"backup", "name of a file"},
    {"-x", "not understood"},
    {"--host a --host a --host a --host a --host a --host a --host a --host a --host a --host "
     "a "
     "--host a --host a --host a --host a --host a --host a --host a",
     "too often"},
};

static void says_what_is_wrong(void **state)
{
    struct config c;

    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        if (read_words(&c, mistakes[i].line) != -EINVAL)
            fail_msg("%s: taken", mistakes[i].line);
        if (!strstr(error_text, mistakes[i].says))
            fail_msg("%s: %s", mistakes[i].line, error_text);
        assert_null(strchr(error_text, '\n'));
        assert_null(strstr(error_text, "pass@"));
        config_done(&c);
    }
}

static const struct {
    const char *text, *says;
} files[] = {
    {"rate 7\n", ":1: is not `key = value`"},
    {"\n\nspeed = 7\n", ":3: no such key"},
    {"rate = many\n", ":1: rate: must be a number"},
    {"rate =\n", ":1: rate: needs a value"},
};

static void says_where_in_the_file(void **state)
{
    struct config c;

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[] = "/tmp/refereed-conf-XXXXXX", line[64];
        int fd = mkstemp(path);
        size_t size = strlen(files[i].text);
        assert_int_equal(write(fd, files[i].text, size), size);
        close(fd);
        snprintf(line, sizeof line, "--config=%s", path);
        assert_int_equal(read_words(&c, line), -EINVAL);
        if (!strstr(error_text, files[i].says))
            fail_msg("%s: %s", files[i].text, error_text);
        unlink(path);
        config_done(&c);
    }
}

static void reads_spans(void **state)
{
    static const struct {
        const char *text;
        int64_t ms; /* -1: refused */
    } rows[] = {
        {"0", 0},
        {"30", 30 * INT64_C(86400000)},
        {"30d", 30 * INT64_C(86400000)},
        {"12h", 43200000},
        {"90m", 5400000},
        {"90s", 90000},
        {"1.5", -1},
        {"-1", -1},
        {"+1", -1},
        {"10w", -1},
        {"d", -1},
        {"1dd", -1},
        {"1d1", -1},
        {"100001", -1},
        {"99999999999999999999s", -1},
        {"100000d", 8640000000000},
    };
    struct config c;
    char line[96];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(line, sizeof line, "--keep-ended %s", rows[i].text);
        int error = read_words(&c, line);
        assert_int_equal(error, rows[i].ms < 0 ? -EINVAL : 0);
        if (error)
            assert_non_null(strstr(error_text, "keep_ended"));
        else
            assert_int_equal(c.keep_ended_ms, rows[i].ms);
        config_done(&c);
    }
    assert_int_equal(read_words(&c, "archive DIR --older-than=2h --state S"), 0);
    assert_int_equal(c.command, COMMAND_ARCHIVE);
    assert_string_equal(c.operand, "DIR");
    assert_int_equal(c.older_than_ms, 7200000);
    config_done(&c);
    assert_int_equal(read_words(&c, "archive"), -EINVAL);
    assert_non_null(strstr(error_text, "name of a folder"));
    config_done(&c);
    assert_int_equal(read_words(&c, "serve --older-than 1"), -EINVAL);
    config_done(&c);
    assert_int_equal(read_words(&c, "--archive X"), -EINVAL);
    assert_non_null(strstr(error_text, "needs keep_ended"));
    config_done(&c);
}

struct seen {
    int mistakes;
    char text[4096];
};

static void on_mistake(void *context, const char *line)
{
    struct seen *seen = context;

    seen->mistakes++;
    snprintf(seen->text + strlen(seen->text), sizeof seen->text - strlen(seen->text), "%s\n",
             line);
}

static void on_value(void *context, const char *key, const char *value, const char *origin)
{
    struct seen *seen = context;

    snprintf(seen->text + strlen(seen->text), sizeof seen->text - strlen(seen->text),
             "%s=%s (%s)\n", key, value ? value : "", origin);
}

static void review_tells_all(void **state)
{
    struct seen seen = {0};
    const struct config_review review = {&seen, on_mistake, on_value};
    char *argv[] = {"refereed", "check-config", "--rate", "x", "--threads=3", "--tls-key", "k"};
    struct config c;

    (void)state;
    assert_int_equal(config_read(&c, 7, argv, error_text), 0); /* left to the review */
    assert_int_equal(c.command, COMMAND_CHECK_CONFIG);
    setenv("REFEREED_MAX_GAMES", "none", 1);
    assert_int_equal(config_review(&c, 7, argv, &review), 3);
    unsetenv("REFEREED_MAX_GAMES");
    assert_int_equal(seen.mistakes, 3);
    assert_non_null(strstr(seen.text, "environment: max_games: must be a number from 1"));
    assert_non_null(strstr(seen.text, "rate: must be a number from 0"));
    assert_non_null(strstr(seen.text, "tls_key: needs tls_cert"));
    assert_non_null(strstr(seen.text, "rate=50 (default)\n"));
    assert_non_null(strstr(seen.text, "threads=3 (flag)\n"));
    assert_non_null(strstr(seen.text, "tls_cert= (default)\n"));
    config_done(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_presets),
        cmocka_unit_test(reads_flags),
        cmocka_unit_test(flag_over_environment_over_file),
        cmocka_unit_test(knows_its_commands),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(says_where_in_the_file),
        cmocka_unit_test(reads_spans),
        cmocka_unit_test(review_tells_all),
    };

    unsetenv("JOURNAL_STREAM");
    unsetenv("STATE_DIRECTORY");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
