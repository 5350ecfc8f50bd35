#include "daemon/sandbox.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/* ---- files ---- */

enum {
    ACCESS_READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    ACCESS_BIND = LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REMOVE_FILE,
    ACCESS_TRUNCATE = 1 << 14,  /* headers of Linux 6.1 do not know these */
    ACCESS_IOCTL_DEV = 1 << 15, /* granted to nobody */
    ACCESS_WRITE = ACCESS_READ | ACCESS_TRUNCATE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                   LANDLOCK_ACCESS_FS_MAKE_SOCK,
};

/* What a kernel of this version of the interface can forbid. */
static uint64_t handled(long version)
{
    uint64_t all = (1 << 13) - 1; /* version 1: up to MAKE_SYM */

    if (version >= 2)
        all |= LANDLOCK_ACCESS_FS_REFER;
    if (version >= 3)
        all |= ACCESS_TRUNCATE;
    return version >= 5 ? all | ACCESS_IOCTL_DEV : all;
}

/* What is not there is left out: whoever opens it will say so. */
static void grant(int rules, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    struct stat info;

    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return;
    if (fstat(rule.parent_fd, &info) == 0 && !S_ISDIR(info.st_mode))
        rule.allowed_access &= LANDLOCK_ACCESS_FS_READ_FILE;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

/* The folder of a file: what takes its place later is another file. */
static void grant_folder_of(int rules, const char *path, uint64_t access)
{
    char copy[PATH_MAX];
    size_t size = strlen(path);

    if (size >= sizeof copy)
        return;
    memcpy(copy, path, size + 1);
    grant(rules, dirname(copy), access);
}

static void grant_path(int rules, const struct sandbox_path *path, uint64_t known)
{
    char target[PATH_MAX];

    if (!path->path)
        return;
    if (path->use == SANDBOX_WRITE) {
        (void)mkdir(path->path, 0700); /* it is there already, or whoever opens it will say */
        grant(rules, path->path, ACCESS_WRITE & known);
    } else if (path->use == SANDBOX_BIND) {
        grant_folder_of(rules, path->path, ACCESS_BIND);
    } else {
        grant_folder_of(rules, path->path, ACCESS_READ);
        if (realpath(path->path, target)) /* and where it links to */
            grant_folder_of(rules, target, ACCESS_READ);
    }
}

int sandbox_files(const struct sandbox_path *paths, size_t count, bool read_all)
{
    /* libraries and their settings: names of hosts, times, locales */
    static const char *const machine[] = {"/etc",   "/usr",         "/lib",
                                          "/lib64", "/dev/urandom", "/sys/devices/system/cpu"};
    long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    if (version < 1)
        return version < 0 ? -errno : -ENOSYS;
    const struct landlock_ruleset_attr attr = {.handled_access_fs = handled(version)};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    if (rules < 0)
        return -errno;
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++)
        grant(rules, machine[i], ACCESS_READ);
    if (read_all)
        grant(rules, "/", ACCESS_READ);
    for (size_t i = 0; i < count; i++)
        grant_path(rules, &paths[i], attr.handled_access_fs);
    int error = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
                        syscall(SYS_landlock_restrict_self, rules, 0) < 0
                    ? -errno
                    : 0;
    close(rules);
    return error;
}

/* ---- the kernel's calls ---- */

#if defined __x86_64__
static const uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined __aarch64__
static const uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
static const uint32_t architecture = 0; /* its numbers were tried by nobody */
#endif

/* How a call is judged: as it is, or by one of its arguments. */
enum rule {
    FREE,
    DATABASE,    /* with a database alone */
    LOCAL,       /* argument 0: AF_UNIX, with a database those of the internet too */
    A_THREAD,    /* argument 0: a thread, not a process */
    NO_CODE,     /* argument 2: memory that is not to be executed */
    ASKS_ONLY,   /* argument 2 is NULL: reads a limit, sets none */
    FEW_REQUESTS /* argument 1: of ioctl */
};

static const struct {
    unsigned short number;
    uint8_t rule; /* enum rule */
} allowed[] = {
    /* most frequent first: the filter looks from top to bottom */
    {SYS_futex, FREE},
    {SYS_clock_gettime, FREE},
    {SYS_read, FREE},
    {SYS_write, FREE},
    {SYS_recvfrom, FREE},
    {SYS_sendto, FREE},
    {SYS_recvmsg, FREE},
    {SYS_sendmsg, FREE},
    {SYS_writev, FREE},
    {SYS_readv, FREE},
    {SYS_epoll_pwait, FREE},
    {SYS_epoll_ctl, FREE},
    {SYS_ppoll, FREE},
    {SYS_pwrite64, FREE},
    {SYS_pread64, FREE},
    {SYS_fdatasync, FREE},
    {SYS_fsync, FREE},
    {SYS_fcntl, FREE},
    {SYS_accept4, FREE},
    {SYS_accept, FREE},
    {SYS_close, FREE},
    {SYS_shutdown, FREE},
    {SYS_setsockopt, FREE},
    {SYS_getsockopt, FREE},
    {SYS_getsockname, FREE},
    {SYS_getpeername, FREE},
    {SYS_sendfile, FREE},
    {SYS_sendmmsg, FREE},
    {SYS_epoll_create1, FREE},
    {SYS_eventfd2, FREE},
    {SYS_pselect6, FREE},
    {SYS_clock_nanosleep, FREE},
    {SYS_clock_getres, FREE},
    {SYS_nanosleep, FREE},
    {SYS_gettimeofday, FREE},
    {SYS_getrandom, FREE},
    {SYS_madvise, FREE},
    {SYS_munmap, FREE},
    {SYS_mremap, FREE},
    {SYS_brk, FREE},
    {SYS_mlock, FREE},
    {SYS_munlock, FREE},
    {SYS_mmap, NO_CODE},
    {SYS_mprotect, NO_CODE},
    {SYS_openat, FREE}, /* of what sandbox_files() leaves */
    {SYS_fstat, FREE},
    {SYS_newfstatat, FREE},
    {SYS_statx, FREE},
    {SYS_statfs, FREE},
    {SYS_fstatfs, FREE},
    {SYS_faccessat, FREE},
    {SYS_lseek, FREE},
    {SYS_ftruncate, FREE},
    {SYS_fallocate, FREE},
    {SYS_flock, FREE},
    {SYS_unlinkat, FREE},
    {SYS_renameat, FREE},
    {SYS_renameat2, FREE},
    {SYS_mkdirat, FREE},
    {SYS_readlinkat, FREE},
    {SYS_getdents64, FREE},
    {SYS_getcwd, FREE},
    {SYS_fchmod, FREE},
    {SYS_fchown, FREE}, /* SQLite gives its log the owner of its file */
    {SYS_utimensat, FREE},
    {SYS_ioctl, FEW_REQUESTS},
    {SYS_rt_sigprocmask, FREE},
    {SYS_rt_sigaction, FREE},
    {SYS_rt_sigreturn, FREE},
    {SYS_rt_sigtimedwait, FREE},
    {SYS_sigaltstack, FREE},
    {SYS_restart_syscall, FREE},
    {SYS_tgkill, FREE}, /* abort() */
    {SYS_exit, FREE},
    {SYS_exit_group, FREE},
    {SYS_clone, A_THREAD},
    {SYS_set_robust_list, FREE},
    {SYS_rseq, FREE},
    {SYS_sched_yield, FREE},
    {SYS_sched_getaffinity, FREE},
    {SYS_getpid, FREE},
    {SYS_gettid, FREE},
    {SYS_getuid, FREE},
    {SYS_geteuid, FREE},
    {SYS_getgid, FREE},
    {SYS_getegid, FREE},
    {SYS_getrusage, FREE},
    {SYS_prlimit64, ASKS_ONLY},
    {SYS_sysinfo, FREE},
    {SYS_uname, FREE},
    {SYS_socket, LOCAL}, /* for READY=1 and the watchdog */
    {SYS_connect, DATABASE},
    {SYS_bind, DATABASE}, /* of netlink, by getaddrinfo() */
#ifdef SYS_open
    {SYS_open, FREE},
    {SYS_stat, FREE},
    {SYS_lstat, FREE},
    {SYS_access, FREE},
    {SYS_poll, FREE},
    {SYS_select, FREE},
    {SYS_epoll_wait, FREE},
    {SYS_unlink, FREE},
    {SYS_rename, FREE},
    {SYS_mkdir, FREE},
    {SYS_rmdir, FREE},
    {SYS_readlink, FREE},
    {SYS_time, FREE},
    {SYS_getrlimit, FREE},
#endif
};

enum {
    NEWEST = 446, /* of Linux 5.13; what is newer is unknown, and libraries have another way */
    PROGRAM_MAX = 512,
};

static_assert(sizeof allowed / sizeof *allowed * 2 + 64 < PROGRAM_MAX,
              "no room for the filter");

struct program {
    struct sock_filter code[PROGRAM_MAX];
    unsigned short size;
};

static void put(struct program *p, unsigned code, uint32_t k, int when, int otherwise)
{
    p->code[p->size++] =
        (struct sock_filter){(unsigned short)code, (uint8_t)when, (uint8_t)otherwise, k};
}

static void load(struct program *p, size_t at)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)at, 0, 0);
}

/* The lower half of an argument, where the machine has it: both of ours are little-endian. */
static void load_argument(struct program *p, int i)
{
    load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)i);
}

static void end(struct program *p, uint32_t action)
{
    put(p, BPF_RET | BPF_K, action, 0, 0);
}

static const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

/* Allowed if the argument is one of `values`. */
static void one_of(struct program *p, int argument, const uint32_t *values, int count)
{
    load_argument(p, argument);
    for (int i = 0; i < count; i++)
        put(p, BPF_JMP | BPF_JEQ | BPF_K, values[i], count - i, 0);
    end(p, refused);
    end(p, SECCOMP_RET_ALLOW);
}

/* Allowed if the bits are, or are not, in the argument. */
static void with_bits(struct program *p, int argument, uint32_t bits, bool must)
{
    load_argument(p, argument);
    put(p, BPF_JMP | BPF_JSET | BPF_K, bits, must, !must);
    end(p, refused);
    end(p, SECCOMP_RET_ALLOW);
}

/* Allowed if the argument is 0 in both of its halves. */
static void null_only(struct program *p, int argument)
{
    load_argument(p, argument);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
    load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)argument + 4);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    end(p, refused);
    end(p, SECCOMP_RET_ALLOW);
}

static void judge(struct program *p, enum rule rule, bool connects)
{
    static const uint32_t families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
    static const uint32_t requests[] = {FIONBIO, FIONREAD, TCGETS};

    switch (rule) {
    case FREE:
        end(p, SECCOMP_RET_ALLOW);
        break;
    case DATABASE:
        end(p, connects ? SECCOMP_RET_ALLOW : refused);
        break;
    case LOCAL:
        one_of(p, 0, families, connects ? 4 : 1);
        break;
    case A_THREAD:
        with_bits(p, 0, CLONE_THREAD, true);
        break;
    case NO_CODE:
        with_bits(p, 2, PROT_EXEC, false);
        break;
    case ASKS_ONLY:
        null_only(p, 2);
        break;
    case FEW_REQUESTS:
        one_of(p, 1, requests, 3);
        break;
    }
}

static void make_program(struct program *p, bool connects)
{
    load(p, offsetof(struct seccomp_data, arch));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
    end(p, SECCOMP_RET_KILL_PROCESS);
    load(p, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        unsigned short jump = p->size;
        put(p, BPF_JMP | BPF_JEQ | BPF_K, allowed[i].number, 0, 0);
        judge(p, (enum rule)allowed[i].rule, connects);
        p->code[jump].jf = (uint8_t)(p->size - jump - 1);
    }
    /* clone3() hides its flags from the filter, so it must look as if it did not exist; so must
     * what is newer than this list. (x86's x32 numbers are above all others.) */
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 1, 0);
    put(p, BPF_JMP | BPF_JGT | BPF_K, NEWEST, 0, 1);
    end(p, SECCOMP_RET_ERRNO | ENOSYS);
    end(p, refused);
}

int sandbox_enter(bool connects)
{
    struct program program = {.size = 0};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -errno;
    if (architecture == 0)
        return -ENOSYS;
    make_program(&program, connects);
    const struct sock_fprog filter = {program.size, program.code};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0)
        return -errno;
    return 0;
}
