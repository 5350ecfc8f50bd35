/* Reads request bodies by declared fields: the gate, and one table of fields a body.
 *
 * The gate refuses what the interface does not speak (not UTF-8 JSON, duplicates, reals,
 * integers beyond 2^53, nesting over 16); json_fields() then refuses unknown members, wrong
 * types and values out of range, and says where by a JSON pointer (RFC 6901).
 */
#ifndef API_JSON_H
#define API_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was wrong with a body, and where. Empty `detail`: nothing. */
struct fault {
    char pointer[96];
    char detail[160];
    bool syntax; /* not JSON at all (400), rather than a body of the wrong form (422) */
    bool memory; /* it may well be right: there was no memory to read it (503) */
};

/* Parses `size` bytes; NULL and `fault` set if it is not what the gate lets in. */
json_t *json_gate(const char *text, size_t size, struct fault *ret_fault);

enum field_kind {
    FIELD_TEXT,   /* const char *; max is its length in bytes, 0: 64 */
    FIELD_INT,    /* int64_t, min..max */
    FIELD_BOOL,   /* bool */
    FIELD_OBJECT, /* json_t *, borrowed */
    FIELD_ARRAY,  /* json_t *, borrowed; max is its length, 0: any */
    FIELD_HEX,    /* uint8_t[max]: exactly 2 * max lower-case hex digits */
    FIELD_ANY,    /* json_t *, borrowed */
};

struct field {
    const char *name;
    uint8_t kind; /* enum field_kind */
    bool required;
    void *value; /* where it goes; untouched if absent */
    int64_t min, max;
    bool *present; /* may be NULL */
    bool nullable; /* null is taken as absent */
};

/* A JSON pointer, cut short if it would grow too long. */
struct pointer {
    char text[96];
};

/* One token more than `pointer`: a member's name, with ~ and / escaped (RFC 6901, section 3),
 * or the index of an array's entry. */
struct pointer pointer_below(const char *pointer, const char *name);
struct pointer pointer_item(const char *pointer, size_t index);

/* A required field of that kind, with the limits that are its kind's own. */
struct field field_required(const char *name, enum field_kind kind, void *value);

/* Reads `object`, found at `pointer` ("" for the body), by `count` fields. False and `fault`
 * set at the first thing wrong. */
bool json_fields(const json_t *object, const char *pointer, const struct field *fields,
                 size_t count, struct fault *ret_fault);

/* Sets `fault` to `pointer` and a printf-like detail; always returns false. */
bool fault_set(struct fault *ret_fault, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
