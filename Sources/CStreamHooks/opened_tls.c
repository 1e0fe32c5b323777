// Programs that open OpenSSL by themselves and look its functions up, such as those on .NET or Qt, or by Python's ctypes, call
// it without the linker's names and slots. Each of these libraries has hooks of its own: such a program may call two of
// them from one place.

#if defined(__linux__) && __has_include(<gnu/libc-version.h>)
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "bound_functions.h"
#include "libraries.h"
#include "opened_tls.h"
#include "own_code.h"
#include "tls_functions.h"

#define EACH_OPENED(X, ...) \
    X(0 __VA_OPT__(,) __VA_ARGS__) X(1 __VA_OPT__(,) __VA_ARGS__) X(2 __VA_OPT__(,) __VA_ARGS__) X(3 __VA_OPT__(,) __VA_ARGS__)
enum { MOST_OPENED = 4 };
static tls opened[MOST_OPENED]; // under the lock of sessions
static int opened_count;

EACH_OPENED(NUMBERED_HOOKS, opened)
EACH_OPENED(BIO_HOOKS, opened)

static const char *const names[] = {
#define NAME(name) #name,
    EACH_NUMBERED_HOOK(NAME) EACH_BIO_HOOK(NAME)
#undef NAME
};
enum { NAMES = sizeof names / sizeof *names };

static void *const hooks[MOST_OPENED][NAMES] = {
#define TABLE(number) {NUMBERED_HOOK_TABLE(number), BIO_HOOK_TABLE(number)},
    EACH_OPENED(TABLE)
#undef TABLE
};

/// Its number; -1 if there are too many.
static int number_of(const void *mark, const tls *made) {
    int number = -1;
    wws_lock_sessions();
    for (int i = 0; i < opened_count; i++) {
        if (opened[i].mark == mark) number = i;
    }
    if (number < 0 && made && opened_count < MOST_OPENED) {
        number = opened_count++;
        opened[number] = *made;
        opened[number].asked.words = &opened[number].words;
    }
    wws_unlock_sessions();
    return number;
}

void *wireweight_opened_hook(void *handle, const char *name) {
    int place = 0;
    while (place < NAMES && strcmp(name, names[place]) != 0) place++;
    // What these two mean depends on the caller, and the linker's own search finds the exported hooks.
    if (place == NAMES || handle == RTLD_NEXT || handle == RTLD_DEFAULT || !wws_is_on()) return NULL;
    int before = errno;
    void *function = wwt_look_up(handle, name);
    if (!function || wireweight_is_own(function) || !wireweight_is_in_library(function, true)) return NULL;
    Dl_info info;
    int number = -1;
    // It stays loaded, or our pointers into it would dangle. The names are looked up where this one was found, so that they
    // are one library's.
    if (dladdr(function, &info) && (number = number_of(info.dli_fbase, NULL)) < 0) {
        void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        tls made = wireweight_find_functions(info.dli_fbase, library ? library : handle, wwt_look_up);
        number = number_of(info.dli_fbase, &made);
        if (library) dlclose(library);
    }
    errno = before;
    return number < 0 ? NULL : hooks[number][place];
}

#endif
