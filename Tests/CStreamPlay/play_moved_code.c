#include "play.h"

#include "moved_code.c"

#ifdef __linux__
#include <stdlib.h>

#include "CStreamPlay.h"

csp_moved csp_move_code(const uint8_t *bytes, size_t count, intptr_t distance) {
    // The most that is read.
    enum { MOST_READ = 32 };
    uint8_t *code = calloc(1, MOST_READ);
    memcpy(code, bytes, count < MOST_READ ? count : MOST_READ);
    moved_code made;
    uintptr_t from = (uintptr_t)code, to = from + (uintptr_t)distance;
    csp_moved moved = {0};
    if (wws_move_code(code, to, &made)) {
        moved.taken = made.taken;
        moved.size = made.size;
        memcpy(moved.bytes, made.bytes, made.size);
        int32_t jump;
        memcpy(&jump, made.bytes + made.size - sizeof jump, sizeof jump);
        moved.goes_to = (intptr_t)(to + made.size + (uintptr_t)(intptr_t)jump - from);
    }
    free(code);
    return moved;
}

#endif
