#include "daemon/framing.h"

#include <string.h>
#include <strings.h>

void framing_fault(struct framing *framing, const char *slug, const char *detail)
{
    if (framing->slug)
        return;
    framing->slug = slug;
    framing->detail = detail;
}

static bool known_method(const char *method)
{
    static const char *const methods[] = {"GET",    "HEAD",    "POST",  "PUT",    "PATCH",
                                          "DELETE", "OPTIONS", "TRACE", "CONNECT"};

    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(method, methods[i]) == 0)
            return true;
    return false;
}

void framing_line(struct framing *framing, const char *method, const char *uri,
                  const char *version)
{
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        framing_fault(framing, "version_not_supported", NULL);
    if (strlen(uri) > URI_MAX)
        framing_fault(framing, "uri_too_long", NULL);
    if (uri[0] != '/')
        framing_fault(framing, "bad_request", "the address must begin with a slash");
    for (const unsigned char *c = (const unsigned char *)uri; *c; c++)
        if (*c <= ' ' || *c >= 0x7f || *c == '#')
            framing_fault(framing, "bad_request",
                          "the address holds a byte that must be encoded");
    if (strstr(uri, "%00"))
        framing_fault(framing, "bad_request", "the address holds a zero byte");
    if (!known_method(method))
        framing_fault(framing, "not_implemented", NULL);
}

static bool tchar(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is(const char *name, size_t size, const char *expected)
{
    return strlen(expected) == size && strncasecmp(name, expected, size) == 0;
}

static bool read_length(const char *value, size_t size, uint64_t *ret_length)
{
    uint64_t length = 0;

    if (size == 0 || size > 18)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (value[i] < '0' || value[i] > '9')
            return false;
        length = length * 10 + (uint64_t)(value[i] - '0');
    }
    *ret_length = length;
    return true;
}

static void overlooked(struct framing *framing)
{
    framing->next = NULL;
    framing_fault(framing, "bad_request",
                  "the header holds spaces, line ends or zero bytes where none may be");
}

/* Does a part end here, by CR and LF that have become NULs? */
static const char *after_line(const char *end)
{
    return end[0] == '\0' && end[1] == '\0' ? end + 2 : NULL;
}

void framing_layout(struct framing *framing, const char *method, const char *uri,
                    size_t uri_size, const char *version)
{
    if (uri == method + strlen(method) + 1 && version == uri + uri_size + 1)
        framing->next = after_line(version + strlen(version));
    if (!framing->next)
        overlooked(framing);
}

/* A field that does not stand where it must is one after something overlooked, or one of
 * several lines, which have been joined elsewhere. */
static void lay_field(struct framing *framing, const char *name, size_t name_size,
                      const char *value, size_t value_size)
{
    const char *at = framing->next;

    if (name == at) {
        at += name_size + 1;
        at += strspn(at, " \t");
        if ((value_size == 0 || value == at) && (at = after_line(at + value_size))) {
            framing->next = at;
            return;
        }
    }
    overlooked(framing);
}

void framing_laid(struct framing *framing, const char *end)
{
    if (framing->next && (framing->next + 2 != end || !after_line(framing->next)))
        overlooked(framing);
}

void framing_field(struct framing *framing, const char *name, size_t name_size,
                   const char *value, size_t value_size)
{
    framing->size += name_size + value_size + 4;
    if (framing->next)
        lay_field(framing, name, name_size, value, value_size);
    for (size_t i = 0; i < name_size; i++)
        if (!tchar((unsigned char)name[i]))
            framing_fault(framing, "bad_request",
                          "a header's name holds a byte that it must not");
    if (name_size == 0)
        framing_fault(framing, "bad_request", "a header has no name");
    for (size_t i = 0; i < value_size; i++) {
        unsigned char c = (unsigned char)value[i];
        if ((c < ' ' && c != '\t') || c == 0x7f)
            framing_fault(framing, "bad_request", "a header's value holds a control byte");
    }
    if (is(name, name_size, "host"))
        framing->hosts++;
    if (is(name, name_size, "transfer-encoding")) {
        framing->codings++;
        framing->bad_coding = framing->bad_coding || !is(value, value_size, "chunked");
    }
    if (is(name, name_size, "content-length")) {
        framing->lengths++;
        if (!read_length(value, value_size, &framing->length))
            framing_fault(framing, "bad_request", "Content-Length is not a number");
    }
}

void framing_end(struct framing *framing, const char *method, const char *version,
                 size_t body_max)
{
    bool old = strcmp(version, "HTTP/1.0") == 0;
    bool no_body = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;

    if (framing->size > FIELDS_SIZE_MAX)
        framing_fault(framing, "headers_too_large", NULL);
    if (framing->lengths > 1 || framing->codings > 1)
        framing_fault(framing, "bad_request", "the length of the body is given twice");
    if (framing->lengths > 0 && framing->codings > 0)
        framing_fault(framing, "bad_request", "the body has a length and a transfer coding");
    if (framing->bad_coding)
        framing_fault(framing, "not_implemented", "the only transfer coding is chunked");
    if (framing->codings > 0 && old)
        framing_fault(framing, "bad_request", "HTTP/1.0 has no transfer codings");
    if (framing->hosts > 1 || (framing->hosts == 0 && !old))
        framing_fault(framing, "bad_request", "there must be one Host");
    if (no_body && (framing->length > 0 || framing->codings > 0))
        framing_fault(framing, "bad_request", "this method takes no body");
    if (framing->length > body_max)
        framing_fault(framing, "too_large", NULL);
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool decode(char *text)
{
    char *to = text;

    for (; *text; text++) {
        int high = *text == '%' ? hex_value(text[1]) : 0;
        int low = *text == '%' && high >= 0 ? hex_value(text[2]) : 0;
        if (high < 0 || low < 0 || (*text == '%' && high + low == 0))
            return false;
        if (*text == '%') {
            *to++ = (char)(high << 4 | low);
            text += 2;
        } else {
            *to++ = (char)(*text == '+' ? ' ' : *text);
        }
    }
    *to = '\0';
    return true;
}

bool framing_query(char *text, struct pair *ret_pairs, size_t *ret_count)
{
    size_t count = 0;

    for (char *next; text; text = next) {
        next = strchr(text, '&');
        if (next)
            *next++ = '\0';
        if (*text == '\0')
            continue;
        if (count == QUERY_MAX)
            return false;
        char *value = strchr(text, '=');
        if (value)
            *value++ = '\0';
        if (!decode(text) || (value && !decode(value)))
            return false;
        ret_pairs[count++] = (struct pair){text, value ? value : ""};
    }
    *ret_count = count;
    return true;
}
