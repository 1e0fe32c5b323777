// Hooks for the C library's functions for sockets: each calls the original, and reports what passed over a connection
// that the program has opened or accepted.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <fcntl.h>
#include <unistd.h>

// A program's own sanitizer calls these functions during its set-up, before instrumented code can run.
#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)
#endif

#include "CStreamTap.h"
#include "originals.h"

// The fortified variants of the C library, which have no public declaration.
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);

// MARK: connections

static bool is_internet(const struct sockaddr *address, socklen_t size) {
    enum { SHORT_SIZE = 24 }; // without the scope (RFC 2133)
    if (!address || size < sizeof(struct sockaddr_in)) return false;
    return address->sa_family == AF_INET || (address->sa_family == AF_INET6 && size >= SHORT_SIZE);
}

EXPORTED int HOOK(connect)(int descriptor, const struct sockaddr *address, socklen_t size) {
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

EXPORTED int HOOK(accept)(int listener, struct sockaddr *restrict address, socklen_t *restrict size) {
    return accepted(ORIGINAL(accept)(listener, address, size), __builtin_return_address(0));
}

EXPORTED int HOOK(accept4)(int listener, struct sockaddr *restrict address, socklen_t *restrict size, int flags) {
    return accepted(ORIGINAL(accept4)(listener, address, size, flags), __builtin_return_address(0));
}

/// The connection of a call that sends. With TCP Fast Open (RFC 7413), that call also connects.
static wws_handle sends(int descriptor, int flags, const void *address, socklen_t size, const void *caller) {
    if ((flags & MSG_FASTOPEN) && is_internet(address, size) && wws_is_on() && !wireweight_is_libcurl(caller)) {
        wws_connected(descriptor, address, wws_moment(), false);
    }
    wws_handle on = wws_handle_of(descriptor);
    if (on.connection) wws_sending(on);
    return on;
}

EXPORTED int HOOK(getsockopt)(
    int descriptor, int level, int option, void *restrict value, socklen_t *restrict size) {
    int result = ORIGINAL(getsockopt)(descriptor, level, option, value, size);
    if (option == SO_ERROR && level == SOL_SOCKET && result == 0 && wws_connection_of(descriptor) && *(int *)value == 0) {
        wws_established(descriptor);
    }
    return result;
}

// MARK: sending

EXPORTED ssize_t HOOK(write)(int descriptor, const void *bytes, size_t count) {
    wws_handle on = wws_handle_of(descriptor);
    if (!on.connection) return ORIGINAL(write)(descriptor, bytes, count);
    wws_sending(on);
    ssize_t sent = ORIGINAL(write)(descriptor, bytes, count);
    wws_sent(descriptor, on, bytes, sent);
    return sent;
}

EXPORTED ssize_t HOOK(writev)(int descriptor, const struct iovec *pieces, int number) {
    wws_handle on = wws_handle_of(descriptor);
    if (!on.connection) return ORIGINAL(writev)(descriptor, pieces, number);
    wws_sending(on);
    ssize_t sent = ORIGINAL(writev)(descriptor, pieces, number);
    wws_sent_vector(descriptor, on, pieces, number > 0 ? (size_t)number : 0, sent);
    return sent;
}

EXPORTED ssize_t HOOK(send)(int descriptor, const void *bytes, size_t count, int flags) {
    wws_handle on = wws_handle_of(descriptor);
    if (!on.connection) return ORIGINAL(send)(descriptor, bytes, count, flags);
    wws_sending(on);
    ssize_t sent = ORIGINAL(send)(descriptor, bytes, count, flags);
    wws_sent(descriptor, on, bytes, sent);
    return sent;
}

/// After a call that sends; the address is read only if the kernel has read it.
static void sent_to(
    int descriptor, wws_handle on, const void *address, socklen_t size, const struct iovec *pieces, size_t number,
    ssize_t sent) {
    if (address && is_internet(address, size) && (on.connection || wws_is_resolver(address))) {
        wws_sent_to(descriptor, on, address, pieces, number, sent);
    } else if (on.connection) {
        wws_sent_vector(descriptor, on, pieces, number, sent);
    }
}

EXPORTED ssize_t HOOK(sendto)(
    int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t size) {
    wws_handle on = sends(descriptor, flags, address, size, __builtin_return_address(0));
    ssize_t sent = ORIGINAL(sendto)(descriptor, bytes, count, flags, address, size);
    struct iovec piece = {(void *)(uintptr_t)bytes, sent > 0 ? (size_t)sent : 0};
    sent_to(descriptor, on, sent > 0 ? address : NULL, size, &piece, 1, sent);
    return sent;
}

/// The descriptors in a message between processes.
static void each_descriptor(const struct msghdr *message, void (*take)(int)) {
    for (struct cmsghdr *each = CMSG_FIRSTHDR(message); each; each = CMSG_NXTHDR((struct msghdr *)message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
        for (size_t done = CMSG_LEN(0); done + sizeof(int) <= each->cmsg_len; done += sizeof(int)) {
            int descriptor;
            memcpy(&descriptor, (char *)each + done, sizeof descriptor);
            take(descriptor);
        }
    }
}

EXPORTED ssize_t HOOK(sendmsg)(int descriptor, const struct msghdr *message, int flags) {
    // A message that cannot be read is the kernel's to refuse.
    bool connects = flags & MSG_FASTOPEN;
    wws_handle on = sends(
        descriptor, flags, connects ? message->msg_name : NULL, connects ? message->msg_namelen : 0,
        __builtin_return_address(0));
    ssize_t sent = ORIGINAL(sendmsg)(descriptor, message, flags);
    bool is_read = sent > 0;
    if (is_read && message->msg_controllen && wws_is_on()) each_descriptor(message, wws_handed);
    if (is_read) {
        sent_to(
            descriptor, on, message->msg_name, message->msg_namelen, message->msg_iov, message->msg_iovlen, sent);
    } else if (on.connection) {
        wws_sent_vector(descriptor, on, NULL, 0, sent);
    }
    return sent;
}

EXPORTED int HOOK(sendmmsg)(int descriptor, struct mmsghdr *messages, unsigned number, int flags) {
    wws_handle on = wws_handle_of(descriptor);
    int sent = ORIGINAL(sendmmsg)(descriptor, messages, number, flags);
    for (int i = 0; wws_is_on() && i < sent; i++) each_descriptor(&messages[i].msg_hdr, wws_handed);
    for (int i = 0; i < sent; i++) {
        const struct msghdr *message = &messages[i].msg_hdr;
        if (on.connection) wws_sending(on);
        sent_to(
            descriptor, on, message->msg_name, message->msg_namelen, message->msg_iov, message->msg_iovlen,
            (ssize_t)messages[i].msg_len);
        if (!on.connection) on = wws_handle_of(descriptor);
    }
    return sent;
}

static ssize_t sent_file(int to, wws_handle on, int from, off_t *offset, off_t began, ssize_t sent) {
    if (on.connection) {
        int before = errno;
        // Without an offset, the file's own has moved.
        if (!offset && sent > 0) began = lseek(from, 0, SEEK_CUR) - sent;
        errno = before;
        wws_sent_file(to, on, from, began, sent);
    }
    return sent;
}

EXPORTED ssize_t HOOK(sendfile)(int to, int from, off_t *offset, size_t count) {
    wws_handle on = wws_handle_of(to);
    off_t began = offset ? *offset : 0;
    if (on.connection) wws_sending(on);
    return sent_file(to, on, from, offset, began, ORIGINAL(sendfile)(to, from, offset, count));
}

EXPORTED ssize_t HOOK(sendfile64)(int to, int from, off64_t *offset, size_t count) {
    wws_handle on = wws_handle_of(to);
    off_t began = offset ? (off_t)*offset : 0;
    if (on.connection) wws_sending(on);
    return sent_file(to, on, from, (off_t *)offset, began, ORIGINAL(sendfile64)(to, from, offset, count));
}

EXPORTED ssize_t HOOK(splice)(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t count, unsigned flags) {
    wws_handle source = wws_handle_of(from), target = wws_handle_of(to);
    ssize_t moved = ORIGINAL(splice)(from, from_offset, to, to_offset, count, flags);
    if (source.connection && moved > 0) wws_bypassed(from, source);
    if (target.connection && moved > 0) wws_bypassed(to, target);
    return moved;
}

// MARK: receiving

/// Looked at, and not taken: they will come again.
#define NOT_TAKEN (MSG_PEEK | MSG_ERRQUEUE)

/// After a call with flags. With MSG_TRUNC, TCP drops the bytes and writes nothing (tcp(7)).
static ssize_t took(int descriptor, wws_handle on, const void *bytes, size_t count, int flags, ssize_t got) {
    if (!on.connection || !count || (flags & NOT_TAKEN)) return got;
    if ((flags & MSG_TRUNC) && got > 0) wws_bypassed(descriptor, on);
    else wws_received(descriptor, on, bytes, got);
    return got;
}

/// After a message that may have brought descriptors.
static void took_message(int descriptor, wws_handle on, const struct msghdr *message, int flags, ssize_t got) {
    if (got >= 0 && message->msg_controllen && wws_is_on()) each_descriptor(message, wws_taken);
    if (!on.connection || (flags & NOT_TAKEN)) return;
    bool is_filled = got >= 0;
    if ((flags & MSG_TRUNC) && got > 0) return wws_bypassed(descriptor, on);
    wws_received_vector(descriptor, on, is_filled ? message->msg_iov : NULL, is_filled ? message->msg_iovlen : 0, got);
}

EXPORTED ssize_t HOOK(read)(int descriptor, void *bytes, size_t count) {
    wws_handle on = wws_handle_of(descriptor);
    ssize_t got = ORIGINAL(read)(descriptor, bytes, count);
    if (on.connection && count) wws_received(descriptor, on, bytes, got);
    return got;
}

EXPORTED ssize_t HOOK(__read_chk)(int descriptor, void *bytes, size_t count, size_t room) {
    wws_handle on = wws_handle_of(descriptor);
    ssize_t got = ORIGINAL(__read_chk)(descriptor, bytes, count, room);
    if (on.connection && count) wws_received(descriptor, on, bytes, got);
    return got;
}

EXPORTED ssize_t HOOK(readv)(int descriptor, const struct iovec *pieces, int number) {
    wws_handle on = wws_handle_of(descriptor);
    ssize_t got = ORIGINAL(readv)(descriptor, pieces, number);
    if (on.connection) wws_received_vector(descriptor, on, pieces, number > 0 ? (size_t)number : 0, got);
    return got;
}

EXPORTED ssize_t HOOK(recv)(int descriptor, void *bytes, size_t count, int flags) {
    wws_handle on = wws_handle_of(descriptor);
    return took(descriptor, on, bytes, count, flags, ORIGINAL(recv)(descriptor, bytes, count, flags));
}

EXPORTED ssize_t HOOK(__recv_chk)(int descriptor, void *bytes, size_t count, size_t room, int flags) {
    wws_handle on = wws_handle_of(descriptor);
    return took(descriptor, on, bytes, count, flags, ORIGINAL(__recv_chk)(descriptor, bytes, count, room, flags));
}

EXPORTED ssize_t HOOK(recvfrom)(
    int descriptor, void *restrict bytes, size_t count, int flags, struct sockaddr *restrict address,
    socklen_t *restrict size) {
    wws_handle on = wws_handle_of(descriptor);
    ssize_t got = ORIGINAL(recvfrom)(descriptor, bytes, count, flags, address, size);
    return took(descriptor, on, bytes, count, flags, got);
}

EXPORTED ssize_t HOOK(__recvfrom_chk)(
    int descriptor, void *restrict bytes, size_t count, size_t room, int flags, struct sockaddr *restrict address,
    socklen_t *restrict size) {
    wws_handle on = wws_handle_of(descriptor);
    ssize_t got = ORIGINAL(__recvfrom_chk)(descriptor, bytes, count, room, flags, address, size);
    return took(descriptor, on, bytes, count, flags, got);
}

EXPORTED ssize_t HOOK(recvmsg)(int descriptor, struct msghdr *message, int flags) {
    wws_handle on = wws_handle_of(descriptor);
    ssize_t got = ORIGINAL(recvmsg)(descriptor, message, flags);
    took_message(descriptor, on, message, flags, got);
    return got;
}

EXPORTED int HOOK(recvmmsg)(int descriptor, struct mmsghdr *messages, unsigned number, int flags, struct timespec *limit) {
    wws_handle on = wws_handle_of(descriptor);
    int got = ORIGINAL(recvmmsg)(descriptor, messages, number, flags, limit);
    if (got < 0 && on.connection) wws_received(descriptor, on, NULL, got);
    for (int i = 0; i < got; i++) took_message(descriptor, on, &messages[i].msg_hdr, flags, (ssize_t)messages[i].msg_len);
    return got;
}

#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#pragma clang attribute pop
#endif

#endif
