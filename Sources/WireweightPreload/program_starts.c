// Exports the C library's functions that start programs. Each calls the original, and reports a program that the tap
// will not be loaded into, or sees nothing in.
//
// The child of a vfork shares its parent's memory, and that of a fork may have locks whose threads do not exist there. So
// nothing here writes to memory other than the stack, allocates, or takes a lock.

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "WireweightPreload.h"
#include "channel.h"
#include "own_code.h"
#include "program_file.h"
#include "program_starts.h"

#define EXPORTED __attribute__((visibility("default")))

// MARK: originals

#define FOR_EACH_ORIGINAL(DO) \
    DO(execve) DO(execv) DO(execvp) DO(execvpe) DO(fexecve) DO(execveat) DO(posix_spawn) DO(posix_spawnp) DO(system) \
    DO(popen)

int execveat(int, const char *, char *const[], char *const[], int); // since glibc 2.34

#define DECLARE(name) __typeof__(&name) name;
static struct { FOR_EACH_ORIGINAL(DECLARE) } originals;

/// Whether starts are reported. Until then the originals are looked up when they are called.
static bool is_on;

void wireweight_watch_starts(void) {
#define LOOK_UP(name) *(void **)&originals.name = wireweight_next(#name);
    FOR_EACH_ORIGINAL(LOOK_UP)
    __atomic_store_n(&is_on, true, __ATOMIC_RELEASE);
}

static void *look_up(const char *name) {
    void *function = wireweight_next(name);
    if (!function) abort(); // as the program would have ended for want of the symbol
    return function;
}

#define ORIGINAL(name) (originals.name ? originals.name : (__typeof__(&name))look_up(#name))

// MARK: reports

/// The folder with the files of this process's descriptors, which are links to their paths.
#define DESCRIPTORS "/proc/self/fd/"

/// The last bytes of a longer path name the program, too.
#define MOST_OF_PATH 1024

typedef struct report {
    wwt_frame frame;
    wwt_unmetered_body body;
    uint32_t length;
    char path[MOST_OF_PATH];
} report;

/// Returns the report's size in bytes.
static size_t make_report(report *report, const char *path, enum wwt_unmetered_why why) {
    size_t length = strlen(path);
    size_t skipped = length > sizeof report->path ? length - sizeof report->path : 0;
    length -= skipped;
    memcpy(report->path, path + skipped, length);
    if (strncmp(path, DESCRIPTORS, sizeof DESCRIPTORS - 1) == 0) {
        ssize_t linked = readlink(path, report->path, sizeof report->path);
        if (linked > 0) length = (size_t)linked;
    }
    size_t size = offsetof(struct report, path) + length;
    report->frame = (wwt_frame){(uint32_t)size, WWT_UNMETERED, 0, 0};
    report->body = (wwt_unmetered_body){WWT_PROTOCOL, why};
    report->length = (uint32_t)length;
    return size;
}

/// Sends the report that a program starts, over a connection that the start closes; -1 if it cannot be sent.
static int send_start(const char *path, enum wwt_unmetered_why why) {
    report report;
    size_t size = make_report(&report, path, why);
    return channel_open_apart(&report, size);
}

/// Whether an environment loads the tap.
static bool loads_tap(char *const *environment) {
    bool has_library = false, has_socket = false;
    for (char *const *each = environment; each && *each; each++) {
        if (strncmp(*each, "LD_PRELOAD=", 11) == 0 && strstr(*each, "libWireweightPreload.so")) has_library = true;
        if (strncmp(*each, WIREWEIGHT_SOCKET "=", sizeof WIREWEIGHT_SOCKET) == 0) has_socket = true;
    }
    return has_library && has_socket;
}

static bool is_watching(void) { return __atomic_load_n(&is_on, __ATOMIC_RELAXED); }

static bool is_executable(const char *path) { return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0; }

static enum wwt_unmetered_why judge(const char *path, char *const *environment) {
    if (!is_watching() || !path) return WWT_METERED;
    int before = errno;
    enum wwt_unmetered_why why = wireweight_judge_file(path);
    if (why == WWT_METERED && !loads_tap(environment) && is_executable(path)) {
        why = WWT_UNMETERED_ENVIRONMENT;
    }
    errno = before;
    return why;
}

/// Reports a program that this process is about to become.
static int begin(const char *path, char *const *environment) {
    enum wwt_unmetered_why why = judge(path, environment);
    if (why == WWT_METERED) return -1;
    int before = errno;
    int report = send_start(path, why);
    errno = before;
    return report;
}

/// Takes the report back, because the program could not be started.
static int failed(int report, int result) {
    if (report < 0) return result;
    int before = errno;
    struct report none;
    size_t size = make_report(&none, "", WWT_METERED);
    channel_close_apart(report, &none, size);
    errno = before;
    return result;
}

/// Reports a program that another process has become.
static void started(const char *path, enum wwt_unmetered_why why) {
    if (why == WWT_METERED) return;
    int before = errno;
    channel_close_apart(send_start(path, why), NULL, 0);
    errno = before;
}

/// The file that `execvp` starts; NULL if it finds none. The buffer must have `PATH_MAX` bytes.
static const char *find(const char *name, char *buffer) {
    if (!is_watching() || !name || strchr(name, '/')) return name;
    size_t length = strlen(name);
    const char *folder = getenv("PATH");
    if (!folder) folder = "/bin:/usr/bin";
    int before = errno;
    const char *found = NULL;
    for (; length && !found; folder++) {
        size_t count = strcspn(folder, ":");
        if (count + 1 + length < PATH_MAX) {
            memcpy(buffer, folder, count);
            if (count) buffer[count] = '/'; // an empty part is the current folder
            strcpy(buffer + count + (count != 0), name);
            struct stat status;
            if (stat(buffer, &status) == 0 && S_ISREG(status.st_mode) && is_executable(buffer)) found = buffer;
        }
        folder += count;
        if (!*folder) break;
    }
    errno = before;
    return found;
}

// MARK: exec

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[]) {
    int report = begin(path, environment);
    return failed(report, ORIGINAL(execve)(path, arguments, environment));
}

EXPORTED int execv(const char *path, char *const arguments[]) {
    int report = begin(path, environ);
    return failed(report, ORIGINAL(execv)(path, arguments));
}

EXPORTED int execvpe(const char *name, char *const arguments[], char *const environment[]) {
    char buffer[PATH_MAX];
    int report = begin(find(name, buffer), environment);
    return failed(report, ORIGINAL(execvpe)(name, arguments, environment));
}

EXPORTED int execvp(const char *name, char *const arguments[]) {
    char buffer[PATH_MAX];
    int report = begin(find(name, buffer), environ);
    return failed(report, ORIGINAL(execvp)(name, arguments));
}

/// The arguments of the call as an array, with the NULL that ends them; `rest` is where the list goes on after that.
#define GATHER(arguments, first, rest) \
    va_list rest; \
    va_start(rest, first); \
    size_t count = 0; \
    for (const char *each = first; each; each = va_arg(rest, const char *)) count++; \
    va_end(rest); \
    char *arguments[count + 1]; \
    va_start(rest, first); \
    arguments[0] = (char *)first; \
    for (size_t i = 1; i <= count; i++) arguments[i] = va_arg(rest, char *)

EXPORTED int execl(const char *path, const char *first, ...) {
    GATHER(arguments, first, rest);
    va_end(rest);
    return execv(path, arguments);
}

EXPORTED int execlp(const char *name, const char *first, ...) {
    GATHER(arguments, first, rest);
    va_end(rest);
    return execvp(name, arguments);
}

EXPORTED int execle(const char *path, const char *first, ...) {
    GATHER(arguments, first, rest);
    char *const *environment = va_arg(rest, char *const *);
    va_end(rest);
    return execve(path, arguments, environment);
}

/// A path to a file that is named by a descriptor and a path relative to it; NULL if that is too long.
static const char *path_at(int folder, const char *path, char *buffer) {
    if (path && (*path == '/' || (folder == AT_FDCWD && *path))) return path;
    size_t more = path ? strlen(path) : 0;
    char digits[16], *number = digits + sizeof digits - 1;
    if (folder < 0 || sizeof DESCRIPTORS + sizeof digits + more > PATH_MAX) return NULL;
    *number = 0;
    do *--number = (char)('0' + folder % 10);
    while (folder /= 10);
    char *end = stpcpy(stpcpy(buffer, DESCRIPTORS), number);
    if (more) stpcpy(stpcpy(end, "/"), path);
    return buffer;
}

EXPORTED int fexecve(int file, char *const arguments[], char *const environment[]) {
    char buffer[PATH_MAX];
    int report = begin(path_at(file, NULL, buffer), environment);
    return failed(report, ORIGINAL(fexecve)(file, arguments, environment));
}

EXPORTED int execveat(int folder, const char *path, char *const arguments[], char *const environment[], int flags) {
    char buffer[PATH_MAX];
    int report = begin(path_at(folder, path, buffer), environment);
    // The C library has it since 2.34 only.
    int result = originals.execveat ? originals.execveat(folder, path, arguments, environment, flags)
                                    : (int)syscall(SYS_execveat, folder, path, arguments, environment, flags);
    return failed(report, result);
}

// MARK: other processes

EXPORTED int posix_spawn(
    pid_t *restrict process, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]) {
    enum wwt_unmetered_why why = judge(path, environment);
    int result = ORIGINAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
    if (result == 0) started(path, why);
    return result;
}

EXPORTED int posix_spawnp(
    pid_t *restrict process, const char *restrict name, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]) {
    char buffer[PATH_MAX];
    const char *path = find(name, buffer);
    enum wwt_unmetered_why why = judge(path, environment);
    int result = ORIGINAL(posix_spawnp)(process, name, actions, attributes, arguments, environment);
    if (result == 0) started(path, why);
    return result;
}

// Both start this shell, without a call that could be hooked.
#define SHELL "/bin/sh"

EXPORTED int system(const char *command) {
    if (command) started(SHELL, judge(SHELL, environ));
    return ORIGINAL(system)(command);
}

EXPORTED FILE *popen(const char *command, const char *mode) {
    enum wwt_unmetered_why why = judge(SHELL, environ);
    FILE *result = ORIGINAL(popen)(command, mode);
    if (result) started(SHELL, why);
    return result;
}

#endif
