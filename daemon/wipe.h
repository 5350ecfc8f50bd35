/* Gives memory back that has held what is secret. */
#ifndef DAEMON_WIPE_H
#define DAEMON_WIPE_H

/* As free(), after all of the block was overwritten. */
void wipe_and_free(void *memory);

#endif
