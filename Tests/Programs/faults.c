// Loaded into a program, makes what it does to some files fail now and then.
//
// FAULTS_PATH: what the names of these files begin with. FAULTS_ONE_IN: how seldom, 0 for never. FAULTS_AFTER: how many
// calls pass first. FAULTS_SEED: which ones fail. FAULTS_LOG: a file that gets one byte for each fault. FAULTS_DELAY:
// microseconds that each call takes longer, as on a slow disk.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t state;
static long calls;

static long setting(const char *name, long usual) {
    const char *value = getenv(name);
    return value ? atol(value) : usual;
}

// Which fault is due: 0 for none, else 1 for an I/O error, 2 for a full disk, 3 for half of it.
static int fault(int file) {
    const char *path = getenv("FAULTS_PATH");
    if (!path) return 0;
    char link[64], name[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length <= 0) return 0;
    name[length] = 0;
    if (strncmp(name, path, strlen(path)) != 0) return 0;
    long delay = setting("FAULTS_DELAY", 0);
    if (delay > 0) usleep((useconds_t)delay);
    pthread_mutex_lock(&lock);
    int kind = 0;
    if (!state) state = (uint64_t)setting("FAULTS_SEED", 1) * 0x9E3779B97F4A7C15u + 1;
    uint64_t seldom = (uint64_t)setting("FAULTS_ONE_IN", 10);
    if (calls++ >= setting("FAULTS_AFTER", 0) && seldom > 0) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        if (state % seldom == 0) kind = 1 + (int)((state >> 32) % 3);
    }
    pthread_mutex_unlock(&lock);
    const char *log = getenv("FAULTS_LOG");
    if (kind && log) {
        int written = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (written >= 0) {
            ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
            real(written, "x", 1);
            close(written);
        }
    }
    if (kind == 1 || kind == 3) errno = EIO;
    if (kind == 2) errno = ENOSPC;
    return kind;
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    int kind = fault(file);
    if (kind == 3 && count > 1) return real(file, bytes, count / 2);
    return kind ? -1 : real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite);
    int kind = fault(file);
    if (kind == 3 && count > 1) return real(file, bytes, count / 2, offset);
    return kind ? -1 : real(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    int kind = fault(file);
    if (kind == 3 && count > 1) return real(file, bytes, count / 2, offset);
    return kind ? -1 : real(file, bytes, count, offset);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
    REAL(pread64);
    return fault(file) == 1 ? -1 : real(file, bytes, count, offset);
}

int fsync(int file) {
    REAL(fsync);
    return fault(file) ? -1 : real(file);
}

int fdatasync(int file) {
    REAL(fdatasync);
    return fault(file) ? -1 : real(file);
}

int ftruncate(int file, off_t length) {
    REAL(ftruncate);
    return fault(file) ? -1 : real(file, length);
}

int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    return fault(file) ? -1 : real(file, length);
}
