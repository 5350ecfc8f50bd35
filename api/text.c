#include "api/text.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/json_read.h"
#include "api/notation.h"

enum { LINE_WIDTH = 76, VALUE_DEPTH = 3, LIST_SHOWN = 45 };

bool text_wanted(const struct call *call)
{
    const char *accept = call->request->accept ? call->request->accept : "";
    const char *text = strstr(accept, "text/plain"), *json = strstr(accept, "application/json");

    return text && (!json || text < json);
}

/* Words */

/* The bytes of a character at `text` that a terminal would obey, or that turn the writing
 * around; 0: it may stand. */
static size_t unwelcome(const unsigned char *text)
{
    if (text[0] < 0x20 || text[0] == 0x7f)
        return 1;
    if (text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0)
        return 2;
    if (text[0] == 0xe2 && text[1] == 0x80 && text[2] >= 0xaa && text[2] <= 0xae)
        return 3;
    if (text[0] == 0xe2 && text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9)
        return 3;
    return 0;
}

static void put_clean(struct out *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t bad = unwelcome(at);
        out_bytes(out, bad ? "?" : (const char *)at, 1);
        at += bad ? bad : 1;
    }
}

/* "attacker_lost" as two words. */
static void put_words(struct out *out, const char *text)
{
    for (; *text; text++)
        out_bytes(out, *text == '_' ? " " : text, 1);
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static int number_of(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static void put_value(struct out *out, const json_t *value, int depth)
{
    const char *key;
    json_t *item;
    size_t i;

    if (json_is_string(value))
        put_clean(out, json_string_value(value));
    else if (json_is_integer(value))
        put_text(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        put_text(out, json_is_true(value) ? "yes" : "no");
    else if (json_is_null(value) || depth == VALUE_DEPTH)
        put_text(out, "-");
    else if (json_is_array(value) && json_array_size(value) > LIST_SHOWN)
        put_text(out, "(%zu)", json_array_size(value));
    else if (json_is_array(value))
        json_array_foreach(value, i, item)
        {
            put_text(out, i ? " " : "");
            put_value(out, item, depth + 1);
        }
    else
        json_object_foreach((json_t *)(uintptr_t)value, key, item)
        {
            put_text(out, " ");
            put_clean(out, key);
            put_text(out, " ");
            put_value(out, item, depth + 1);
        }
}

/* Events and effects: in the words of the notation where a player has moved. */

/* En garde knows fields by their numbers. */
static void put_moved(struct out *out, const json_t *event)
{
    const char *from = text_of(event, "from"), *to = text_of(event, "to");
    const char *seat = text_of(event, "seat");
    int way = number_of(event, "to") - number_of(event, "from");

    if (to)
        put_text(out, "%s%s%s", from ? from : "", from ? "-" : "+", to);
    else
        put_text(out, "%+d", seat && strcmp(seat, "right") == 0 ? -way : way);
}

static void put_combat(struct out *out, const json_t *event)
{
    const char *from = text_of(event, "from"), *to = text_of(event, "to");

    if (from && to)
        put_text(out, "%sx%s", from, to);
    else /* only combats are told */
        put_text(out, "combat");
}

static void put_attacked(struct out *out, const json_t *event)
{
    put_text(out, "x%d", number_of(event, "card"));
    if (number_of(event, "count") != 1)
        put_text(out, "*%d", number_of(event, "count"));
}

static void put_parried(struct out *out, const json_t *event)
{
    put_text(out, "=%d", number_of(event, "count"));
}

static void put_uncovered(struct out *out, const json_t *event)
{
    const json_t *first = json_array_get(json_object_get(event, "squares"), 0);

    put_text(out, "?%s", first ? json_string_value(first) : "");
}

static void put_shifted(struct out *out, const json_t *event)
{
    put_text(out, "%s", text_of(event, "slot"));
}

static void put_end(struct out *out, const json_t *event)
{
    (void)event;
    put_text(out, ".");
}

/* The members that `put` has told, beside those that no line repeats. */
static const struct told {
    const char *type;
    void (*put)(struct out *out, const json_t *event);
    const char *members[2];
} tellings[] = {
    {"moved", put_moved, {"from", "to"}},
    {"combat", put_combat, {"from", "to"}},
    {"attacked", put_attacked, {"card", "count"}},
    {"parried", put_parried, {"card", "count"}},
    {"uncovered", put_uncovered, {NULL}},
    {"shifted", put_shifted, {"slot"}},
    {"covered", put_end, {NULL}},
};

static const char *const untold[] = {"seq",         "at",       "type",       "seat",
                                     "prev",        "openings", "token",      "receipt",
                                     "setups",      "seeds",    "commitment", "commitments",
                                     "secrets",     "faces",    "seed",       "seed_commitment",
                                     "referee_seed"};

static bool is_told(const struct told *told, const char *key)
{
    for (size_t i = 0; i < sizeof untold / sizeof *untold; i++)
        if (strcmp(untold[i], key) == 0)
            return true;
    for (size_t i = 0; told && i < 2; i++)
        if (told->members[i] && strcmp(told->members[i], key) == 0)
            return true;
    return false;
}

static const struct told *find_telling(const char *type)
{
    for (size_t i = 0; i < sizeof tellings / sizeof *tellings; i++)
        if (strcmp(tellings[i].type, type) == 0)
            return &tellings[i];
    return NULL;
}

static void put_openings(struct out *out, const json_t *openings)
{
    const json_t *opening;
    size_t i;

    if (!json_array_size(openings) || json_array_size(openings) > LIST_SHOWN)
        return;
    put_text(out, "  [");
    json_array_foreach(openings, i, opening)
    {
        put_text(out, "%s", i ? ", " : "");
        put_clean(out, text_of(opening, "component"));
        put_text(out, " ");
        put_value(out, json_object_get(opening, "face"), 0);
    }
    put_text(out, "]");
}

/* One line: the seat, what it did, what came of it, what the viewer saw of it. */
static void put_event(struct out *out, const json_t *event)
{
    const char *type = text_of(event, "type"), *seat = text_of(event, "seat"), *key;
    const struct told *told = find_telling(type);
    const char *gap = "  ";
    json_t *value;

    put_text(out, "%-6s  ", seat ? seat : "");
    if (told)
        told->put(out, event);
    else
        put_words(out, type);
    json_object_foreach((json_t *)(uintptr_t)event, key, value)
    {
        if (is_told(told, key))
            continue;
        put_text(out, "%s", gap);
        if (strcmp(key, "outcome") == 0) {
            put_words(out, json_string_value(value));
        } else {
            put_words(out, key);
            put_text(out, json_is_object(value) ? "" : " ");
            put_value(out, value, 0);
        }
        gap = ", ";
    }
    put_openings(out, json_object_get(event, "openings"));
    put_text(out, "\n");
}

/* Answers */

/* `text` to a multiple of 512 bytes, so that its length tells nothing. */
static void pad(struct out *text)
{
    enum { PAD_TO = 512 };
    char blanks[PAD_TO];
    size_t more = (PAD_TO - (text->size + 1) % PAD_TO) % PAD_TO;

    memset(blanks, ' ', sizeof blanks);
    out_bytes(text, blanks, more);
    out_bytes(text, "\n", 1);
}

static enum problem answer(struct call *call, struct out *text, bool padded)
{
    struct response *response = call->response;

    if (padded)
        pad(text);
    response->body = out_take(text, &response->size);
    if (!response->body)
        return PROBLEM_UNAVAILABLE;
    response->status = 200;
    response->content_type = "text/plain; charset=utf-8";
    return PROBLEM_NONE;
}

/* The answer that was written, parsed; NULL without memory. Frees `json`. */
static json_t *take(struct out *json)
{
    json_t *value = json->failed ? NULL : json_read(json->text, json->size, NULL);

    out_done(json);
    return value;
}

static void put_result(struct out *out, const json_t *result)
{
    const char *winner = text_of(result, "winner"), *ruling = text_of(result, "ruling");

    if (!json_is_object(result))
        return;
    put_text(out, "%s wins: %s", winner ? winner : "nobody", text_of(result, "reason"));
    if (ruling)
        put_text(out, " (%s)", ruling);
    put_text(out, "\n");
}

static void put_seats(struct out *out, const json_t *view)
{
    const json_t *seat;
    const char *name, *gap = "";

    json_object_foreach(json_object_get(view, "seats"), name, seat)
    {
        const char *player = text_of(seat, "name");
        put_text(out, "%s%s", gap, name);
        if (player && *player) {
            put_text(out, " ");
            put_clean(out, player);
        } else if (!json_is_true(json_object_get(seat, "taken"))) {
            put_text(out, " (free)");
        }
        gap = ", ";
    }
    put_text(out, "\n");
}

static void put_state(struct out *out, const json_t *view)
{
    const char *you = text_of(view, "you"), *due = text_of(view, "answer_by");
    const json_t *to_act = json_object_get(view, "to_act");
    const json_t *offers = json_object_get(view, "draw_offered");
    const json_t *clock = json_object_get(view, "clock");

    put_text(out, "%s%s", you ? "you are " : "you watch", you ? you : "");
    put_text(out, json_array_size(to_act) ? "; to act: " : "; nobody is to act");
    put_value(out, to_act, 0);
    if (json_array_size(offers)) {
        put_text(out, "; a draw is offered by ");
        put_value(out, offers, 0);
    }
    put_text(out, "%s%s\n", due ? "; by " : "", due ? due : "");
    if (json_is_object(clock)) {
        put_text(out, "clock:");
        put_value(out, clock, 0);
        put_text(out, "\n");
    }
    put_result(out, json_object_get(view, "result"));
}

/* The board and its line of notation, as the viewer may see them. */
static void put_board(struct out *out, const struct fold *fold, uint8_t viewer)
{
    const struct ruleset *rules = fold->codec->rules;
    const struct notation *notation = notation_of(rules);
    void *view = calloc(1, rules->view_size);

    if (!view) {
        out->failed = true;
        return;
    }
    rules->observe(fold->state, viewer, view);
    put_text(out, "\n");
    notation->draw(out, view);
    put_text(out, "\nposition ");
    notation->write_view(out, view);
    put_text(out, "\n");
    sodium_memzero(view, rules->view_size);
    free(view);
}

enum problem text_view(struct call *call, struct out *json, bool padded)
{
    struct out text = {0};
    json_auto_t *view = take(json);

    if (!view)
        return PROBLEM_UNAVAILABLE;
    put_text(&text, "%s %s, game %s, seq %d: %s\n", text_of(view, "ruleset"),
             text_of(view, "variant"), text_of(view, "id"), number_of(view, "seq"),
             text_of(view, "status"));
    put_seats(&text, view);
    put_state(&text, view);
    if (call->fold->started)
        put_board(&text, call->fold, call_viewer(call));
    return answer(call, &text, padded);
}

enum problem text_events(struct call *call, struct out *json, bool padded)
{
    struct out text = {0};
    json_auto_t *list = take(json);
    const json_t *event;
    size_t i;

    if (!list)
        return PROBLEM_UNAVAILABLE;
    json_array_foreach(json_object_get(list, "events"), i, event)
    {
        put_text(&text, "%5d  %s  ", number_of(event, "seq"), text_of(event, "at"));
        put_event(&text, event);
    }
    put_text(&text, "next: after=%d\n", number_of(list, "next"));
    return answer(call, &text, padded);
}

/* Moves of the game's JSON in notation, in lines of a width. */
static void put_moves(struct out *out, const struct codec *codec, const json_t *moves,
                      const void *state)
{
    const struct notation *notation = notation_of(codec->rules);
    size_t line = out->size;
    const json_t *move;
    size_t i;

    json_array_foreach(moves, i, move)
    {
        struct event event = {0};
        struct fault fault;
        size_t before = out->size;

        if (!codec->read_move(move, "", state, &event, &fault))
            continue;
        put_text(out, i ? " " : "");
        notation->write_move(out, &event);
        if (!out->failed && out->size - line > LINE_WIDTH && before > line) {
            out->text[before] = '\n';
            line = before + 1;
        }
    }
    put_text(out, i ? "\n" : "");
}

enum problem text_moves(struct call *call, struct out *json, bool padded)
{
    struct out text = {0};
    json_auto_t *list = take(json);

    if (!list)
        return PROBLEM_UNAVAILABLE;
    put_moves(&text, call->fold->codec, json_object_get(list, "moves"), call->fold->state);
    return answer(call, &text, padded);
}

static void put_verdict(struct out *out, const json_t *said)
{
    const char *ruling = text_of(said, "ruling"), *verdict = text_of(said, "verdict");
    const json_t *effect;
    size_t i;

    if (verdict)
        put_text(out, "%s", verdict);
    if (text_of(said, "code")) {
        put_text(out, ": %s%s%s: ", ruling ? ruling : "", ruling ? " " : "",
                 text_of(said, "code"));
        put_clean(out, text_of(said, "detail"));
    }
    put_text(out, verdict ? "\n" : "");
    json_array_foreach(json_object_get(said, "effects"), i, effect) put_event(out, effect);
    if (json_object_get(said, "played"))
        put_text(out, "moves played: %d\n", number_of(said, "played"));
}

static void put_where(struct out *out, const json_t *said)
{
    const json_t *to_act = json_object_get(said, "to_act");

    if (!text_of(said, "status"))
        return;
    put_words(out, text_of(said, "status"));
    if (json_array_size(to_act)) {
        put_text(out, "; to act: ");
        put_value(out, to_act, 0);
    }
    put_text(out, "\n");
    put_result(out, json_object_get(said, "result"));
}

/* All that was told is known: the views of all seats, laid together. */
static void put_position(struct out *out, const struct codec *codec, const void *state)
{
    const struct notation *notation = notation_of(codec->rules);
    void *view = calloc(1, codec->rules->view_size);

    if (!view) {
        out->failed = true;
        return;
    }
    notation->see_all(state, view);
    put_text(out, "\n");
    notation->draw(out, view);
    put_text(out, "\nposition ");
    notation->write_state(out, state);
    put_text(out, "\n");
    free(view);
}

enum problem text_verdict(struct call *call, struct out *json, const struct codec *codec,
                          const void *state)
{
    struct out text = {0};
    json_auto_t *said = take(json);

    if (!said)
        return PROBLEM_UNAVAILABLE;
    put_verdict(&text, said);
    put_where(&text, said);
    if (state)
        put_moves(&text, codec, json_object_get(said, "moves"), state);
    if (state)
        put_position(&text, codec, state);
    return answer(call, &text, false);
}
