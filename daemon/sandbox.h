/* Gives up what only the start needed. The one place where the kernel's own calls are made. */
#ifndef DAEMON_SANDBOX_H
#define DAEMON_SANDBOX_H

/* No core dumps, no tracing by others, files for their owner only, no signals for broken pipes
 * or for files at their limit: those become errors. Call first of all. */
void sandbox_begin(void);

/* No new privileges, for good. Call when everything is open. */
void sandbox_enter(void);

#endif
