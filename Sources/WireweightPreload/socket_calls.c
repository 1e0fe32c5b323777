// Exports the C library's functions for sockets before the C library does: each calls the original, and reports what
// passed over a connection that the program has opened or accepted.

#ifdef __linux__
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <netinet/in.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

// A program's own sanitizer calls these functions during its set-up, before instrumented code can run.
#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)
#endif

#include "CStreamTap.h"
#include "libraries.h"
#include "own_code.h"

#define EXPORTED __attribute__((visibility("default")))

/// The original of a function; found when it is first called, which may be before our constructor.
#define ORIGINAL(name) ({ \
    static __typeof__(&name) original; \
    __typeof__(&name) found = __atomic_load_n(&original, __ATOMIC_RELAXED); \
    if (__builtin_expect(!found, 0)) { \
        found = (__typeof__(&name))find_original(#name); \
        __atomic_store_n(&original, found, __ATOMIC_RELAXED); \
    } \
    found; \
})

static void *find_original(const char *name) {
    int before = errno;
    void *function = wireweight_next(name);
    if (!function) abort();
    errno = before;
    return function;
}

// The fortified variants of the C library, which have no public declaration.
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);
int close_range(unsigned, unsigned, int);
void closefrom(int);

// MARK: connections

bool wireweight_is_libcurl(const void *caller) {
    Dl_info info;
    if (wireweight_is_own(caller)) return true;
    if (!wwt_library_number(0) || !dladdr(caller, &info)) return false;
    const wwt_library *library = wwt_library_at((uintptr_t)info.dli_fbase);
    return library && library->is_known;
}

static bool is_internet(const struct sockaddr *address, socklen_t size) {
    enum { SHORT_SIZE = 24 }; // without the scope (RFC 2133)
    if (!address || size < sizeof(struct sockaddr_in)) return false;
    return address->sa_family == AF_INET || (address->sa_family == AF_INET6 && size >= SHORT_SIZE);
}

EXPORTED int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
    bool is_ours = is_internet(address, size) && wws_is_on();
    uint64_t began = is_ours ? wws_moment() : 0;
    int result = ORIGINAL(connect)(descriptor, address, size);
    if (is_ours && (result == 0 || errno == EINPROGRESS || errno == EISCONN || errno == EINTR)) {
        int before = errno;
        if (!wireweight_is_libcurl(__builtin_return_address(0))) {
            wws_connected(descriptor, address, began, result == 0 || before == EISCONN);
        }
        errno = before;
    }
    return result;
}

static int accepted(int descriptor, const void *caller) {
    if (descriptor >= 0 && wws_is_on() && !wireweight_is_libcurl(caller)) wws_accepted(descriptor);
    return descriptor;
}

EXPORTED int accept(int listener, struct sockaddr *restrict address, socklen_t *restrict size) {
    return accepted(ORIGINAL(accept)(listener, address, size), __builtin_return_address(0));
}

EXPORTED int accept4(int listener, struct sockaddr *restrict address, socklen_t *restrict size, int flags) {
    return accepted(ORIGINAL(accept4)(listener, address, size, flags), __builtin_return_address(0));
}

/// The connection of a call that sends. With TCP Fast Open (RFC 7413), that call also connects.
static wws_connection *sends(int descriptor, int flags, const void *address, socklen_t size, const void *caller) {
    if ((flags & MSG_FASTOPEN) && is_internet(address, size) && wws_is_on() && !wireweight_is_libcurl(caller)) {
        wws_connected(descriptor, address, wws_moment(), false);
    }
    wws_connection *connection = wws_connection_of(descriptor);
    if (connection) wws_sending(connection);
    return connection;
}

EXPORTED int getsockopt(
    int descriptor, int level, int option, void *restrict value, socklen_t *restrict size) {
    int result = ORIGINAL(getsockopt)(descriptor, level, option, value, size);
    if (option == SO_ERROR && level == SOL_SOCKET && result == 0 && wws_connection_of(descriptor) && *(int *)value == 0) {
        wws_established(descriptor);
    }
    return result;
}

// MARK: sending

EXPORTED ssize_t write(int descriptor, const void *bytes, size_t count) {
    wws_connection *connection = wws_connection_of(descriptor);
    if (!connection) return ORIGINAL(write)(descriptor, bytes, count);
    wws_sending(connection);
    ssize_t sent = ORIGINAL(write)(descriptor, bytes, count);
    wws_sent(descriptor, connection, bytes, sent);
    return sent;
}

EXPORTED ssize_t writev(int descriptor, const struct iovec *pieces, int number) {
    wws_connection *connection = wws_connection_of(descriptor);
    if (!connection) return ORIGINAL(writev)(descriptor, pieces, number);
    wws_sending(connection);
    ssize_t sent = ORIGINAL(writev)(descriptor, pieces, number);
    wws_sent_vector(descriptor, connection, pieces, number > 0 ? (size_t)number : 0, sent);
    return sent;
}

EXPORTED ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    wws_connection *connection = wws_connection_of(descriptor);
    if (!connection) return ORIGINAL(send)(descriptor, bytes, count, flags);
    wws_sending(connection);
    ssize_t sent = ORIGINAL(send)(descriptor, bytes, count, flags);
    wws_sent(descriptor, connection, bytes, sent);
    return sent;
}

EXPORTED ssize_t sendto(
    int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t size) {
    wws_connection *connection = sends(descriptor, flags, address, size, __builtin_return_address(0));
    ssize_t sent = ORIGINAL(sendto)(descriptor, bytes, count, flags, address, size);
    if (connection) wws_sent(descriptor, connection, bytes, sent);
    return sent;
}

EXPORTED ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    // A message that cannot be read is the kernel's to refuse.
    bool connects = flags & MSG_FASTOPEN;
    wws_connection *connection = sends(
        descriptor, flags, connects ? message->msg_name : NULL, connects ? message->msg_namelen : 0,
        __builtin_return_address(0));
    ssize_t sent = ORIGINAL(sendmsg)(descriptor, message, flags);
    bool is_read = sent > 0;
    if (connection) {
        wws_sent_vector(
            descriptor, connection, is_read ? message->msg_iov : NULL, is_read ? message->msg_iovlen : 0, sent);
    }
    return sent;
}

EXPORTED int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned number, int flags) {
    wws_connection *connection = wws_connection_of(descriptor);
    int sent = ORIGINAL(sendmmsg)(descriptor, messages, number, flags);
    for (int i = 0; connection && i < sent; i++) {
        const struct msghdr *message = &messages[i].msg_hdr;
        wws_sending(connection);
        wws_sent_vector(descriptor, connection, message->msg_iov, message->msg_iovlen, (ssize_t)messages[i].msg_len);
    }
    return sent;
}

static ssize_t sent_file(int to, wws_connection *connection, int from, off_t *offset, off_t began, ssize_t sent) {
    if (connection) {
        int before = errno;
        // Without an offset, the file's own has moved.
        if (!offset && sent > 0) began = lseek(from, 0, SEEK_CUR) - sent;
        errno = before;
        wws_sent_file(to, connection, from, began, sent);
    }
    return sent;
}

EXPORTED ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
    wws_connection *connection = wws_connection_of(to);
    off_t began = offset ? *offset : 0;
    if (connection) wws_sending(connection);
    return sent_file(to, connection, from, offset, began, ORIGINAL(sendfile)(to, from, offset, count));
}

EXPORTED ssize_t sendfile64(int to, int from, off64_t *offset, size_t count) {
    wws_connection *connection = wws_connection_of(to);
    off_t began = offset ? (off_t)*offset : 0;
    if (connection) wws_sending(connection);
    return sent_file(to, connection, from, (off_t *)offset, began, ORIGINAL(sendfile64)(to, from, offset, count));
}

EXPORTED ssize_t splice(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t count, unsigned flags) {
    wws_connection *source = wws_connection_of(from), *target = wws_connection_of(to);
    ssize_t moved = ORIGINAL(splice)(from, from_offset, to, to_offset, count, flags);
    if (source && moved > 0) wws_bypassed(from, source);
    if (target && moved > 0) wws_bypassed(to, target);
    return moved;
}

// MARK: receiving

/// Looked at, and not taken: they will come again.
#define NOT_TAKEN (MSG_PEEK | MSG_ERRQUEUE)

EXPORTED ssize_t read(int descriptor, void *bytes, size_t count) {
    wws_connection *connection = wws_connection_of(descriptor);
    ssize_t got = ORIGINAL(read)(descriptor, bytes, count);
    if (connection && count) wws_received(descriptor, connection, bytes, got);
    return got;
}

EXPORTED ssize_t __read_chk(int descriptor, void *bytes, size_t count, size_t room) {
    wws_connection *connection = wws_connection_of(descriptor);
    ssize_t got = ORIGINAL(__read_chk)(descriptor, bytes, count, room);
    if (connection && count) wws_received(descriptor, connection, bytes, got);
    return got;
}

EXPORTED ssize_t readv(int descriptor, const struct iovec *pieces, int number) {
    wws_connection *connection = wws_connection_of(descriptor);
    ssize_t got = ORIGINAL(readv)(descriptor, pieces, number);
    if (connection) wws_received_vector(descriptor, connection, pieces, number > 0 ? (size_t)number : 0, got);
    return got;
}

EXPORTED ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
    wws_connection *connection = wws_connection_of(descriptor);
    ssize_t got = ORIGINAL(recv)(descriptor, bytes, count, flags);
    if (connection && count && !(flags & NOT_TAKEN)) wws_received(descriptor, connection, bytes, got);
    return got;
}

EXPORTED ssize_t __recv_chk(int descriptor, void *bytes, size_t count, size_t room, int flags) {
    wws_connection *connection = wws_connection_of(descriptor);
    ssize_t got = ORIGINAL(__recv_chk)(descriptor, bytes, count, room, flags);
    if (connection && count && !(flags & NOT_TAKEN)) wws_received(descriptor, connection, bytes, got);
    return got;
}

EXPORTED ssize_t recvfrom(
    int descriptor, void *restrict bytes, size_t count, int flags, struct sockaddr *restrict address,
    socklen_t *restrict size) {
    wws_connection *connection = wws_connection_of(descriptor);
    ssize_t got = ORIGINAL(recvfrom)(descriptor, bytes, count, flags, address, size);
    if (connection && count && !(flags & NOT_TAKEN)) wws_received(descriptor, connection, bytes, got);
    return got;
}

EXPORTED ssize_t __recvfrom_chk(
    int descriptor, void *restrict bytes, size_t count, size_t room, int flags, struct sockaddr *restrict address,
    socklen_t *restrict size) {
    wws_connection *connection = wws_connection_of(descriptor);
    ssize_t got = ORIGINAL(__recvfrom_chk)(descriptor, bytes, count, room, flags, address, size);
    if (connection && count && !(flags & NOT_TAKEN)) wws_received(descriptor, connection, bytes, got);
    return got;
}

EXPORTED ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    wws_connection *connection = wws_connection_of(descriptor);
    ssize_t got = ORIGINAL(recvmsg)(descriptor, message, flags);
    if (connection && !(flags & NOT_TAKEN)) {
        bool is_filled = got >= 0;
        wws_received_vector(
            descriptor, connection, is_filled ? message->msg_iov : NULL, is_filled ? message->msg_iovlen : 0, got);
    }
    return got;
}

// MARK: descriptors

EXPORTED int close(int descriptor) {
    if (wws_connection_of(descriptor)) wws_closing(descriptor);
    return ORIGINAL(close)(descriptor);
}

EXPORTED int fclose(FILE *file) {
    int before = errno;
    int descriptor = file ? fileno(file) : -1;
    if (wws_connection_of(descriptor)) {
        fflush(file);
        wws_closing(descriptor);
    }
    errno = before;
    return ORIGINAL(fclose)(file);
}

EXPORTED int close_range(unsigned first, unsigned last, int flags) {
    enum { CLOEXEC = 4 }; // CLOSE_RANGE_CLOEXEC: they stay open until an exec
    static int (*original)(unsigned, unsigned, int);
    // Before 2.34 the C library does not have it.
    if (!original && !(*(void **)&original = wireweight_next("close_range"))) {
        errno = ENOSYS;
        return -1;
    }
    if (!(flags & CLOEXEC)) wws_closing_range(first, last);
    return original(first, last, flags);
}

EXPORTED void closefrom(int first) {
    wws_closing_range(first < 0 ? 0 : (unsigned)first, ~0u);
    ORIGINAL(closefrom)(first);
}

/// What a system call without a function of its own does to a connection; libuv closes this way.
static void called(long number, int descriptor) {
    wws_connection *connection = wws_connection_of(descriptor);
    if (!connection) return;
    switch (number) {
    case SYS_close: return wws_closing(descriptor);
    case SYS_read: case SYS_readv: case SYS_recvfrom: case SYS_recvmsg: case SYS_write: case SYS_writev: case SYS_sendto:
    case SYS_sendmsg: return wws_bypassed(descriptor, connection);
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
EXPORTED long wireweight_syscall(long number, ARGUMENTS(DECLARED)) __asm__("syscall");
long wireweight_syscall(long number, ARGUMENTS(DECLARED)) {
    // The tap's own calls may be those of a child of vfork, which shares its parent's memory.
    if (!wireweight_is_own(__builtin_return_address(0))) called(number, (int)a);
    __typeof__(&wireweight_syscall) original = (void *)ORIGINAL(syscall);
    // They need four arguments at most.
    if (number == SYS_accept || number == SYS_accept4) {
        return accepted((int)original(number, ARGUMENTS(NAMED)), __builtin_return_address(0));
    }
    __attribute__((musttail)) return original(number, ARGUMENTS(NAMED));
}

EXPORTED int dup(int from) {
    int to = ORIGINAL(dup)(from);
    if (to >= 0) wws_duplicated(from, to);
    return to;
}

EXPORTED int dup2(int from, int to) {
    if (from != to && wws_connection_of(to) && fcntl(from, F_GETFD) >= 0) wws_closing(to);
    int made = ORIGINAL(dup2)(from, to);
    if (made >= 0) wws_duplicated(from, to);
    return made;
}

EXPORTED int dup3(int from, int to, int flags) {
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

EXPORTED int fcntl(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return controlled(descriptor, command, ((control)(void *)ORIGINAL(fcntl))(descriptor, command, argument));
}

EXPORTED int fcntl64(int descriptor, int command, ...) {
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
