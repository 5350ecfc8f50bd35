/* A store that fails, for the simulation: over a struct memory, which is what lies on the disk.
 *
 * What is appended waits until the simulation has it written, in order for each game but not
 * between games, or has it fail: then some of it may lie on the disk all the same, and nobody
 * is told. It looks at all that comes to lie there: a record must follow the game's last one.
 * A struct disk owns nothing of its memory, which must outlive it.
 */
#ifndef TESTS_SIM_DISK_H
#define TESTS_SIM_DISK_H

#include "tests/support/memory.h"
#include "tests/support/seeded.h"

struct disk;

/* Faults of the store itself, to see whether the simulation finds them. */
enum plant {
    PLANT_NONE,
    PLANT_EARLY,   /* tickets are settled before anything is written */
    PLANT_DROPPED, /* a change is now and then forgotten, and its ticket settled */
    PLANT_SILENT,  /* a commit fails and the epoch does not rise */
    PLANT_TWICE,   /* a record is now and then written twice */
    PLANT_TORN,    /* a record is written without the answer that is kept with it */
    PLANTS,
};

/* What is told of each change that comes to lie on the disk; false: it must not. */
typedef bool disk_landed(void *context, const struct change *change);

struct disk *disk_new(struct memory *memory, struct seeded *chance, disk_landed *landed,
                      void *context);
void disk_free(struct disk *disk);
struct ports disk_ports(struct disk *disk);
void disk_plant(struct disk *disk, enum plant plant);

/* Writes some of what waits, or all of it. */
void disk_write(struct disk *disk, bool all);
/* A commit fails with `error`; some of it has come to lie on the disk if `landed`. */
void disk_fail(struct disk *disk, int error, bool landed);
/* The machine dies and starts again: nobody knows any ticket. Some had landed. */
void disk_crash(struct disk *disk);

/* Appends fail with `error` (-errno), and all that waits with them; 0: it works again. */
void disk_refuse(struct disk *disk, int error);
/* Reads fail now and then with `error`; 0: they work. */
void disk_blind(struct disk *disk, int error);

/* Is the ticket settled? Then `ret_error` is how: 0 or -errno. */
bool disk_settled(const struct disk *disk, uint64_t ticket, int *ret_error);
/* How many changes were ever taken, and how many wait. */
uint64_t disk_taken(const struct disk *disk);
size_t disk_waiting(const struct disk *disk);
/* Is a change of this game on its way? */
bool disk_pending(const struct disk *disk, const uint8_t gid[static 16]);
/* Has a fault been met by whoever asked, since this was asked last? */
bool disk_felt(struct disk *disk);

#endif
