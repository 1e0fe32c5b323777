// Hooks what a program loads with RTLD_DEEPBIND. Such an object finds the C library and its TLS library before it finds
// us, so our exported functions are put into its slots, as libcurl's hooks are.

#ifdef __linux__
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bound_functions.h"
#include "deep_binding.h"
#include "hook_names.h"
#include "libraries.h"
#include "own_code.h"
#include "tls_functions.h"

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
    EACH_HOOKED_FUNCTION(TLS_CALL)
};
#define HOOKS (sizeof hooks / sizeof *hooks)

static int by_name(const void *left, const void *right) {
    return strcmp(((const hook *)left)->name, ((const hook *)right)->name);
}

static void *hook_for(const char *name, const void *bound) {
    hook key = {.name = name};
    const hook *found = bsearch(&key, hooks, HOOKS, sizeof *hooks, by_name);
    if (!found || !found->function) return NULL;
    if (!bound) return found->is_first ? found->function : NULL;
    return !wireweight_is_own(bound) && wireweight_is_in_library(bound, found->is_tls) ? found->function : NULL;
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
