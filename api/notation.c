#include "api/notation.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rules/rulesets.h"

const struct notation *notation_of(const struct ruleset *rules)
{
    size_t i = ruleset_number(rules);

    assert(i < ruleset_count);
    return notations[i];
}

void misread_text(const struct misread *misread, char ret_text[static 160])
{
    (void)snprintf(ret_text, 160, "character %zu: %s", misread->at + 1, misread->what);
}

bool reading_fails(struct reading *reading, const char *what)
{
    reading->misread->at = reading->at;
    (void)snprintf(reading->misread->what, sizeof reading->misread->what, "expected %s", what);
    return false;
}

bool reading_takes(struct reading *reading, char c)
{
    if (reading->text[reading->at] != c)
        return false;
    reading->at++;
    return true;
}

bool reading_expects(struct reading *reading, char c)
{
    char what[] = "\"?\"";

    if (reading_takes(reading, c))
        return true;
    what[1] = c;
    return reading_fails(reading, what);
}

bool reading_takes_word(struct reading *reading, const char *word)
{
    size_t size = strlen(word);

    if (strncmp(reading->text + reading->at, word, size) != 0)
        return false;
    reading->at += size;
    return true;
}

bool reading_letter(struct reading *reading, const char *letters, const char *what,
                    uint8_t *ret_place)
{
    char next = reading->text[reading->at];
    const char *found = next ? strchr(letters, next) : NULL;

    if (!found)
        return reading_fails(reading, what);
    *ret_place = (uint8_t)(found - letters);
    reading->at++;
    return true;
}

bool reading_number(struct reading *reading, unsigned max, const char *what,
                    uint8_t *ret_number)
{
    const char *text = reading->text + reading->at;
    size_t digits = strspn(text, "0123456789");
    unsigned number = 0;

    if (digits < 1 || digits > 3 || (digits > 1 && text[0] == '0'))
        return reading_fails(reading, what);
    for (size_t i = 0; i < digits; i++)
        number = number * 10 + (unsigned)(text[i] - '0');
    if (number > max || number > UINT8_MAX)
        return reading_fails(reading, what);
    *ret_number = (uint8_t)number;
    reading->at += digits;
    return true;
}

bool reading_ends(struct reading *reading)
{
    return !reading->text[reading->at] || reading_fails(reading, "the end");
}

void put_text(struct out *out, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert(size >= 0 && (size_t)size < sizeof text);
    out_bytes(out, text, (size_t)size);
}
