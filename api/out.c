#include "api/out.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 512, MEMBERS_MAX = 32 };

static bool reserve(struct out *out, size_t more)
{
    if (out->failed)
        return false;
    if (out->room - out->size >= more)
        return true;
    size_t room = out->room ? out->room : FIRST_ROOM;
    while (room - out->size < more)
        room *= 2;
    char *text = realloc(out->text, room);
    if (!text) {
        out->failed = true;
        return false;
    }
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

/* Plain runs are copied whole: most strings have nothing to escape. */
static void put_string(struct out *out, const char *value, size_t size)
{
    size_t from = 0;

    put(out, '"');
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)value[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        out_bytes(out, value + from, i - from);
        from = i + 1;
        char escape[8];
        if (c >= 0x20)
            (void)snprintf(escape, sizeof escape, "\\%c", c);
        else
            (void)snprintf(escape, sizeof escape, "\\u%04x", c);
        out_bytes(out, escape, strlen(escape));
    }
    out_bytes(out, value + from, size - from);
    put(out, '"');
}

/* The comma and the key before a value. */
static void lead(struct out *out, const char *key)
{
    char last = out->size ? out->text[out->size - 1] : '{';

    if (last != '{' && last != '[' && last != '\n')
        put(out, ',');
    if (!key)
        return;
    put_string(out, key, strlen(key));
    put(out, ':');
}

void out_done(struct out *out)
{
    free(out->text);
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

void out_number(struct out *out, const char *key, int64_t value)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%lld", (long long)value);

    lead(out, key);
    out_bytes(out, digits, (size_t)size);
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
    put(out, '"');
    for (size_t i = 0; i < size; i++) {
        put(out, digits[bytes[i] >> 4]);
        put(out, digits[bytes[i] & 15]);
    }
    put(out, '"');
}

void out_raw(struct out *out, const char *key, const char *json, size_t size)
{
    lead(out, key);
    out_bytes(out, json, size);
}

struct member {
    const char *text;
    size_t size, key;
};

/* The end of the member that begins at `at`: its comma, or the object's brace. */
static const char *member_end(const char *at, const char *end)
{
    int depth = 0;
    bool quoted = false;

    for (; at < end; at++) {
        if (quoted) {
            if (*at == '\\')
                at++;
            else if (*at == '"')
                quoted = false;
        } else if (*at == '"') {
            quoted = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        } else if (*at == ',' && depth == 0) {
            break;
        }
    }
    return at;
}

static bool before(const struct member *a, const struct member *b)
{
    size_t common = a->key < b->key ? a->key : b->key;
    int order = memcmp(a->text, b->text, common);

    return order < 0 || (order == 0 && a->key < b->key);
}

static size_t split(const char *at, const char *end, struct member *members)
{
    size_t count = 0;

    while (at < end) {
        assert(count < MEMBERS_MAX);
        const char *stop = member_end(at, end);
        struct member member = {at, (size_t)(stop - at), 0};
        while (member.text[++member.key] != '"')
            ;
        size_t place = count++;
        for (; place > 0 && before(&member, &members[place - 1]); place--)
            members[place] = members[place - 1];
        members[place] = member;
        at = stop + 1;
    }
    return count;
}

void out_sort(struct out *out, size_t start)
{
    struct member members[MEMBERS_MAX];
    struct out sorted = {0};

    if (out->failed || out->size - start < 3)
        return;
    size_t count = split(out->text + start + 1, out->text + out->size - 1, members);
    for (size_t i = 0; i < count; i++) {
        out_bytes(&sorted, i ? "," : "{", 1);
        out_bytes(&sorted, members[i].text, members[i].size);
    }
    put(&sorted, '}');
    if (sorted.failed)
        out->failed = true;
    else
        memcpy(out->text + start, sorted.text, sorted.size);
    out_done(&sorted);
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
