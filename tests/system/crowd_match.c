#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/system/crowd.h"

static const char *const seats[2] = {"red", "blue"};

/* What stands behind `"key":"`, up to the quote. */
static void take(const char *text, const char *key, char *ret_value, size_t size)
{
    char quoted[32];

    (void)snprintf(quoted, sizeof quoted, "\"%s\":\"", key);
    const char *at = strstr(text, quoted);
    if (!at)
        give_up("no %s in %s", key, text);
    at += strlen(quoted);
    size_t length = strcspn(at, "\"");
    if (length >= size)
        give_up("%s is too long", key);
    memcpy(ret_value, at, length);
    ret_value[length] = '\0';
}

static const char *after(const char *text, const char *word)
{
    const char *at = strstr(text, word);

    if (!at)
        give_up("no %s in %s", word, text);
    return at;
}

static void note_seq(struct match *match, const struct reply *reply)
{
    match->seq = (uint32_t)strtoul(after(reply->body, "\"seq\":") + 6, NULL, 10);
}

static void read_setup(const char *seat, char *ret_text, size_t size)
{
    char path[64];

    (void)snprintf(path, sizeof path, "docs/examples/setup-%s.json", seat);
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(ret_text, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    if (!got)
        give_up("%s: cannot be read", path);
    ret_text[got] = '\0';
}

void match_make(int fd, struct match *ret_match)
{
    static _Thread_local struct reply reply, taken;
    char path[128], invite[48], setup[2048];

    memset(ret_match, 0, sizeof *ret_match);
    ask(fd, "/v1/games", "{\"ruleset\":\"stratego\",\"options\":{\"first\":\"red\"}}", NULL,
        201, &reply);
    take(reply.body, "id", ret_match->id, sizeof ret_match->id);
    take(reply.body, "host", ret_match->host, sizeof ret_match->host);
    for (int i = 0; i < 2; i++) {
        take(after(after(reply.body, "\"seats\""), seats[i]), "invite", invite, sizeof invite);
        (void)snprintf(path, sizeof path, "/v1/games/%s/seats/%s", ret_match->id, seats[i]);
        ask(fd, path, "{}", invite, 201, &taken);
        take(taken.body, "credential", ret_match->seat[i], sizeof ret_match->seat[i]);
    }
    for (int i = 0; i < 2; i++) {
        read_setup(seats[i], setup, sizeof setup);
        (void)snprintf(path, sizeof path, "/v1/games/%s/setup", ret_match->id);
        ask(fd, path, setup, ret_match->seat[i], 200, &taken);
    }
    note_seq(ret_match, &taken);
    match_move(fd, ret_match); /* so that the last event is a small one */
}

void match_move(int fd, struct match *match)
{
    /* a piece of each side steps forward and back again */
    static const char *const steps[4] = {"{\"move\":{\"from\":\"a4\",\"to\":\"a5\"}}",
                                         "{\"move\":{\"from\":\"j7\",\"to\":\"j6\"}}",
                                         "{\"move\":{\"from\":\"a5\",\"to\":\"a4\"}}",
                                         "{\"move\":{\"from\":\"j6\",\"to\":\"j7\"}}"};
    static _Thread_local struct reply reply;
    char path[128];

    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", match->id);
    ask(fd, path, steps[match->ply % 4], match->seat[match->ply % 2], 200, &reply);
    match->ply++;
    note_seq(match, &reply);
}
