// Detours: a function of the program jumps to a hook, and the hook can still call the function.
#ifndef WIREWEIGHT_DETOUR_H
#define WIREWEIGHT_DETOUR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct detour {
    void *function;
    void *hook;
    void **original; // set to what does what `function` did, before the jump is there
    bool is_optional; // if its first instructions cannot be moved, the others are made without it
} detour;

#define WIREWEIGHT_MOST_DETOURS 16

/// The threads of a process that has only one. An emulator has one of its own.
#ifndef WIREWEIGHT_OWN_THREADS
#define WIREWEIGHT_OWN_THREADS 1
#endif

/// Makes these detours. False where another thread runs, where a function begins with what cannot be moved, where the
/// system does not allow new code, or where the code is not as in the executable's file: then nothing has changed. False
/// as well where memory ends on the way: then the detours that were made stay, and their hooks are to call the originals.
/// The program's code changes page by page, each at once, and a page that cannot be made executable is never put in place.
bool wireweight_make_detours(const detour *detours, size_t count);

#endif
