/* What fails when a test wants it, for LD_PRELOAD: writes, syncs, truncations, opens, memory
 * and the clock of a program that knows nothing of it.
 *
 * The environment's FAULTY names a file of int32_t, a struct faulty, that the test writes to
 * while the program runs. System calls are made directly: nothing here may allocate.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* `after` more calls are well, then `count` fail with `error`; `fired` counts those. */
struct kind {
    _Atomic int32_t after, count, error, fired;
};

enum { WRITE, SYNC, TRUNCATE, OPEN, MEMORY, KINDS };

struct faulty {
    struct kind kinds[KINDS];
    _Atomic int32_t every; /* not 0: each so many-th allocation fails, too */
    _Atomic int32_t calls;
    _Atomic int32_t offset_s; /* of the clock */
};

static struct faulty *faulty;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAULTY");
    long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;

    if (fd < 0)
        return;
    void *map = mmap(NULL, sizeof *faulty, PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
    (void)syscall(SYS_close, fd);
    if (map != MAP_FAILED)
        faulty = map;
}

static bool fails(int which)
{
    struct kind *kind = faulty ? &faulty->kinds[which] : NULL;

    if (!kind || kind->count <= 0 || kind->after-- > 0)
        return false;
    kind->count--;
    kind->fired++;
    errno = kind->error;
    return true;
}

/* Logs are written to files, too; they are none of ours. */
static bool is_file(int fd)
{
    struct stat status;

    return fd > 2 && syscall(SYS_fstat, fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* Half of it is written before it fails: a torn page. */
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    if (faulty && faulty->kinds[WRITE].count > 0 && is_file(fd) && fails(WRITE)) {
        int error = errno;
        (void)syscall(SYS_pwrite64, fd, bytes, size / 2, at);
        errno = error;
        return -1;
    }
    return syscall(SYS_pwrite64, fd, bytes, size, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    return pwrite64(fd, bytes, size, at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (faulty && faulty->kinds[WRITE].count > 0 && is_file(fd) && fails(WRITE))
        return -1;
    return syscall(SYS_write, fd, bytes, size);
}

int fsync(int fd)
{
    return fails(SYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return fails(SYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int ftruncate64(int fd, off64_t size)
{
    return fails(TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size)
{
    return ftruncate64(fd, size);
}

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
    return fails(OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE_OF(flags, mode)                                                                   \
    do {                                                                                       \
        va_list list;                                                                          \
        va_start(list, flags);                                                                 \
        mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                     \
        va_end(list);                                                                          \
    } while (0)

int open(const char *path, int flags, ...)
{
    mode_t mode;

    MODE_OF(flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    mode_t mode;

    MODE_OF(flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    mode_t mode;

    MODE_OF(flags, mode);
    return open_at(folder, path, flags, mode);
}

static bool no_memory(void)
{
    if (!faulty)
        return false;
    int32_t every = faulty->every;
    bool due = every > 0 && ++faulty->calls % every == 0;
    if (due)
        faulty->kinds[MEMORY].fired++;
    due = due || fails(MEMORY);
    if (due)
        errno = ENOMEM;
    return due;
}

void *malloc(size_t size)
{
    return no_memory() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return no_memory() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return no_memory() ? NULL : __libc_realloc(old, size);
}

int clock_gettime(clockid_t clock, struct timespec *ret_time)
{
    int error = (int)syscall(SYS_clock_gettime, clock, ret_time);

    if (!error && faulty && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        ret_time->tv_sec += faulty->offset_s;
    return error;
}
