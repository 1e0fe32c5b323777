// Hooks for the C library's functions that close and duplicate descriptors, and for the one for any system call.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// A program's own sanitizer calls these functions during its set-up, before instrumented code can run.
#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)
#endif

#include "CStreamTap.h"
#include "originals.h"

int close_range(unsigned, unsigned, int);
void closefrom(int);

void (*wireweight_closing)(unsigned first, unsigned last);

static void closing(unsigned first, unsigned last) {
    if (wireweight_closing) wireweight_closing(first, last);
}

EXPORTED int HOOK(close)(int descriptor) {
    closing((unsigned)descriptor, (unsigned)descriptor);
    if (__builtin_expect(wws_has_ring, false) && !wireweight_is_libcurl(__builtin_return_address(0))) wws_found(descriptor);
    if (wws_connection_of(descriptor)) wws_closing(descriptor);
    return ORIGINAL(close)(descriptor);
}

EXPORTED int HOOK(fclose)(FILE *file) {
    int before = errno;
    int descriptor = file ? fileno(file) : -1;
    if (wws_connection_of(descriptor)) {
        fflush(file);
        wws_closing(descriptor);
    }
    errno = before;
    return ORIGINAL(fclose)(file);
}

EXPORTED int HOOK(close_range)(unsigned first, unsigned last, int flags) {
    enum { CLOEXEC = 4 }; // CLOSE_RANGE_CLOEXEC: they stay open until an exec
    static int (*original)(unsigned, unsigned, int);
    // Before 2.34 the C library does not have it.
    if (!original && !(*(void **)&original = wireweight_next("close_range"))) {
        errno = ENOSYS;
        return -1;
    }
    if (!(flags & CLOEXEC)) {
        closing(first, last);
        wws_closing_range(first, last);
    }
    return original(first, last, flags);
}

EXPORTED void HOOK(closefrom)(int first) {
    closing(first < 0 ? 0 : (unsigned)first, ~0u);
    wws_closing_range(first < 0 ? 0 : (unsigned)first, ~0u);
    ORIGINAL(closefrom)(first);
}

/// What a system call without a function of its own does to a connection; libuv closes this way.
static void called(long number, int descriptor, int other) {
    if (number == SYS_io_uring_setup) return wws_ring_made();
    if (number == SYS_close) closing((unsigned)descriptor, (unsigned)descriptor);
#ifdef SYS_close_range
    if (number == SYS_close_range) closing((unsigned)descriptor, (unsigned)other);
#endif
    wws_handle on = wws_handle_of(descriptor), to = number == SYS_splice ? wws_handle_of(other) : (wws_handle){0};
    if (to.connection) wws_bypassed(other, to);
    if (!on.connection) return;
    switch (number) {
    case SYS_close: return wws_closing(descriptor);
    case SYS_read: case SYS_readv: case SYS_preadv2: case SYS_recvfrom: case SYS_recvmsg: case SYS_recvmmsg:
    case SYS_write: case SYS_writev: case SYS_pwritev2: case SYS_sendto: case SYS_sendmsg: case SYS_sendmmsg:
    case SYS_sendfile: case SYS_splice: return wws_bypassed(descriptor, on);
    }
}

// The C library passes on six arguments, whatever the call needs. On x86-64 the last one is in the caller's frame, where a
// call with fewer has something else, so it is not touched here. A jump, because a call may return twice.
#if defined(__x86_64__)
#define ARGUMENTS(X) X(a), X(b), X(c), X(d), X(e)
#else
#define ARGUMENTS(X) X(a), X(b), X(c), X(d), X(e), X(f)
#endif
#define DECLARED(name) long name
#define NAMED(name) name
// The C library declares it with other arguments.
#ifdef WIREWEIGHT_PRELOADED
#define SYSCALL_HOOK wireweight_syscall
#define SYSCALL_NAME __asm__("syscall")
#else
#define SYSCALL_HOOK HOOK(syscall)
#define SYSCALL_NAME
#endif
EXPORTED long SYSCALL_HOOK(long number, ARGUMENTS(DECLARED)) SYSCALL_NAME;
long SYSCALL_HOOK(long number, ARGUMENTS(DECLARED)) {
    // The tap's own calls may be those of a child of vfork, which shares its parent's memory.
    if (!wireweight_is_own(__builtin_return_address(0))) called(number, (int)a, (int)c);
    __typeof__(&SYSCALL_HOOK) original = (void *)ORIGINAL(syscall);
    // They need four arguments at most.
    if (number == SYS_accept || number == SYS_accept4) {
        int made = (int)original(number, ARGUMENTS(NAMED));
        if (made >= 0 && wws_is_on() && !wireweight_is_libcurl(__builtin_return_address(0))) wws_accepted(made);
        return made;
    }
    __attribute__((musttail)) return original(number, ARGUMENTS(NAMED));
}

EXPORTED int HOOK(dup)(int from) {
    int to = ORIGINAL(dup)(from);
    if (to >= 0) wws_duplicated(from, to);
    return to;
}

EXPORTED int HOOK(dup2)(int from, int to) {
    closing((unsigned)to, (unsigned)to);
    if (from != to && wws_connection_of(to) && fcntl(from, F_GETFD) >= 0) wws_closing(to);
    int made = ORIGINAL(dup2)(from, to);
    if (made >= 0) wws_duplicated(from, to);
    return made;
}

EXPORTED int HOOK(dup3)(int from, int to, int flags) {
    closing((unsigned)to, (unsigned)to);
    if (from != to && wws_connection_of(to) && fcntl(from, F_GETFD) >= 0) wws_closing(to);
    int made = ORIGINAL(dup3)(from, to, flags);
    if (made >= 0) wws_duplicated(from, to);
    return made;
}

static int controlled(int descriptor, int command, int result) {
    if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) wws_duplicated(descriptor, result);
    return result;
}

// On x86-64 and arm64 a variable argument is passed like a named one.
typedef int (*control)(int, int, void *);

EXPORTED int HOOK(fcntl)(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return controlled(descriptor, command, ((control)(void *)ORIGINAL(fcntl))(descriptor, command, argument));
}

EXPORTED int HOOK(fcntl64)(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return controlled(descriptor, command, ((control)(void *)ORIGINAL(fcntl64))(descriptor, command, argument));
}

#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#pragma clang attribute pop
#endif

#endif
