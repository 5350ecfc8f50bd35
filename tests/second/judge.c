/* The stateless judge as a filter: each line read is the body of a POST /v1/adjudicate, each
 * line written is the body of its answer. The other side of tests/second/differ.py.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "tests/support/memory.h"

static void answer(struct api *api, const char *body, size_t size)
{
    struct response response;
    struct request request = {.method = "POST",
                              .path = "/v1/adjudicate",
                              .host = "127.0.0.1",
                              .content_type = "application/json",
                              .prefer = "return=minimal",
                              .body = body,
                              .body_size = size};

    api_handle(api, &request, &response);
    if (!response.body) {
        fprintf(stderr, "judge: %u without a body\n", response.status);
        exit(1);
    }
    fwrite(response.body, 1, response.size, stdout);
    if (response.size == 0 || response.body[response.size - 1] != '\n')
        putchar('\n');
    fflush(stdout);
    response_done(&response);
}

int main(void)
{
    struct api_config config = {.games_in_memory = 1};
    struct memory *memory = memory_new(1);
    struct ports ports = memory_ports(memory);
    uint8_t seed[32] = {1};
    char *line = NULL;
    size_t room = 0;
    ssize_t size;

    token_key_from_seed(&config.signing, seed);
    struct api *api = api_new(&config, &ports);
    if (!api)
        return 1;
    while ((size = getline(&line, &room, stdin)) > 0)
        answer(api, line, (size_t)size);
    free(line);
    api_free(api);
    memory_free(memory);
    return 0;
}
