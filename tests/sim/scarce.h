/* Memory that runs out, for the simulation: what a test asks of malloc, calloc and realloc goes
 * through here (the linker's --wrap; jansson is told by scarce_begin()).
 *
 * One counter for the process, which has one thread.
 */
#ifndef TESTS_SIM_SCARCE_H
#define TESTS_SIM_SCARCE_H

#include <stdbool.h>
#include <stdint.h>

/* Once, before anything else. */
void scarce_begin(void);

/* After `calls` more allocations `count` of them fail. 0: none from now on. */
void scarce_set(uint32_t calls, uint32_t count);
/* Has one failed since scarce_set()? */
bool scarce_met(void);

/* While paused nothing fails and nothing is counted; returns how it was. */
bool scarce_pause(bool paused);

#endif
