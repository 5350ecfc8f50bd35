/* Records in the notation, and which form a record has. */
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/json_read.h"
#include "api/sheet.h"

char *sheet_line(char **text, size_t *line)
{
    char *start = *text;

    if (!start)
        return NULL;
    char *end = strchr(start, '\n');
    *text = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    size_t size = strlen(start);
    if (size && start[size - 1] == '\r')
        start[size - 1] = '\0';
    (*line)++;
    return start;
}

/* The next word of `*text`, or NULL. */
static char *word(char **text)
{
    char *start = *text + strspn(*text, " \t");
    size_t size = strcspn(start, " \t");

    if (!size)
        return NULL;
    *text = start + size + (start[size] != '\0');
    start[size] = '\0';
    return start;
}

/* What is left of the line, without the blanks around it. */
static char *rest(char *text)
{
    text += strspn(text, " \t");
    for (size_t size = strlen(text); size && strchr(" \t", text[size - 1]); size--)
        text[size - 1] = '\0';
    return text;
}

struct told {
    struct sheet *sheet;
    size_t line;
    struct sheet_fault *fault;
};

static bool missing(const struct told *told, const char *what)
{
    return sheet_fails(told->fault, told->line, "expected %s", what);
}

static bool tells_game(const struct told *told, char *text)
{
    char *ruleset = word(&text);

    return ruleset ? sheet_game(told->sheet, ruleset, word(&text), told->line, told->fault)
                   : missing(told, "game RULESET VARIANT");
}

static bool tells_players(const struct told *told, char *text)
{
    char *number = word(&text);

    if (!number || strlen(number) != 1 || number[0] < '0' || number[0] > '9')
        return missing(told, "players and their number");
    return sheet_players(told->sheet, number[0] - '0', told->line, told->fault);
}

/* A number, true, false or [...] as JSON has them; else a word. NULL without memory. */
static json_t *option_value(const char *text)
{
    struct json_fault fault;
    json_t *value = json_read(text, strlen(text), &fault);

    return value || !fault.what ? value : json_string(text);
}

static bool tells_option(const struct told *told, char *text)
{
    char *name = word(&text);
    char *value = rest(text);

    if (!name || !*value)
        return missing(told, "option NAME VALUE");
    return sheet_option(told->sheet, name, option_value(value), told->line, told->fault);
}

static bool tells_player(const struct told *told, char *text)
{
    char *seat = word(&text);

    return seat ? sheet_player(told->sheet, seat, rest(text), told->line, told->fault)
                : missing(told, "player SEAT NAME");
}

static bool tells_setup(const struct told *told, char *text)
{
    char *seat = word(&text);

    return seat ? sheet_setup(told->sheet, seat, rest(text), told->line, told->fault)
                : missing(told, "setup SEAT LETTERS");
}

static bool tells_position(const struct told *told, char *text)
{
    return sheet_position(told->sheet, rest(text), told->line, told->fault);
}

static bool tells_deal(const struct told *told, char *text)
{
    return sheet_deal(told->sheet, rest(text), told->line, told->fault);
}

static bool tells_resigns(const struct told *told, char *text)
{
    return sheet_leaves(told->sheet, EVENT_RESIGN, word(&text), told->line, told->fault);
}

static bool tells_time(const struct told *told, char *text)
{
    return sheet_leaves(told->sheet, EVENT_TIMEOUT, word(&text), told->line, told->fault);
}

static bool tells_result(const struct told *told, char *text)
{
    char *winner = word(&text);

    if (!winner)
        return missing(told, "result SEAT REASON, or result none REASON");
    if (!sheet_begin(told->sheet, told->line, told->fault))
        return false;
    return sheet_result(told->sheet, winner, word(&text), told->line, told->fault);
}

static const struct keyword {
    const char *name;
    bool (*tells)(const struct told *told, char *text);
} keywords[] = {
    {"game", tells_game},     {"players", tells_players}, {"option", tells_option},
    {"player", tells_player}, {"setup", tells_setup},     {"position", tells_position},
    {"deal", tells_deal},     {"resigns", tells_resigns}, {"time", tells_time},
    {"result", tells_result},
};

/* "12." and "12..." number the moves and say nothing. */
static bool numbers(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits && text[digits] == '.' && text[digits + strspn(text + digits, ".")] == '\0';
}

static bool tells_moves(const struct told *told, char *text)
{
    for (char *move = word(&text); move; move = word(&text))
        if (!numbers(move) && !sheet_move(told->sheet, move, told->line, told->fault))
            return false;
    return true;
}

static bool read_line(const struct told *told, char *text)
{
    text = rest(text);
    size_t size = strcspn(text, " \t");
    bool name = strncmp(text, "player ", 7) == 0; /* may hold anything */
    char *comment = name ? NULL : strchr(text, '#');

    if (comment)
        *comment = '\0';
    text = rest(text);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].name) == size && strncmp(keywords[i].name, text, size) == 0)
            return keywords[i].tells(told, text + size);
    return tells_moves(told, text);
}

bool sheet_read_notation(char *text, struct sheet *sheet, struct sheet_fault *fault)
{
    struct told told = {.sheet = sheet, .fault = fault};

    for (char *line = sheet_line(&text, &told.line); line; line = sheet_line(&text, &told.line))
        if (!read_line(&told, line))
            return false;
    return sheet_begin(sheet, told.line, fault);
}

/* The first characters tell the form. */
static bool read_form(char *text, struct sheet *sheet, struct sheet_fault *fault)
{
    text += strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    const char *first = text + strspn(text, " \t\r\n");

    if (*first == '{')
        return sheet_read_json(text, sheet, fault);
    if (*first == '<')
        return sheet_read_xml(text, sheet, fault);
    if (strncmp(first, "#X38FA11", 8) == 0)
        return sheet_read_gsn(text, sheet, fault);
    return sheet_read_notation(text, sheet, fault);
}

bool sheet_read(const char *text, size_t size, struct sheet *ret_sheet,
                struct sheet_fault *ret_fault)
{
    *ret_sheet = (struct sheet){0};
    if (size > SHEET_MAX)
        return sheet_fails(ret_fault, 1, "the record is larger than %d bytes", SHEET_MAX);
    if (memchr(text, '\0', size))
        return sheet_fails(ret_fault, 1, "this is no text");
    autofree char *copy = malloc(size + 1);
    if (!copy)
        return sheet_fails(ret_fault, 1, "there is no memory left");
    memcpy(copy, text, size);
    copy[size] = '\0';
    return read_form(copy, ret_sheet, ret_fault);
}
