/* Files that are part of the program: made at build time by api/embed.py. */
#ifndef API_EMBEDDED_H
#define API_EMBEDDED_H

#include <stddef.h>

extern const char embedded_openapi[]; /* docs/openapi.yaml as JSON */
extern const size_t embedded_openapi_size;

/* A file of the web table. */
struct embedded_file {
    const char *path; /* below api/web/, as in "lib/lit-html.js" */
    const char *type; /* Content-Type */
    const char *etag; /* of its bytes, with the quotes */
    const char *data;
    size_t size;
};

extern const struct embedded_file embedded_web[];
extern const size_t embedded_web_count;

#endif
