// Records what a program does to the files of one folder, for `trial powercut`: loaded with LD_PRELOAD, it appends a record to
// the file $POWERCUT_LOG for each change of a file below $POWERCUT_FOLDER. With $POWERCUT_NO_SYNC set, syncs do nothing.
//
// Every call is made and recorded under one lock: a sync is recorded when it has returned, and covers exactly the writes that
// are recorded before it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 65536

struct record {
    char kind; // C create, W write, T truncate, S sync, D sync of the folder, R rename, L link, U unlink
    uint64_t file, offset, length; // the length of what follows: data or names
} __attribute__((packed));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static size_t folder_length;
static int log_file = -1, no_sync;
static uint64_t file_of[FILES]; // by descriptor: the number of the file, 0 for others
static char is_folder[FILES];

static void begin(void) {
    if (folder) return;
    folder = getenv("POWERCUT_FOLDER");
    const char *log = getenv("POWERCUT_LOG");
    if (!folder || !log) { folder = "\1"; folder_length = 1; return; }
    folder_length = strlen(folder);
    no_sync = getenv("POWERCUT_NO_SYNC") != NULL;
    log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *bytes, size_t length) {
    const char *from = bytes;
    while (length > 0) {
        ssize_t done = syscall(SYS_write, log_file, from, length);
        if (done <= 0) abort();
        from += done, length -= done;
    }
}

// One write for head and data, so that a reader finds whole records.
static void record(char kind, uint64_t file, uint64_t offset, const void *data, size_t length) {
    struct record head = {kind, file, offset, length};
    char *whole = malloc(sizeof head + length);
    if (!whole) abort();
    memcpy(whole, &head, sizeof head);
    if (length) memcpy(whole + sizeof head, data, length);
    put(whole, sizeof head + length);
    free(whole);
}

static int is_inside(const char *path) {
    return path && strncmp(path, folder, folder_length) == 0 && (path[folder_length] == '/' || path[folder_length] == 0);
}

// The index of the journal is no part of the disk: it is made anew.
static int is_recorded(const char *path) {
    size_t length = strlen(path);
    return is_inside(path) && !(length > 4 && strcmp(path + length - 4, "-shm") == 0);
}

static void opened(int descriptor, const char *path, int flags, int existed) {
    struct stat about;
    if (descriptor < 0 || descriptor >= FILES || !is_recorded(path) || fstat(descriptor, &about)) return;
    is_folder[descriptor] = S_ISDIR(about.st_mode);
    file_of[descriptor] = about.st_ino;
    if (is_folder[descriptor]) return;
    if (!existed) record('C', about.st_ino, 0, path, strlen(path));
    if (existed && (flags & O_TRUNC)) record('T', about.st_ino, 0, NULL, 0);
}

static int open_as(int at, const char *path, int flags, mode_t mode) {
    pthread_mutex_lock(&lock);
    begin();
    int existed = is_inside(path) && syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
    int descriptor = syscall(SYS_openat, at, path, flags, mode);
    int problem = errno;
    if (descriptor >= 0 && descriptor < FILES) file_of[descriptor] = 0;
    if (is_inside(path)) opened(descriptor, path, flags, existed);
    pthread_mutex_unlock(&lock);
    errno = problem;
    return descriptor;
}

static mode_t mode_of(int flags, va_list more) { return (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(more, mode_t) : 0; }

#define OPEN(NAME, EXTRA)                                                                     \
    int NAME(const char *path, int flags, ...) {                                              \
        va_list more;                                                                         \
        va_start(more, flags);                                                                \
        mode_t mode = mode_of(flags, more);                                                   \
        va_end(more);                                                                         \
        return open_as(AT_FDCWD, path, (flags) | (EXTRA), mode);                       \
    }
OPEN(open, 0)
OPEN(open64, O_LARGEFILE)

#define OPENAT(NAME, EXTRA)                                                                   \
    int NAME(int at, const char *path, int flags, ...) {                                      \
        va_list more;                                                                         \
        va_start(more, flags);                                                                \
        mode_t mode = mode_of(flags, more);                                                   \
        va_end(more);                                                                         \
        return open_as(at, path, (flags) | (EXTRA), mode);                             \
    }
OPENAT(openat, 0)
OPENAT(openat64, O_LARGEFILE)

static uint64_t file(int descriptor) { return descriptor >= 0 && descriptor < FILES ? file_of[descriptor] : 0; }

int close(int descriptor) {
    pthread_mutex_lock(&lock);
    if (descriptor >= 0 && descriptor < FILES) file_of[descriptor] = 0;
    int done = syscall(SYS_close, descriptor);
    int problem = errno;
    pthread_mutex_unlock(&lock);
    errno = problem;
    return done;
}

static ssize_t written(int descriptor, const void *bytes, size_t count, off_t offset, int is_positioned) {
    if (!file(descriptor)) {
        return is_positioned ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                             : syscall(SYS_write, descriptor, bytes, count);
    }
    pthread_mutex_lock(&lock);
    struct stat about;
    int flags = fcntl(descriptor, F_GETFL);
    if (!is_positioned) offset = (flags & O_APPEND) && !fstat(descriptor, &about) ? about.st_size : lseek(descriptor, 0, SEEK_CUR);
    ssize_t done = is_positioned ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                                 : syscall(SYS_write, descriptor, bytes, count);
    int problem = errno;
    if (done > 0 && file(descriptor)) record('W', file(descriptor), offset, bytes, done);
    pthread_mutex_unlock(&lock);
    errno = problem;
    return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return written(descriptor, bytes, count, 0, 0); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) { return written(descriptor, bytes, count, at, 1); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) { return written(descriptor, bytes, count, at, 1); }

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (!file(descriptor)) return syscall(SYS_writev, descriptor, parts, count);
    return count > 0 ? written(descriptor, parts[0].iov_base, parts[0].iov_len, 0, 0) : 0;
}

// A copy within the kernel would be no write: the caller falls back to reading and writing.
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *into, size_t count, unsigned flags) {
    (void)from, (void)at, (void)to, (void)into, (void)count, (void)flags;
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile(int to, int from, off_t *at, size_t count) {
    (void)from, (void)at, (void)to, (void)count;
    errno = EINVAL;
    return -1;
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t count) {
    (void)from, (void)at, (void)to, (void)count;
    errno = EINVAL;
    return -1;
}

static int synced(int descriptor, long call) {
    if (!file(descriptor)) return syscall(call, descriptor);
    pthread_mutex_lock(&lock);
    int done = no_sync ? 0 : syscall(call, descriptor);
    int problem = errno;
    if (done == 0 && !no_sync) record(is_folder[descriptor] ? 'D' : 'S', file(descriptor), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = problem;
    return done;
}
int fsync(int descriptor) { return synced(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synced(descriptor, SYS_fdatasync); }

static int truncated(int descriptor, off_t length) {
    if (!file(descriptor)) return syscall(SYS_ftruncate, descriptor, length);
    pthread_mutex_lock(&lock);
    int done = syscall(SYS_ftruncate, descriptor, length);
    int problem = errno;
    if (done == 0) record('T', file(descriptor), length, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = problem;
    return done;
}
int ftruncate(int descriptor, off_t length) { return truncated(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return truncated(descriptor, length); }

static int named(char kind, long call, const char *from, const char *to) {
    pthread_mutex_lock(&lock);
    begin();
    int done = call == SYS_linkat ? syscall(call, AT_FDCWD, from, AT_FDCWD, to, 0) : syscall(call, AT_FDCWD, from, AT_FDCWD, to);
    int problem = errno;
    if (done == 0 && is_recorded(from) && is_recorded(to)) {
        size_t length = strlen(from) + strlen(to) + 1;
        char names[length + 1];
        strcpy(names, from), strcpy(names + strlen(from) + 1, to);
        record(kind, 0, 0, names, length);
    }
    pthread_mutex_unlock(&lock);
    errno = problem;
    return done;
}
int rename(const char *from, const char *to) { return named('R', SYS_renameat, from, to); }
int link(const char *from, const char *to) { return named('L', SYS_linkat, from, to); }
int linkat(int at, const char *from, int into, const char *to, int flags) {
    (void)at, (void)into, (void)flags;
    return named('L', SYS_linkat, from, to);
}

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    begin();
    int done = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    int problem = errno;
    if (done == 0 && is_recorded(path)) record('U', 0, 0, path, strlen(path));
    pthread_mutex_unlock(&lock);
    errno = problem;
    return done;
}
