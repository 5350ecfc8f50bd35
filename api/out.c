#include "api/out.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 512, MEMBERS_MAX = 32 };

/* What was written may be for one seat's eyes. */
static void wiped(struct out *out)
{
    if (out->text)
        sodium_memzero(out->text, out->size);
    free(out->text);
}

static bool reserve(struct out *out, size_t more)
{
    if (out->failed)
        return false;
    if (out->room - out->size >= more)
        return true;
    size_t room = out->room ? out->room : FIRST_ROOM;
    while (room - out->size < more)
        room *= 2;
    char *text = malloc(room);
    if (!text) {
        out->failed = true;
        return false;
    }
    if (out->size > 0)
        memcpy(text, out->text, out->size);
    wiped(out);
    out->text = text;
    out->room = room;
    return true;
}

void out_bytes(struct out *out, const char *bytes, size_t size)
{
    if (!size || !reserve(out, size))
        return;
    memcpy(out->text + out->size, bytes, size);
    out->size += size;
}

static void put(struct out *out, char c)
{
    if (reserve(out, 1))
        out->text[out->size++] = c;
}

/* Bytes of the well-formed UTF-8 character at `at`, 0 if there is none (RFC 3629, section 4).
 */
static size_t character(const unsigned char *at, size_t left)
{
    size_t size = at[0] < 0x80   ? 1
                  : at[0] < 0xc2 ? 0
                  : at[0] < 0xe0 ? 2
                  : at[0] < 0xf0 ? 3
                  : at[0] < 0xf5 ? 4
                                 : 0;

    if (size > left)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool wrong =
        size > 2 && ((at[0] == 0xe0 && at[1] < 0xa0) || /* too long a form */
                     (at[0] == 0xed && at[1] > 0x9f) || /* a surrogate */
                     (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f));
    return wrong ? 0 : size;
}

static void put_escape(struct out *out, unsigned char c)
{
    char escape[8];

    if (c >= 0x80) /* not UTF-8, or cut inside a character */
        (void)snprintf(escape, sizeof escape, "\\ufffd");
    else if (c >= 0x20)
        (void)snprintf(escape, sizeof escape, "\\%c", c);
    else
        (void)snprintf(escape, sizeof escape, "\\u%04x", c);
    out_bytes(out, escape, strlen(escape));
}

/* ASCII that stands in a string as it is. */
static bool plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* Plain runs are copied whole: most strings have nothing to escape. */
static void put_string(struct out *out, const char *value, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)value;
    size_t from = 0, i = 0;

    put(out, '"');
    while (i < size) {
        if (plain(bytes[i])) {
            i++;
            continue;
        }
        size_t length = bytes[i] < 0x80 ? 0 : character(bytes + i, size - i);
        if (length) {
            i += length;
            continue;
        }
        out_bytes(out, value + from, i - from);
        put_escape(out, bytes[i]);
        from = ++i;
    }
    out_bytes(out, value + from, size - from);
    put(out, '"');
}

/* The comma and the key before a value. */
static void lead(struct out *out, const char *key)
{
    char last = out->size ? out->text[out->size - 1] : '{';

    if (last != '{' && last != '[' && last != '\n' && last != ' ')
        put(out, ',');
    if (!key)
        return;
    put_string(out, key, strlen(key));
    put(out, ':');
}

void out_done(struct out *out)
{
    wiped(out);
    *out = (struct out){0};
}

void out_object(struct out *out, const char *key)
{
    lead(out, key);
    put(out, '{');
}

void out_object_end(struct out *out)
{
    put(out, '}');
}

void out_array(struct out *out, const char *key)
{
    lead(out, key);
    put(out, '[');
}

void out_array_end(struct out *out)
{
    put(out, ']');
}

void out_text_n(struct out *out, const char *key, const char *value, size_t size)
{
    lead(out, key);
    put_string(out, value, size);
}

void out_text(struct out *out, const char *key, const char *value)
{
    if (!value)
        out_null(out, key);
    else
        out_text_n(out, key, value, strlen(value));
}

void out_safe(struct out *out, const char *key, const char *value, size_t size)
{
    lead(out, key);
    put(out, '"');
    out_bytes(out, value, size);
    put(out, '"');
}

void out_number(struct out *out, const char *key, int64_t value)
{
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    char digits[24];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        digits[--at] = '-';
    lead(out, key);
    out_bytes(out, digits + at, sizeof digits - at);
}

void out_bool(struct out *out, const char *key, bool value)
{
    lead(out, key);
    out_bytes(out, value ? "true" : "false", value ? 4 : 5);
}

void out_null(struct out *out, const char *key)
{
    lead(out, key);
    out_bytes(out, "null", 4);
}

void out_hex(struct out *out, const char *key, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";

    lead(out, key);
    if (!reserve(out, 2 * size + 2))
        return;
    char *at = out->text + out->size;
    *at++ = '"';
    for (size_t i = 0; i < size; i++) {
        *at++ = digits[bytes[i] >> 4];
        *at++ = digits[bytes[i] & 15];
    }
    *at = '"';
    out->size += 2 * size + 2;
}

void out_raw(struct out *out, const char *key, const char *json, size_t size)
{
    lead(out, key);
    out_bytes(out, json, size);
}

void out_member(struct out *out, const struct out_member *member)
{
    lead(out, NULL);
    out_bytes(out, member->key - 1,
              (size_t)(member->value - member->key) + member->value_size + 1);
}

/* Past the string that begins at `at`. */
static size_t string_end(const char *text, size_t size, size_t at)
{
    for (at++; at < size; at++) {
        const char *quote = memchr(text + at, '"', size - at);
        if (!quote)
            return size;
        size_t escapes = 0;
        at = (size_t)(quote - text);
        while (text[at - escapes - 1] == '\\')
            escapes++;
        if (escapes % 2 == 0)
            return at + 1;
    }
    return size;
}

/* The end of the value that begins at `at`: its comma, or the object's brace. */
static size_t value_end(const char *text, size_t size, size_t at)
{
    int depth = 0;

    while (at < size) {
        char c = text[at];
        if (c == '"') {
            at = string_end(text, size, at);
            continue;
        }
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && depth-- == 0)
            break;
        else if (c == ',' && depth == 0)
            break;
        at++;
    }
    return at;
}

bool out_member_next(const char *object, size_t size, size_t *at, struct out_member *ret_member)
{
    size_t from = *at + 2; /* past the brace or comma, and the key's quote */

    if (from >= size || object[from - 1] != '"')
        return false;
    const char *quote = memchr(object + from, '"', size - from);
    size_t key_end = quote ? (size_t)(quote - object) : size;
    if (key_end + 2 > size)
        return false;
    *at = value_end(object, size, key_end + 2);
    *ret_member = (struct out_member){object + from, object + key_end + 2, key_end - from,
                                      *at - key_end - 2};
    return true;
}

static bool before(const struct out_member *a, const struct out_member *b)
{
    size_t common = a->key_size < b->key_size ? a->key_size : b->key_size;
    int order = memcmp(a->key, b->key, common);

    return order < 0 || (order == 0 && a->key_size < b->key_size);
}

static size_t split(const char *object, size_t size, struct out_member *members)
{
    struct out_member member;
    size_t count = 0, at = 0;

    while (out_member_next(object, size, &at, &member)) {
        assert(count < MEMBERS_MAX);
        size_t place = count++;
        for (; place > 0 && before(&member, &members[place - 1]); place--)
            members[place] = members[place - 1];
        members[place] = member;
    }
    return count;
}

static bool in_order(const struct out_member *members, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (members[i].key < members[i - 1].key)
            return false;
    return true;
}

/* The sorted object is written behind the old one, then put in its place. */
void out_sort(struct out *out, size_t start)
{
    struct out_member members[MEMBERS_MAX];
    size_t size = out->size - start;

    if (out->failed || size < 3 || !reserve(out, size))
        return;
    size_t count = split(out->text + start, size, members);
    if (in_order(members, count))
        return;
    char *at = out->text + out->size;
    for (size_t i = 0; i < count; i++) {
        const struct out_member *member = &members[i];
        size_t member_size = (size_t)(member->value - member->key) + member->value_size + 1;
        *at++ = i ? ',' : '{';
        memcpy(at, member->key - 1, member_size);
        at += member_size;
    }
    memcpy(out->text + start, out->text + out->size, size - 1); /* the last brace stays */
    sodium_memzero(out->text + out->size, size - 1);
}

char *out_take(struct out *out, size_t *ret_size)
{
    put(out, '\0');
    if (out->failed) {
        out_done(out);
        return NULL;
    }
    char *text = out->text;
    if (ret_size)
        *ret_size = out->size - 1;
    *out = (struct out){0};
    return text;
}
