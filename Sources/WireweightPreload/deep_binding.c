// Hooks what a program loads with RTLD_DEEPBIND. Such an object finds the C library and its TLS library before it finds
// us, so our exported functions are put into its slots, as libcurl's hooks are.

#ifdef __linux__
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "deep_binding.h"
#include "libraries.h"
#include "own_code.h"
#include "tls_functions.h"

/// What socket_calls.c, descriptor_calls.c and name_calls.c export.
#define EACH_SOCKET_CALL(X) \
    X(connect) X(accept) X(accept4) X(getsockopt) X(write) X(writev) X(send) X(sendto) X(sendmsg) X(sendmmsg) \
    X(sendfile) X(sendfile64) \
    X(splice) X(read) X(__read_chk) X(readv) X(recv) X(__recv_chk) X(recvfrom) X(__recvfrom_chk) X(recvmsg) X(recvmmsg) X(close) \
    X(fclose) X(close_range) X(closefrom) X(syscall) X(dup) X(dup2) X(dup3) X(fcntl) X(fcntl64) \
    X(getaddrinfo) X(gethostbyname) X(gethostbyname2) X(gethostbyname_r) X(gethostbyname2_r)

typedef struct hook {
    const char *name;
    void *function;
    bool is_tls;
    bool is_first; // who asks for the name first finds ours
} hook;

static hook hooks[] = {
#define SOCKET_CALL(function) {#function, NULL, false, false},
    EACH_SOCKET_CALL(SOCKET_CALL)
#define TLS_CALL(function) {#function, NULL, true, false},
    EACH_FUNCTION(TLS_CALL)
};
#define HOOKS (sizeof hooks / sizeof *hooks)

static int by_name(const void *left, const void *right) {
    return strcmp(((const hook *)left)->name, ((const hook *)right)->name);
}

// MARK: slots

typedef struct place {
    const void *address;
    const char *file;
} place;

static int find_place(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    place *place = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) continue;
        if ((uintptr_t)place->address - info->dlpi_addr - header->p_vaddr >= header->p_memsz) continue;
        place->file = info->dlpi_name;
        return 1;
    }
    return 0;
}

/// Whether a function is in a library of that kind, and not in another one that hooks it, too. Not by `dladdr`, whose lock
/// a thread that loads an object holds while it waits for the list of objects.
static bool is_in_library(const void *function, bool is_tls) {
    static const char *const kinds[2][3] = {{"libc.so", "libc-2.", "libpthread"}, {"libssl", "libgnutls", "libgnutls"}};
    place place = {function, NULL};
    dl_iterate_phdr(find_place, &place);
    const char *file = place.file ? strrchr(place.file, '/') : NULL;
    for (int i = 0; file && i < 3; i++) {
        if (strncmp(file + 1, kinds[is_tls][i], strlen(kinds[is_tls][i])) == 0) return true;
    }
    return false;
}

static void *hook_for(const char *name, const void *bound) {
    hook key = {.name = name};
    const hook *found = bsearch(&key, hooks, HOOKS, sizeof *hooks, by_name);
    if (!found || !found->function) return NULL;
    if (!bound) return found->is_first ? found->function : NULL;
    return !wireweight_is_own(bound) && is_in_library(bound, found->is_tls) ? found->function : NULL;
}

// MARK: loading

void wireweight_bind_deep(void) {
    // Another thread does not wait: it may hold the linker's lock, which this needs.
    static bool has_begun;
    if (__atomic_exchange_n(&has_begun, true, __ATOMIC_ACQ_REL)) return;
    Dl_info own;
    void *handle = dladdr((void *)wireweight_bind_deep, &own) ? dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!handle) return;
    for (size_t i = 0; i < HOOKS; i++) {
        void *function = wwt_look_up(handle, hooks[i].name);
        if (!function || !wireweight_is_own(function)) continue;
        hooks[i].function = function;
        hooks[i].is_first = wwt_look_up(RTLD_DEFAULT, hooks[i].name) == function;
    }
    dlclose(handle);
    qsort(hooks, HOOKS, sizeof *hooks, by_name);
    __atomic_store_n(&wwt_other_hook, hook_for, __ATOMIC_RELEASE);
}

#endif
