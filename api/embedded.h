/* Files that are part of the program: made at build time by api/embed.py. */
#ifndef API_EMBEDDED_H
#define API_EMBEDDED_H

#include <stddef.h>

extern const char embedded_openapi[]; /* docs/openapi.yaml as JSON */
extern const size_t embedded_openapi_size;

#endif
