// The functions that replace libcurl's in its callers' slots.

#include "program_hooks.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <dlfcn.h>
#include <string.h>

#include "curl_calls.h"

// Each libcurl has hooks of its own, so that a call goes on to the one that it was meant for.
// curl_easy_setopt takes a variable argument; on both processors one such argument is passed like a named one.
#define HOOKS_OF(n) \
    static CURL *hook_easy_init_##n(void) { return wwt_easy_init(wwt_hooked_library(n)); } \
    static void hook_easy_cleanup_##n(CURL *easy) { wwt_easy_cleanup(wwt_hooked_library(n), easy); } \
    static void hook_easy_reset_##n(CURL *easy) { wwt_easy_reset(wwt_hooked_library(n), easy); } \
    static CURL *hook_easy_duphandle_##n(CURL *easy) { return wwt_easy_duphandle(wwt_hooked_library(n), easy); } \
    static CURLcode hook_easy_setopt_##n(CURL *easy, CURLoption option, void *argument) { \
        return wwt_easy_setopt(wwt_hooked_library(n), easy, option, argument); \
    } \
    static CURLcode hook_easy_perform_##n(CURL *easy) { return wwt_easy_perform(wwt_hooked_library(n), easy); } \
    static CURLMcode hook_multi_add_handle_##n(CURLM *multi, CURL *easy) { \
        return wwt_multi_add_handle(wwt_hooked_library(n), multi, easy); \
    } \
    static CURLMcode hook_multi_remove_handle_##n(CURLM *multi, CURL *easy) { \
        return wwt_multi_remove_handle(wwt_hooked_library(n), multi, easy); \
    } \
    static CURLMsg *hook_multi_info_read_##n(CURLM *multi, int *left) { \
        return wwt_multi_info_read(wwt_hooked_library(n), multi, left); \
    }

HOOKS_OF(0)
HOOKS_OF(1)
HOOKS_OF(2)
HOOKS_OF(3)

#define OWN_HOOKS_OF(n) \
    static CURLcode own_easy_setopt_##n(CURL *easy, CURLoption option, void *argument) { \
        return wwt_own_easy_setopt(wwt_hooked_library(n), easy, option, argument); \
    } \
    static CURLMcode own_multi_add_handle_##n(CURLM *multi, CURL *easy) { \
        return wwt_own_multi_add_handle(wwt_hooked_library(n), multi, easy); \
    } \
    static CURLMcode own_multi_remove_handle_##n(CURLM *multi, CURL *easy) { \
        return wwt_own_multi_remove_handle(wwt_hooked_library(n), multi, easy); \
    }

OWN_HOOKS_OF(0)
OWN_HOOKS_OF(1)
OWN_HOOKS_OF(2)
OWN_HOOKS_OF(3)

static const char *const names[] = {
#define NAME(name) "curl_" #name,
    WWT_EACH_FUNCTION(NAME)
#undef NAME
};
#define FUNCTIONS (sizeof names / sizeof *names)

#define HOOK_0(name) (void *)hook_##name##_0,
#define HOOK_1(name) (void *)hook_##name##_1,
#define HOOK_2(name) (void *)hook_##name##_2,
#define HOOK_3(name) (void *)hook_##name##_3,
static void *const hooks[MOST_LIBRARIES][FUNCTIONS] = {
    {WWT_EACH_FUNCTION(HOOK_0)},
    {WWT_EACH_FUNCTION(HOOK_1)},
    {WWT_EACH_FUNCTION(HOOK_2)},
    {WWT_EACH_FUNCTION(HOOK_3)},
};

void *wwt_own_hook_for(const wwt_library *library, const char *name) {
#define OWN(n) {(void *)own_easy_setopt_##n, (void *)own_multi_add_handle_##n, (void *)own_multi_remove_handle_##n}
    static void *const own[MOST_LIBRARIES][3] = {OWN(0), OWN(1), OWN(2), OWN(3)};
#undef OWN
    static const char *const own_names[] = {"curl_easy_setopt", "curl_multi_add_handle", "curl_multi_remove_handle"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, own_names[i]) == 0) return own[wwt_number_of(library)][i];
    }
    return NULL;
}

void *wwt_hook_for(const wwt_library *library, const char *name) {
    for (int number = 0; number < MOST_LIBRARIES; number++) {
        if (wwt_library_number(number) != library) continue;
        for (size_t f = 0; f < FUNCTIONS; f++) {
            if (strcmp(name, names[f]) == 0) return hooks[number][f];
        }
    }
    return NULL;
}

void wwt_respect_interposers(void) {
    for (int i = 0; i < MOST_LIBRARIES; i++) {
        wwt_library *library = wwt_library_number(i);
        if (!library) return;
        void **next = (void **)&library->next;
        for (size_t f = 0; f < FUNCTIONS; f++) {
            Dl_info info;
            void *first = dlsym(RTLD_DEFAULT, names[f]);
            if (!first || !dladdr(first, &info)) continue;
            bool in_libcurl = false;
            for (int other = 0; other < MOST_LIBRARIES; other++) {
                const wwt_library *known = wwt_library_number(other);
                if (known && known->base == (uintptr_t)info.dli_fbase) in_libcurl = true;
            }
            if (!in_libcurl) next[f] = first;
        }
    }
}

#else

void *wwt_hook_for(const wwt_library *library, const char *name) {
    (void)library;
    (void)name;
    return NULL;
}

void *wwt_own_hook_for(const wwt_library *library, const char *name) { return wwt_hook_for(library, name); }

#endif
