/* What is left to do from inside: a process of its own enters the sandbox and tries everything,
 * in its first thread and in one that was there before. */
#include "daemon/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char home[64], other[64], secret[96], own[96];

enum { HELD = 99 }; /* where an errno is expected: it went well */

static int result_of(bool good)
{
    return good ? HELD : errno;
}

static int try_file(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600), result = result_of(fd >= 0);

    if (fd >= 0)
        close(fd);
    return result;
}

static int read_foreign(void)
{
    return try_file(secret, O_RDONLY);
}
static int write_foreign(void)
{
    return try_file("/etc/hostname", O_WRONLY);
}
static int cut_foreign(void)
{
    return result_of(truncate(secret, 0) == 0);
}
static int list_foreign(void)
{
    return try_file(other, O_RDONLY | O_DIRECTORY);
}
static int make_foreign(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/new", other);
    return try_file(path, O_WRONLY | O_CREAT);
}
static int read_memory(void)
{
    return try_file("/proc/self/mem", O_RDONLY);
}
static int read_library(void)
{
    return try_file("/etc/passwd", O_RDONLY);
}
static int write_own(void)
{
    return try_file(own, O_RDWR | O_CREAT);
}
static int cut_own(void)
{
    return try_file(own, O_RDWR | O_TRUNC);
}
static int link_own(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/link", home);
    return result_of(symlink("/etc/passwd", path) == 0);
}

static int start_program(void)
{
    char *const none[] = {NULL};

    return result_of(execve("/bin/true", none, none) == 0);
}

static int start_script(void)
{
    char *const none[] = {NULL};

    return result_of(syscall(SYS_execveat, AT_FDCWD, "/bin/true", none, none, 0) == 0);
}

static int start_process(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    return result_of(child > 0);
}

static void *nothing(void *arg)
{
    return arg;
}

static int start_thread(void)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, nothing, NULL);

    if (error)
        return error;
    pthread_join(thread, NULL);
    return HELD;
}

static int socket_of(int family, int type)
{
    int fd = socket(family, type, 0), result = result_of(fd >= 0);

    if (fd >= 0)
        close(fd);
    return result;
}

static int tcp(void)
{
    return socket_of(AF_INET, SOCK_STREAM);
}
static int tcp6(void)
{
    return socket_of(AF_INET6, SOCK_STREAM);
}
static int packet(void)
{
    return socket_of(AF_PACKET, SOCK_RAW);
}
static int local(void)
{
    return socket_of(AF_UNIX, SOCK_DGRAM);
}

static int connect_out(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};

    return result_of(connect(-1, (struct sockaddr *)&to, sizeof to) == 0);
}

static int listen_more(void)
{
    return result_of(listen(-1, 1) == 0);
}

static int map(int protection)
{
    void *at = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int result = result_of(at != MAP_FAILED);

    if (at != MAP_FAILED)
        munmap(at, 4096);
    return result;
}

static int map_data(void)
{
    return map(PROT_READ | PROT_WRITE);
}
static int map_code(void)
{
    return map(PROT_READ | PROT_EXEC);
}

static int make_code(void)
{
    void *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return result_of(mprotect(at, 4096, PROT_READ | PROT_EXEC) == 0);
}

static int trace(void)
{
    return result_of(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0);
}
static int peek(void)
{
    return result_of(syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0) == 0);
}
static int dump_again(void)
{
    return result_of(prctl(PR_SET_DUMPABLE, 1) == 0);
}
static int core_again(void)
{
    const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};

    return result_of(setrlimit(RLIMIT_CORE, &all) == 0);
}
static int ask_limit(void)
{
    struct rlimit limit;

    return result_of(getrlimit(RLIMIT_NOFILE, &limit) == 0);
}
static int become_root(void)
{
    return result_of(setuid(0) == 0);
}
static int change_mode(void)
{
    return result_of(chmod(own, 0666) == 0);
}
static int mount_it(void)
{
    return result_of(syscall(SYS_mount, "x", "/", "tmpfs", 0, 0) == 0);
}
static int load_filter(void)
{
    return result_of(syscall(SYS_bpf, 0, NULL, 0) == 0);
}
static int unknown(void)
{
    return result_of(syscall(600) == 0);
}

/* What each gives in the sandbox without a database, and with one. */
static const struct {
    const char *name;
    int (*run)(void);
    int alone, connected;
} tries[] = {
#define TRY(name, alone, connected)                                                            \
    {                                                                                          \
#name, name, alone, connected                                                          \
    }
    TRY(read_foreign, EACCES, HELD),
    TRY(list_foreign, EACCES, HELD),
    TRY(write_foreign, EACCES, EACCES),
    TRY(cut_foreign, EPERM, EPERM),
    TRY(make_foreign, EACCES, EACCES),
    TRY(read_memory, EACCES, 0), /* 0: as the user may */
    TRY(read_library, HELD, HELD),
    TRY(write_own, HELD, HELD),
    TRY(cut_own, HELD, HELD),
    TRY(link_own, EPERM, EPERM),
    TRY(start_program, EPERM, EPERM),
    TRY(start_script, EPERM, EPERM),
    TRY(start_process, EPERM, EPERM),
    TRY(start_thread, HELD, HELD),
    TRY(tcp, EPERM, HELD),
    TRY(tcp6, EPERM, HELD),
    TRY(packet, EPERM, EPERM),
    TRY(local, HELD, HELD),
    TRY(connect_out, EPERM, EBADF),
    TRY(listen_more, EPERM, EPERM),
    TRY(map_data, HELD, HELD),
    TRY(map_code, EPERM, EPERM),
    TRY(make_code, EPERM, EPERM),
    TRY(trace, EPERM, EPERM),
    TRY(peek, EPERM, EPERM),
    TRY(dump_again, EPERM, EPERM),
    TRY(core_again, EPERM, EPERM),
    TRY(ask_limit, HELD, HELD),
    TRY(become_root, EPERM, EPERM),
    TRY(change_mode, EPERM, EPERM),
    TRY(mount_it, EPERM, EPERM),
    TRY(load_filter, EPERM, EPERM),
    TRY(unknown, ENOSYS, ENOSYS),
#undef TRY
};

static atomic_bool entered;

static int try_all(bool connects, const char *where)
{
    int bad = 0;

    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        int expected = connects ? tries[i].connected : tries[i].alone, got = tries[i].run();
        if (expected == 0 || got == expected)
            continue;
        dprintf(STDERR_FILENO, "%s in %s: %s instead of %s\n", tries[i].name, where,
                got == HELD ? "done" : strerror(got),
                expected == HELD ? "done" : strerror(expected));
        bad++;
    }
    return bad;
}

static void *wait_and_try(void *arg)
{
    const bool *connects = arg;

    while (!entered)
        usleep(1000);
    return (void *)(intptr_t)try_all(*connects, "a thread");
}

/* The child's exit code: 0, or 1 if something was not as it must be, or 77 without landlock. */
static void be_boxed(bool connects)
{
    const struct sandbox_path paths[] = {{home, SANDBOX_WRITE}, {NULL, SANDBOX_READ}};
    pthread_t thread;
    void *bad;

    sandbox_begin();
    if (sandbox_files(paths, 2, connects))
        _exit(77);
    if (pthread_create(&thread, NULL, wait_and_try, &connects))
        _exit(1);
    if (sandbox_enter(connects))
        _exit(2);
    entered = true;
    int own_bad = try_all(connects, "the first thread");
    pthread_join(thread, &bad);
    _exit(own_bad > 0 || bad);
}

static int code_of(pid_t child)
{
    int status = 0;

    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void run_boxed(bool connects)
{
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        be_boxed(connects);
    int code = code_of(child);
    if (code == 77)
        skip();
    assert_int_equal(code, 0);
}

static void nothing_else_is_left(void **state)
{
    (void)state;
    run_boxed(false);
}

static void a_database_can_be_reached(void **state)
{
    (void)state;
    run_boxed(true);
}

/* The tries above must be able to succeed: outside of it they do. */
static void outside_all_can_be_done(void **state)
{
    (void)state;
    assert_int_equal(read_foreign(), HELD);
    assert_int_equal(list_foreign(), HELD);
    assert_int_equal(make_foreign(), HELD);
    assert_int_equal(write_own(), HELD);
    assert_int_equal(link_own(), HELD);
    assert_int_equal(tcp(), HELD);
    assert_int_equal(map_code(), HELD);
    assert_int_equal(make_code(), HELD);
    assert_int_equal(dump_again(), HELD);
    assert_int_equal(change_mode(), HELD);
    assert_int_equal(start_process(), HELD);
    assert_int_equal(cut_foreign(), HELD);
}

static void begins_without_cores(void **state)
{
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        struct rlimit limit;
        sandbox_begin();
        bool good = getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0 &&
                    prctl(PR_GET_DUMPABLE) == 0 && umask(0) == 077 &&
                    signal(SIGPIPE, SIG_DFL) == SIG_IGN && signal(SIGXFSZ, SIG_DFL) == SIG_IGN;
        _exit(!good);
    }
    assert_int_equal(code_of(child), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_without_cores),
        cmocka_unit_test(nothing_else_is_left),
        cmocka_unit_test(a_database_can_be_reached),
        cmocka_unit_test(outside_all_can_be_done),
    };
    char command[200];

    strcpy(home, "/tmp/refereed-box-XXXXXX");
    strcpy(other, "/tmp/refereed-out-XXXXXX");
    if (!mkdtemp(home) || !mkdtemp(other))
        return 1;
    snprintf(secret, sizeof secret, "%s/secret", other);
    snprintf(own, sizeof own, "%s/own", home);
    close(open(secret, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s' '%s'", home, other);
    return failed + (system(command) != 0);
}
