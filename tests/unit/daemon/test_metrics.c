/* The text format, line by line. */
#include "daemon/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct scale scale = {.count = 2, .unit = 1e-6, .bound = {50, 1000000}};

static void written(const char *labels, const struct histogram *histogram, const char *wanted)
{
    struct out out = {0};
    size_t size;

    metrics_histogram(&out, "x_seconds", labels, &scale, histogram);
    char *text = out_take(&out, &size);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
}

static void buckets_add_up(void **state)
{
    struct histogram histogram = {0};

    (void)state;
    written("", &histogram,
            "x_seconds_bucket{le=\"5e-05\"} 0\nx_seconds_bucket{le=\"1\"} 0\n"
            "x_seconds_bucket{le=\"+Inf\"} 0\nx_seconds_sum 0\nx_seconds_count 0\n");
    histogram_add(&histogram, &scale, 50);
    histogram_add(&histogram, &scale, 51);
    histogram_add(&histogram, &scale, 2000000);
    written("kind=\"read\"", &histogram,
            "x_seconds_bucket{kind=\"read\",le=\"5e-05\"} 1\n"
            "x_seconds_bucket{kind=\"read\",le=\"1\"} 2\n"
            "x_seconds_bucket{kind=\"read\",le=\"+Inf\"} 3\n"
            "x_seconds_sum{kind=\"read\"} 2.000101\nx_seconds_count{kind=\"read\"} 3\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(buckets_add_up)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
