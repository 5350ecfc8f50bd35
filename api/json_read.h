/* Reads a JSON text (RFC 8259) into jansson's values.
 *
 * As strict as json_loadb() with JSON_REJECT_DUPLICATES, and besides it knows when memory runs
 * out: jansson's own reader then calls a good text wrong, cuts strings off or reads behind
 * them. Strings are UTF-8 without zero characters. A number with a fraction or an exponent is a
 * json_real of no particular value: the interface has none.
 */
#ifndef API_JSON_READ_H
#define API_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What was wrong and where; columns count bytes, from 1. */
struct json_fault {
    int line, column;
    const char *what; /* constant; NULL: there was no memory */
};

enum { JSON_READ_DEPTH = 64 }; /* deeper texts are refused */

/* The value of a text, any value; NULL and the fault set if it is none. `ret_fault` may be
 * NULL. */
json_t *json_read(const char *text, size_t size, struct json_fault *ret_fault);

#endif
