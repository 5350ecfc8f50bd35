#include "daemon/sandbox.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

void sandbox_begin(void)
{
    const struct rlimit none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
    umask(077);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGUSR1, SIG_IGN); /* they mean nothing here, and would end it */
    signal(SIGUSR2, SIG_IGN);
}

void sandbox_enter(void)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
