/* A recorded game: a score sheet that is read, judged from the first set-up to the last move,
 * and written again in another form. docs/notation.md says the forms.
 *
 * A struct sheet owns its lists; sheet_done() frees them, also after a failed read. What is
 * read comes from anywhere: sizes and numbers are bounded (api/limits.h), and nothing of it is
 * trusted before the rules have judged it.
 */
#ifndef API_SHEET_H
#define API_SHEET_H

#include "api/codec.h"
#include "api/limits.h"
#include "api/notation.h"
#include "api/options.h"

enum sheet_form { SHEET_NOTATION, SHEET_JSON, SHEET_GSN, SHEET_XML, SHEET_FORMS };

struct sheet_entry {
    uint32_t line;      /* where it stood */
    struct event event; /* a set-up, deal, move, resignation, time or result */
};

struct sheet {
    const struct codec *codec; /* NULL: nothing has been said of the game yet */
    const struct notation *notation;
    struct options options;
    json_t *given;    /* options as they were told, until the game begins */
    json_t *given_at; /* and on which lines */
    json_t *history;  /* beside a start that was told in JSON; NULL: none */
    void *start;      /* the position that it begins with; NULL: the game's beginning */
    bool begun;       /* options are final */
    struct sheet_entry *entries;
    size_t count, room;
    char player[SEATS_MAX][NAME_MAX_BYTES + 1];
    bool claims; /* the record says how it ended by the rules: */
    struct outcome claim;
};

struct sheet_fault {
    size_t line;
    char what[240];
};

/* Reads a record of any form; the first character tells which. False and `fault` set. */
bool sheet_read(const char *text, size_t size, struct sheet *ret_sheet,
                struct sheet_fault *ret_fault);
void sheet_done(struct sheet *sheet);

struct sheet_verdict {
    size_t played; /* moves of players that were legal */
    size_t broken; /* the entry that was refused; sheet->count: none was */
    uint8_t seat;  /* whose it was */
    ruling_t ruling;
    bool agrees; /* the game ended as the record claims, if it does */
};

/* Plays the record; true if every entry was legal. `ret_state` holds rules->state_size bytes:
 * how the game stood at the end, or before what was refused. */
bool sheet_judge(const struct sheet *sheet, void *ret_state, struct sheet_verdict *ret_verdict);

/* The members that POST /v1/adjudicate answers for a record. */
void sheet_tell(struct out *out, const struct sheet *sheet, const void *state,
                const struct sheet_verdict *verdict, int language);

/* The record in that form; false with `fault->what` set if the form cannot hold it. `state` is
 * how it ended. */
bool sheet_write(struct out *out, const struct sheet *sheet, enum sheet_form form,
                 const void *state, struct sheet_fault *ret_fault);

enum judged { JUDGED_GOOD, JUDGED_BROKEN, JUDGED_UNREADABLE };

/* All of it for the command line: one line or two of report, and the record in the form of that
 * name ("gsn", NULL: not wanted) if it is good. */
enum judged sheet_judge_text(const char *text, size_t size, const char *form,
                             struct out *report, struct out *ret_written);

/* The parts. */

bool sheet_fails(struct sheet_fault *fault, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The game and variant (NULL: the first). */
bool sheet_game(struct sheet *sheet, const char *ruleset, const char *variant, size_t line,
                struct sheet_fault *fault);
/* One option, taken over; `value` NULL: no memory. */
bool sheet_option(struct sheet *sheet, const char *name, json_t *value, size_t line,
                  struct sheet_fault *fault);
bool sheet_players(struct sheet *sheet, int64_t players, size_t line,
                   struct sheet_fault *fault);
bool sheet_player(struct sheet *sheet, const char *seat, const char *name, size_t line,
                  struct sheet_fault *fault);
/* The options are final from here on. */
bool sheet_begin(struct sheet *sheet, size_t line, struct sheet_fault *fault);
/* The position that it begins with: of the notation, or of the JSON with its history. */
bool sheet_position(struct sheet *sheet, const char *text, size_t line,
                    struct sheet_fault *fault);
bool sheet_state(struct sheet *sheet, const json_t *state, json_t *history, size_t line,
                 struct sheet_fault *fault);
bool sheet_setup(struct sheet *sheet, const char *seat, const char *letters, size_t line,
                 struct sheet_fault *fault);
bool sheet_deal(struct sheet *sheet, const char *letters, size_t line,
                struct sheet_fault *fault);
bool sheet_move(struct sheet *sheet, const char *text, size_t line, struct sheet_fault *fault);
/* EVENT_RESIGN or EVENT_TIMEOUT of a seat. */
bool sheet_leaves(struct sheet *sheet, enum event_kind kind, const char *seat, size_t line,
                  struct sheet_fault *fault);
/* `winner` NULL or "none": nobody. An end by the rules is a claim, one beside them is played.
 */
bool sheet_result(struct sheet *sheet, const char *winner, const char *reason, size_t line,
                  struct sheet_fault *fault);
bool sheet_add(struct sheet *sheet, const struct event *event, size_t line,
               struct sheet_fault *fault);

/* `text` is NUL-terminated and is cut to pieces. */
bool sheet_read_notation(char *text, struct sheet *sheet, struct sheet_fault *fault);
bool sheet_read_json(char *text, struct sheet *sheet, struct sheet_fault *fault);
bool sheet_read_gsn(char *text, struct sheet *sheet, struct sheet_fault *fault);
bool sheet_read_xml(char *text, struct sheet *sheet, struct sheet_fault *fault);
/* The next line of `*text`, without its end, or NULL; counts in `*line`. */
char *sheet_line(char **text, size_t *line);

void sheet_write_notation(struct out *out, const struct sheet *sheet);
void sheet_write_json(struct out *out, const struct sheet *sheet);
bool sheet_write_archive(struct out *out, const struct sheet *sheet, enum sheet_form form,
                         const struct outcome *outcome, struct sheet_fault *fault);

#endif
