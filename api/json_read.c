#include "api/json_read.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/cleanup.h"

enum { SHORT = 256 };

struct reader {
    const char *at, *end;
    int depth;
    const char *what; /* NULL after a failure: no memory */
};

static json_t *read_value(struct reader *reader);

static json_t *wrong(struct reader *reader, const char *what)
{
    reader->what = what;
    return NULL;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\n\r", *reader->at) && *reader->at)
        reader->at++;
}

static bool take(struct reader *reader, char c)
{
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* Strings */

/* Four hex digits behind "\u"; -1: they are not there. */
static int read_code(struct reader *reader)
{
    int code = 0;

    if (reader->end - reader->at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "00112233445566778899aAbBcCdDeEfF";
        const char *digit = *reader->at ? strchr(digits, *reader->at) : NULL;
        if (!digit)
            return -1;
        reader->at++;
        code = code * 16 + (int)(digit - digits) / 2;
    }
    return code;
}

static size_t put_character(char *to, long code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xe0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 0x3f));
        to[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3f));
    to[2] = (char)(0x80 | (code >> 6 & 0x3f));
    to[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* One escape, behind its backslash; 0: it is wrong. Never longer than it is written. */
static size_t read_escape(struct reader *reader, char *to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *name =
        reader->at < reader->end && *reader->at ? strchr(names, *reader->at) : NULL;

    if (name) {
        reader->at++;
        *to = values[name - names];
        return 1;
    }
    int code = take(reader, 'u') ? read_code(reader) : -1;
    if (code <= 0 || (code >= 0xdc00 && code < 0xe000))
        return 0;
    if (code < 0xd800 || code >= 0xe000)
        return put_character(to, code);
    int low = take(reader, '\\') && take(reader, 'u') ? read_code(reader) : -1;
    if (low < 0xdc00 || low >= 0xe000)
        return 0;
    return put_character(to, 0x10000 + ((code - 0xd800L) << 10) + (low - 0xdc00));
}

/* Bytes of the well-formed UTF-8 character at reader->at; 0: there is none (RFC 3629). */
static size_t character(const struct reader *reader)
{
    const unsigned char *at = (const unsigned char *)reader->at;
    size_t size = at[0] < 0x20   ? 0
                  : at[0] < 0x80 ? 1
                  : at[0] < 0xc2 ? 0
                  : at[0] < 0xe0 ? 2
                  : at[0] < 0xf0 ? 3
                  : at[0] < 0xf5 ? 4
                                 : 0;

    if (size > (size_t)(reader->end - reader->at))
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool bad = size > 2 && ((at[0] == 0xe0 && at[1] < 0xa0) || /* too long a form */
                            (at[0] == 0xed && at[1] > 0x9f) || /* half of a pair */
                            (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f));
    return bad ? 0 : size;
}

/* Reads up to the closing quote into `to`, which has room for as much as is written. */
static bool read_characters(struct reader *reader, char *to, size_t *ret_size)
{
    char *start = to;

    while (reader->at < reader->end && *reader->at != '"') {
        const char *from = reader->at;
        size_t size = take(reader, '\\') ? read_escape(reader, to) : character(reader);
        if (!size) {
            wrong(reader, *from == '\\' ? "an escape that means nothing here"
                                        : "no UTF-8, or a control character");
            return false;
        }
        if (*from != '\\') {
            memcpy(to, from, size);
            reader->at += size;
        }
        to += size;
    }
    *ret_size = (size_t)(to - start);
    if (take(reader, '"'))
        return true;
    wrong(reader, "a string without its end");
    return false;
}

/* How much is written up to the closing quote. */
static size_t written(const struct reader *reader)
{
    const char *at = reader->at;

    while (at < reader->end && *at != '"')
        at += *at == '\\' ? 2 : 1;
    return (size_t)((at < reader->end ? at : reader->end) - reader->at);
}

static json_t *read_string(struct reader *reader)
{
    char few[SHORT];
    size_t room = written(reader), size;
    autofree char *many = room > SHORT ? malloc(room) : NULL;
    char *to = room > SHORT ? many : few;

    if (!to)
        return NULL;
    json_t *string = read_characters(reader, to, &size) ? json_stringn_nocheck(to, size) : NULL;
    sodium_memzero(to, room); /* it may have been a nonce, a seed or a face */
    return string;
}

/* Numbers */

static bool take_digits(struct reader *reader)
{
    const char *start = reader->at;

    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
        reader->at++;
    return reader->at > start;
}

static json_t *read_number(struct reader *reader)
{
    const char *start = reader->at;
    bool whole = true, good;
    char digits[24] = "";

    take(reader, '-');
    good = take(reader, '0') || take_digits(reader);
    if (good && take(reader, '.')) {
        whole = false;
        good = take_digits(reader);
    }
    if (good && (take(reader, 'e') || take(reader, 'E'))) {
        whole = false;
        (void)(take(reader, '+') || take(reader, '-'));
        good = take_digits(reader);
    }
    if (!good)
        return wrong(reader, "no value");
    if (!whole)
        return json_real(0.5);
    size_t size = (size_t)(reader->at - start);
    if (size >= sizeof digits)
        return wrong(reader, "too large a number");
    memcpy(digits, start, size);
    errno = 0;
    long long number = strtoll(digits, NULL, 10);
    return errno ? wrong(reader, "too large a number") : json_integer(number);
}

/* Arrays and objects */

static json_t *read_array(struct reader *reader)
{
    json_auto_t *array = json_array();

    skip_space(reader);
    if (!array || take(reader, ']'))
        return json_incref(array);
    do {
        json_t *value = read_value(reader);
        if (!value || json_array_append_new(array, value) != 0)
            return NULL;
    } while (take(reader, ','));
    return take(reader, ']') ? json_incref(array) : wrong(reader, "',' or ']' expected");
}

static bool read_member(struct reader *reader, json_t *object)
{
    skip_space(reader);
    if (!take(reader, '"')) {
        wrong(reader, "a member's name expected");
        return false;
    }
    json_auto_t *key = read_string(reader);
    const char *name = json_string_value(key);
    if (!key)
        return false;
    if (json_object_get(object, name)) {
        wrong(reader, "a member's name for the second time");
        return false;
    }
    skip_space(reader);
    if (!take(reader, ':')) {
        wrong(reader, "':' expected");
        return false;
    }
    json_t *value = read_value(reader);
    return value && json_object_set_new_nocheck(object, name, value) == 0;
}

static json_t *read_object(struct reader *reader)
{
    json_auto_t *object = json_object();

    skip_space(reader);
    if (!object || take(reader, '}'))
        return json_incref(object);
    do {
        if (!read_member(reader, object))
            return NULL;
    } while (take(reader, ','));
    return take(reader, '}') ? json_incref(object) : wrong(reader, "',' or '}' expected");
}

static bool take_word(struct reader *reader, const char *word)
{
    size_t size = strlen(word);

    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, word, size) != 0)
        return false;
    reader->at += size;
    return true;
}

static json_t *read_bare(struct reader *reader)
{
    if (take(reader, '"'))
        return read_string(reader);
    if (take_word(reader, "true"))
        return json_true();
    if (take_word(reader, "false"))
        return json_false();
    if (take_word(reader, "null"))
        return json_null();
    return read_number(reader);
}

/* A value with the space around it. */
static json_t *read_value(struct reader *reader)
{
    json_t *value;

    skip_space(reader);
    if (reader->depth == JSON_READ_DEPTH)
        return wrong(reader, "too deep");
    reader->depth++;
    if (take(reader, '{'))
        value = read_object(reader);
    else
        value = take(reader, '[') ? read_array(reader) : read_bare(reader);
    reader->depth--;
    if (value)
        skip_space(reader);
    return value;
}

json_t *json_read(const char *text, size_t size, struct json_fault *ret_fault)
{
    struct reader reader = {.at = text, .end = text + size};
    json_t *value = read_value(&reader);

    if (value && reader.at < reader.end) {
        json_decref(value);
        value = wrong(&reader, "more behind the end");
    }
    if (value || !ret_fault)
        return value;
    *ret_fault = (struct json_fault){.line = 1, .column = 1, .what = reader.what};
    for (const char *at = text; at < reader.at; at++) {
        ret_fault->column = *at == '\n' ? 1 : ret_fault->column + 1;
        ret_fault->line += *at == '\n';
    }
    return NULL;
}
