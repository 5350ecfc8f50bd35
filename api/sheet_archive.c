/* Stratego games as archives keep them, in lines (GSN) and in XML. Their squares are a letter A
 * to K without J and one character, 1 to 9 and a colon for 10; elsewhere nobody knows of that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"
#include "api/sheet.h"
#include "rules/rulesets.h"

enum { FIELD_LETTERS = 100, SIDE_LETTERS = 40, DRAWN = 2 };

static const char middle[] = "AA__AA__AAAA__AA__AA"; /* rows 5 and 6, empty but for the lakes */

static const char header[] = "#X38FA11 Stratego-Notation v";

static const struct {
    int number;
    const char *word, *variant;
} types[] = {
#define ARCHIVE_TYPE(number, word, variant) {number, word, variant},
#include "api/archive.def"
};

static const struct {
    int number;
    uint8_t reason;
} endings[] = {
#define ARCHIVE_ENDING(number, reason) {number, reason},
#include "api/archive.def"
};

enum {
    TYPES = sizeof types / sizeof *types,
    ENDINGS = sizeof endings / sizeof *endings,
};

/* Both forms tell the same things. */

static bool tells_type(struct sheet *sheet, int number, const char *word, size_t line,
                       struct sheet_fault *fault)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (word ? strcmp(types[i].word, word) != 0 : types[i].number != number)
            continue;
        if (types[i].variant)
            return sheet_game(sheet, "stratego", types[i].variant, line, fault);
        return sheet_fails(fault, line, "games with a free choice of pieces cannot be judged");
    }
    return sheet_fails(fault, line, "there is no such type of game");
}

/* 100 squares from a1 on: both set-ups, and in between nothing but lakes. */
static bool tells_field(struct sheet *sheet, const char *field, size_t line,
                        struct sheet_fault *fault)
{
    char letters[SIDE_LETTERS + 1];

    if (strlen(field) != FIELD_LETTERS)
        return sheet_fails(fault, line, "expected the letters of 100 squares");
    if (strncmp(field + SIDE_LETTERS, middle, sizeof middle - 1) != 0)
        return sheet_fails(fault, line, "rows 5 and 6 must be empty: %s", middle);
    for (size_t side = 0; side < 2; side++) {
        size_t first = side ? FIELD_LETTERS - SIDE_LETTERS : 0;
        memcpy(letters, field + first, SIDE_LETTERS);
        letters[SIDE_LETTERS] = '\0';
        if (!sheet_setup(sheet, side ? "blue" : "red", letters, line, fault))
            return false;
    }
    return true;
}

/* "K:" as "j10"; false if it is no square. */
static bool square_of(const char *text, char ret_square[static 8])
{
    static const char files[] = "ABCDEFGHIK";
    const char *file = text[0] ? strchr(files, text[0]) : NULL;
    bool ten =
        strcmp(text[0] ? text + 1 : "", ":") == 0 || strcmp(text[0] ? text + 1 : "", "10") == 0;

    if (text[0] == 'J') /* some have the tenth file so */
        file = files + sizeof files - 2;
    if (!file || !(ten || (text[1] >= '1' && text[1] <= '9' && text[2] == '\0')))
        return false;
    (void)snprintf(ret_square, 8, "%c%s", 'a' + (int)(file - files), ten ? "10" : text + 1);
    return true;
}

static bool tells_move(struct sheet *sheet, const char *source, const char *target, size_t line,
                       struct sheet_fault *fault)
{
    char from[8], to[8], move[20];

    if (!square_of(source, from) || !square_of(target, to))
        return sheet_fails(fault, line,
                           "expected squares, A to K without J and 1 to 9 or : for 10");
    (void)snprintf(move, sizeof move, "%s-%s", from, to);
    return sheet_move(sheet, move, line, fault);
}

/* `winner` 0 red, 1 blue, 2 nobody. */
static bool tells_result(struct sheet *sheet, int ending, int winner, size_t line,
                         struct sheet_fault *fault)
{
    size_t i = 0;

    while (i < ENDINGS && endings[i].number != ending)
        i++;
    if (i == ENDINGS || winner < 0 || winner > DRAWN)
        return sheet_fails(fault, line, "there is no such result");
    uint8_t reason = endings[i].reason;
    if (reason == REASON_TIME && winner == DRAWN)
        reason = REASON_VOID;
    return sheet_result(sheet,
                        winner == DRAWN ? NULL
                        : winner        ? "blue"
                                        : "red",
                        reason_word(reason), line, fault);
}

/* Lines */

static bool tells_player(struct sheet *sheet, int seat, const char *name, size_t line,
                         struct sheet_fault *fault)
{
    return sheet_player(sheet, seat ? "blue" : "red", name, line, fault);
}

static bool number(const char **text, int *ret_number)
{
    size_t digits = strspn(*text, "0123456789");

    if (digits < 1 || digits > 3)
        return false;
    for (*ret_number = 0; digits-- > 0; (*text)++)
        *ret_number = *ret_number * 10 + (**text - '0');
    return true;
}

/* "NAME vs NAME result T winner W"; names may hold anything, so the words are sought from
 * behind.
 */
static bool reads_last(struct sheet *sheet, char *text, size_t line, struct sheet_fault *fault)
{
    static const char vs[] = " vs ", result[] = " result ", winner[] = " winner ";
    char *end = NULL;
    int ending, who;

    for (char *at = strstr(text, result); at; at = strstr(at + 1, result))
        end = at;
    char *between = strstr(text, vs);
    const char *at = end ? end + sizeof result - 1 : "";
    if (!end || !between || between > end || !number(&at, &ending) ||
        strncmp(at, winner, sizeof winner - 1) != 0)
        return sheet_fails(fault, line, "expected NAME vs NAME result T winner W");
    at += sizeof winner - 1;
    if (!number(&at, &who) || *at)
        return sheet_fails(fault, line, "expected NAME vs NAME result T winner W");
    *between = *end = '\0';
    return tells_player(sheet, 0, text, line, fault) &&
           tells_player(sheet, 1, between + sizeof vs - 1, line, fault) &&
           tells_result(sheet, ending, who, line, fault);
}

static bool reads_step(struct sheet *sheet, char *text, size_t line, struct sheet_fault *fault)
{
    if (strlen(text) == 5 && text[2] == ':')
        return sheet_fails(fault, line, "a rescue, which the variants here do not have");
    if (strlen(text) != 5 || text[2] != '-')
        return sheet_fails(fault, line, "expected a move like A4-A5, or END");
    text[2] = '\0';
    return tells_move(sheet, text, text + 3, line, fault);
}

static char *next(char **text, size_t *line)
{
    char *found = sheet_line(text, line);

    for (size_t size = found ? strlen(found) : 0; size && strchr(" \t", found[size - 1]);
         size--)
        found[size - 1] = '\0';
    return found;
}

bool sheet_read_gsn(char *text, struct sheet *sheet, struct sheet_fault *fault)
{
    size_t line = 0, size = sizeof header - 1;
    char *at = next(&text, &line);

    while (at && !*at)
        at = next(&text, &line);
    if (!at || strncmp(at, header, size) != 0 ||
        (strcmp(at + size, "1") && strcmp(at + size, "2")))
        return sheet_fails(fault, line, "expected %s1 or 2", header);
    at = next(&text, &line);
    const char *type = at && strncmp(at, "type", 4) == 0 ? at + 4 + strspn(at + 4, " ") : "";
    int which;
    if (!number(&type, &which) || *type)
        return sheet_fails(fault, line, "expected the type of the game");
    if (!tells_type(sheet, which, NULL, line, fault))
        return false;
    at = next(&text, &line);
    if (at && strcmp(at, "END") != 0 && !tells_field(sheet, at, line, fault))
        return false;
    while (at && strcmp(at, "END") != 0) {
        at = next(&text, &line);
        if (at && strcmp(at, "END") != 0 && !reads_step(sheet, at, line, fault))
            return false;
    }
    at = at ? next(&text, &line) : NULL;
    if (!at)
        return sheet_fails(fault, line, "the record breaks off");
    return reads_last(sheet, at, line, fault);
}

/* XML: as much of it as the archives have. No document type, no entities but the five. */

struct tag {
    char *name;
    char *attribute[8][2];
    size_t count;
    bool closed; /* no content follows */
};

struct scan {
    char *at;
    const char *counted; /* lines are counted up to here */
    size_t line;
    struct sheet_fault *fault;
};

static bool amiss(struct scan *scan, const char *what)
{
    for (; scan->counted < scan->at; scan->counted++)
        scan->line += *scan->counted == '\n';
    return sheet_fails(scan->fault, scan->line, "%s", what);
}

static size_t line_of(struct scan *scan)
{
    (void)amiss(scan, "");
    return scan->line;
}

/* Replaces the five entities in place. */
static bool plain(char *text)
{
    static const struct {
        const char *name;
        char c;
    } entities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    char *to = text;

    while (*text) {
        size_t i = 0, count = sizeof entities / sizeof *entities;
        if (*text != '&') {
            *to++ = *text++;
            continue;
        }
        while (i < count && strncmp(entities[i].name, text, strlen(entities[i].name)) != 0)
            i++;
        if (i == count)
            return false;
        text += strlen(entities[i].name);
        *to++ = entities[i].c;
    }
    *to = '\0';
    return true;
}

static void blanks(struct scan *scan)
{
    scan->at += strspn(scan->at, " \t\r\n");
}

/* name = "value"; what is kept is cut out of the text afterwards, when all is past it. */
static bool read_attribute(struct scan *scan, struct tag *tag)
{
    char *name = scan->at;
    char *name_end = name + strcspn(name, " \t\r\n=/><\"'");

    scan->at = name_end;
    blanks(scan);
    if (name_end == name || *scan->at != '=')
        return amiss(scan, "expected an attribute and =");
    scan->at++;
    blanks(scan);
    char quote = *scan->at;
    char *value = scan->at + 1;
    char *end = quote == '"' || quote == '\'' ? strchr(value, quote) : NULL;
    if (!end)
        return amiss(scan, "expected a value in quotes");
    if (tag->count == sizeof tag->attribute / sizeof *tag->attribute)
        return amiss(scan, "there are too many attributes");
    line_of(scan);
    *name_end = *end = '\0';
    if (!plain(value))
        return amiss(scan, "there is no such entity");
    tag->attribute[tag->count][0] = name;
    tag->attribute[tag->count++][1] = value;
    scan->at = end + 1;
    scan->counted = scan->at;
    return true;
}

/* Skips what tells nothing; false and no fault text at the end. */
static bool find_tag(struct scan *scan)
{
    for (;;) {
        scan->at += strcspn(scan->at, "<");
        const char *skip = strncmp(scan->at, "<?", 2) == 0     ? "?>"
                           : strncmp(scan->at, "<!--", 4) == 0 ? "-->"
                           : strncmp(scan->at, "</", 2) == 0   ? ">"
                                                               : NULL;
        if (!*scan->at || !skip)
            return *scan->at;
        char *end = strstr(scan->at, skip);
        scan->at = end ? end + strlen(skip) : scan->at + strlen(scan->at);
    }
}

/* The next opening tag; tag->name NULL at the end. */
static bool read_tag(struct scan *scan, struct tag *tag)
{
    *tag = (struct tag){0};
    if (!find_tag(scan))
        return true;
    char *name = ++scan->at;
    char *end = name + strcspn(name, " \t\r\n/><=\"'");
    if (*name == '!')
        return amiss(scan, "document types are not read");
    if (end == name)
        return amiss(scan, "expected the name of an element");
    scan->at = end;
    blanks(scan);
    while (*scan->at && *scan->at != '>' && *scan->at != '/') {
        if (!read_attribute(scan, tag))
            return false;
        blanks(scan);
    }
    tag->closed = *scan->at == '/';
    scan->at += tag->closed;
    if (*scan->at != '>')
        return amiss(scan, "expected >");
    line_of(scan);
    scan->at++;
    *end = '\0';
    tag->name = name;
    return true;
}

static const char *attribute(const struct tag *tag, const char *name)
{
    for (size_t i = 0; i < tag->count; i++)
        if (strcmp(tag->attribute[i][0], name) == 0)
            return tag->attribute[i][1];
    return "";
}

static bool number_attribute(struct scan *scan, const struct tag *tag, const char *name,
                             int *ret_number)
{
    const char *text = attribute(tag, name);

    return (number(&text, ret_number) && !*text) || amiss(scan, "expected a number");
}

static bool reads_player(struct sheet *sheet, struct scan *scan, const struct tag *tag)
{
    int id;

    if (!number_attribute(scan, tag, "id", &id) || (id != 1 && id != 2))
        return amiss(scan, "players are 1 and 2");
    if (tag->closed)
        return true;
    char *end = scan->at + strcspn(scan->at, "<");
    if (!*end)
        return amiss(scan, "the record breaks off");
    size_t line = line_of(scan);
    autofree char *name = strndup(scan->at, (size_t)(end - scan->at));
    if (!name || !plain(name))
        return amiss(scan, "there is no such entity");
    scan->at = end;
    return tells_player(sheet, id - 1, name, line, scan->fault);
}

static bool reads_result(struct sheet *sheet, struct scan *scan, const struct tag *tag)
{
    int ending, winner;

    return number_attribute(scan, tag, "type", &ending) &&
           number_attribute(scan, tag, "winner", &winner) &&
           tells_result(sheet, ending, winner - 1, line_of(scan), scan->fault);
}

static bool reads_tag(struct sheet *sheet, struct scan *scan, const struct tag *tag)
{
    if (strcmp(tag->name, "game") == 0)
        return tells_type(sheet, 0, attribute(tag, "type"), line_of(scan), scan->fault);
    if (strcmp(tag->name, "field") == 0)
        return sheet->codec
                   ? tells_field(sheet, attribute(tag, "content"), line_of(scan), scan->fault)
                   : amiss(scan, "the game must come first");
    if (strcmp(tag->name, "move") == 0)
        return tells_move(sheet, attribute(tag, "source"), attribute(tag, "target"),
                          line_of(scan), scan->fault);
    if (strcmp(tag->name, "player") == 0)
        return reads_player(sheet, scan, tag);
    if (strcmp(tag->name, "result") == 0)
        return reads_result(sheet, scan, tag);
    return true;
}

bool sheet_read_xml(char *text, struct sheet *sheet, struct sheet_fault *fault)
{
    struct scan scan = {.at = text, .counted = text, .line = 1, .fault = fault};
    struct tag tag;

    do {
        if (!read_tag(&scan, &tag) || (tag.name && !reads_tag(sheet, &scan, &tag)))
            return false;
    } while (tag.name);
    return sheet_begin(sheet, line_of(&scan), fault);
}

/* Writing */

static int type_row(const struct sheet *sheet)
{
    const struct ruleset *rules = sheet->codec->rules;
    const char *variant = rules->variants[sheet->options.variant].id;

    if (strcmp(rules->id, "stratego") != 0)
        return -1;
    for (int i = 0; i < TYPES; i++)
        if (types[i].variant && strcmp(types[i].variant, variant) == 0)
            return i;
    return strcmp(variant, "isf") == 0 ? 0 : -1;
}

static int ending_of(const struct outcome *outcome)
{
    for (size_t i = 0; i < ENDINGS; i++)
        if (endings[i].reason == outcome->reason)
            return outcome->reason == REASON_NO_MOVE && outcome->winner == NO_SEAT
                       ? DRAWN
                       : endings[i].number;
    return 0;
}

static void put_field(struct out *out, const struct sheet *sheet)
{
    struct out side[2] = {{0}, {0}};

    for (size_t i = 0; i < 2; i++)
        sheet->notation->write_setup(&side[sheet->entries[i].event.seat & 1],
                                     &sheet->entries[i].event);
    out_bytes(out, side[0].text, side[0].size);
    put_text(out, "%s", middle);
    out_bytes(out, side[1].text, side[1].size);
    out->failed = out->failed || side[0].failed || side[1].failed;
    out_done(&side[0]);
    out_done(&side[1]);
}

/* Both squares of a move as the archives name them: "A4" and "A5". */
static void squares_of(const struct sheet *sheet, const struct event *event,
                       char ret_squares[static 2][3])
{
    struct out out = {0};
    int row[2] = {1, 1};
    char file[2] = {'a', 'a'};

    sheet->notation->write_move(&out, event);
    autofree char *text = out_take(&out, NULL);
    if (text)
        (void)sscanf(text, "%c%d-%c%d", &file[0], &row[0], &file[1], &row[1]);
    for (int i = 0; i < 2; i++) {
        ret_squares[i][0] = (char)(file[i] == 'j' ? 'K' : 'A' + file[i] - 'a');
        ret_squares[i][1] = (char)(row[i] == 10 ? ':' : '0' + row[i]);
        ret_squares[i][2] = '\0';
    }
}

static void put_moves(struct out *out, const struct sheet *sheet, bool xml)
{
    char squares[2][3];
    int id = 0;

    for (size_t i = 0; i < sheet->count; i++) {
        if (sheet->entries[i].event.kind != EVENT_MOVE)
            continue;
        squares_of(sheet, &sheet->entries[i].event, squares);
        if (xml)
            put_text(out, "  <move id=\"%d\" source=\"%s\" target=\"%s\"/>\n", ++id, squares[0],
                     squares[1]);
        else
            put_text(out, "%s-%s\n", squares[0], squares[1]);
    }
}

static void put_xml_text(struct out *out, const char *text)
{
    for (; *text; text++)
        if (*text == '&' || *text == '<' || *text == '>')
            put_text(out, "%s", *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : "&gt;");
        else
            out_bytes(out, text, 1);
}

static const char *player_of(const struct sheet *sheet, int seat)
{
    if (*sheet->player[seat])
        return sheet->player[seat];
    return sheet->codec->rules->seats[seat];
}

static void put_xml(struct out *out, const struct sheet *sheet, int type, int ending,
                    int winner)
{
    put_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<stratego>\n");
    put_text(out, " <game type=\"%s\">\n  <field content=\"", types[type].word);
    put_field(out, sheet);
    put_text(out, "\"/>\n");
    put_moves(out, sheet, true);
    for (int seat = 0; seat < 2; seat++) {
        put_text(out, "  <player id=\"%d\">", seat + 1);
        put_xml_text(out, player_of(sheet, seat));
        put_text(out, "</player>\n");
    }
    put_text(out, "  <result type=\"%d\" winner=\"%d\"/>\n </game>\n</stratego>\n", ending,
             winner + 1);
}

static void put_gsn(struct out *out, const struct sheet *sheet, int type, int ending,
                    int winner)
{
    put_text(out, "%s2\ntype%d\n", header, types[type].number);
    put_field(out, sheet);
    put_text(out, "\n");
    put_moves(out, sheet, false);
    put_text(out, "END\n%s vs %s", player_of(sheet, 0), player_of(sheet, 1));
    put_text(out, " result %d winner %d\n", ending, winner);
}

bool sheet_write_archive(struct out *out, const struct sheet *sheet, enum sheet_form form,
                         const struct outcome *outcome, struct sheet_fault *fault)
{
    int type = type_row(sheet), ending = ending_of(outcome);
    int winner = outcome->winner < DRAWN ? outcome->winner : DRAWN;

    if (type < 0)
        return sheet_fails(fault, 0, "the archives have no such game");
    if (sheet->start || sheet->count < 2 || sheet->entries[0].event.kind != EVENT_SETUP ||
        sheet->entries[1].event.kind != EVENT_SETUP)
        return sheet_fails(fault, 0, "the archives want both set-ups, and no other beginning");
    if (sheet->options.value[ruleset_option(sheet->codec->rules, "first")] != 1)
        return sheet_fails(fault, 0, "in the archives red begins");
    if (form == SHEET_XML)
        put_xml(out, sheet, type, ending, winner);
    else
        put_gsn(out, sheet, type, ending, winner);
    return true;
}
