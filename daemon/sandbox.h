/* Gives up what only the start needed. The one place where the kernel's own calls are made.
 *
 * First the files, before there is a thread; at last the calls of the kernel, for all threads.
 * Either may be missing from a kernel: the caller says so, and goes on.
 */
#ifndef DAEMON_SANDBOX_H
#define DAEMON_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* No core dumps, no tracing by others, files for their owner only, no signals for broken pipes
 * or for files at their limit: those become errors. Call first of all. */
void sandbox_begin(void);

enum sandbox_use {
    SANDBOX_READ,  /* a file; what lies beside it may be put in its place later */
    SANDBOX_WRITE, /* a folder and all below it; made if it is not there */
    SANDBOX_BIND,  /* a unix socket that is to be made */
};

struct sandbox_path {
    const char *path; /* NULL: skipped */
    enum sandbox_use use;
};

/* From now on this thread, and those that it starts, read nothing but these paths and the
 * machine's libraries and settings, and write nothing else at all. `read_all`: they read
 * whatever the user may (libpq looks for certificates and passwords in many places). Never
 * again does it start a program. 0, or -errno if the kernel cannot do it. */
int sandbox_files(const struct sandbox_path *paths, size_t count, bool read_all);

/* No new privileges, and of the kernel's calls those alone that serving needs, for all threads
 * and for good. `connects`: to a database, so sockets may be made. 0, or -errno if the kernel
 * cannot do it. */
int sandbox_enter(bool connects);

#endif
