/* A crowd before a daemon: crowd PORT PID SCENE COUNT. What it finds it prints as lines of
 * name, tab and number; it leaves with 1 and says why if something is not as it must be. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/system/crowd.h"

static void memory_sse(const struct place *place, size_t count)
{
    scene_memory(place, WATCH_SSE, count);
}

static void memory_poll(const struct place *place, size_t count)
{
    scene_memory(place, WATCH_POLL, count);
}

static void spread_sse(const struct place *place, size_t count)
{
    scene_spread(place, WATCH_SSE, count);
}

static void spread_poll(const struct place *place, size_t count)
{
    scene_spread(place, WATCH_POLL, count);
}

static const struct {
    const char *name;
    void (*play)(const struct place *place, size_t count);
} scenes[] = {
    {"memory_sse", memory_sse},   {"memory_poll", memory_poll}, {"spread_sse", spread_sse},
    {"spread_poll", spread_poll}, {"idle", scene_idle},         {"stall", scene_stall},
    {"slow", scene_slow},         {"soak", scene_soak},
};

int main(int argc, char **argv)
{
    if (argc != 5)
        give_up("crowd PORT PID SCENE COUNT");
    const struct place place = {(uint16_t)strtoul(argv[1], NULL, 10), atoi(argv[2])};
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0);
    raise_files();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(scenes[i].name, argv[3]) == 0) {
            scenes[i].play(&place, strtoul(argv[4], NULL, 10));
            return 0;
        }
    give_up("no scene %s", argv[3]);
}
