#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/system/fleet_table.h"

/* SSE for even games, lines for odd ones: by the seed. */
static bool speaks_sse(const struct table *table)
{
    return table->seed & 1;
}

static bool open_after(struct table *table, uint32_t after)
{
    char path[96], last[16];
    unsigned status;

    (void)snprintf(last, sizeof last, "%u", after);
    (void)snprintf(path, sizeof path, "/v1/games/%s/events?after=%s", table->id,
                   speaks_sse(table) ? "0" : last);
    const struct ask ask = {
        .path = path,
        .accept = speaks_sse(table) ? "text/event-stream" : "application/x-ndjson",
        .last_event_id = speaks_sse(table) && after ? last : NULL,
        .credential =
            table->hose_seat == NO_SEAT ? table->host : table->seat[table->hose_seat]};
    for (int tries = 0; tries < 400 && !table->hose; tries++) {
        table->hose = hose_open(table->wire, &ask, &status);
        if (!table->hose && status == 204 && after)
            return true; /* the game is over, and all of it has come */
        if (!table->hose && (!table->plan->survives || status))
            return disagree(table, "a stream was answered %u", status);
        if (!table->hose)
            usleep(50000);
    }
    return table->hose ? true : disagree(table, "no stream");
}

bool stream_open(struct table *table)
{
    if (!rarely(table, 3))
        return true;
    table->hose_seat =
        rarely(table, 2) ? NO_SEAT : (uint8_t)roll(table, table->options.players);
    return open_after(table, 0);
}

/* Whole events only: up to the last blank line, or line end. */
static size_t whole(const struct table *table, const char *text)
{
    const char *end = speaks_sse(table) ? "\n\n" : "\n";
    size_t size = 0;

    for (const char *at = strstr(text, end); at; at = strstr(text + size, end))
        size = (size_t)(at - text) + strlen(end);
    return size;
}

static void note_last(struct table *table, const char *text, size_t size)
{
    const char *word = speaks_sse(table) ? "id: " : "{\"seq\":";

    for (const char *at = strstr(text, word); at && at < text + size; at = strstr(at + 1, word))
        table->streamed_to = (uint32_t)strtoul(at + strlen(word), NULL, 10);
}

/* Takes over what the stream gave and closes it; a broken one goes on where it broke off. */
static bool take(struct table *table, bool to_end, bool *ret_whole)
{
    const char *text;

    *ret_whole = hose_read(table->hose, to_end, &text);
    size_t size = whole(table, text);
    out_bytes(&table->streamed, text, size);
    note_last(table, text, size);
    hose_free(table->hose);
    table->hose = NULL;
    return *ret_whole || table->plan->survives || disagree(table, "a stream broke");
}

/* Now and then it is closed and taken up again by Last-Event-ID. */
bool stream_follow(struct table *table, bool to_end)
{
    bool came_whole = false;

    if (!table->hose)
        return true;
    for (int tries = 0; tries < 100 && table->hose && !came_whole; tries++) {
        if (!take(table, to_end, &came_whole))
            return false;
        if ((!to_end || !came_whole) && !open_after(table, table->streamed_to))
            return false;
    }
    return true;
}

/* Over blank lines and heartbeats. */
static const char *skip(const char *line)
{
    while (*line == ':' || *line == '\n') {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return line;
}

static json_t *next_event(const struct table *table, const char **at)
{
    const char *line = skip(*at);

    if (speaks_sse(table) && strncmp(line, "id: ", 4) == 0)
        line += strcspn(line, "\n") + 1;
    if (speaks_sse(table) && strncmp(line, "data: ", 6) == 0)
        line += 6;
    size_t size = strcspn(line, "\n");
    *at = line + size + (line[size] == '\n');
    return json_loadb(line, size, 0, NULL);
}

/* Each event of the log once, in order, and nothing else; openings are judged elsewhere. */
bool stream_compare(struct table *table, const json_t *log)
{
    size_t count = json_array_size(log);

    if (!table->hose && !table->streamed.size)
        return true;
    if (!stream_follow(table, true))
        return false;
    out_bytes(&table->streamed, "", 1);
    const char *at = table->streamed.text;
    for (size_t i = 0; i < count; i++) {
        json_t *event = next_event(table, &at), *known = json_array_get(log, i);
        const char *prev = json_string_value(json_object_get(event, "prev"));
        bool same = event && prev &&
                    json_equal(json_object_get(event, "seq"), json_object_get(known, "seq")) &&
                    json_equal(json_object_get(event, "prev"), json_object_get(known, "prev"));
        json_decref(event);
        if (!same)
            return disagree(table, "the stream and the log part at seq %zu", i + 1);
    }
    at = skip(at);
    return *at == '\0' ? true : disagree(table, "the stream says more than the log: %s", at);
}
