/* Who waits for which game: long polls and streams, woken when it changes or when time is up.
 *
 * A struct watch belongs to the caller and stays where it is from watch_add() to
 * watch_remove(). The right order is: add, look at the game, then sleep; a change in between is
 * not missed.
 */
#ifndef DAEMON_WATCH_H
#define DAEMON_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct watchers;

/* Why a watch is awake. */
enum { WATCH_CHANGED = 1, WATCH_DUE = 2, WATCH_STOPPING = 4 };

struct watch {
    struct watch *prev, *next; /* of the same place in the table */
    uint8_t gid[16];
    uint8_t flags; /* WATCH_CHANGED, WATCH_DUE: since the last watch_take() */
    bool asleep;
    int64_t due_ms; /* when time is up, by clock_now_ms(); 0: never */
    /* Called with the table locked, so short: puts the owner to sleep, wakes him. */
    void (*sleep)(struct watch *watch);
    void (*wake)(struct watch *watch);
};

/* NULL without memory. */
struct watchers *watchers_new(void);
void watchers_free(struct watchers *watchers);

void watch_add(struct watchers *watchers, struct watch *watch);
void watch_remove(struct watchers *watchers, struct watch *watch);

/* The flags, WATCH_STOPPING too; clears what is told. */
unsigned watch_take(struct watchers *watchers, struct watch *watch);

/* Sets the time and puts the owner to sleep; false if a flag is up: he stays awake. */
bool watch_sleep(struct watchers *watchers, struct watch *watch, int64_t due_ms);

/* A game has changed. `context` is a struct watchers: this is the writer's event. */
void watchers_changed(void *context, const uint8_t gid[static 16]);

/* Any game may have changed. */
void watchers_changed_all(struct watchers *watchers);

/* Wakes those whose time is up. */
void watchers_tick(struct watchers *watchers, int64_t now_ms);

/* Wakes all; nobody sleeps from now on. */
void watchers_stop(struct watchers *watchers);

#endif
