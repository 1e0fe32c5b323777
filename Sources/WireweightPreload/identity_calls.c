// Exports the functions by which a program gives up rights, before the C library does. A server's workers do so before
// they serve, and could not reach the command any more: so the way there is opened first.

#ifdef __linux__
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "channel.h"
#include "own_code.h"

#define EXPORTED __attribute__((visibility("default")))

static void *original(const char *name) {
    int before = errno;
    channel_hold();
    void *function = wireweight_next(name);
    if (!function) abort();
    errno = before;
    return function;
}

EXPORTED int setuid(uid_t user) { return ((int (*)(uid_t))original("setuid"))(user); }

EXPORTED int seteuid(uid_t user) { return ((int (*)(uid_t))original("seteuid"))(user); }

EXPORTED int setreuid(uid_t real, uid_t effective) {
    return ((int (*)(uid_t, uid_t))original("setreuid"))(real, effective);
}

EXPORTED int setresuid(uid_t real, uid_t effective, uid_t saved) {
    return ((int (*)(uid_t, uid_t, uid_t))original("setresuid"))(real, effective, saved);
}

EXPORTED int chroot(const char *folder) { return ((int (*)(const char *))original("chroot"))(folder); }

#endif
