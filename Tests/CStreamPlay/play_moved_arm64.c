#include "play.h"

#include "moved_arm64.c"

#ifdef __linux__
#include "CStreamPlay.h"

csp_moved csp_move_arm64(uint32_t instruction, uintptr_t from, uintptr_t to) {
    moved_code made;
    csp_moved moved = {0};
    if (wws_move_arm64(instruction, from, to, &made)) {
        moved.taken = made.taken;
        moved.size = made.size;
        memcpy(moved.bytes, made.bytes, made.size);
    }
    return moved;
}

#endif
