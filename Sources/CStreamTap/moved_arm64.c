// The first instruction of a function for arm64, written anew so that it does the same in another place. The encodings are
// those of the Arm Architecture Reference Manual, C4.1.
#include "moved_code.h"

#ifdef __linux__
#include <string.h>

static bool is_set(uint32_t word, int bit) { return word >> bit & 1; }

static uint32_t bits(uint32_t word, int last, int first) { return word >> first & ((1U << (last - first + 1)) - 1); }

static int64_t signed_bits(uint32_t word, int last, int first) {
    uint32_t sign = 1U << (last - first);
    return (int64_t)(bits(word, last, first) ^ sign) - sign;
}

// MARK: instructions that are the same in any place

/// Whether a load or store of one register has this size and kind (C4.1.94). `is_plain`: it may be a prefetch.
static bool is_access(uint32_t word, bool is_plain) {
    uint32_t size = bits(word, 31, 30), kind = bits(word, 23, 22);
    if (is_set(word, 26)) return kind < 2 || size == 0;
    if (size == 3 && kind == 2) return is_plain;
    return kind < 3 || size < 2;
}

static bool is_load_or_store(uint32_t word) {
    if (bits(word, 29, 27) == 5) { // pairs
        uint32_t size = bits(word, 31, 30);
        if (is_set(word, 26)) return size != 3;
        // Of the second size there is ldpsw alone; the other is of memory tags.
        return size == 0 || size == 2 || (size == 1 && is_set(word, 22) && bits(word, 24, 23) != 0);
    }
    if (bits(word, 29, 27) != 7) return false; // exclusive, ordered, literal, structures
    if (is_set(word, 24)) return is_access(word, true);
    if (is_set(word, 21)) return bits(word, 11, 10) == 2 && is_set(word, 14) && is_access(word, true);
    switch (bits(word, 11, 10)) {
    case 0: return is_access(word, true);
    case 2: return !is_set(word, 26) && is_access(word, false);
    default: return is_access(word, false);
    }
}

static bool is_immediate(uint32_t word) {
    bool is_wide = is_set(word, 31);
    switch (bits(word, 25, 23)) {
    case 2: return true;                                                                      // add, sub
    case 4: return is_wide || !is_set(word, 22);                                              // and, orr, eor
    case 5: return bits(word, 30, 29) != 1 && (is_wide || !is_set(word, 22));                 // movz, movn, movk
    case 6: return bits(word, 30, 29) != 3 && is_set(word, 22) == is_wide                     // bitfields
        && (is_wide || !(is_set(word, 21) || is_set(word, 15)));
    case 7: return bits(word, 30, 29) == 0 && !is_set(word, 21) && is_set(word, 22) == is_wide // extr
        && (is_wide || !is_set(word, 15));
    }
    return false;
}

static bool is_of_registers(uint32_t word) {
    bool is_wide = is_set(word, 31);
    if (!is_set(word, 28)) {
        if (!is_set(word, 24)) return is_wide || !is_set(word, 15); // and, orr, eor
        if (is_set(word, 21)) return bits(word, 23, 22) == 0 && bits(word, 12, 10) <= 4;
        return bits(word, 23, 22) != 3 && (is_wide || !is_set(word, 15)); // add, sub
    }
    switch (bits(word, 24, 21)) {
    case 0: return bits(word, 15, 10) == 0; // adc, sbc
    case 2: return is_set(word, 29) && !is_set(word, 10) && !is_set(word, 4); // ccmp
    case 4: return !is_set(word, 29) && !is_set(word, 11); // csel
    case 6:
        if (is_set(word, 29)) return false;
        if (!is_set(word, 30)) { // divisions and shifts
            uint32_t kind = bits(word, 15, 10);
            return kind == 2 || kind == 3 || (kind >= 8 && kind <= 11);
        }
        // rbit, rev, clz, cls. Some of those after them sign with the address of the instruction itself.
        return bits(word, 20, 16) == 0 && bits(word, 15, 10) <= 5 && (is_wide || bits(word, 15, 10) != 3);
    case 8: return bits(word, 30, 29) == 0;                                          // madd
    case 9: case 13: return bits(word, 30, 29) == 0 && is_wide;                      // of halves
    case 10: case 14: return bits(word, 30, 29) == 0 && is_wide && !is_set(word, 15); // the upper half
    }
    return false;
}

/// Hints, by their numbers: nop, xpaclri, those that sign and authenticate the return address, and landing pads. Not pacm,
/// which changes what the next instruction signs with.
static bool is_hint(uint32_t word) {
    if ((word & 0xfffff01f) != 0xd503201f) return false;
    uint32_t number = bits(word, 11, 5);
    switch (number) {
    case 0: case 7: case 8: case 10: case 12: case 14: case 32: case 34: case 36: case 38: return true;
    }
    return number >= 24 && number <= 31;
}

static bool is_vector(uint32_t word) {
    bool is_fmov = (word & 0xffbffc00) == 0x1e204000 || (word & 0xfffefc00) == 0x1e260000
        || (word & 0xfffefc00) == 0x9e660000;
    // movi and what else has a number in it; one of them needs a whole vector.
    bool is_number = (word & 0x9ff80c00) == 0x0f000400 && ((word & 0x6000f000) != 0x2000f000);
    return is_fmov || is_number;
}

static bool stays(uint32_t word) {
    switch (bits(word, 28, 25)) {
    case 8: case 9: return is_immediate(word);
    case 10: case 11: return is_hint(word) || (word & 0xffffffe0) == 0xd53bd040; // mrs of tpidr_el0
    case 4: case 6: case 12: case 14: return is_load_or_store(word);
    case 5: case 13: return is_of_registers(word);
    case 7: case 15: return is_vector(word);
    }
    return false;
}

// MARK: writing

typedef struct output {
    moved_code *moved;
    uintptr_t to;
    bool is_reached; // by all branches so far
} output;

static void put(output *out, uint32_t word) {
    memcpy(out->moved->bytes + out->moved->size, &word, sizeof word);
    out->moved->size += sizeof word;
}

bool wws_write_arm64_jump(uint8_t *bytes, uintptr_t from, uintptr_t to) {
    int64_t distance = (int64_t)(to - from);
    if (distance % 4 || distance < -(INT64_C(1) << 27) || distance >= INT64_C(1) << 27) return false;
    uint32_t jump = 0x14000000 | ((uint32_t)(distance >> 2) & 0x03ffffff);
    memcpy(bytes, &jump, sizeof jump);
    return true;
}

static void put_jump(output *out, uintptr_t target) {
    uint32_t word = 0;
    out->is_reached &= wws_write_arm64_jump((uint8_t *)&word, out->to + out->moved->size, target);
    put(out, word);
}

/// movz and three movk.
static void put_value(output *out, uint32_t number, uint64_t value) {
    for (uint32_t i = 0; i < 4; i++) {
        put(out, (i ? 0xf2800000 : 0xd2800000) | i << 21 | (uint32_t)(value >> 16 * i & 0xffff) << 5 | number);
    }
}

/// Loads or prefetches what a literal has, from its address in a register.
static bool put_load(output *out, uint32_t word, uintptr_t literal) {
    static const uint32_t loads[] = {
        0xb9400000, 0xf9400000, 0xb9800000, 0xf9800000, // ldr of 4 and of 8 bytes, ldrsw, prfm
        0xbd400000, 0xfd400000, 0x3dc00000, // ldr of 4, 8 and 16 bytes into a vector
    };
    uint32_t kind = bits(word, 31, 30), number = bits(word, 4, 0);
    bool is_number = !is_set(word, 26) && kind != 3;
    if (is_set(word, 26) && kind == 3) return false;
    // The second of the two registers that a call may change before its function begins.
    uint32_t address = is_number && number != 31 ? number : 17;
    put_value(out, address, literal);
    put(out, loads[is_set(word, 26) * 4 + kind] | address << 5 | number);
    return true;
}

bool wws_move_arm64(uint32_t word, uintptr_t from, uintptr_t to, moved_code *moved) {
    *moved = (moved_code){.taken = 4};
    output out = {moved, to, true};
    uintptr_t next = from + 4, target = 0;
    if ((word & 0x1f000000) == 0x10000000) { // adr, adrp
        bool is_page = is_set(word, 31);
        uint64_t distance = (uint64_t)signed_bits(word, 23, 5) << 2 | bits(word, 30, 29);
        target = is_page ? (from & ~(uintptr_t)4095) + (distance << 12) : from + distance;
        put_value(&out, bits(word, 4, 0), target);
    } else if ((word & 0x3b000000) == 0x18000000) { // ldr, ldrsw and prfm of a literal
        target = from + 4 * (uintptr_t)signed_bits(word, 23, 5);
        if (!put_load(&out, word, target)) return false;
    } else if ((word & 0x7c000000) == 0x14000000) { // b, bl
        target = from + 4 * (uintptr_t)signed_bits(word, 25, 0);
        // The function that it calls returns into this one, as if nothing had been moved.
        if (is_set(word, 31)) put_value(&out, 30, next);
        put_jump(&out, target);
        next = 0;
    } else if ((word & 0xff000000) == 0x54000000 || (word & 0x7c000000) == 0x34000000) { // b.cond, cbz, cbnz, tbz, tbnz
        bool is_test = (word & 0x7e000000) == 0x36000000;
        target = from + 4 * (uintptr_t)signed_bits(word, is_test ? 18 : 23, 5);
        // Over the next instruction, which goes on.
        put(&out, (word & (is_test ? 0xfff8001f : 0xff00001f)) | 2 << 5);
        put_jump(&out, next);
        put_jump(&out, target);
        next = 0;
    } else {
        if (!stays(word)) return false;
        put(&out, word);
    }
    if (next) put_jump(&out, next);
    // What it means there will be the jump to the hook.
    bool is_back = target >= from && target < from + 4;
    return out.is_reached && !is_back;
}

#endif
