/* Fuzzes the notation: moves, positions, set-ups and deals as text, and whole records of every
 * form. What is read and good is written and must be read again.
 *
 * The first byte picks what the rest is: a record, or something of one game and variant.
 */
#include <stdlib.h>
#include <string.h>

#include "api/sheet.h"
#include "rules/perft.h"
#include "rules/rulesets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static _Alignas(16) uint8_t state[PERFT_STATE_MAX];

static void move(const struct notation *notation, const char *text)
{
    struct misread misread;
    struct event event = {0}, again = {0};
    struct out out = {0};

    if (!notation->read_move(text, NULL, &event, &misread))
        return;
    notation->write_move(&out, &event);
    char *written = out_take(&out, NULL);
    if (!written || !notation->read_move(written, NULL, &again, &misread) ||
        again.size != event.size || memcmp(again.data, event.data, event.size) != 0)
        abort();
    free(written);
}

static void position(const struct notation *notation, struct options *options, const char *text)
{
    static uint8_t view[16384];
    struct misread misread;
    struct out out = {0};

    if (!notation->read_state(text, options, state, &misread) ||
        notation->rules->check(state) != ALLOWED)
        return;
    notation->see_all(state, view);
    notation->draw(&out, view);
    notation->write_view(&out, view);
    out_done(&out);
    notation->write_state(&out, state);
    char *written = out_take(&out, NULL);
    if (!written || !notation->read_state(written, options, state, &misread) ||
        notation->rules->check(state) != ALLOWED)
        abort();
    free(written);
}

static void letters(const struct notation *notation, const struct options *options,
                    const char *text)
{
    struct misread misread;
    struct event event = {0};

    for (uint8_t seat = 0; notation->read_setup && seat < 2; seat++)
        (void)notation->read_setup(text, options, seat, &event, &misread);
    if (notation->read_deal)
        (void)notation->read_deal(text, &event, &misread);
}

/* A record that is good in one form is good in every form that can hold it. */
static void record(const char *text, size_t size)
{
    static const char *const forms[] = {"notation", "json", "gsn", "xml"};

    for (size_t i = 0; i < 4; i++) {
        struct out report = {0}, written = {0}, again = {0};
        enum judged judged = sheet_judge_text(text, size, forms[i], &report, &written);
        if (judged == JUDGED_GOOD && written.size &&
            sheet_judge_text(written.text, written.size, NULL, &again, &again) != JUDGED_GOOD)
            abort();
        out_done(&report);
        out_done(&written);
        out_done(&again);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct options options;

    if (size < 2)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] >= 'a') {
        record(text, size - 1);
    } else {
        const struct ruleset *rules = rulesets[data[0] % ruleset_count];
        const struct notation *notation = notation_of(rules);
        ruleset_presets(rules, (uint8_t)(data[0] / ruleset_count % rules->variant_count),
                        &options);
        move(notation, text);
        letters(notation, &options, text);
        position(notation, &options, text);
    }
    free(text);
    return 0;
}
