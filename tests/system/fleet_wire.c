#include "tests/system/fleet_wire.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/api.h"
#include "tests/support/memory.h"

enum { PATIENCE_S = 30 };

struct wire {
    const char *address; /* NULL: in this process */
    int fd;
    uint64_t seed;
    struct memory *memory;
    struct api_config config;
    struct api *api;
};

struct hose {
    struct wire *wire;
    int fd;
    struct out raw, text; /* bytes that came; what they say without the chunks' frames */
    size_t at;            /* in `raw`: not yet unframed */
    bool ended;
    struct stream stream;
};

/* Sockets */

static bool read_address(const char *address, char *ret_host, char *ret_port)
{
    char line[128];
    FILE *file = fopen(address, "r");

    (void)snprintf(line, sizeof line, "%.100s", address);
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    char *colon = strrchr(line, ':');
    if (!colon)
        return false;
    (void)snprintf(ret_host, 64, "%.*s", (int)(colon - line), line);
    (void)snprintf(ret_port, 8, "%.*s", (int)strcspn(colon + 1, "\r\n/"), colon + 1);
    return true;
}

static int dial(const char *address)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    struct addrinfo *found = NULL;
    char host[64], port[8];
    int fd = -1;

    if (!read_address(address, host, port) || getaddrinfo(host, port, &hints, &found) != 0)
        return -1;
    for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) < 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

static void add(struct out *out, const char *name, const char *value)
{
    if (!value)
        return;
    out_bytes(out, name, strlen(name));
    out_bytes(out, value, strlen(value));
    out_bytes(out, "\r\n", 2);
}

static const char *method_of(const struct ask *ask)
{
    return ask->method ? ask->method : ask->body ? "POST" : "GET";
}

static bool send_ask(int fd, const struct ask *ask)
{
    struct out out = {0};
    char line[512];

    int size = snprintf(line, sizeof line, "%s %s HTTP/1.1\r\nHost: fleet\r\n", method_of(ask),
                        ask->path);
    out_bytes(&out, line, (size_t)size);
    add(&out, "Authorization: Bearer ", ask->credential);
    add(&out, "If-Match: ", ask->if_match);
    add(&out, "Idempotency-Key: ", ask->key);
    add(&out, "Accept: ", ask->accept);
    add(&out, "Last-Event-ID: ", ask->last_event_id);
    add(&out, "Prefer: ", ask->minimal ? "return=minimal" : NULL);
    add(&out, "Content-Type: ", ask->body ? "application/json" : NULL);
    (void)snprintf(line, sizeof line, "%zu", ask->body ? strlen(ask->body) : 0);
    add(&out, "Content-Length: ", line);
    out_bytes(&out, "\r\n", 2);
    if (ask->body)
        out_bytes(&out, ask->body, strlen(ask->body));
    bool sent = send(fd, out.text, out.size, MSG_NOSIGNAL) == (ssize_t)out.size;
    out_done(&out);
    return sent;
}

static ssize_t take_bytes(int fd, struct out *raw, int flags)
{
    char bytes[16384];
    ssize_t size = recv(fd, bytes, sizeof bytes, flags);

    if (size > 0)
        out_bytes(raw, bytes, (size_t)size);
    return size;
}

/* Reads up to the blank line; the header's size with it, or 0. */
static size_t read_head(int fd, struct out *raw)
{
    char *end = NULL;

    while (!end) {
        if (take_bytes(fd, raw, 0) <= 0)
            return 0;
        end = memmem(raw->text, raw->size, "\r\n\r\n", 4);
    }
    return (size_t)(end - raw->text) + 4;
}

/* The value of a header in a NUL-terminated head; false if it is not there. */
static bool header_of(const char *head, const char *name, char *ret_value, size_t room)
{
    size_t length = strlen(name);

    for (const char *at = strstr(head, "\r\n"); at && at[2]; at = strstr(at + 2, "\r\n"))
        if (strncasecmp(at + 2, name, length) == 0 && at[2 + length] == ':') {
            at += 3 + length;
            at += strspn(at, " ");
            (void)snprintf(ret_value, room, "%.*s", (int)strcspn(at, "\r"), at);
            return true;
        }
    return false;
}

static char *head_text(const struct out *raw, size_t size)
{
    char *head = strndup(raw->text, size);

    if (!head)
        abort();
    return head;
}

static bool read_told(int fd, struct out *raw, struct told *told)
{
    size_t head_size = read_head(fd, raw), size;
    char value[32];

    if (!head_size)
        return false;
    char *head = head_text(raw, head_size);
    told->status = (unsigned)strtoul(head + 9, NULL, 10);
    (void)header_of(head, "ETag", told->etag, sizeof told->etag);
    bool sized = header_of(head, "Content-Length", value, sizeof value);
    free(head);
    size = sized ? strtoul(value, NULL, 10) : 0;
    while (raw->size < head_size + size)
        if (take_bytes(fd, raw, 0) <= 0)
            return false;
    told->size = size;
    told->body = calloc(1, size + 1);
    if (!told->body)
        abort();
    if (size)
        memcpy(told->body, raw->text + head_size, size);
    return raw->size == head_size + size;
}

static bool ask_socket(struct wire *wire, const struct ask *ask, struct told *ret_told)
{
    struct out raw = {0};
    bool good = wire->fd >= 0 && send_ask(wire->fd, ask) && read_told(wire->fd, &raw, ret_told);

    out_done(&raw);
    if (good)
        return true;
    told_done(ret_told);
    if (wire->fd >= 0)
        close(wire->fd);
    wire->fd = -1;
    return false;
}

/* In this process */

static void read_query(char *query, struct request *request)
{
    for (char *pair; (pair = strsep(&query, "&"));) {
        char *value = strchr(pair, '=');
        if (value)
            *value++ = '\0';
        request->query[request->query_count++] = (struct pair){pair, value ? value : ""};
    }
}

static void make_request(const struct ask *ask, char *path, char *bearer,
                         struct request *ret_request)
{
    char *query = strchr(path, '?');

    *ret_request = (struct request){
        .method = method_of(ask),
        .path = path,
        .host = "fleet",
        .authorization = ask->credential ? bearer : NULL,
        .content_type = ask->body ? "application/json" : NULL,
        .accept = ask->accept,
        .if_match = ask->if_match,
        .idempotency_key = ask->key,
        .prefer = ask->minimal ? "return=minimal" : NULL,
        .last_event_id = ask->last_event_id,
        .body = ask->body,
        .body_size = ask->body ? strlen(ask->body) : 0,
    };
    if (!query)
        return;
    *query++ = '\0';
    read_query(query, ret_request);
}

static void handle(struct wire *wire, const struct ask *ask, struct response *ret_response)
{
    struct request request;
    char path[256], bearer[128];

    (void)snprintf(path, sizeof path, "%s", ask->path);
    (void)snprintf(bearer, sizeof bearer, "Bearer %s", ask->credential ? ask->credential : "");
    make_request(ask, path, bearer, &request);
    api_handle(wire->api, &request, ret_response);
    if (ret_response->kind != RESPONSE_WAIT)
        return;
    response_done(ret_response);
    request.timed_out = true;
    api_handle(wire->api, &request, ret_response);
}

static bool ask_inside(struct wire *wire, const struct ask *ask, struct told *ret_told)
{
    struct response response;

    handle(wire, ask, &response);
    ret_told->status = response.status;
    ret_told->size = response.body ? response.size : 0;
    ret_told->body = calloc(1, ret_told->size + 1);
    if (!ret_told->body)
        abort();
    if (response.body)
        memcpy(ret_told->body, response.body, response.size);
    for (size_t i = 0; i < response.header_count; i++)
        if (strcmp(response.headers[i].name, "ETag") == 0)
            (void)snprintf(ret_told->etag, sizeof ret_told->etag, "%.60s",
                           response_value(&response, i));
    response_done(&response);
    return true;
}

/* Both */

struct wire *wire_new(const char *address, uint64_t seed)
{
    static const uint8_t signing_seed[32] = {7};
    struct wire *wire = calloc(1, sizeof *wire);

    if (!wire)
        abort();
    wire->address = address;
    wire->fd = -1;
    wire->seed = seed;
    if (address)
        return wire;
    wire->config = (struct api_config){.open_creation = true, .games_in_memory = 1024};
    token_key_from_seed(&wire->config.signing, signing_seed);
    wire_empty(wire);
    return wire;
}

void wire_free(struct wire *wire)
{
    if (wire->fd >= 0)
        close(wire->fd);
    api_free(wire->api);
    if (wire->memory)
        memory_free(wire->memory);
    free(wire);
}

bool wire_ask(struct wire *wire, const struct ask *ask, struct told *ret_told)
{
    *ret_told = (struct told){0};
    if (!wire->address)
        return ask_inside(wire, ask, ret_told);
    return ask_socket(wire, ask, ret_told);
}

void told_done(struct told *told)
{
    free(told->body);
    told->body = NULL;
}

bool wire_reconnect(struct wire *wire, int seconds)
{
    if (!wire->address)
        return true;
    for (int tries = 0; wire->fd < 0 && tries < 20 * seconds; tries++) {
        wire->fd = dial(wire->address);
        if (wire->fd < 0)
            usleep(50000);
    }
    return wire->fd >= 0;
}

void wire_empty(struct wire *wire)
{
    if (wire->address)
        return;
    if (wire->memory)
        memory_free(wire->memory);
    wire->memory = memory_new(wire->seed++);
    wire_restart(wire);
}

void wire_restart(struct wire *wire)
{
    if (wire->address)
        return;
    struct ports ports = memory_ports(wire->memory);
    api_free(wire->api);
    wire->api = api_new(&wire->config, &ports);
    if (!wire->api)
        abort();
}

bool wire_fail(struct wire *wire, int error)
{
    if (wire->memory)
        memory_fail(wire->memory, error);
    return wire->memory != NULL;
}

/* Streams */

static bool open_socket_hose(struct hose *hose, const struct ask *ask, unsigned *ret_status)
{
    hose->fd = dial(hose->wire->address);
    if (hose->fd < 0 || !send_ask(hose->fd, ask))
        return false;
    hose->at = read_head(hose->fd, &hose->raw);
    if (!hose->at)
        return false;
    *ret_status = (unsigned)strtoul(hose->raw.text + 9, NULL, 10);
    return *ret_status == 200;
}

struct hose *hose_open(struct wire *wire, const struct ask *ask, unsigned *ret_status)
{
    struct hose *hose = calloc(1, sizeof *hose);
    struct response response;
    bool good;

    if (!hose)
        abort();
    hose->wire = wire;
    hose->fd = -1;
    *ret_status = 0;
    if (wire->address) {
        good = open_socket_hose(hose, ask, ret_status);
    } else {
        handle(wire, ask, &response);
        good = response.kind == RESPONSE_STREAM;
        hose->stream = response.stream;
        *ret_status = response.status;
        response_done(&response);
    }
    if (good)
        return hose;
    hose_free(hose);
    return NULL;
}

void hose_free(struct hose *hose)
{
    if (!hose)
        return;
    if (hose->fd >= 0)
        close(hose->fd);
    out_done(&hose->raw);
    out_done(&hose->text);
    free(hose);
}

/* Chunks: size in hex, line end, bytes, line end; the last has size 0. */
static void unframe(struct hose *hose)
{
    const struct out *raw = &hose->raw;

    while (!hose->ended && hose->at < raw->size) {
        char *start = raw->text + hose->at;
        char *line = memmem(start, raw->size - hose->at, "\r\n", 2);
        if (!line)
            return;
        size_t size = strtoul(start, NULL, 16), lead = (size_t)(line - start) + 2;
        if (raw->size - hose->at < lead + size + 2)
            return;
        out_bytes(&hose->text, start + lead, size);
        hose->at += lead + size + 2;
        hose->ended = size == 0;
    }
}

static bool read_socket_hose(struct hose *hose, bool to_end)
{
    ssize_t size = 1;

    unframe(hose);
    while (!hose->ended && size > 0) {
        size = take_bytes(hose->fd, &hose->raw, to_end ? 0 : MSG_DONTWAIT);
        unframe(hose);
    }
    return hose->ended || (!to_end && size < 0 && errno == EAGAIN);
}

static bool read_inside_hose(struct hose *hose, bool to_end)
{
    size_t before = hose->text.size + 1;

    while (!hose->ended && before != hose->text.size) {
        before = hose->text.size;
        hose->ended = api_stream(hose->wire->api, &hose->stream, &hose->text) == STREAM_ENDED;
    }
    return hose->ended || !to_end;
}

bool hose_read(struct hose *hose, bool to_end, const char **ret_text)
{
    bool good =
        hose->wire->address ? read_socket_hose(hose, to_end) : read_inside_hose(hose, to_end);

    out_bytes(&hose->text, "", 1); /* a NUL that does not count */
    hose->text.size--;
    *ret_text = hose->text.text;
    return good && !hose->text.failed;
}
