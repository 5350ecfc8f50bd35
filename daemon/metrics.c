#include "daemon/metrics.h"

#include "daemon/clock.h"
#include "daemon/http.h"
#include "daemon/store.h"
#include "daemon/writer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LINE_ROOM = 320 };

/* One scrape. What several lines tell of is asked once. */
struct scrape {
    struct metrics *metrics;
    struct out *out;
    const char *name; /* of the metric being written */
    struct http_state http;
    const struct writer_counts *written;
};

static void __attribute__((format(printf, 2, 3))) put(struct out *out, const char *format, ...)
{
    char line[LINE_ROOM];
    va_list arguments;

    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size < 0 || size >= LINE_ROOM)
        out->failed = true;
    else
        out_bytes(out, line, (size_t)size);
}

static void put_value(const struct scrape *s, uint64_t value)
{
    put(s->out, "%s %" PRIu64 "\n", s->name, value);
}

void metrics_histogram(struct out *out, const char *name, const char *labels,
                       const struct scale *scale, const struct histogram *histogram)
{
    const char *comma = *labels ? "," : "", *open = *labels ? "{" : "",
               *close = *labels ? "}" : "";
    uint64_t count = 0;

    for (size_t i = 0; i < scale->count; i++) {
        count += counter_read(&histogram->bucket[i]);
        put(out, "%s_bucket{%s%sle=\"%g\"} %" PRIu64 "\n", name, labels, comma,
            (double)scale->bound[i] * scale->unit, count);
    }
    count += counter_read(&histogram->bucket[scale->count]);
    put(out, "%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", name, labels, comma, count);
    put(out, "%s_sum%s%s%s %.9g\n", name, open, labels, close,
        (double)counter_read(&histogram->sum) * scale->unit);
    put(out, "%s_count%s%s%s %" PRIu64 "\n", name, open, labels, close, count);
}

static void write_build(const struct scrape *s)
{
    put(s->out, "%s{version=\"%s\",store=\"%s\"} 1\n", s->name, REFEREED_VERSION,
        s->metrics->store_kind);
}

static void write_start(const struct scrape *s)
{
    put(s->out, "%s %.3f\n", s->name, (double)s->metrics->started_ms / 1000);
}

static void write_moves(const struct scrape *s)
{
    for (size_t i = 0; i < ruleset_count; i++)
        put(s->out, "%s{ruleset=\"%s\"} %" PRIu64 "\n", s->name, rulesets[i]->id,
            counter_read(&s->written->moves[i]));
}

static void write_made(const struct scrape *s)
{
    for (size_t i = 0; i < ruleset_count; i++)
        put(s->out, "%s{ruleset=\"%s\"} %" PRIu64 "\n", s->name, rulesets[i]->id,
            counter_read(&s->written->made[i]));
}

/* Here and below: a row that counts nothing is left out where there are many. */
static void write_ended(const struct scrape *s)
{
    for (size_t i = 0; i < ruleset_count; i++)
        for (uint8_t reason = 1; reason <= REASONS; reason++) {
            uint64_t count = counter_read(&s->written->ended[i][reason]);
            if (count)
                put(s->out, "%s{ruleset=\"%s\",reason=\"%s\"} %" PRIu64 "\n", s->name,
                    rulesets[i]->id, reason == REASONS ? "aborted" : reason_word(reason),
                    count);
        }
}

static void write_route(const struct scrape *s, size_t row, const char *method,
                        const char *pattern)
{
    for (size_t i = 0; i < tally_status_count; i++) {
        uint64_t count = tallies_sum(&s->metrics->tallies,
                                     offsetof(struct tally, requests) +
                                         (row * STATUSES_ROOM + i) * sizeof(counter_t));
        if (count)
            put(s->out, "%s{method=\"%s\",route=\"%s\",status=\"%u\"} %" PRIu64 "\n", s->name,
                method, pattern, tally_status[i], count);
    }
}

static void write_requests(const struct scrape *s)
{
    const char *method, *pattern;

    write_route(s, 0, "-", "-");
    for (size_t row = 1; row < ROUTES_ROOM && api_route(row, &method, &pattern); row++)
        write_route(s, row, method, pattern);
}

static void write_seconds(const struct scrape *s)
{
    static const char *const labels[REQUEST_KINDS] = {
        [KIND_READ] = "kind=\"read\"",
        [KIND_CHANGE] = "kind=\"change\"",
        [KIND_POLL] = "kind=\"poll\"",
    };
    struct histogram sum;

    for (int kind = 0; kind < REQUEST_KINDS; kind++) {
        tallies_seconds(&s->metrics->tallies, (enum request_kind)kind, &sum);
        metrics_histogram(s->out, s->name, labels[kind], &request_scale, &sum);
    }
}

static uint64_t problems(const struct scrape *s, enum problem problem)
{
    return tallies_sum(&s->metrics->tallies,
                       offsetof(struct tally, problems) + (size_t)problem * sizeof(counter_t));
}

static void write_problems(const struct scrape *s)
{
    for (int i = 1; i < PROBLEMS; i++)
        put(s->out, "%s{code=\"%s\"} %" PRIu64 "\n", s->name, problem_code((enum problem)i),
            problems(s, (enum problem)i));
}

static void write_refusals(const struct scrape *s)
{
    for (size_t i = 0; i < ruleset_count; i++)
        for (size_t row = 1; row < rulesets[i]->ruling_count && row < RULINGS_ROOM; row++) {
            uint64_t count = tallies_sum(&s->metrics->tallies,
                                         offsetof(struct tally, refusals) +
                                             (i * RULINGS_ROOM + row) * sizeof(counter_t));
            if (count)
                put(s->out, "%s{ruleset=\"%s\",ruling=\"%s\"} %" PRIu64 "\n", s->name,
                    rulesets[i]->id, rulesets[i]->rulings[row].id, count);
        }
}

static void write_limited(const struct scrape *s)
{
    put_value(s, problems(s, PROBLEM_RATE_LIMITED));
}

static void write_connections(const struct scrape *s)
{
    put_value(s, s->http.connections);
}

static void write_active(const struct scrape *s)
{
    put_value(s, s->http.active);
}

static void write_suspended(const struct scrape *s)
{
    put_value(s, s->http.asleep);
}

static void write_polls(const struct scrape *s)
{
    put_value(s, s->http.polls);
}

static void write_streams(const struct scrape *s)
{
    put_value(s, s->http.streams);
}

static void write_games(const struct scrape *s)
{
    put_value(s, api_games(s->metrics->api));
}

static void write_commits(const struct scrape *s)
{
    metrics_histogram(s->out, s->name, "", &commit_scale, &s->written->seconds);
}

static void write_groups(const struct scrape *s)
{
    metrics_histogram(s->out, s->name, "", &group_scale, &s->written->sizes);
}

static void write_failures(const struct scrape *s)
{
    put_value(s, counter_read(&s->written->failures));
}

static void write_lost(const struct scrape *s)
{
    put_value(s, counter_read(&s->written->lost));
}

static void write_queue(const struct scrape *s)
{
    put_value(s, writer_depth(s->metrics->writer));
}

static void write_snapshots(const struct scrape *s)
{
    put_value(s, counter_read(&s->written->snapshots));
}

static void write_store(const struct scrape *s)
{
    const struct store *store = s->metrics->store;
    struct store_room room;

    if (!store->room || store->room(store->context, &room))
        return;
    put(s->out, "%s{file=\"database\"} %" PRId64 "\n", s->name, room.bytes);
    put(s->out, "%s{file=\"log\"} %" PRId64 "\n", s->name, room.log_bytes);
}

static void write_free(const struct scrape *s)
{
    const struct store *store = s->metrics->store;
    struct store_room room;

    if (store->room && !store->room(store->context, &room))
        put_value(s, (uint64_t)room.free_bytes);
}

static void write_pings(const struct scrape *s)
{
    put_value(s, counter_read(&s->metrics->pings));
}

enum { ALL, STAFF };

static const struct metric {
    const char *name, *type;
    int who;
    void (*write)(const struct scrape *scrape);
    const char *help;
} table[] = {
#define GAUGE                                "gauge"
#define COUNTER                              "counter"
#define HISTOGRAM                            "histogram"
#define METRIC(name, type, who, write, help) {name, type, who, write, help},
#include "daemon/metrics.def"
};

void metrics_init(struct metrics *metrics)
{
    *metrics = (struct metrics){.store_kind = "", .started_ms = clock_now_ms(NULL)};
    tallies_init(&metrics->tallies);
}

void metrics_done(struct metrics *metrics)
{
    tallies_free(&metrics->tallies);
}

void metrics_write(struct metrics *metrics, bool all, struct out *out)
{
    struct scrape scrape = {
        .metrics = metrics, .out = out, .written = writer_counts(metrics->writer)};

    http_state(metrics->http, &scrape.http);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct metric *metric = &table[i];
        if (metric->who == STAFF && !all)
            continue;
        put(out, "# HELP %s %s\n# TYPE %s %s\n", metric->name, metric->help, metric->name,
            metric->type);
        scrape.name = metric->name;
        metric->write(&scrape);
    }
}
