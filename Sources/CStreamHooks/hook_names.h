// What the hooks are called. The preloaded library exports each by the name of the function that it hooks, and so comes
// before the library that has that function. In a program that starts the tap itself, they are put into the linker's slots.
#ifndef WIREWEIGHT_HOOK_NAMES_H
#define WIREWEIGHT_HOOK_NAMES_H

#ifdef WIREWEIGHT_PRELOADED
#define HOOK(name) name
#define EXPORTED __attribute__((visibility("default")))
#else
#define HOOK(name) wws_hook_##name
#define EXPORTED __attribute__((visibility("hidden")))
#endif

/// The hooks for the C library's functions: of socket_calls.c, descriptor_calls.c and name_calls.c.
#define EACH_SOCKET_CALL(X) \
    X(connect) X(accept) X(accept4) X(getsockopt) X(write) X(writev) X(send) X(sendto) X(sendmsg) X(sendmmsg) \
    X(sendfile) X(sendfile64) \
    X(splice) X(read) X(__read_chk) X(readv) X(recv) X(__recv_chk) X(recvfrom) X(__recvfrom_chk) X(recvmsg) X(recvmmsg) X(close) \
    X(fclose) X(close_range) X(closefrom) X(syscall) X(dup) X(dup2) X(dup3) X(fcntl) X(fcntl64) \
    X(getaddrinfo) X(gethostbyname) X(gethostbyname2) X(gethostbyname_r) X(gethostbyname2_r)

#endif
