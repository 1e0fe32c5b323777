#include "moved_code.h"

#ifdef __linux__
#include <string.h>

#if defined(__x86_64__)

static bool put_distance(uint8_t *at, uintptr_t after, uintptr_t target) {
    int64_t distance = (int64_t)(target - after);
    if (distance != (int32_t)distance) return false;
    memcpy(at, &(int32_t){(int32_t)distance}, sizeof(int32_t));
    return true;
}

bool wws_write_jump(uint8_t *bytes, uintptr_t from, uintptr_t to) {
    bytes[0] = 0xe9;
    return put_distance(bytes + 1, from + 5, to);
}

/// An instruction: its length, where its operand is that counts from its end (0: none), and what kind of jump it is.
typedef struct instruction {
    size_t length;
    size_t relative;
    enum { STAYS, SHORT_CONDITION, LONG_CONDITION, SHORT_JUMP, LONG_JUMP } jump;
} instruction;

enum { NONE = 0, NO_OPERAND = 1, MODRM = 2, BYTE = 4, WORD = 8 };

/// What follows an opcode of one byte, of those that compilers begin functions with (Intel's manual, volume 2, appendix
/// A). Calls, returns and all that is not listed are refused.
static int operands_of(uint8_t opcode, uint8_t extension) {
    if ((opcode >= 0x50 && opcode <= 0x5f) || opcode == 0x90) return NO_OPERAND;
    if (opcode < 0x40) {
        switch (opcode & 7) {
        case 0: case 1: case 2: case 3: return MODRM; // add, or, adc, sbb, and, sub, xor, cmp
        case 4: return BYTE;
        case 5: return WORD;
        }
        return NONE;
    }
    switch (opcode) {
    case 0x63: case 0x84: case 0x85: case 0x86: case 0x87: case 0x88: case 0x89: case 0x8a: case 0x8b: case 0x8d:
    case 0xd1: case 0xd3: return MODRM;
    case 0x6b: case 0x80: case 0x83: case 0xc0: case 0xc1: return MODRM | BYTE;
    case 0x69: case 0x81: return MODRM | WORD;
    case 0xc6: return extension == 0 ? MODRM | BYTE : NONE;
    case 0xc7: return extension == 0 ? MODRM | WORD : NONE;
    case 0xf6: return extension >= 2 ? MODRM : MODRM | BYTE;
    case 0xf7: return extension >= 2 ? MODRM : MODRM | WORD;
    case 0xfe: return extension <= 1 ? MODRM : NONE;
    case 0xff: return extension <= 1 || extension == 6 ? MODRM : NONE;
    case 0x6a: case 0xa8: return BYTE;
    case 0x68: case 0xa9: return WORD;
    }
    return NONE;
}

/// The same after 0F.
static int operands_of_second(uint8_t opcode) {
    if ((opcode >= 0x40 && opcode <= 0x4f) || (opcode >= 0x90 && opcode <= 0x9f)) return MODRM; // cmov, set
    switch (opcode) {
    case 0x10: case 0x11: case 0x1f: case 0x28: case 0x29: case 0x57: case 0x6e: case 0x6f: case 0x7e: case 0x7f:
    case 0xaf: case 0xb6: case 0xb7: case 0xbe: case 0xbf: case 0xd6: case 0xef: return MODRM;
    case 0xba: return MODRM | BYTE;
    }
    return NONE;
}

/// False for an instruction that is not known.
static bool read_instruction(const uint8_t *from, instruction *read) {
    const uint8_t *at = from;
    *read = (instruction){0};
    if (memcmp(at, "\xf3\x0f\x1e\xfa", 4) == 0) { // endbr64
        read->length = 4;
        return true;
    }
    bool is_short_word = false, is_wide = false;
    // Of the prefixes: operand size, and the segments in which a thread's own variables are.
    for (int i = 0; i < 2 && (*at == 0x66 || *at == 0x64 || *at == 0x2e); i++) is_short_word |= *at++ == 0x66;
    if ((*at & 0xf0) == 0x40) is_wide = *at++ & 8;
    if (is_wide) is_short_word = false; // the operand's size is that of REX.W then, and the prefix is ignored
    uint8_t opcode = *at++;
    int operands;
    if (opcode == 0x0f) {
        opcode = *at++;
        if (opcode >= 0x80 && opcode <= 0x8f) {
            if (at != from + 2) return false;
            *read = (instruction){6, 2, LONG_CONDITION};
            return true;
        }
        operands = operands_of_second(opcode);
    } else if ((opcode >= 0x70 && opcode <= 0x7f) || opcode == 0xeb || opcode == 0xe9) {
        if (at != from + 1) return false;
        bool is_long = opcode == 0xe9;
        *read = (instruction){is_long ? 5 : 2, 1, is_long ? LONG_JUMP : opcode == 0xeb ? SHORT_JUMP : SHORT_CONDITION};
        return true;
    } else if (opcode >= 0xb8 && opcode <= 0xbf) {
        read->length = (size_t)(at - from) + (is_wide ? 8 : is_short_word ? 2 : 4);
        return true;
    } else {
        operands = operands_of(opcode, *at >> 3 & 7);
    }
    if (operands == NONE) return false;
    if (operands & MODRM) {
        uint8_t mode = *at >> 6, register_or_memory = *at & 7;
        at++;
        if (mode == 0 && register_or_memory == 5) {
            read->relative = (size_t)(at - from);
            at += 4;
        } else if (mode != 3) {
            if (register_or_memory == 4) {
                uint8_t base = *at++ & 7;
                if (mode == 0 && base == 5) at += 4;
            }
            at += mode == 1 ? 1 : mode == 2 ? 4 : 0;
        }
    }
    if (operands & BYTE) at += 1;
    if (operands & WORD) at += is_short_word ? 2 : 4;
    read->length = (size_t)(at - from);
    return true;
}

bool wws_move_code(const uint8_t *from, uintptr_t to, moved_code *moved) {
    *moved = (moved_code){0};
    bool goes_on = true;
    while (moved->taken < WWS_JUMP_SIZE) {
        const uint8_t *at = from + moved->taken;
        uint8_t *out = moved->bytes + moved->size;
        instruction read;
        // What follows a jump may be another function, or a place that others jump to.
        if (!goes_on || !read_instruction(at, &read)) return false;
        size_t length = read.length;
        if (read.jump == STAYS) {
            memcpy(out, at, length);
        } else {
            bool is_condition = read.jump == SHORT_CONDITION || read.jump == LONG_CONDITION;
            length = is_condition ? 6 : 5;
            if (is_condition) out[0] = 0x0f;
            out[length - 5] = !is_condition ? 0xe9 : read.jump == LONG_CONDITION ? at[1] : at[0] + 0x10;
            goes_on = is_condition;
        }
        if (read.relative) {
            bool is_short = read.jump == SHORT_CONDITION || read.jump == SHORT_JUMP;
            int32_t distance = (int8_t)at[read.relative];
            if (!is_short) memcpy(&distance, at + read.relative, sizeof distance);
            uintptr_t target = (uintptr_t)at + read.length + (uintptr_t)(intptr_t)distance;
            // It would jump into what the jump to the hook overwrites.
            bool is_back = target >= (uintptr_t)from && target < (uintptr_t)from + WWS_JUMP_SIZE;
            size_t place = read.jump == STAYS ? read.relative : length - 4;
            if (is_back || !put_distance(out + place, to + moved->size + length, target)) return false;
        }
        moved->size += length;
        moved->taken += read.length;
    }
    if (!goes_on) return true;
    uint8_t *out = moved->bytes + moved->size;
    moved->size += WWS_JUMP_SIZE;
    return wws_write_jump(out, to + moved->size - WWS_JUMP_SIZE, (uintptr_t)from + moved->taken);
}

#elif defined(__aarch64__)

bool wws_write_jump(uint8_t *bytes, uintptr_t from, uintptr_t to) { return wws_write_arm64_jump(bytes, from, to); }

bool wws_move_code(const uint8_t *from, uintptr_t to, moved_code *moved) {
    uint32_t first;
    memcpy(&first, from, sizeof first);
    return wws_move_arm64(first, (uintptr_t)from, to, moved);
}

#else

bool wws_move_code(const uint8_t *from, uintptr_t to, moved_code *moved) {
    (void)from, (void)to, (void)moved;
    return false;
}

bool wws_write_jump(uint8_t *bytes, uintptr_t from, uintptr_t to) {
    (void)bytes, (void)from, (void)to;
    return false;
}

#endif
#endif
