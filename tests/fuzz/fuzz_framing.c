/* Fuzzes the framing of raw HTTP: the bytes of a header are cut as libmicrohttpd cuts them,
 * with all that it lets pass; what framing then lets pass too must be good by a parser that
 * knows nothing but the standard.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/framing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER_MAX = 16384, FIELDS = 256 };

/* ---- by the standard ---- */

/* CR LF. A pair with a NUL in it is let pass: when we are asked all such pairs are two NULs,
 * and lines end there for us, and for whoever takes a NUL for anything. */
static bool line_end(const char *at)
{
    bool zero = at[0] == '\0' || at[1] == '\0';

    return (at[0] == '\r' && at[1] == '\n') ||
           (zero && strchr("\r\n", at[0]) && strchr("\r\n", at[1]));
}

static bool token(unsigned char c)
{
    return c > ' ' && c < 0x7f && !strchr("\"(),/:;<=>?@[\\]{}", c);
}

/* One whole header, request line and empty line included, and not a byte more. */
static bool strict(const char *at, const char *end)
{
    const char *word = at;

    while (at < end && *at >= 'A' && *at <= 'Z')
        at++;
    if (at == word || at == end || *at++ != ' ' || at == end || *at != '/')
        return false;
    while (at<end && * at> ' ' && *at < 0x7f && *at != '#')
        at++;
    if (end - at < 11 || (memcmp(at, " HTTP/1.1", 9) && memcmp(at, " HTTP/1.0", 9)) ||
        !line_end(at + 9))
        return false;
    at += 11;
    while (end - at > 2) {
        word = at;
        while (at < end && token((unsigned char)*at))
            at++;
        if (at == word || at == end || *at++ != ':')
            return false;
        while (at < end && ((unsigned char)*at >= ' ' || *at == '\t') && *at != 0x7f)
            at++;
        if (end - at < 4 || !line_end(at))
            return false;
        at += 2;
    }
    return end - at == 2 && line_end(at);
}

/* ---- as the library does it ---- */

/* The end of a line: its CR, LF or both become NULs. NULL: there is none. */
static char *cut_line(char *at, char *end)
{
    while (at < end && *at != '\r' && *at != '\n')
        at++;
    if (at + 1 >= end)
        return NULL;
    if (*at == '\r' && at[1] == '\n')
        *at++ = '\0';
    *at++ = '\0';
    return at;
}

static char *cut_word(char *at)
{
    char *space = strchr(at, ' ');

    if (!space)
        return NULL;
    *space++ = '\0';
    return space + strspn(space, " ");
}

struct reading {
    struct framing framing;
    char joined[HEADER_MAX]; /* values of more lines than one */
    size_t joined_size;
};

static void field(struct reading *r, char *line, const char *more)
{
    char *colon = strchr(line, ':');

    if (!colon)
        return; /* the library refuses it by itself: here it is just not told */
    *colon++ = '\0';
    colon += strspn(colon, " \t");
    const char *value = colon;
    if (*more) {
        value = r->joined + r->joined_size;
        r->joined_size +=
            (size_t)snprintf(r->joined + r->joined_size, sizeof r->joined - r->joined_size,
                             "%s %s", colon, more) +
            1;
    }
    framing_field(&r->framing, line, strlen(line), value, strlen(value));
}

/* Reads `text`; false: the library would refuse it, or wait for more. */
static bool read_header(struct reading *r, char *text, char *end)
{
    char *next = cut_line(text, end), *uri = next ? cut_word(text) : NULL;
    char *version = uri ? strrchr(uri, ' ') : NULL;
    char method[32];

    if (!version || strlen(text) >= sizeof method)
        return false;
    *version++ = '\0';
    strcpy(method, text);
    framing_line(&r->framing, method, uri, version);
    framing_layout(&r->framing, text, uri, strlen(uri), version);
    for (char *line = next; (next = cut_line(line, end)); line = next) {
        if (*line == '\0') {
            framing_laid(&r->framing, next);
            framing_end(&r->framing, method, version, 65536);
            return next == end;
        }
        char *more = next;
        bool folded = more < end && (*more == ' ' || *more == '\t');
        if (folded && !(next = cut_line(more, end)))
            return false;
        if (r->joined_size + 2 * strlen(line) + 100 > sizeof r->joined / 2)
            return false;
        field(r, line, folded ? more + strspn(more, " \t") : "");
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct reading reading;
    static char text[HEADER_MAX + 4];
    struct pair pairs[QUERY_MAX];
    size_t count = 0;

    if (size >= HEADER_MAX / 4)
        return 0;
    memset(text, 0, sizeof text);
    memcpy(text, data, size);
    memset(&reading, 0, sizeof reading);
    bool whole = read_header(&reading, text, text + size);
    if (whole && !reading.framing.slug &&
        !strict((const char *)data, (const char *)data + size))
        abort();
    memset(text, 0, sizeof text);
    memcpy(text, data, size);
    if (framing_query(text, pairs, &count))
        for (size_t i = 0; i < count; i++)
            if (strlen(pairs[i].name) + strlen(pairs[i].value) > size)
                abort();
    return 0;
}
