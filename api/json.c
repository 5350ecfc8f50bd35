#include "api/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/json_read.h"
#include "api/limits.h"

static const int64_t integer_max = INT64_C(1) << 53;

bool fault_set(struct fault *ret_fault, const char *pointer, const char *format, ...)
{
    va_list arguments;

    (void)snprintf(ret_fault->pointer, sizeof ret_fault->pointer, "%s", pointer);
    va_start(arguments, format);
    (void)vsnprintf(ret_fault->detail, sizeof ret_fault->detail, format, arguments);
    va_end(arguments);
    return false;
}

/* Nesting is counted before the parser sees the text: it recurses. */
static bool too_deep(const char *text, size_t size)
{
    int depth = 0;
    bool quoted = false;

    for (size_t i = 0; i < size; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        else if ((text[i] == '{' || text[i] == '[') && ++depth > JSON_DEPTH_MAX)
            return true;
        else if (text[i] == '}' || text[i] == ']')
            depth--;
    }
    return false;
}

/* jansson takes reals and any 64-bit integer; the interface takes neither. Depth is bounded by
 * too_deep(). */
static bool plain_numbers(const json_t *value)
{
    const char *key;
    json_t *child;
    size_t index;
    bool plain = true;

    if (json_is_real(value))
        return false;
    if (json_is_integer(value))
        return json_integer_value(value) <= integer_max &&
               json_integer_value(value) >= -integer_max;
    if (json_is_array(value))
        json_array_foreach(value, index, child) plain = plain && plain_numbers(child);
    if (json_is_object(value)) {
        json_t *object = json_incref((json_t *)(uintptr_t)value);
        json_object_foreach(object, key, child) plain = plain && plain_numbers(child);
        json_decref(object);
    }
    return plain;
}

json_t *json_gate(const char *text, size_t size, struct fault *ret_fault)
{
    struct json_fault fault;

    *ret_fault = (struct fault){.syntax = true};
    if (!text || !size) {
        fault_set(ret_fault, "", "The request needs a JSON body.");
        return NULL;
    }
    if (too_deep(text, size)) {
        fault_set(ret_fault, "", "The body is nested more than %d deep.", JSON_DEPTH_MAX);
        return NULL;
    }
    json_t *value = json_read(text, size, &fault);
    if (!value && !fault.what) {
        *ret_fault = (struct fault){.memory = true};
        return NULL;
    }
    if (value && !json_is_object(value) && !json_is_array(value)) {
        json_decref(value);
        value = NULL;
        fault = (struct json_fault){1, 1, "'{' or '[' expected"};
    }
    if (!value) {
        fault_set(ret_fault, "", "The body is not valid JSON: line %d, column %d: %s.",
                  fault.line, fault.column, fault.what);
        return NULL;
    }
    if (!plain_numbers(value)) {
        json_decref(value);
        fault_set(ret_fault, "", "Numbers must be integers between -2^53 and 2^53.");
        return NULL;
    }
    *ret_fault = (struct fault){0};
    return value;
}

static bool read_hex(const char *text, uint8_t *out, size_t size)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < 2 * size; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        if (!digit)
            return false;
        uint8_t value = (uint8_t)(digit - digits);
        out[i / 2] = (uint8_t)(i % 2 ? (out[i / 2] << 4 | value) : value);
    }
    return text[2 * size] == '\0';
}

/* No controls (C0, DEL, C1), and none that turn the direction of what stands around. */
static bool printable(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    for (; *at; at++) {
        if (*at < 0x20 || *at == 0x7f || (*at == 0xc2 && at[1] < 0xa0))
            return false;
        if (*at == 0xe2 && at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae)
            return false; /* U+202A..U+202E */
        if (*at == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9)
            return false; /* U+2066..U+2069 */
    }
    return true;
}

static bool set_text(const struct field *field, const json_t *value, const char *at,
                     struct fault *fault)
{
    size_t max = field->max ? (size_t)field->max : 64;

    if (!json_is_string(value))
        return fault_set(fault, at, "This must be a string.");
    if (json_string_length(value) > max)
        return fault_set(fault, at, "This must be at most %zu bytes long.", max);
    if (!printable(json_string_value(value)))
        return fault_set(fault, at, "This must not hold control characters.");
    *(const char **)field->value = json_string_value(value);
    return true;
}

static bool set_int(const struct field *field, const json_t *value, const char *at,
                    struct fault *fault)
{
    json_int_t number = json_integer_value(value);

    if (!json_is_integer(value))
        return fault_set(fault, at, "This must be an integer.");
    if (number < field->min || number > field->max)
        return fault_set(fault, at, "This must be between %lld and %lld.",
                         (long long)field->min, (long long)field->max);
    *(int64_t *)field->value = number;
    return true;
}

static bool set_hex(const struct field *field, const json_t *value, const char *at,
                    struct fault *fault)
{
    if (!json_is_string(value) || json_string_length(value) != 2 * (size_t)field->max ||
        !read_hex(json_string_value(value), field->value, (size_t)field->max))
        return fault_set(fault, at, "This must be %lld lower-case hex digits.",
                         2 * (long long)field->max);
    return true;
}

static bool set_array(const struct field *field, json_t *value, const char *at,
                      struct fault *fault)
{
    if (!json_is_array(value))
        return fault_set(fault, at, "This must be an array.");
    if (field->max && json_array_size(value) > (size_t)field->max)
        return fault_set(fault, at, "This must have at most %lld entries.",
                         (long long)field->max);
    *(json_t **)field->value = value;
    return true;
}

static bool set_field(const struct field *field, json_t *value, const char *at,
                      struct fault *fault)
{
    if (field->nullable && json_is_null(value))
        return true;
    if (field->present)
        *field->present = true;
    switch ((enum field_kind)field->kind) {
    case FIELD_TEXT:
        return set_text(field, value, at, fault);
    case FIELD_INT:
        return set_int(field, value, at, fault);
    case FIELD_BOOL:
        if (!json_is_boolean(value))
            return fault_set(fault, at, "This must be true or false.");
        *(bool *)field->value = json_is_true(value);
        return true;
    case FIELD_OBJECT:
        if (!json_is_object(value))
            return fault_set(fault, at, "This must be an object.");
        *(json_t **)field->value = value;
        return true;
    case FIELD_ARRAY:
        return set_array(field, value, at, fault);
    case FIELD_HEX:
        return set_hex(field, value, at, fault);
    case FIELD_ANY:
        *(json_t **)field->value = value;
        return true;
    }
    return false;
}

static const struct field *find(const struct field *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

struct pointer pointer_below(const char *pointer, const char *name)
{
    struct pointer below;
    char *at = below.text;
    size_t size = strnlen(pointer, 60);

    memcpy(at, pointer, size);
    at[size++] = '/';

    for (; *name && size < sizeof below.text - 4; name++) {
        if (*name == '~' || *name == '/') {
            at[size++] = '~';
            at[size++] = *name == '~' ? '0' : '1';
        } else {
            at[size++] = *name;
        }
    }
    at[size] = '\0';
    return below;
}

struct pointer pointer_item(const char *pointer, size_t index)
{
    struct pointer item;

    (void)snprintf(item.text, sizeof item.text, "%.60s/%zu", pointer, index);
    return item;
}

struct field field_required(const char *name, enum field_kind kind, void *value)
{
    return (struct field){
        .name = name, .kind = (uint8_t)kind, .required = true, .value = value};
}

static bool required_present(const json_t *object, const char *pointer,
                             const struct field *fields, size_t count, struct fault *fault)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].required && !json_object_get(object, fields[i].name))
            return fault_set(fault, pointer, "The member \"%s\" is missing.", fields[i].name);
    return true;
}

bool json_fields(const json_t *object, const char *pointer, const struct field *fields,
                 size_t count, struct fault *ret_fault)
{
    const char *name;
    json_t *value;

    *ret_fault = (struct fault){0};
    if (!json_is_object(object))
        return fault_set(ret_fault, pointer, "This must be an object.");
    void *iterator = json_object_iter((json_t *)(uintptr_t)object);
    for (; iterator; iterator = json_object_iter_next((json_t *)(uintptr_t)object, iterator)) {
        name = json_object_iter_key(iterator);
        value = json_object_iter_value(iterator);
        struct pointer at = pointer_below(pointer, name);
        const struct field *field = find(fields, count, name);
        if (!field)
            return fault_set(ret_fault, at.text, "There is no such member here.");
        if (!set_field(field, value, at.text, ret_fault))
            return false;
    }
    return required_present(object, pointer, fields, count, ret_fault);
}
