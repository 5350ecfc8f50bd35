/* Writes JSON into one growing buffer: compact, in the order in which it is told.
 *
 * The buffer belongs to the struct out; out_done() frees it, out_take() hands it over. A failed
 * allocation sets `failed`, later writes do nothing, and the caller asks once, at the end.
 * Commas are put by the writer. Strings are UTF-8 and are escaped as RFC 8259 demands.
 */
#ifndef API_OUT_H
#define API_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out {
    char *text; /* not NUL-terminated before out_take() */
    size_t size, room;
    bool failed;
};

void out_done(struct out *out);

/* Opens and closes; `key` NULL inside arrays and at the top. */
void out_object(struct out *out, const char *key);
void out_object_end(struct out *out);
void out_array(struct out *out, const char *key);
void out_array_end(struct out *out);

void out_text(struct out *out, const char *key, const char *value); /* NULL: null */
void out_text_n(struct out *out, const char *key, const char *value, size_t size);
/* Text of letters, digits and marks that need no escape (tokens, padding): copied at once. */
void out_safe(struct out *out, const char *key, const char *value, size_t size);
void out_number(struct out *out, const char *key, int64_t value);
void out_bool(struct out *out, const char *key, bool value);
void out_null(struct out *out, const char *key);
void out_hex(struct out *out, const char *key, const uint8_t *bytes, size_t size);

/* A value that is JSON already. */
void out_raw(struct out *out, const char *key, const char *json, size_t size);

/* Bytes as they are, without comma or quotes. */
void out_bytes(struct out *out, const char *bytes, size_t size);

/* One member of an object as text: key and value as they stand, the key without its quotes. */
struct out_member {
    const char *key, *value;
    size_t key_size, value_size;
};

/* Steps through the members of compact JSON object text that this writer made; `*at` starts at
 * 0. False when there are no more. */
bool out_member_next(const char *object, size_t size, size_t *at,
                     struct out_member *ret_member);

/* Writes a member as it stands. */
void out_member(struct out *out, const struct out_member *member);

/* Sorts the members of the object that ends at the buffer's end and began at `start` (the
 * offset of its brace) by key, bytewise; what is inside the members is left as it is. */
void out_sort(struct out *out, size_t start);

/* The text, NUL-terminated, now the caller's to free; NULL if a write failed. Empties `out`. */
char *out_take(struct out *out, size_t *ret_size);

#endif
