/* When nobody could reach the referee: while no process ran, or this one stood still (the
 * machine slept, or its time of day was set forward).
 *
 * A file in the state folder carries it over restarts: a line "from to" for each such time, in
 * seconds of Unix, and its own time of change is the last sign of life. It is never waited for:
 * after a power cut the last sign may be half a minute old, to the good of whoever was to act.
 */
#ifndef DAEMON_UPTIME_H
#define DAEMON_UPTIME_H

#include <stdint.h>

struct uptime;

/* Opens or makes the file FOLDER/downtimes and counts what has passed since the last sign of
 * life. NULL and -errno in *ret_error if it cannot be. */
struct uptime *uptime_open(const char *folder, int64_t now_s, int *ret_error);
void uptime_close(struct uptime *uptime);

/* A sign of life, to be given about once a second; more than UPTIME_GAP_S since the last one
 * was time in which nobody could reach the referee. Returns how many seconds these were, else
 * 0. */
enum { UPTIME_GAP_S = 5 };
int64_t uptime_mark(struct uptime *uptime, int64_t now_s);

/* How many of the seconds between these two were such ones. Any thread may ask. */
int64_t uptime_away_s(const struct uptime *uptime, int64_t from_s, int64_t to_s);

/* When it began, and what the last process left: seconds between its last sign and the start.
 */
int64_t uptime_was_away_s(const struct uptime *uptime);

#endif
