// The first instructions of a function, written anew so that they do the same in another place.
#ifndef WWS_MOVED_CODE_H
#define WWS_MOVED_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many bytes of a function are overwritten by the jump to a hook.
#if defined(__x86_64__)
#define WWS_JUMP_SIZE 5
#else
#define WWS_JUMP_SIZE 4
#endif
/// What the moved instructions take at most, with the jump after them.
#define WWS_MOVED_SIZE 96

typedef struct moved_code {
    uint8_t bytes[WWS_MOVED_SIZE];
    size_t size;     // of `bytes`
    size_t taken;    // of the function, at least `WWS_JUMP_SIZE`
} moved_code;

/// Moves the instructions at `from` that the jump overwrites, to be run at `to`, and a jump to the first one that stays.
/// False for an instruction that is not known, or that cannot reach from there what it means. Reads at most 32 bytes.
bool wws_move_code(const uint8_t *from, uintptr_t to, moved_code *moved);
/// Writes the jump from `from` to `to`, of `WWS_JUMP_SIZE` bytes; false if it is too far.
bool wws_write_jump(uint8_t *bytes, uintptr_t from, uintptr_t to);

// The same for arm64, on any processor. There the jump takes the place of one instruction.

bool wws_move_arm64(uint32_t instruction, uintptr_t from, uintptr_t to, moved_code *moved);
bool wws_write_arm64_jump(uint8_t *bytes, uintptr_t from, uintptr_t to);

#endif
